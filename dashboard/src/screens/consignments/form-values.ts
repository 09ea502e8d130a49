/** What the form of a consignment holds, and how the service is told it. */
import type { BodyOf } from '../../api/client.ts';
import type { Consignment } from './status.tsx';

type Body = BodyOf<'/api/v1/consignments'>;

/** The document that the form asks for; programs give others, which stay. */
export const ORDER = 'purchase order';

const isOrder = ({ type }: { type: string }): boolean => type === ORDER;

/** @param consignment null for a new one */
export const valuesOf = (consignment: Consignment | null) => ({
  reference: consignment?.reference ?? '',
  sscc: consignment?.sscc ?? '',
  origin: consignment?.origin?.name ?? '',
  originAddress: consignment?.origin?.address ?? '',
  originCountry: consignment?.origin?.country ?? null,
  destination: consignment?.destination?.name ?? '',
  address: consignment?.destination?.address ?? '',
  country: consignment?.destination?.country ?? null,
  expectedMarkets: consignment?.expectedMarkets ?? [],
  /** Of the documents the first purchase order. */
  references: consignment?.references.find(isOrder)?.value ?? '',
});

export type Values = ReturnType<typeof valuesOf>;

/** What the service calls the fields that say where somebody is; a name goes by the party itself. */
export const NAMES = {
  'destination.address': 'address',
  'destination.country': 'country',
  'origin.address': 'originAddress',
  'origin.country': 'originCountry',
} as const satisfies Record<string, keyof Values>;

const orNull = (text: string): string | null => text.trim() || null;

/** An address of nobody is sent, too, and refused at the name. */
const partyOf = (name: string, address: string, country: string | null) =>
  orNull(name + address) === null && country === null ? null : { name, address: orNull(address), country };

function documentsOf(order: string, kept: Consignment['references']): Consignment['references'] {
  const at = kept.findIndex(isOrder);
  const orders = orNull(order) === null ? [] : [{ type: ORDER, value: order }];
  return at === -1 ? [...kept, ...orders] : kept.toSpliced(at, 1, ...orders);
}

/** @param read what is corrected, with the documents that the form does not show; null for a new one */
export const bodyOf = (values: Values, read: Consignment | null) =>
  ({
    reference: orNull(values.reference),
    sscc: orNull(values.sscc.replaceAll(/\s/g, '')),
    origin: partyOf(values.origin, values.originAddress, values.originCountry),
    destination: partyOf(values.destination, values.address, values.country),
    expectedMarkets: values.expectedMarkets,
    references: documentsOf(values.references, read?.references ?? []),
  }) satisfies Body;
