/** The scope catalogue: one list with a sentence each, for the API, the reference and the tests. */
export const SCOPES = {
  'products.read': 'Read products, batches, units and barcode jobs.',
  'products.write': 'Create, change and archive products.',
  'batches.write': 'Create batches of units.',
  'barcodes.generate': 'Start and cancel barcode jobs, which mint the units of a batch.',
  'product_units.write': 'Activate, suspend and recall units and batches.',
  'scans.read': 'Read scans, their evidence and risk cases.',
  'scans.write': 'Work on risk cases, and try and change risk policies.',
  'epcis.read': 'Read units, consignments, scans and recalls as EPCIS events.',
  'analytics.read': 'Read aggregated figures.',
  'webhooks.read': 'Read webhook endpoints, their deliveries and events.',
  'webhooks.write': 'Create and change webhook endpoints, and read their deliveries and events.',
  'consignments.read': 'Read consignments.',
  'consignments.write': 'Create, dispatch, receive and recall consignments.',
  'reports.read': 'Read counterfeit reports.',
  'reports.write':
    'File counterfeit reports and work on them; one that is confirmed as a counterfeit opens a risk case.',
} as const satisfies Record<string, string>;

export type Scope = keyof typeof SCOPES;

export const ALL_SCOPES = Object.keys(SCOPES) as Scope[];

export const isScope = (text: string): text is Scope => Object.hasOwn(SCOPES, text);
