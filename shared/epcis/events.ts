/** Facts as EPCIS 2.0 ObjectEvents in JSON-LD (GS1 EPCIS 2.0 §7.4.1, §10; vocabulary of CBV 2.0 §7). */
import { createHash } from 'node:crypto';
import type { ConsignmentFact, RecallFact, ScanFact, UnitFact } from './repository.ts';
import { classUri, consignmentUri, organizationUri, partyUri, scanPlaceUri, unitUri } from './uris.ts';

/** In the order of events of the same thing at the same instant, the last one first. */
export const KINDS = [
  'lifted',
  'recalled',
  'scanned',
  'calledOff',
  'received',
  'shipped',
  'voided',
  'minted',
] as const;
export type Kind = (typeof KINDS)[number];

export const BIZ_STEP: Record<Kind, string> = {
  minted: 'commissioning',
  voided: 'decommissioning',
  shipped: 'shipping',
  received: 'receiving',
  calledOff: 'void_shipping',
  scanned: 'inspecting',
  recalled: 'holding',
  lifted: 'other',
};

export interface EpcisEvent {
  type: 'ObjectEvent';
  eventID: string;
  eventTime: string;
  recordTime: string;
  eventTimeZoneOffset: '+00:00';
  action: 'ADD' | 'OBSERVE' | 'DELETE';
  bizStep: string;
  epcList?: string[];
  quantityList?: { epcClass: string; quantity?: number }[];
  disposition?: string;
  persistentDisposition?: { set?: string[]; unset?: string[] };
  readPoint?: { id: string };
  bizLocation?: { id: string };
  bizTransactionList?: { type?: string; bizTransaction: string }[];
  sourceList?: { type: string; source: string }[];
  destinationList?: { type: string; destination: string }[];
  ilmd?: Record<string, string>;
}

export interface Here {
  publicUrl: string;
  orgId: string;
}

