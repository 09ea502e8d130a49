import type { NewIndex } from '../shared/new-index.ts';

/** The list's filter for scans from an organization's own networks: where they are few, all others would be read for them. */
export const indexes: readonly NewIndex[] = [
  { name: 'scans_internal', table: 'scans', definition: '(org_id, at desc, id desc) where is_internal' },
];
