-- A write to the view was dropped without a word. No program that writes there can open a store of this
-- version, so a write is an error now.
DROP TRIGGER state_is_not_inserted;
DROP TRIGGER state_is_not_updated;
DROP TRIGGER state_is_not_deleted;
CREATE TRIGGER state_is_not_inserted INSTEAD OF INSERT ON state
BEGIN SELECT RAISE(ABORT, 'state is a read-only view; use mainstay state merge'); END;
CREATE TRIGGER state_is_not_updated INSTEAD OF UPDATE ON state
BEGIN SELECT RAISE(ABORT, 'state is a read-only view; use mainstay state merge'); END;
CREATE TRIGGER state_is_not_deleted INSTEAD OF DELETE ON state
BEGIN SELECT RAISE(ABORT, 'state is a read-only view; use mainstay state merge'); END;
