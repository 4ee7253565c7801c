-- A notebook was written whole with each note. It is written whole from time to time now, and the dossier
-- has what is new since; "kept" says how many of the notes before go on.
-- Whoever writes a note has its task locked before.
LOCK TABLE tasks, dossiers IN ACCESS EXCLUSIVE MODE;
CREATE TABLE notebooks (
  task_id text PRIMARY KEY REFERENCES tasks (id) ON DELETE CASCADE,
  hash text NOT NULL CHECK (length(hash) = 64),
  notebook jsonb NOT NULL
);
-- Another name, so that a program of the version before that still runs takes it for nothing it knows.
ALTER TABLE dossiers RENAME COLUMN notebook TO notes_since;
ALTER TABLE dossiers ADD COLUMN base_hash text NOT NULL DEFAULT '';

CREATE OR REPLACE VIEW state AS
SELECT d.task_id,
  sections.lists || jsonb_build_object('next_focus', coalesce(sections.lists #> '{next_focus,0}', '""'))
    AS blob
FROM dossiers d LEFT JOIN notebooks n ON n.task_id = d.task_id AND n.hash = d.base_hash
CROSS JOIN LATERAL (
  SELECT jsonb_object_agg(section, (SELECT coalesce(jsonb_agg(note -> 'text' ORDER BY part, place), '[]')
      FROM (SELECT 0 AS part, place, note
        FROM jsonb_array_elements(n.notebook #> ARRAY[section, 'notes'])
          WITH ORDINALITY AS before (note, place)
        WHERE d.notes_since -> section IS NULL
          OR place > jsonb_array_length(n.notebook #> ARRAY[section, 'notes'])
            - coalesce((d.notes_since #>> ARRAY[section, 'kept'])::integer, 0)
        UNION ALL
        SELECT 1 AS part, place, note
        FROM jsonb_array_elements(d.notes_since #> ARRAY[section, 'notes'])
          WITH ORDINALITY AS since (note, place)) AS notes)) AS lists
  FROM unnest(ARRAY['goals', 'constraints', 'decisions', 'hypotheses', 'history', 'open_issues',
    'next_focus']) AS section) AS sections
WHERE d.base_hash = '' OR n.hash IS NOT NULL;
