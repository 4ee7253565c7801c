-- The workers that the holder of a task named as its helpers; the list ends with the lease.
ALTER TABLE tasks ADD COLUMN lease_helpers jsonb NOT NULL DEFAULT '[]'
  CHECK (lease_holder IS NOT NULL OR lease_helpers = '[]'::jsonb);
