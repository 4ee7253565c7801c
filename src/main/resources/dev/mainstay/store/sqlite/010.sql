-- A payload can be rewritten in one way only: by forgetting a secret, which says so for its own
-- transaction. Everything else of an entry, and with it the chain, stays as it is.
DROP TRIGGER journal_keeps_its_entries;
CREATE TRIGGER journal_keeps_its_entries BEFORE UPDATE ON journal
WHEN NOT EXISTS (SELECT 1 FROM store_meta WHERE name = 'forgetting' AND value = 'on')
  OR NEW.seq <> OLD.seq OR NEW.stream <> OLD.stream OR NEW.number <> OLD.number
  OR NEW.actor <> OLD.actor OR NEW.source <> OLD.source OR NEW.at <> OLD.at
  OR NEW.kind <> OLD.kind OR NEW.payload_hash <> OLD.payload_hash
  OR NEW.previous_hash <> OLD.previous_hash OR NEW.hash <> OLD.hash
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
