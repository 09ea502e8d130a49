import type { NewIndex } from '../shared/new-index.ts';

/**
 * Events of one type among millions of scans. Those themselves are left out: they are found soon enough without it, and recording a scan
 * writes no further index.
 */
export const indexes: readonly NewIndex[] = [
  {
    name: 'events_of_type',
    table: 'events',
    definition: `(org_id, type, id desc) where type <> 'scan.recorded'`,
  },
];
