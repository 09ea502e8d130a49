import type { NewIndex } from '../shared/new-index.ts';

/** Overviews ask how many of the cases closed lately were dismissed. */
export const indexes: readonly NewIndex[] = [
  {
    name: 'risk_cases_closed',
    table: 'risk_cases',
    definition: '(org_id, closed_at desc) where closed_at is not null',
  },
];
