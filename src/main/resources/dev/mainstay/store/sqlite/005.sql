-- Entries leave the journal in one way only: by retention, which says so for its own transaction, and
-- only once their stream is recorded as archived. They are never changed.
DROP TRIGGER journal_loses_no_entries;
CREATE TRIGGER journal_loses_no_entries BEFORE DELETE ON journal
WHEN NOT EXISTS (SELECT 1 FROM store_meta WHERE name = 'retention' AND value = 'on')
  OR NOT EXISTS (
    SELECT 1 FROM archived_streams a WHERE a.stream = OLD.stream AND a.number >= OLD.number)
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;

CREATE INDEX terminal_states_by_age ON terminal_states (updated_at);
CREATE INDEX budget_reservations_by_budget ON budget_reservations (budget_id);
