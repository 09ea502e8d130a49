/**
 * GS1 Digital Link URIs (URI Syntax 1.6) as far as products go: GTIN (AI 01) with its qualifiers consumer product variant (22),
 * batch or lot (10) and serial number (21), in this order, or with a third party's serial number (235, TPX) alone.
 */
import { normalizeGtin } from './check-digit.ts';
import { isCset82 } from './cset-82.ts';

export interface DigitalLink {
  /** Fourteen digits. */
  readonly gtin: string;
  readonly variant?: string;
  readonly lot?: string;
  readonly serial?: string;
  /** A serial that an authority has issued, as for tobacco in the EU; it says nothing of this service's units. */
  readonly thirdPartySerial?: string;
}

/** What a 400 should say; `problem` names the part that is wrong, in English, without echoing it. */
export interface DigitalLinkProblem {
  readonly problem: string;
}

/** In the order that the standard prescribes within the path. */
const QUALIFIERS = [
  { ai: '22', field: 'variant', name: 'consumer product variant', max: 20 },
  { ai: '10', field: 'lot', name: 'batch or lot number', max: 20 },
  { ai: '21', field: 'serial', name: 'serial number', max: 20 },
  { ai: '235', field: 'thirdPartySerial', name: 'third-party serial number', max: 28 },
] as const;

/**
 * Parses the path of a Digital Link, percent-encoding and all: `/01/{gtin}[/22/…][/10/…][/21/…]`, or `/01/{gtin}/235/…`.
 * A GTIN-8, -12 or -13 is accepted and padded, as printed codes of earlier editions of the standard carry them.
 * @param path from the `01` on, with or without a leading slash, without a query.
 */
export function parseDigitalLink(path: string): DigitalLink | DigitalLinkProblem {
  const segments = path.replace(/^\//, '').split('/');
  const [key, gtinText, ...rest] = segments;
  if (key !== '01' || gtinText === undefined) return { problem: 'the path must begin with /01/ and a GTIN' };
  const gtin = normalizeGtin(gtinText);
  if (gtin === null) return { problem: 'the GTIN must have 8, 12, 13 or 14 digits and a right check digit' };
  if (rest.length % 2 !== 0) return { problem: 'each application identifier must have a value' };

  const link: { -readonly [K in keyof DigitalLink]: DigitalLink[K] } = { gtin };
  let next = 0;
  for (let i = 0; i < rest.length; i += 2) {
    const at = QUALIFIERS.findIndex(({ ai }) => ai === rest[i]);
    if (at < 0) return { problem: 'only 22, 10 and 21, or 235, may follow the GTIN in the path' };
    if (at < next) return { problem: 'application identifiers must come once each, in the order 22, 10, 21' };
    next = at + 1;
    const { ai, field, name, max } = QUALIFIERS[at]!;
    if (ai === '235' && i > 0) return { problem: '235 must follow the GTIN alone' };
    const value = decodeSegment(rest[i + 1]!);
    if (value === null || value.length > max || !isCset82(value)) {
      return { problem: `the ${name} must have 1 to ${max} characters of GS1's character set 82` };
    }
    link[field] = value;
  }
  return link;
}

/** A GTIN with each qualifier that may stand beside others, and the identifiers before them. */
const MOST_SEGMENTS = 8;

/**
 * The link that ends a text which somebody scanned or copied, with whatever address is before it and a query behind it. As it says
 * nothing of this service's units, one with a third party's serial is none.
 */
export function digitalLinkIn(text: string): DigitalLink | null {
  const [address] = text.split(/[?#]/, 1);
  // No more than a link can have: looking through all of a long text's for each was a second for sixty texts.
  const segments = address!.replace(/\/$/, '').split('/').slice(-MOST_SEGMENTS);
  // The address before it may have a part `01` of its own, and a lot may be `01`.
  for (const [index, segment] of segments.entries()) {
    if (segment !== '01') continue;
    const link = parseDigitalLink(segments.slice(index).join('/'));
    if (!('problem' in link)) return link.thirdPartySerial === undefined ? link : null;
  }
  return null;
}

/** The canonical path of a link: `/01/09506000134352/10/A%2F7/21/1`. */
export function digitalLinkPath(link: DigitalLink): string {
  let path = `/01/${link.gtin}`;
  for (const { ai, field } of QUALIFIERS) {
    const value = link[field];
    if (value !== undefined) path += `/${ai}/${encodeURIComponent(value)}`;
  }
  return path;
}

/**
 * Whether clients remove a value from a link: a segment of the path that is `.` or `..`, however it is encoded (RFC 3986, 5.2.4; `%2E`
 * is a dot to the WHATWG URL standard).
 */
export const isDotSegment = (value: string): boolean => value === '.' || value === '..';

/** The links of the levels above this one, from the nearest to that of the GTIN alone. */
export function coarserLinks(link: DigitalLink): readonly DigitalLink[] {
  const finest = QUALIFIERS.findLast(({ field }) => link[field] !== undefined);
  if (finest === undefined) return [];
  const { [finest.field]: _, ...coarser } = link;
  return [coarser, ...coarserLinks(coarser)];
}

/** @returns null for what is no percent-encoding. */
export function decodeSegment(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
