/** The group separator, which ends a GS1 element of variable length. */
export const GROUP_SEPARATOR = '\x1d';

/**
 * The 82 characters of serials, lots and the like (GS1 General Specifications, 7.11).
 * A source for regular expressions: the inside of a character class.
 */
export const CSET_82_CLASS = '!"%&\'()*+,\\-./0-9:;<=>?A-Z_a-z';

const CSET_82 = new RegExp(`^[${CSET_82_CLASS}]*$`);

export function isCset82(text: string): boolean {
  return CSET_82.test(text);
}

/** The check digit that belongs after these digits: weights 3, 1, 3, … from the right (GS1, 7.9). */
export function gs1CheckDigit(digits: string): number {
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) {
    sum += Number(digits[digits.length - 1 - at]) * (at % 2 === 0 ? 3 : 1);
  }
  return (10 - (sum % 10)) % 10;
}

/** Whether this is a GTIN of 8, 12, 13 or 14 digits with the right check digit. */
export function isGtin(text: string): boolean {
  if (!/^(?:\d{8}|\d{12,14})$/.test(text)) return false;
  return gs1CheckDigit(text.slice(0, -1)) === Number(text.at(-1));
}

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
export function gs1Date(date: string): string {
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
