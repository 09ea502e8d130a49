import type { NewIndex } from '../shared/new-index.ts';

/** Overviews ask which jobs failed lately: one that was retried may have been made long before, so that its id does not tell. */
export const indexes: readonly NewIndex[] = [
  {
    name: 'barcode_jobs_failed',
    table: 'barcode_jobs',
    definition: "(org_id, finished_at) where status = 'failed'",
  },
  {
    name: 'bulk_jobs_failed',
    table: 'bulk_jobs',
    definition: "(org_id, finished_at) where status = 'failed'",
  },
];
