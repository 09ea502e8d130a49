/** What somebody who holds a package can scan, copy or type of its code. */
import { gs1In } from '../gs1/element-string.ts';
import type { Keyring } from '../keyring.ts';
import type { UnitFilter } from './repository.ts';
import { codeIn } from './token.ts';

/** A unit as GS1 names it; the lot where the code says one. */
export interface UnitOfGtin {
  /** Fourteen digits. */
  gtin: string;
  serial: string;
  lot: string | null;
}

/** Either what is stored of this service's own codes, or what a GS1 Digital Link or element string says. */
export type ScannedUnit = { code: Buffer } | { ofGtin: UnitOfGtin };

/** What scanners put before any symbol where they are told to (ISO/IEC 15424): `]C0` before the serial of a Code 128. No serial has a bracket. */
export const withoutSymbologyIdentifier = (text: string): string =>
  text.replace(/^\][A-Za-z][0-9A-Za-z]/, '');

/** @returns null for what names no unit. */
export function scannedUnitIn(keys: Keyring, text: string): ScannedUnit | null {
  const { gtin, serial, lot = null } = gs1In(text) ?? {};
  if (gtin !== undefined && serial !== undefined) return { ofGtin: { gtin, serial, lot } };
  const code = codeIn(keys, text);
  return code === null ? null : { code };
}

/** What to look for where somebody who holds a package typed or scanned what is on it: a code, or the beginning of a serial. */
export function unitSearchOf(keys: Keyring, q: string | undefined): Pick<UnitFilter, 'q' | 'code' | 'link'> {
  if (q === undefined) return {};
  const unit = scannedUnitIn(keys, q);
  if (unit === null) return { q: withoutSymbologyIdentifier(q) };
  return 'code' in unit ? { q: undefined, code: unit.code } : { q: undefined, link: unit.ofGtin };
}
