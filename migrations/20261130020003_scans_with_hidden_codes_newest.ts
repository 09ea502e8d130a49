import type { NewIndex } from '../shared/new-index.ts';

/** The list's filter for scans with which a hidden code was entered: they are few among all. */
export const indexes: readonly NewIndex[] = [
  {
    name: 'scans_by_hidden_code',
    table: 'scans',
    definition: '(org_id, hidden_code_correct, at desc, id desc) where hidden_code_correct is not null',
  },
];
