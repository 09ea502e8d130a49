import { digitalLink, elementString, elementStringText, type Gs1Unit, gtin14 } from './gs1.ts';
import type { PayloadShape } from './payload-shape.ts';
import { type SymbologyType, symbologyTraits } from './symbology.ts';

/** What all units of a job have in common. */
export interface PayloadSubject {
  /** Where units are verified, e.g. `https://verify.example.com`; no path that distinguishes capitals. */
  readonly baseUrl: string;
  readonly gtin?: string;
  readonly lot?: string;
  /** `YYYY-MM-DD` */
  readonly expiresOn?: string;
}

/** What distinguishes one. */
export interface PayloadUnit {
  readonly serial: string;
  /** Capitals and digits of Crockford's base 32. */
  readonly token: string;
}

/** The 32 characters of tokens. */
export const TOKEN_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Of the shape of every token, and of no unit: its tag is not one that any key makes. */
export const SAMPLE_TOKEN = '7K3M9QXW2D5R8TBCNPH4VJ6Y';

/** The address that verifies a unit, in capitals, so that it fits QR's alphanumeric mode; the routes ignore case. */
export function verificationAddress(baseUrl: string, token: string): string {
  return `${baseUrl.replace(/\/+$/, '')}/v/${token}`.toUpperCase();
}

/**
 * What a unit's symbol of this type holds.
 * @throws TypeError when the type needs a GTIN and the subject has none: validate first.
 */
export function symbolPayload(type: SymbologyType, subject: PayloadSubject, unit: PayloadUnit): string {
  const { content, needsGtin } = symbologyTraits(type);
  switch (content) {
    case 'address':
      return verificationAddress(subject.baseUrl, unit.token);
    case 'digital-link':
      return digitalLink(subject.baseUrl, gs1Unit(subject, unit));
    case 'element-string':
      return elementString(gs1Unit(subject, unit));
    case 'gtin':
      return gtin14(gs1Unit(subject, unit).gtin).slice(-(needsGtin === 'any' ? 14 : (needsGtin ?? 14)));
    case 'serial':
    default:
      return unit.serial;
  }
}

/** What stands beneath a unit's symbol, for people. */
export function symbolCaption(type: SymbologyType, subject: PayloadSubject, unit: PayloadUnit): string {
  const { kind, content } = symbologyTraits(type);
  return kind === 'bars' && content === 'element-string'
    ? elementStringText(gs1Unit(subject, unit))
    : unit.serial;
}

/**
 * What a unit's symbol says of it in GS1's terms, for a printer that makes the symbols itself: the GS1 Digital Link, or the
 * element string with its application identifiers in parentheses.
 * @param payload of the symbol
 * @returns null where the symbol has no GS1 data about the unit.
 */
export function gs1Text(
  type: SymbologyType,
  subject: PayloadSubject,
  unit: PayloadUnit,
  payload: string,
): string | null {
  const { content } = symbologyTraits(type);
  if (content === 'digital-link') return payload;
  return content === 'element-string' ? elementStringText(gs1Unit(subject, unit)) : null;
}

/**
 * The shape of a job's payloads, for {@link createRenderer}: everything before and after the token or the serial.
 * @param sample any unit of the job; the length of its token and serial is the shape's.
 * @param serialAlphabet every character that the job's serials are made of.
 * @returns undefined when nothing varies (a symbol of the GTIN alone).
 */
export function payloadShape(
  type: SymbologyType,
  subject: PayloadSubject,
  sample: PayloadUnit,
  serialAlphabet: string,
): PayloadShape | undefined {
  const { content } = symbologyTraits(type);
  if (content === 'gtin') return undefined;
  const varying = content === 'address' ? 'token' : 'serial';
  // Characters that a link must percent-encode change its length: serials with them are not of the shape.
  const plain = content === 'digital-link' ? serialAlphabet.replace(/[^\w.!~*'()-]/g, '') : serialAlphabet;
  const alphabet = content === 'address' ? TOKEN_ALPHABET : plain;
  if (alphabet === '') return undefined;
  const { length } = sample[varying];
  const [one, other] = ['A', 'B'].map((letter) =>
    symbolPayload(type, subject, { ...sample, [varying]: letter.repeat(length) }),
  );
  let start = 0;
  while (start < one!.length && one![start] === other![start]) start += 1;
  return { prefix: one!.slice(0, start), length, alphabet, suffix: one!.slice(start + length) };
}

function gs1Unit({ gtin, lot, expiresOn }: PayloadSubject, { serial }: PayloadUnit): Gs1Unit {
  if (gtin === undefined) throw new TypeError('this symbology needs a GTIN');
  return {
    gtin,
    serial,
    ...(lot === undefined ? {} : { lot }),
    ...(expiresOn === undefined ? {} : { expiresOn }),
  };
}
