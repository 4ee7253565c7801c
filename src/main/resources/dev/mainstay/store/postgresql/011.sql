-- The plain notebook, as other programs read it, was a second copy of what stands in the dossier, and
-- written with each note. It is seen through the dossier now.
-- Whoever writes a note has its task locked before.
LOCK TABLE tasks, state IN ACCESS EXCLUSIVE MODE;
DROP TABLE state;
CREATE VIEW state AS
SELECT task_id,
  (SELECT jsonb_object_agg(section, (SELECT coalesce(jsonb_agg(note -> 'text' ORDER BY place), '[]')
      FROM jsonb_array_elements(notebook #> ARRAY[section, 'notes'])
        WITH ORDINALITY AS notes (note, place)))
   FROM unnest(ARRAY['goals', 'constraints', 'decisions', 'hypotheses', 'history', 'open_issues'])
     AS section)
  || jsonb_build_object('next_focus', coalesce(notebook #> '{next_focus,notes,0,text}', '""')) AS blob
FROM dossiers;

-- A program of the version before that still runs writes it as well, beside the dossier.
CREATE RULE state_is_not_inserted AS ON INSERT TO state DO INSTEAD NOTHING;
CREATE RULE state_is_not_updated AS ON UPDATE TO state DO INSTEAD NOTHING;
CREATE RULE state_is_not_deleted AS ON DELETE TO state DO INSTEAD NOTHING;
