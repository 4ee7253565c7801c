-- A name that the caller chose for a task; interfaces take it in place of the id.
ALTER TABLE tasks ADD COLUMN alias TEXT;
CREATE UNIQUE INDEX tasks_alias ON tasks (alias) WHERE alias IS NOT NULL;
