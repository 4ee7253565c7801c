-- All tables of the sources, with their foreign keys (SQLite cannot add those later),
-- and what the promises need: journal, dependencies, idempotency keys.

CREATE TABLE store_meta (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

CREATE TABLE counters (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT;
INSERT INTO counters (name, value) VALUES ('task', 0);

CREATE TABLE journal (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  stream TEXT NOT NULL,
  number INTEGER NOT NULL CHECK (number > 0),
  actor TEXT NOT NULL,
  source TEXT NOT NULL,
  at TEXT NOT NULL,
  kind TEXT NOT NULL,
  payload TEXT NOT NULL,
  payload_hash TEXT NOT NULL,
  previous_hash TEXT NOT NULL,
  hash TEXT NOT NULL,
  UNIQUE (stream, number)
) STRICT;

CREATE TRIGGER journal_keeps_its_entries BEFORE UPDATE ON journal
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
-- REPLACE would remove an entry without firing the trigger for deletions.
CREATE TRIGGER journal_replaces_no_entries BEFORE INSERT ON journal
WHEN EXISTS (SELECT 1 FROM journal WHERE seq = NEW.seq OR (stream = NEW.stream AND number = NEW.number))
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER journal_loses_no_entries BEFORE DELETE ON journal
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;

CREATE TABLE idempotency_keys (
  key TEXT PRIMARY KEY,
  fingerprint TEXT NOT NULL,
  answer TEXT,
  expires_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (expires_at);

CREATE TABLE workflows (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  description TEXT,
  config TEXT
) STRICT;

CREATE TABLE workflow_nodes (
  id TEXT NOT NULL,
  workflow_id TEXT NOT NULL REFERENCES workflows (id) ON DELETE CASCADE,
  node_data TEXT NOT NULL,
  position TEXT,
  PRIMARY KEY (workflow_id, id)
) STRICT;

CREATE TABLE workflow_edges (
  id TEXT NOT NULL,
  workflow_id TEXT NOT NULL REFERENCES workflows (id) ON DELETE CASCADE,
  source TEXT NOT NULL,
  target TEXT NOT NULL,
  PRIMARY KEY (workflow_id, id),
  FOREIGN KEY (workflow_id, source) REFERENCES workflow_nodes (workflow_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workflow_id, target) REFERENCES workflow_nodes (workflow_id, id) ON DELETE CASCADE
) STRICT;

CREATE TABLE session_workflows (
  session_name TEXT PRIMARY KEY,
  workflow_id TEXT NOT NULL REFERENCES workflows (id) ON DELETE CASCADE
) STRICT;

CREATE TABLE workflow_executions (
  id TEXT PRIMARY KEY,
  workflow_id TEXT NOT NULL REFERENCES workflows (id) ON DELETE CASCADE,
  session_name TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('RUNNING', 'PAUSED', 'COMPLETED', 'FAILED', 'CANCELLED')),
  current_node_id TEXT,
  execution_data TEXT,
  started_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%f', 'now') || '000Z'),
  completed_at TEXT,
  error_message TEXT
) STRICT;

CREATE TABLE terminals (
  id TEXT PRIMARY KEY,
  tmux_session TEXT,
  tmux_window TEXT,
  provider TEXT NOT NULL,
  agent_profile TEXT,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%f', 'now') || '000Z')
) STRICT;

CREATE TABLE terminal_states (
  terminal_id TEXT PRIMARY KEY REFERENCES terminals (id) ON DELETE CASCADE,
  context_data TEXT,
  variables TEXT,
  initial_prompt TEXT,
  last_checkpoint TEXT,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%f', 'now') || '000Z'),
  updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%f', 'now') || '000Z')
) STRICT;

CREATE TABLE inbox (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  sender_id TEXT NOT NULL,
  receiver_id TEXT NOT NULL REFERENCES terminals (id) ON DELETE CASCADE,
  message TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('PENDING', 'DELIVERING', 'DELIVERED', 'FAILED')),
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%f', 'now') || '000Z')
) STRICT;

CREATE TABLE flows (
  name TEXT PRIMARY KEY,
  schedule TEXT NOT NULL,
  agent_profile TEXT,
  provider TEXT
) STRICT;

CREATE TABLE tasks (
  id TEXT PRIMARY KEY,
  seq INTEGER NOT NULL UNIQUE,
  workflow_id TEXT REFERENCES workflows (id) ON DELETE SET NULL,
  parent_id TEXT REFERENCES tasks (id) ON DELETE SET NULL,
  title TEXT NOT NULL CHECK (length(trim(title)) > 0),
  description TEXT NOT NULL,
  task_type TEXT NOT NULL,
  priority INTEGER NOT NULL DEFAULT 0,
  status TEXT NOT NULL
    CHECK (status IN ('PENDING', 'ASSIGNED', 'IN_PROGRESS', 'COMPLETED', 'FAILED', 'CANCELLED')),
  dependencies TEXT NOT NULL DEFAULT '[]',
  metadata TEXT NOT NULL DEFAULT '{}',
  unmet_dependencies INTEGER NOT NULL DEFAULT 0 CHECK (unmet_dependencies >= 0),
  reason TEXT,
  attempt INTEGER NOT NULL DEFAULT 0 CHECK (attempt >= 0),
  fence INTEGER NOT NULL DEFAULT 0 CHECK (fence >= 0),
  lease_holder TEXT,
  lease_until TEXT,
  version INTEGER NOT NULL CHECK (version > 0),
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%f', 'now') || '000Z'),
  updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%f', 'now') || '000Z'),
  completed_at TEXT,
  CHECK ((status IN ('ASSIGNED', 'IN_PROGRESS')) = (lease_holder IS NOT NULL)),
  CHECK ((lease_holder IS NULL) = (lease_until IS NULL)),
  CHECK ((status = 'COMPLETED') = (completed_at IS NOT NULL))
) STRICT;

-- "Which tasks are ready" is one range of one of these, however many tasks there are.
CREATE INDEX tasks_ready ON tasks (priority DESC, seq)
  WHERE status = 'PENDING' AND unmet_dependencies = 0;
CREATE INDEX tasks_ready_by_type ON tasks (task_type, priority DESC, seq)
  WHERE status = 'PENDING' AND unmet_dependencies = 0;
CREATE INDEX tasks_by_status ON tasks (status, seq);
CREATE INDEX tasks_by_type ON tasks (task_type, seq);
CREATE INDEX tasks_by_parent ON tasks (parent_id, seq) WHERE parent_id IS NOT NULL;
CREATE INDEX tasks_by_workflow ON tasks (workflow_id, seq) WHERE workflow_id IS NOT NULL;
CREATE INDEX tasks_by_lease ON tasks (lease_until) WHERE lease_until IS NOT NULL;

CREATE TABLE task_dependencies (
  task_id TEXT NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
  depends_on TEXT NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('BLOCKS', 'AFTER_FAILURE', 'AFTER_ANY')),
  place INTEGER NOT NULL,
  PRIMARY KEY (task_id, depends_on),
  CHECK (task_id <> depends_on)
) STRICT, WITHOUT ROWID;
CREATE INDEX task_dependencies_by_other ON task_dependencies (depends_on, task_id);

