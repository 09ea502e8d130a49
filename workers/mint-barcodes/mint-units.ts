/** New units for the ordinals of a chunk that have none yet. */
import type { MintedUnitRow } from '../../shared/barcode-jobs/chunks.ts';
import { newUuid } from '../../shared/ids.ts';
import type { Keyring } from '../../shared/keyring.ts';
import { mintTokens } from '../../shared/units/token.ts';

// Crockford's base 32: no I, L, O, U, so that a serial read out over the telephone survives.
const SERIAL_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
// 60 random bits: in ten million units of a product two are alike with a chance of 1 in 23,000, and then the unique
// key refuses the chunk, which is minted anew. Not guessable from its neighbours.
const SERIAL_LENGTH = 12;

function randomSerials(count: number, random: (bytes: number) => Buffer): string[] {
  const bytes = random(count * SERIAL_LENGTH);
  return Array.from({ length: count }, (_, unit) => {
    let serial = '';
    for (let i = unit * SERIAL_LENGTH; i < (unit + 1) * SERIAL_LENGTH; i++)
      serial += SERIAL_ALPHABET[bytes[i]! & 31]!;
    return serial;
  });
}

/** @returns a unit for each ordinal of the range that is not in `existing`, in order. */
export function mintMissingUnits(
  range: { firstOrdinal: number; units: number },
  existing: readonly MintedUnitRow[],
  tokenKeys: Keyring,
  random: (bytes: number) => Buffer,
): MintedUnitRow[] {
  const taken = new Set(existing.map((unit) => unit.ordinal));
  const ordinals = Array.from({ length: range.units }, (_, index) => range.firstOrdinal + index).filter(
    (ordinal) => !taken.has(ordinal),
  );
  const tokens = mintTokens(tokenKeys, ordinals.length, random);
  const serials = randomSerials(ordinals.length, random);
  return ordinals.map((ordinal, index) => ({
    id: newUuid(),
    ordinal,
    serial: serials[index]!,
    code: tokens[index]!.code,
    token_key: tokens[index]!.keyId,
  }));
}
