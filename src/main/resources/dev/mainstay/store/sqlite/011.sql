-- The plain notebook, as other programs read it, was a second copy of what stands in the dossier, and
-- written with each note. It is seen through the dossier now.
DROP TABLE state;
CREATE VIEW state AS
SELECT task_id, json_set(
  (SELECT json_group_object(section.value, json((SELECT json_group_array(text) FROM
      (SELECT json_extract(note.value, '$.text') AS text
       FROM json_each(notebook, '$.' || section.value || '.notes') AS note ORDER BY note.key))))
   FROM json_each(
     '["goals", "constraints", "decisions", "hypotheses", "history", "open_issues"]') AS section),
  '$.next_focus', coalesce(json_extract(notebook, '$.next_focus.notes[0].text'), '')) AS blob
FROM dossiers WHERE json_valid(notebook);

-- A program of the version before that still runs writes it as well, beside the dossier.
CREATE TRIGGER state_is_not_inserted INSTEAD OF INSERT ON state BEGIN SELECT 1; END;
CREATE TRIGGER state_is_not_updated INSTEAD OF UPDATE ON state BEGIN SELECT 1; END;
CREATE TRIGGER state_is_not_deleted INSTEAD OF DELETE ON state BEGIN SELECT 1; END;
