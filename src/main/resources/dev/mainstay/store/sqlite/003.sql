-- The execution of a plan, and the folders in which its five files lie.

ALTER TABLE dossiers ADD COLUMN execution TEXT NOT NULL DEFAULT '{}';

-- A folder on one host that shows the execution of one task; the clashes are what both sides changed
-- differently, with what each has and what both knew before.
CREATE TABLE state_directories (
  id TEXT PRIMARY KEY,
  host TEXT NOT NULL,
  folder TEXT NOT NULL,
  task_id TEXT NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
  execution_id TEXT NOT NULL,
  clashes TEXT NOT NULL DEFAULT '{}',
  created_at TEXT NOT NULL,
  UNIQUE (host, folder)
) STRICT;
CREATE INDEX state_directories_by_task ON state_directories (task_id);

-- The last version of a file that both sides knew, and the one that is about to be written.
CREATE TABLE state_files (
  directory_id TEXT NOT NULL REFERENCES state_directories (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  base TEXT NOT NULL,
  pending TEXT,
  PRIMARY KEY (directory_id, name)
) STRICT, WITHOUT ROWID;
