-- A terminal that Mainstay started knows where it runs, who asked for it, and how it stands.
ALTER TABLE terminals ADD COLUMN host TEXT;
ALTER TABLE terminals ADD COLUMN tmux_socket TEXT;
ALTER TABLE terminals ADD COLUMN work_dir TEXT;
ALTER TABLE terminals ADD COLUMN caller_id TEXT;
ALTER TABLE terminals ADD COLUMN status TEXT
  CHECK (status IN ('STARTING', 'READY', 'BUSY', 'WAITING_FOR_PERSON', 'DONE', 'UNKNOWN',
    'ENDED', 'CRASHED', 'GONE', 'STOPPED'));
ALTER TABLE terminals ADD COLUMN status_reason TEXT;
ALTER TABLE terminals ADD COLUMN exit_code INTEGER;
ALTER TABLE terminals ADD COLUMN last_active TEXT;
ALTER TABLE terminals ADD COLUMN last_lines TEXT;
ALTER TABLE terminals ADD COLUMN conversation TEXT;
ALTER TABLE terminals ADD COLUMN program TEXT;
ALTER TABLE terminals ADD COLUMN pending_input TEXT;
ALTER TABLE terminals ADD COLUMN pending_tried TEXT;
ALTER TABLE terminals ADD COLUMN signal TEXT CHECK (signal IN ('WORKING', 'ASKING', 'FINISHED'));
ALTER TABLE terminals ADD COLUMN signal_at TEXT;
ALTER TABLE terminals ADD COLUMN stopped_at TEXT;

CREATE INDEX terminals_live ON terminals (host, id)
  WHERE status IN ('STARTING', 'READY', 'BUSY', 'WAITING_FOR_PERSON', 'DONE', 'UNKNOWN');

-- A flow keeps the text it was added with; where it runs, and when it is due next.
ALTER TABLE flows ADD COLUMN body TEXT NOT NULL DEFAULT '';
ALTER TABLE flows ADD COLUMN variables TEXT;
ALTER TABLE flows ADD COLUMN script TEXT;
ALTER TABLE flows ADD COLUMN zone TEXT NOT NULL DEFAULT 'UTC';
ALTER TABLE flows ADD COLUMN missed TEXT NOT NULL DEFAULT 'run' CHECK (missed IN ('run', 'skip'));
ALTER TABLE flows ADD COLUMN host TEXT;
ALTER TABLE flows ADD COLUMN work_dir TEXT;
ALTER TABLE flows ADD COLUMN enabled INTEGER NOT NULL DEFAULT 1 CHECK (enabled IN (0, 1));
ALTER TABLE flows ADD COLUMN next_run TEXT;
ALTER TABLE flows ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE flows ADD COLUMN created_at TEXT;
ALTER TABLE flows ADD COLUMN updated_at TEXT;
CREATE INDEX flows_due ON flows (host, next_run) WHERE enabled = 1;

-- One row for each moment a flow was due, so that no two servers run it for the same one.
CREATE TABLE flow_runs (
  flow_name TEXT NOT NULL REFERENCES flows (name) ON DELETE CASCADE,
  due_at TEXT NOT NULL,
  by_hand INTEGER NOT NULL DEFAULT 0 CHECK (by_hand IN (0, 1)),
  status TEXT NOT NULL CHECK (status IN ('RUNNING', 'STARTED', 'DECLINED', 'MISSED', 'FAILED')),
  reason TEXT,
  terminal_id TEXT,
  started_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%f', 'now') || '000Z'),
  completed_at TEXT,
  PRIMARY KEY (flow_name, due_at)
) STRICT;
CREATE INDEX flow_runs_running ON flow_runs (started_at) WHERE status = 'RUNNING';

-- A task that somebody wants done by an agent of a profile, and what became of that wish.
CREATE TABLE delegations (
  task_id TEXT PRIMARY KEY REFERENCES tasks (id) ON DELETE CASCADE,
  caller_id TEXT NOT NULL,
  agent_profile TEXT NOT NULL,
  provider TEXT,
  tmux_session TEXT NOT NULL,
  host TEXT NOT NULL,
  work_dir TEXT NOT NULL,
  worktree INTEGER NOT NULL DEFAULT 0 CHECK (worktree IN (0, 1)),
  branch TEXT,
  base TEXT,
  status TEXT NOT NULL CHECK (status IN ('WAITING', 'GIVEN', 'REPORTED')),
  terminal_id TEXT,
  message_id INTEGER,
  reason TEXT,
  started INTEGER NOT NULL DEFAULT 0 CHECK (started IN (0, 1)),
  noticed INTEGER NOT NULL DEFAULT 0 CHECK (noticed IN (0, 1)),
  taken_until TEXT,
  delayed_until TEXT,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%f', 'now') || '000Z'),
  updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%f', 'now') || '000Z')
) STRICT;
CREATE INDEX delegations_terminal ON delegations (terminal_id);
CREATE INDEX delegations_open ON delegations (host, created_at)
  WHERE status IN ('WAITING', 'GIVEN');