CREATE TABLE task_assignments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  task_id TEXT NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
  terminal_id TEXT NOT NULL REFERENCES terminals (id) ON DELETE CASCADE,
  assigned_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%f', 'now') || '000Z'),
  started_at TEXT,
  completed_at TEXT,
  status TEXT NOT NULL
    CHECK (status IN ('ASSIGNED', 'ACCEPTED', 'IN_PROGRESS', 'COMPLETED', 'FAILED')),
  result TEXT,
  error_message TEXT,
  UNIQUE (task_id, terminal_id)
) STRICT;

CREATE TABLE task_artifacts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  task_id TEXT NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
  artifact_type TEXT NOT NULL,
  file_path TEXT,
  content TEXT,
  content_hash TEXT,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%f', 'now') || '000Z')
) STRICT;
CREATE INDEX task_artifacts_by_task ON task_artifacts (task_id, id);

CREATE TABLE state (
  task_id TEXT PRIMARY KEY REFERENCES tasks (id) ON DELETE CASCADE,
  blob TEXT NOT NULL
) STRICT;

-- What is remembered about a task: whole, with authors and counts. The number is that of the entry
-- which changed it last.
CREATE TABLE dossiers (
  task_id TEXT PRIMARY KEY REFERENCES tasks (id) ON DELETE CASCADE,
  number INTEGER NOT NULL CHECK (number > 0),
  notebook TEXT NOT NULL,
  task_state TEXT NOT NULL
) STRICT;

-- A place in a task's history with a name, not a copy.
CREATE TABLE checkpoints (
  task_id TEXT NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
  name TEXT NOT NULL CHECK (length(trim(name)) > 0),
  number INTEGER NOT NULL CHECK (number > 0),
  created_at TEXT NOT NULL,
  PRIMARY KEY (task_id, name)
) STRICT;

-- Made now and then from the journal, so that an earlier moment of a long stream is found quickly.
CREATE TABLE snapshots (
  stream TEXT NOT NULL,
  number INTEGER NOT NULL CHECK (number > 0),
  dossier TEXT NOT NULL,
  PRIMARY KEY (stream, number)
) STRICT;

-- Who sits where and works on what: local, no part of a task's history.
CREATE TABLE agent_sessions (
  id TEXT PRIMARY KEY,
  host_session_id TEXT NOT NULL,
  agent TEXT NOT NULL,
  terminal_id TEXT REFERENCES terminals (id) ON DELETE SET NULL,
  worktree TEXT NOT NULL,
  branch TEXT NOT NULL,
  task_id TEXT REFERENCES tasks (id) ON DELETE SET NULL,
  fence INTEGER,
  repeat_fuse TEXT NOT NULL,
  started_at TEXT NOT NULL,
  last_seen TEXT NOT NULL,
  UNIQUE (agent, host_session_id)
) STRICT;
CREATE INDEX agent_sessions_by_place ON agent_sessions (agent, worktree, branch, last_seen);
CREATE INDEX agent_sessions_by_task ON agent_sessions (task_id, last_seen)
  WHERE task_id IS NOT NULL;

-- One run after the other of each task; in which session it was begun is local.
CREATE TABLE runs (
  task_id TEXT NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
  number INTEGER NOT NULL CHECK (number > 0),
  session_id TEXT,
  goal TEXT NOT NULL,
  phase TEXT NOT NULL
    CHECK (phase IN ('RUNNING', 'SUSPENDED', 'FINISHED', 'NO_PROGRESS', 'ABANDONED')),
  started_at TEXT NOT NULL,
  ended_at TEXT,
  PRIMARY KEY (task_id, number),
  CHECK ((phase IN ('RUNNING', 'SUSPENDED')) = (ended_at IS NULL))
) STRICT;
