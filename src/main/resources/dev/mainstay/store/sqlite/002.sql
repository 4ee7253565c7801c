-- Workspaces: what is in their files, who works on which of them, and what tools were seen to do.
-- All of it belongs to one host and moment; only what was written through Mainstay is journaled.

-- The version counts changes; the view is repostate.json as it was last written, or none that fits.
CREATE TABLE workspaces (
  id TEXT PRIMARY KEY,
  host TEXT NOT NULL,
  work_dir TEXT NOT NULL,
  story_id TEXT,
  open_tasks TEXT NOT NULL DEFAULT '[]',
  tree_hash TEXT NOT NULL,
  version INTEGER NOT NULL DEFAULT 0,
  view_hash TEXT,
  updated_at TEXT NOT NULL,
  UNIQUE (host, work_dir)
) STRICT;

CREATE INDEX workspaces_by_story ON workspaces (story_id) WHERE story_id IS NOT NULL;

-- The base is what the file was when the story began: null when it was not there.
CREATE TABLE workspace_files (
  workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  hash TEXT,
  size INTEGER NOT NULL CHECK (size >= 0),
  mod_nanos INTEGER NOT NULL,
  file_key TEXT NOT NULL,
  hashed_nanos INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('CREATED', 'MODIFIED', 'UNCHANGED', 'DELETED')),
  base_hash TEXT,
  PRIMARY KEY (workspace_id, path)
) STRICT, WITHOUT ROWID;

-- Which tasks changed which file, each with the content it left.
CREATE TABLE workspace_touches (
  workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  task_id TEXT NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
  hash TEXT,
  touched_at TEXT NOT NULL,
  PRIMARY KEY (workspace_id, path, task_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX workspace_touches_by_task ON workspace_touches (task_id, touched_at);

-- A file that is about to be written, from before the first byte until it is confirmed.
CREATE TABLE file_writes (
  workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  temp_name TEXT NOT NULL,
  old_hash TEXT,
  new_hash TEXT NOT NULL,
  key TEXT,
  fingerprint TEXT NOT NULL,
  task_id TEXT REFERENCES tasks (id) ON DELETE CASCADE,
  actor TEXT NOT NULL,
  source TEXT NOT NULL,
  begun_at TEXT NOT NULL,
  PRIMARY KEY (workspace_id, path)
) STRICT, WITHOUT ROWID;

-- A reservation holds while its task is held under the same fence.
CREATE TABLE reservations (
  workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
  pattern TEXT NOT NULL,
  task_id TEXT NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
  fence INTEGER NOT NULL,
  reserved_at TEXT NOT NULL,
  PRIMARY KEY (workspace_id, pattern, task_id)
) STRICT, WITHOUT ROWID;

-- What hooks saw and nobody has looked at yet, in the order in which it came.
CREATE TABLE observations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
  task_id TEXT REFERENCES tasks (id) ON DELETE SET NULL,
  actor TEXT NOT NULL,
  source TEXT NOT NULL,
  meaning TEXT NOT NULL,
  seen_at TEXT NOT NULL
) STRICT;
CREATE INDEX observations_by_workspace ON observations (workspace_id, id);

-- What Mainstay itself saw of a task: evidence, conflicts.
ALTER TABLE dossiers ADD COLUMN observed TEXT NOT NULL DEFAULT '{}';
