-- What persons look at: who waits for an answer, what agents were given to read, what was written.

CREATE INDEX runs_suspended ON runs (started_at, task_id) WHERE phase = 'SUSPENDED';

-- How large each prompt was that an agent was given, the newest of each task.
CREATE TABLE prompts_given (
  task_id TEXT NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
  turn INTEGER NOT NULL CHECK (turn > 0),
  tokens INTEGER NOT NULL CHECK (tokens >= 0),
  transcript_tokens INTEGER CHECK (transcript_tokens >= 0),
  source TEXT NOT NULL,
  given_at TEXT NOT NULL,
  PRIMARY KEY (task_id, turn)
) STRICT, WITHOUT ROWID;
CREATE INDEX prompts_given_by_age ON prompts_given (given_at);

-- How often a file was written in a workspace, by hour, and how often it had that content already.
CREATE TABLE write_counts (
  workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
  hour TEXT NOT NULL,
  changed INTEGER NOT NULL DEFAULT 0 CHECK (changed >= 0),
  unchanged INTEGER NOT NULL DEFAULT 0 CHECK (unchanged >= 0),
  PRIMARY KEY (workspace_id, hour)
) STRICT, WITHOUT ROWID;
CREATE INDEX write_counts_by_hour ON write_counts (hour);
