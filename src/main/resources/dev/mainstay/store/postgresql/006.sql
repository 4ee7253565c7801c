-- A message knows how often it was tried, who has it until when, and what became of it. What an older
-- store had on its way waits again; what it had ended keeps its end.
ALTER TABLE inbox
  ADD COLUMN attempts bigint NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  ADD COLUMN reason text,
  ADD COLUMN taken_until timestamptz,
  ADD COLUMN updated_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN delivered_at timestamptz;
UPDATE inbox SET
  status = CASE status WHEN 'DELIVERING' THEN 'PENDING' ELSE status END,
  reason = CASE status WHEN 'FAILED' THEN 'no reason was kept' END,
  updated_at = created_at,
  delivered_at = CASE status WHEN 'DELIVERED' THEN created_at END;
ALTER TABLE inbox
  ADD CHECK ((status = 'DELIVERING') = (taken_until IS NOT NULL)),
  ADD CHECK ((status = 'DELIVERED') = (delivered_at IS NOT NULL)),
  ADD CHECK ((status = 'FAILED') = (reason IS NOT NULL));

CREATE INDEX inbox_by_receiver ON inbox (receiver_id, id);
CREATE INDEX inbox_open ON inbox (receiver_id, id) WHERE status IN ('PENDING', 'DELIVERING');
CREATE INDEX inbox_taken ON inbox (taken_until) WHERE status = 'DELIVERING';
