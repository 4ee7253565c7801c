-- A notebook was written whole with each note, some six pages of the file. It is written whole from time
-- to time now, and the dossier has what is new since; "kept" says how many of the notes before go on.
DROP VIEW state;
CREATE TABLE notebooks (
  task_id TEXT PRIMARY KEY REFERENCES tasks (id) ON DELETE CASCADE,
  hash TEXT NOT NULL CHECK (length(hash) = 64),
  notebook TEXT NOT NULL
) STRICT;
-- Another name, so that a program of the version before that still runs takes it for nothing it knows.
ALTER TABLE dossiers RENAME COLUMN notebook TO notes_since;
ALTER TABLE dossiers ADD COLUMN base_hash TEXT NOT NULL DEFAULT '';

CREATE VIEW state AS
SELECT task_id, json_set(lists, '$.next_focus', coalesce(json_extract(lists, '$.next_focus[0]'), ''))
  AS blob
FROM (SELECT d.task_id,
  (SELECT json_group_object(section.value, json((SELECT json_group_array(text) FROM
      (SELECT 0 AS part, note.key AS place, json_extract(note.value, '$.text') AS text
       FROM json_each(n.notebook, '$.' || section.value || '.notes') AS note
       WHERE json_type(d.notes_since, '$.' || section.value) IS NULL
         OR note.key >= json_array_length(n.notebook, '$.' || section.value || '.notes')
           - coalesce(json_extract(d.notes_since, '$.' || section.value || '.kept'), 0)
       UNION ALL
       SELECT 1 AS part, note.key AS place, json_extract(note.value, '$.text') AS text
       FROM json_each(d.notes_since, '$.' || section.value || '.notes') AS note
       ORDER BY part, place))))
   FROM json_each('["goals", "constraints", "decisions", "hypotheses", "history", "open_issues",
     "next_focus"]') AS section) AS lists
  FROM dossiers d LEFT JOIN notebooks n ON n.task_id = d.task_id AND n.hash = d.base_hash
  WHERE json_valid(d.notes_since) AND (d.base_hash = '' OR json_valid(n.notebook)));

CREATE TRIGGER state_is_not_inserted INSTEAD OF INSERT ON state BEGIN SELECT 1; END;
CREATE TRIGGER state_is_not_updated INSTEAD OF UPDATE ON state BEGIN SELECT 1; END;
CREATE TRIGGER state_is_not_deleted INSTEAD OF DELETE ON state BEGIN SELECT 1; END;
