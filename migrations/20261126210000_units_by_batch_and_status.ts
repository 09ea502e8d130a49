import type { NewIndex } from '../shared/new-index.ts';

export const indexes: readonly NewIndex[] = [
  {
    // The list of a batch's units, newest first: without it, all units that were minted since are read before those of a large, old batch.
    // Units of a batch are minted in about this order, so that the index grows at one place.
    name: 'product_units_of_batch',
    table: 'product_units',
    definition: '(batch_id, id desc)',
  },
  {
    // What most units are is found soon enough by the list's own order, and what was just minted is at its beginning: minting writes no entry.
    name: 'product_units_by_status',
    table: 'product_units',
    definition: `(org_id, status, id desc) where status in ('suspended', 'voided')`,
  },
];
