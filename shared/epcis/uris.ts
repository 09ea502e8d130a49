/**
 * URIs of EPCIS events. GS1 keys become canonical GS1 Digital Link URIs (URI Syntax 1.6; allowed in EPCIS by CBV 2.0 §8.1); what
 * has none gets a private URI under the service's own address (CBV 2.0 §8.1.3), the same in every event.
 */
import { createHash } from 'node:crypto';
import type { Party } from '../consignments/service.ts';
import { isCset82 } from '../gs1/cset-82.ts';
import { decodeSegment, digitalLinkPath, isDotSegment } from '../gs1/digital-link.ts';
import { decodeId, encodeId, type IdPrefix } from '../ids.ts';

const GS1 = 'https://id.gs1.org';

const privateUri = (publicUrl: string, prefix: IdPrefix, uuid: string): string =>
  `${publicUrl}/epcis/${encodeId(prefix, uuid)}`;

export const unitUri = (
  publicUrl: string,
  { unit_id, gtin, serial }: { unit_id: string; gtin: string | null; serial: string },
): string =>
  gtin === null ? privateUri(publicUrl, 'unit', unit_id) : GS1 + digitalLinkPath({ gtin, serial });

export const consignmentUri = (publicUrl: string, id: string, sscc: string | null): string =>
  sscc === null ? privateUri(publicUrl, 'cons', id) : `${GS1}/00/${sscc}`;

/** Whether GS1 has an address for it: lots are as people write them, and clients take a dot for a folder. */
const isGs1Lot = (lot: string): boolean => isCset82(lot) && !isDotSegment(lot);

/** A batch (LGTIN) or a product (GTIN) as a class. A batch without a lot, or with one that is none of GS1's, is told by its own id. */
export function classUri(
  publicUrl: string,
  scope: 'batch' | 'product',
  id: string,
  { gtin, lot }: { gtin: string | null; lot: string | null },
): string {
  if (scope === 'product')
    return gtin === null ? privateUri(publicUrl, 'prod', id) : GS1 + digitalLinkPath({ gtin });
  if (gtin === null || lot === null || !isGs1Lot(lot)) return privateUri(publicUrl, 'batch', id);
  return GS1 + digitalLinkPath({ gtin, lot });
}

export const organizationUri = (publicUrl: string, orgId: string): string =>
  privateUri(publicUrl, 'org', orgId);

/** A party of a consignment: the same name, address and country give the same URI, in every consignment. */
export function partyUri(publicUrl: string, orgId: string, { name, address, country }: Party): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([orgId, name, address, country]))
    .digest('hex');
  return `${publicUrl}/epcis/place_${digest.slice(0, 32)}`;
}

/** About where a scan was made: the middle of a cell of one degree (RFC 5870), or the country. */
export function scanPlaceUri(
  publicUrl: string,
  { lat, lon, country }: { lat: number | null; lon: number | null; country: string | null },
): string | null {
  // Half the diagonal of one degree by one degree at the equator, in metres.
  if (lat !== null && lon !== null)
    return `geo:${Math.min(89, Math.floor(lat)) + 0.5},${Math.min(179, Math.floor(lon)) + 0.5};u=79000`;
  return country === null ? null : `${publicUrl}/epcis/country_${country}`;
}

export type Matched =
  | { unitId: string }
  | { consignmentId: string }
  | { gtin: string; serial: string }
  | { sscc: string };

/** What an EPC of these events names. @returns null for anything else. */
export function parseEpc(publicUrl: string, epc: string): Matched | null {
  const own = `${publicUrl}/epcis/`;
  // An older release wrote the capitals of a `PUBLIC_URL` into what others have kept.
  if (epc.slice(0, own.length).toLowerCase() === own.toLowerCase()) {
    const id = epc.slice(own.length);
    const unitId = decodeId('unit', id);
    if (unitId !== null) return { unitId };
    const consignmentId = decodeId('cons', id);
    return consignmentId === null ? null : { consignmentId };
  }
  const [, sscc] = /^https?:\/\/[^/]+\/00\/(\d{18})$/.exec(epc) ?? [];
  if (sscc !== undefined) return { sscc };
  const [, gtin, serial] = /^https?:\/\/[^/]+\/01\/(\d{14})\/21\/([^/?#]+)$/.exec(epc) ?? [];
  if (gtin === undefined || serial === undefined) return null;
  const decoded = decodeSegment(serial);
  // No text in Postgres can have it.
  return decoded === null || decoded.includes('\0') ? null : { gtin, serial: decoded };
}
