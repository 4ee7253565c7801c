-- A write to the view was dropped without a word. No program that writes there can open a store of this
-- version, so a write is an error now.
DROP RULE state_is_not_inserted ON state;
DROP RULE state_is_not_updated ON state;
DROP RULE state_is_not_deleted ON state;
CREATE FUNCTION state_is_read_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'state is a read-only view; use mainstay state merge';
END $$;
CREATE TRIGGER state_is_not_written INSTEAD OF INSERT OR UPDATE OR DELETE ON state
  FOR EACH ROW EXECUTE FUNCTION state_is_read_only();
