-- Every import that differs is a version of its own, and a version is never changed.
ALTER TABLE workflows ADD COLUMN version INTEGER NOT NULL DEFAULT 1 CHECK (version > 0);
ALTER TABLE workflows ADD COLUMN source TEXT;
ALTER TABLE workflows ADD COLUMN content_hash TEXT;
ALTER TABLE workflows ADD COLUMN created_at TEXT;
CREATE UNIQUE INDEX workflows_by_name ON workflows (name, version);

-- The order in which nodes and edges were drawn decides which condition is asked first.
ALTER TABLE workflow_nodes ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
ALTER TABLE workflow_edges ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
ALTER TABLE workflow_edges ADD COLUMN edge_data TEXT;

ALTER TABLE workflow_executions ADD COLUMN host TEXT NOT NULL DEFAULT '';
ALTER TABLE workflow_executions ADD COLUMN work_dir TEXT NOT NULL DEFAULT '';
ALTER TABLE workflow_executions ADD COLUMN parent_execution TEXT;
ALTER TABLE workflow_executions ADD COLUMN parent_token TEXT;
ALTER TABLE workflow_executions ADD COLUMN version INTEGER NOT NULL DEFAULT 1 CHECK (version > 0);
ALTER TABLE workflow_executions ADD COLUMN started_by TEXT NOT NULL DEFAULT 'system:mainstay';
ALTER TABLE workflow_executions ADD COLUMN incidents INTEGER NOT NULL DEFAULT 0
  CHECK (incidents >= 0);
ALTER TABLE workflow_executions ADD COLUMN held TEXT;
ALTER TABLE workflow_executions ADD COLUMN updated_at TEXT;
CREATE INDEX workflow_executions_by_age ON workflow_executions (started_at, id);
CREATE INDEX workflow_executions_by_workflow ON workflow_executions (workflow_id, started_at, id);
CREATE INDEX workflow_executions_live ON workflow_executions (workflow_id)
  WHERE status IN ('RUNNING', 'PAUSED');

-- What the tokens of an execution wait for; a token waits for one thing at a time. What is
-- WITHDRAWN is wanted no more, and somebody still has to tell the task or the execution so.
CREATE TABLE workflow_waits (
  execution_id TEXT NOT NULL REFERENCES workflow_executions (id) ON DELETE CASCADE,
  token_id TEXT NOT NULL,
  node_id TEXT NOT NULL,
  kind TEXT NOT NULL
    CHECK (kind IN ('TASK', 'ANSWER', 'TIMER', 'MESSAGE', 'CALL', 'WITHDRAWN')),
  task_id TEXT,
  due_at TEXT,
  message TEXT,
  correlation TEXT,
  child_execution TEXT,
  question TEXT,
  since TEXT NOT NULL,
  PRIMARY KEY (execution_id, token_id),
  CHECK ((kind = 'TIMER') = (due_at IS NOT NULL)),
  CHECK ((kind = 'MESSAGE') = (message IS NOT NULL))
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX workflow_waits_by_task ON workflow_waits (task_id) WHERE task_id IS NOT NULL;
CREATE INDEX workflow_waits_due ON workflow_waits (due_at) WHERE kind = 'TIMER';
CREATE INDEX workflow_waits_by_message ON workflow_waits (message, correlation, since)
  WHERE kind = 'MESSAGE';
CREATE INDEX workflow_waits_asking ON workflow_waits (since, execution_id, token_id)
  WHERE kind = 'ANSWER';
CREATE INDEX workflow_waits_withdrawn ON workflow_waits (since) WHERE kind = 'WITHDRAWN';

-- The moments and messages that start the newest version of a workflow.
CREATE TABLE workflow_starts (
  workflow_id TEXT NOT NULL REFERENCES workflows (id) ON DELETE CASCADE,
  node_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('TIMER', 'MESSAGE')),
  due_at TEXT,
  message TEXT,
  fired INTEGER NOT NULL DEFAULT 0 CHECK (fired >= 0),
  PRIMARY KEY (workflow_id, node_id),
  CHECK ((kind = 'TIMER') = (due_at IS NOT NULL)),
  CHECK ((kind = 'MESSAGE') = (message IS NOT NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX workflow_starts_due ON workflow_starts (due_at) WHERE kind = 'TIMER';
CREATE INDEX workflow_starts_by_message ON workflow_starts (message) WHERE kind = 'MESSAGE';

-- Messages that were sent before anybody waited for them.
CREATE TABLE workflow_messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  correlation TEXT,
  message_data TEXT NOT NULL,
  sent_by TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX workflow_messages_by_name ON workflow_messages (name, correlation, id);
