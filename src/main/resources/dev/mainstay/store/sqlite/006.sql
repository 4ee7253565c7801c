-- A message knows how often it was tried, who has it until when, and what became of it. SQLite adds no
-- column whose default is the time, so the table is made anew. What an older store had on its way waits
-- again; what it had ended keeps its end.
CREATE TABLE inbox_of_6 (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  sender_id TEXT NOT NULL,
  receiver_id TEXT NOT NULL REFERENCES terminals (id) ON DELETE CASCADE,
  message TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('PENDING', 'DELIVERING', 'DELIVERED', 'FAILED')),
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%f', 'now') || '000Z'),
  attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  reason TEXT,
  taken_until TEXT,
  updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%f', 'now') || '000Z'),
  delivered_at TEXT,
  CHECK ((status = 'DELIVERING') = (taken_until IS NOT NULL)),
  CHECK ((status = 'DELIVERED') = (delivered_at IS NOT NULL)),
  CHECK ((status = 'FAILED') = (reason IS NOT NULL))
) STRICT;
INSERT INTO inbox_of_6
  (id, sender_id, receiver_id, message, status, created_at, reason, updated_at, delivered_at)
SELECT id, sender_id, receiver_id, message,
  CASE status WHEN 'DELIVERING' THEN 'PENDING' ELSE status END, created_at,
  CASE status WHEN 'FAILED' THEN 'no reason was kept' END, created_at,
  CASE status WHEN 'DELIVERED' THEN created_at END
FROM inbox ORDER BY id;
DROP TABLE inbox;
ALTER TABLE inbox_of_6 RENAME TO inbox;

CREATE INDEX inbox_by_receiver ON inbox (receiver_id, id);
CREATE INDEX inbox_open ON inbox (receiver_id, id) WHERE status IN ('PENDING', 'DELIVERING');
CREATE INDEX inbox_taken ON inbox (taken_until) WHERE status = 'DELIVERING';
