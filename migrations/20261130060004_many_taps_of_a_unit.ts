import type { NewIndex } from '../shared/new-index.ts';

/** Taps of one unit may be many: a copied one comes with each copy, and a display's tag is tapped all day. */
export const indexes: readonly NewIndex[] = [
  {
    name: 'nfc_taps_fresh',
    table: 'nfc_taps',
    definition: '(unit_id, counter, at) where stale_since is null',
  },
  { name: 'nfc_taps_visitors', table: 'nfc_taps', definition: '(unit_id, visitor)' },
];