/** The same for the same fact, for ever: a version 8 UUID (RFC 9562 §5.8) of what it is and of whom. */
function eventIdOf(kind: Kind, id: string): string {
  const hex = createHash('sha256').update(`epcis:${kind}:${id}`).digest('hex');
  const variant = '89ab'[Number.parseInt(hex[16]!, 16) & 3]!;
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const common = (kind: Kind, { id, at }: { id: string; at: Date }) => ({
  type: 'ObjectEvent' as const,
  eventID: eventIdOf(kind, id),
  eventTime: at.toISOString(),
  recordTime: at.toISOString(),
  eventTimeZoneOffset: '+00:00' as const,
  bizStep: BIZ_STEP[kind],
});

const home = ({ publicUrl, orgId }: Here) => ({ id: organizationUri(publicUrl, orgId) });

export function minted(here: Here, unit: UnitFact): EpcisEvent {
  const ilmd = {
    ...(unit.lot === null ? {} : { 'cbvmda:lotNumber': unit.lot }),
    ...(unit.expires_on === null ? {} : { 'cbvmda:itemExpirationDate': unit.expires_on }),
  };
  return {
    ...common('minted', unit),
    action: 'ADD',
    disposition: 'active',
    epcList: [unitUri(here.publicUrl, unit)],
    readPoint: home(here),
    bizLocation: home(here),
    ...(Object.keys(ilmd).length === 0 ? {} : { ilmd }),
  };
}

export const voided = (here: Here, unit: UnitFact): EpcisEvent => ({
  ...common('voided', unit),
  action: 'DELETE',
  disposition: 'inactive',
  epcList: [unitUri(here.publicUrl, unit)],
  readPoint: home(here),
});

/** What a verification means for the object: evidence, so a copied code says that nothing is known of the object. */
const DISPOSITIONS: Record<string, string> = {
  genuine: 'conformant',
  suspicious: 'unknown',
  diverted: 'non_conformant',
  suspended: 'unavailable',
  recalled: 'recalled',
  expired: 'expired',
  inactive: 'inactive',
};

export function scanned(here: Here, scan: ScanFact): EpcisEvent {
  const place = scanPlaceUri(here.publicUrl, scan);
  return {
    ...common('scanned', scan),
    action: 'OBSERVE',
    disposition: DISPOSITIONS[scan.result] ?? 'unknown',
    epcList: [unitUri(here.publicUrl, scan)],
    ...(place === null ? {} : { readPoint: { id: place } }),
  };
}

/** CBV 2.0 §7.3, as far as names of documents that people give can be told. */
const TRANSACTION_TYPES: ReadonlyMap<string, string> = new Map([
  ['po', 'po'],
  ['purchase_order', 'po'],
  ['order', 'po'],
  ['bol', 'bol'],
  ['invoice', 'inv'],
  ['inv', 'inv'],
  ['desadv', 'desadv'],
  ['delivery_note', 'desadv'],
]);

function consignment(
  kind: 'shipped' | 'received' | 'calledOff',
  here: Here,
  fact: ConsignmentFact,
): EpcisEvent {
  const { publicUrl, orgId } = here;
  const from = fact.origin === null ? home(here).id : partyUri(publicUrl, orgId, fact.origin);
  const to = fact.destination === null ? null : partyUri(publicUrl, orgId, fact.destination);
  const units = kind === 'received' ? fact.units.filter(({ missing }) => !missing) : fact.units;
  const documents = fact.document_references.map(({ type, value }) => {
    const known = TRANSACTION_TYPES.get(type.toLowerCase().replaceAll(/[\s-]+/g, '_'));
    return {
      ...(known === undefined ? {} : { type: known }),
      bizTransaction: `${publicUrl}/epcis/document/${encodeURIComponent(type)}/${encodeURIComponent(value)}`,
    };
  });
  return {
    ...common(kind, fact),
    action: 'OBSERVE',
    epcList: [
      consignmentUri(publicUrl, fact.id, fact.sscc),
      ...units.map((unit) => unitUri(publicUrl, unit)),
    ],
    ...(documents.length === 0 ? {} : { bizTransactionList: documents }),
    sourceList: [{ type: 'location', source: from }],
    ...(to === null ? {} : { destinationList: [{ type: 'location', destination: to }] }),
  };
}

const originOf = (here: Here, { origin }: ConsignmentFact) => ({
  id: origin === null ? home(here).id : partyUri(here.publicUrl, here.orgId, origin),
});

export const shipped = (here: Here, fact: ConsignmentFact): EpcisEvent => ({
  ...consignment('shipped', here, fact),
  disposition: 'in_transit',
  // Where it is next is not known until it is received: no bizLocation (CBV 2.0 §7.1.3, shipping).
  readPoint: originOf(here, fact),
});

/** A shipment that was called off: the objects are not on their way any more. */
export const calledOff = (here: Here, fact: ConsignmentFact): EpcisEvent => ({
  ...consignment('calledOff', here, fact),
  disposition: 'in_progress',
  readPoint: originOf(here, fact),
});

export function received(here: Here, fact: ConsignmentFact): EpcisEvent {
  const place = fact.destination === null ? null : partyUri(here.publicUrl, here.orgId, fact.destination);
  return {
    ...consignment('received', here, fact),
    disposition: 'in_progress',
    persistentDisposition: {
      set: [fact.is_complete ? 'completeness_verified' : 'mismatch_quantity'],
    },
    ...(place === null ? {} : { readPoint: { id: place }, bizLocation: { id: place } }),
  };
}

function recalledObjects(
  { publicUrl }: Here,
  fact: RecallFact,
): Pick<EpcisEvent, 'epcList' | 'quantityList'> {
  const { scope, target_id: id, gtin, lot, quantity, serial, sscc } = fact;
  if (scope === 'unit') return { epcList: [unitUri(publicUrl, { unit_id: id, gtin, serial: serial ?? '' })] };
  if (scope === 'consignment') return { epcList: [consignmentUri(publicUrl, id, sscc)] };
  const epcClass = classUri(publicUrl, scope, id, { gtin, lot });
  return { quantityList: [scope === 'batch' && quantity !== null ? { epcClass, quantity } : { epcClass }] };
}

export const recalled = (here: Here, fact: RecallFact): EpcisEvent => ({
  ...common('recalled', fact),
  action: 'OBSERVE',
  disposition: 'recalled',
  persistentDisposition: { set: ['recalled'] },
  ...recalledObjects(here, fact),
  readPoint: home(here),
});

export const lifted = (here: Here, fact: RecallFact): EpcisEvent => ({
  ...common('lifted', fact),
  action: 'OBSERVE',
  persistentDisposition: { unset: ['recalled'] },
  ...recalledObjects(here, fact),
  readPoint: home(here),
});
