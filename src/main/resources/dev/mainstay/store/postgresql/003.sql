-- The execution of a plan, and the folders in which its five files lie.

ALTER TABLE dossiers ADD COLUMN execution jsonb NOT NULL DEFAULT '{}';

-- A folder on one host that shows the execution of one task; the clashes are what both sides changed
-- differently, with what each has and what both knew before.
CREATE TABLE state_directories (
  id text PRIMARY KEY,
  host text NOT NULL,
  folder text NOT NULL,
  task_id text NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
  execution_id text NOT NULL,
  clashes jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL,
  UNIQUE (host, folder)
);
CREATE INDEX state_directories_by_task ON state_directories (task_id);

-- The last version of a file that both sides knew, and the one that is about to be written.
CREATE TABLE state_files (
  directory_id text NOT NULL REFERENCES state_directories (id) ON DELETE CASCADE,
  name text NOT NULL,
  base text NOT NULL,
  pending text,
  PRIMARY KEY (directory_id, name)
);
