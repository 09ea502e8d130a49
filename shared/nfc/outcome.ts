/** Of a tap of a package's NFC tag. `fresh`: signed by the tag, and new. `replayed`: signed by it once. `invalid`: not signed by it. */
export const NFC_TAP_OUTCOMES = ['fresh', 'replayed', 'invalid'] as const;

export type NfcTapOutcome = (typeof NFC_TAP_OUTCOMES)[number];
