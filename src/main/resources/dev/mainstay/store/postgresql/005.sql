-- Entries leave the journal in one way only: by retention, which says so for its own transaction, and
-- only once their stream is recorded as archived. They are never changed.
CREATE FUNCTION journal_entries_leave_archived() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('mainstay.retention', true) = 'on' AND EXISTS (
    SELECT 1 FROM archived_streams a WHERE a.stream = OLD.stream AND a.number >= OLD.number)
  THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'the journal is append-only';
END $$;
DROP TRIGGER journal_keeps_its_entries ON journal;
CREATE TRIGGER journal_keeps_its_entries BEFORE UPDATE OR TRUNCATE ON journal
  FOR EACH STATEMENT EXECUTE FUNCTION journal_is_append_only();
CREATE TRIGGER journal_loses_no_entries BEFORE DELETE ON journal
  FOR EACH ROW EXECUTE FUNCTION journal_entries_leave_archived();

CREATE INDEX terminal_states_by_age ON terminal_states (updated_at);
CREATE INDEX budget_reservations_by_budget ON budget_reservations (budget_id);
