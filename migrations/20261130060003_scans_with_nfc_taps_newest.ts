import type { NewIndex } from '../shared/new-index.ts';

/** The list's filter for scans that came with a tap of an NFC tag: they are few among all. */
export const indexes: readonly NewIndex[] = [
  {
    name: 'scans_by_nfc_tap',
    table: 'scans',
    definition: '(org_id, nfc_tap, at desc, id desc) where nfc_tap is not null',
  },
];
