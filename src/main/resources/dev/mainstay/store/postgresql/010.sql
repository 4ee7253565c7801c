-- A payload can be rewritten in one way only: by forgetting a secret, which says so for its own
-- transaction. Everything else of an entry, and with it the chain, stays as it is.
CREATE FUNCTION journal_forgets_payloads() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('mainstay.forgetting', true) = 'on'
    AND (to_jsonb(NEW) - 'payload') = (to_jsonb(OLD) - 'payload')
  THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'the journal is append-only';
END $$;
DROP TRIGGER journal_keeps_its_entries ON journal;
CREATE TRIGGER journal_keeps_its_entries BEFORE TRUNCATE ON journal
  FOR EACH STATEMENT EXECUTE FUNCTION journal_is_append_only();
CREATE TRIGGER journal_changes_no_entries BEFORE UPDATE ON journal
  FOR EACH ROW EXECUTE FUNCTION journal_forgets_payloads();
