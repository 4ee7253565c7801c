-- Tasks for many agents: on what terms they are done, what else they wait for, who was given them,
-- what came out, what may be spent, who may call, and what has left into an archive.

-- Terms are journaled. A task waits, beside its dependencies, for open children, for a moment, and for
-- its budget; a lease knows since when it is held and when its holder was last heard of.
ALTER TABLE tasks ADD COLUMN terms jsonb NOT NULL DEFAULT '{}';
ALTER TABLE tasks ADD COLUMN open_children bigint NOT NULL DEFAULT 0 CHECK (open_children >= 0);
ALTER TABLE tasks ADD COLUMN delayed_until timestamptz;
ALTER TABLE tasks ADD COLUMN over_budget bigint NOT NULL DEFAULT 0 CHECK (over_budget IN (0, 1));
ALTER TABLE tasks ADD COLUMN lease_since timestamptz;
ALTER TABLE tasks ADD COLUMN heartbeat_at timestamptz;
UPDATE tasks SET lease_since = updated_at, heartbeat_at = updated_at WHERE lease_holder IS NOT NULL;
-- Whoever holds a task now is known as a worker.
INSERT INTO terminals (id, provider, created_at)
  SELECT lease_holder, 'external', max(updated_at) FROM tasks
  WHERE lease_holder IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM terminals known WHERE known.id = tasks.lease_holder)
  GROUP BY lease_holder;
UPDATE tasks SET open_children = (
  SELECT count(*) FROM tasks child WHERE child.parent_id = tasks.id
    AND child.status IN ('PENDING', 'ASSIGNED', 'IN_PROGRESS'));

DROP INDEX tasks_ready;
DROP INDEX tasks_ready_by_type;
CREATE INDEX tasks_ready ON tasks (priority DESC, seq)
  WHERE status = 'PENDING' AND unmet_dependencies = 0 AND open_children = 0
    AND delayed_until IS NULL AND over_budget = 0;
CREATE INDEX tasks_ready_by_type ON tasks (task_type, priority DESC, seq)
  WHERE status = 'PENDING' AND unmet_dependencies = 0 AND open_children = 0
    AND delayed_until IS NULL AND over_budget = 0;
CREATE INDEX tasks_by_delay ON tasks (delayed_until) WHERE delayed_until IS NOT NULL;
CREATE INDEX tasks_over_budget ON tasks (seq) WHERE over_budget = 1;
CREATE INDEX tasks_by_end ON tasks (updated_at)
  WHERE status IN ('COMPLETED', 'FAILED', 'CANCELLED');

-- A retry by the same terminal goes on in its row, with a higher attempt.
ALTER TABLE task_assignments ADD COLUMN attempt bigint NOT NULL DEFAULT 1 CHECK (attempt > 0);
ALTER TABLE task_assignments ADD COLUMN fence bigint NOT NULL DEFAULT 0 CHECK (fence >= 0);
ALTER TABLE task_assignments ADD COLUMN accepted_at timestamptz;
CREATE INDEX task_assignments_by_terminal ON task_assignments (terminal_id, id);

ALTER TABLE terminal_states ADD COLUMN version bigint NOT NULL DEFAULT 1 CHECK (version > 0);

-- An artifact's text is kept once, by its hash, however many artifacts show it; their content column
-- stays empty.
CREATE TABLE artifact_contents (
  content_hash text PRIMARY KEY,
  content text NOT NULL,
  size_bytes bigint NOT NULL CHECK (size_bytes >= 0)
);
ALTER TABLE task_artifacts ADD COLUMN size_bytes bigint NOT NULL DEFAULT 0 CHECK (size_bytes >= 0);
ALTER TABLE task_artifacts ADD COLUMN host text;
CREATE INDEX task_artifacts_by_hash ON task_artifacts (content_hash);

-- What a task and everything below it may cost. Cost is in millionths of a dollar. What is reserved is
-- promised to those who hold a task below; spent and reserved together never pass the limit.
CREATE TABLE task_budgets (
  task_id text PRIMARY KEY REFERENCES tasks (id) ON DELETE CASCADE,
  tokens_max bigint,
  cost_max bigint,
  seconds_max bigint,
  tokens_spent bigint NOT NULL DEFAULT 0,
  cost_spent bigint NOT NULL DEFAULT 0,
  seconds_spent bigint NOT NULL DEFAULT 0,
  tokens_reserved bigint NOT NULL DEFAULT 0,
  cost_reserved bigint NOT NULL DEFAULT 0,
  seconds_reserved bigint NOT NULL DEFAULT 0
);

CREATE TABLE budget_reservations (
  task_id text NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
  budget_id text NOT NULL REFERENCES task_budgets (task_id) ON DELETE CASCADE,
  tokens bigint NOT NULL,
  cost bigint NOT NULL,
  seconds bigint NOT NULL,
  PRIMARY KEY (task_id, budget_id)
);

-- What a type of task must show before it counts as done.
CREATE TABLE task_types (
  task_type text PRIMARY KEY,
  requires jsonb NOT NULL DEFAULT '[]',
  version bigint NOT NULL DEFAULT 1 CHECK (version > 0),
  updated_at timestamptz NOT NULL
);

-- Who may call the server. Only the hash of a token is kept; an agent's is bound to its terminal.
CREATE TABLE access_tokens (
  id text PRIMARY KEY,
  token_hash text NOT NULL UNIQUE,
  role text NOT NULL CHECK (role IN ('PERSON', 'AGENT', 'VIEWER')),
  name text NOT NULL,
  terminal_id text REFERENCES terminals (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  expires_at timestamptz,
  CHECK ((role = 'AGENT') = (terminal_id IS NOT NULL))
);

-- Streams that have left into an archive file: where their last entry was, and in which file they are.
CREATE TABLE archived_streams (
  stream text COLLATE "C" PRIMARY KEY,
  number bigint NOT NULL CHECK (number > 0),
  hash text NOT NULL,
  archive text NOT NULL,
  archived_at timestamptz NOT NULL
);
