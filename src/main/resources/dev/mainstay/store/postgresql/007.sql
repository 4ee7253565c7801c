-- A terminal that Mainstay started knows where it runs, who asked for it, and how it stands.
ALTER TABLE terminals ADD COLUMN host text;
ALTER TABLE terminals ADD COLUMN tmux_socket text;
ALTER TABLE terminals ADD COLUMN work_dir text;
ALTER TABLE terminals ADD COLUMN caller_id text;
ALTER TABLE terminals ADD COLUMN status text
  CHECK (status IN ('STARTING', 'READY', 'BUSY', 'WAITING_FOR_PERSON', 'DONE', 'UNKNOWN',
    'ENDED', 'CRASHED', 'GONE', 'STOPPED'));
ALTER TABLE terminals ADD COLUMN status_reason text;
ALTER TABLE terminals ADD COLUMN exit_code bigint;
ALTER TABLE terminals ADD COLUMN last_active timestamptz;
ALTER TABLE terminals ADD COLUMN last_lines text;
ALTER TABLE terminals ADD COLUMN conversation text;
ALTER TABLE terminals ADD COLUMN program jsonb;
ALTER TABLE terminals ADD COLUMN pending_input text;
ALTER TABLE terminals ADD COLUMN pending_tried timestamptz;
ALTER TABLE terminals ADD COLUMN signal text CHECK (signal IN ('WORKING', 'ASKING', 'FINISHED'));
ALTER TABLE terminals ADD COLUMN signal_at timestamptz;
ALTER TABLE terminals ADD COLUMN stopped_at timestamptz;

CREATE INDEX terminals_live ON terminals (host, id)
  WHERE status IN ('STARTING', 'READY', 'BUSY', 'WAITING_FOR_PERSON', 'DONE', 'UNKNOWN');

-- A flow keeps the text it was added with; where it runs, and when it is due next.
ALTER TABLE flows ADD COLUMN body text NOT NULL DEFAULT '';
ALTER TABLE flows ADD COLUMN variables jsonb;
ALTER TABLE flows ADD COLUMN script text;
ALTER TABLE flows ADD COLUMN zone text NOT NULL DEFAULT 'UTC';
ALTER TABLE flows ADD COLUMN missed text NOT NULL DEFAULT 'run' CHECK (missed IN ('run', 'skip'));
ALTER TABLE flows ADD COLUMN host text;
ALTER TABLE flows ADD COLUMN work_dir text;
ALTER TABLE flows ADD COLUMN enabled bigint NOT NULL DEFAULT 1 CHECK (enabled IN (0, 1));
ALTER TABLE flows ADD COLUMN next_run timestamptz;
ALTER TABLE flows ADD COLUMN version bigint NOT NULL DEFAULT 1;
ALTER TABLE flows ADD COLUMN created_at timestamptz;
ALTER TABLE flows ADD COLUMN updated_at timestamptz;
CREATE INDEX flows_due ON flows (host, next_run) WHERE enabled = 1;

-- One row for each moment a flow was due, so that no two servers run it for the same one.
CREATE TABLE flow_runs (
  flow_name text NOT NULL REFERENCES flows (name) ON DELETE CASCADE,
  due_at timestamptz NOT NULL,
  by_hand bigint NOT NULL DEFAULT 0 CHECK (by_hand IN (0, 1)),
  status text NOT NULL CHECK (status IN ('RUNNING', 'STARTED', 'DECLINED', 'MISSED', 'FAILED')),
  reason text,
  terminal_id text,
  started_at timestamptz NOT NULL DEFAULT now(),
  completed_at timestamptz,
  PRIMARY KEY (flow_name, due_at)
);
CREATE INDEX flow_runs_running ON flow_runs (started_at) WHERE status = 'RUNNING';

-- A task that somebody wants done by an agent of a profile, and what became of that wish.
CREATE TABLE delegations (
  task_id text PRIMARY KEY REFERENCES tasks (id) ON DELETE CASCADE,
  caller_id text NOT NULL,
  agent_profile text NOT NULL,
  provider text,
  tmux_session text NOT NULL,
  host text NOT NULL,
  work_dir text NOT NULL,
  worktree bigint NOT NULL DEFAULT 0 CHECK (worktree IN (0, 1)),
  branch text,
  base text,
  status text NOT NULL CHECK (status IN ('WAITING', 'GIVEN', 'REPORTED')),
  terminal_id text,
  message_id bigint,
  reason text,
  started bigint NOT NULL DEFAULT 0 CHECK (started IN (0, 1)),
  noticed bigint NOT NULL DEFAULT 0 CHECK (noticed IN (0, 1)),
  taken_until timestamptz,
  delayed_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX delegations_terminal ON delegations (terminal_id);
CREATE INDEX delegations_open ON delegations (host, created_at)
  WHERE status IN ('WAITING', 'GIVEN');
