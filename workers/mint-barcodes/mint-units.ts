/** New units for the ordinals of a chunk that have none yet. */
import { RANDOM_ALPHABET, RANDOM_LENGTH } from '../../shared/barcode-jobs/choose-serials.ts';
import type { MintedUnitRow } from '../../shared/barcode-jobs/chunks.ts';
import { newUuids } from '../../shared/ids.ts';
import type { Keyring } from '../../shared/keyring.ts';
import { mintTokens } from '../../shared/units/token.ts';

export interface Range {
  firstOrdinal: number;
  units: number;
}

/** A serial for each of `count` ordinals from the range's first, in order. */
export function randomSerials(count: number, random: (bytes: number) => Buffer): string[] {
  const bytes = random(count * RANDOM_LENGTH);
  for (let i = 0; i < bytes.length; i++) bytes[i] = RANDOM_ALPHABET.charCodeAt(bytes[i]! & 31);
  const text = bytes.toString('latin1');
  return Array.from({ length: count }, (_, unit) =>
    text.slice(unit * RANDOM_LENGTH, (unit + 1) * RANDOM_LENGTH),
  );
}

/**
 * @param serials one for each ordinal of the range, in order.
 * @returns a unit for each ordinal of the range that is not in `existing`, in order.
 */
export function mintMissingUnits(
  range: Range,
  existing: readonly MintedUnitRow[],
  serials: readonly string[],
  tokenKeys: Keyring,
  random: (bytes: number) => Buffer,
): MintedUnitRow[] {
  const taken = new Set(existing.map((unit) => unit.ordinal));
  const ordinals = Array.from({ length: range.units }, (_, index) => range.firstOrdinal + index).filter(
    (ordinal) => !taken.has(ordinal),
  );
  const tokens = mintTokens(tokenKeys, ordinals.length, random);
  const ids = newUuids(ordinals.length);
  return ordinals.map((ordinal, index) => ({
    id: ids[index]!,
    ordinal,
    serial: serials[ordinal - range.firstOrdinal]!,
    code: tokens[index]!.code,
    token_key: tokens[index]!.keyId,
  }));
}
