import { GROUP_SEPARATOR } from '../gs1/element-string.ts';

/** A GTIN in its form of 14 digits. */
export function gtin14(gtin: string): string {
  return gtin.padStart(14, '0');
}

/** What a unit is, in GS1's terms. `expiresOn` is `YYYY-MM-DD`. */
export interface Gs1Unit {
  readonly gtin: string;
  readonly lot?: string;
  readonly expiresOn?: string;
  readonly serial: string;
}

/** AI 17's form of a date: `YYMMDD`. */
function gs1Date(date: string): string {
  return date.slice(2).replaceAll('-', '');
}

/**
 * The element string (01) (17) (10) (21): elements of fixed length first, then lot, {@link GROUP_SEPARATOR}, and
 * the serial, after which none is due. Without FNC1 in front, which is the symbology's matter.
 */
export function elementString({ gtin, lot, expiresOn, serial }: Gs1Unit): string {
  const expiry = expiresOn === undefined ? '' : `17${gs1Date(expiresOn)}`;
  const batch = lot === undefined ? '' : `10${lot}${GROUP_SEPARATOR}`;
  return `01${gtin14(gtin)}${expiry}${batch}21${serial}`;
}

/** The same for people: each application identifier in parentheses. */
export function elementStringText({ gtin, lot, expiresOn, serial }: Gs1Unit): string {
  const expiry = expiresOn === undefined ? '' : `(17)${gs1Date(expiresOn)}`;
  const batch = lot === undefined ? '' : `(10)${lot}`;
  return `(01)${gtin14(gtin)}${expiry}${batch}(21)${serial}`;
}

/**
 * The GS1 Digital Link: `{base}/01/{gtin}[/10/{lot}]/21/{serial}[?17=YYMMDD]`, key qualifiers in the order that the
 * standard (1.2, 4.9) sets, values percent-encoded.
 */
export function digitalLink(baseUrl: string, { gtin, lot, expiresOn, serial }: Gs1Unit): string {
  const batch = lot === undefined ? '' : `/10/${encodeURIComponent(lot)}`;
  const expiry = expiresOn === undefined ? '' : `?17=${gs1Date(expiresOn)}`;
  return `${baseUrl.replace(/\/+$/, '')}/01/${gtin14(gtin)}${batch}/21/${encodeURIComponent(serial)}${expiry}`;
}
