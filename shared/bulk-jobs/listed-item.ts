/** What a list names a unit by, as its job keeps it: the same whether it was uploaded or came in a body. */
import { refusal, type Refusal } from '../field-errors.ts';
import { decodeId, encodeId } from '../ids.ts';
import type { Keyring } from '../keyring.ts';
import { scannedUnitIn, withoutSymbologyIdentifier, type UnitOfGtin } from '../units/scanned.ts';
import type { ItemKey } from './source.ts';

/** Characters; longer than any id, serial or printed address. */
export const MAX_ITEM_LENGTH = 2_000;
const MAX_SHOWN = 100;

/** A key, or what is wrong. */
export interface ListedItem {
  /** What was given, cut short, for `problems`. */
  ref: string;
  key: string | null;
  problem: Refusal | null;
}

export const shown = (text: string): string =>
  // eslint-disable-next-line no-control-regex
  text.toWellFormed().replaceAll('\0', '�').slice(0, MAX_SHOWN);

export const listedUnit = (uuid: string): ListedItem => ({
  ref: encodeId('unit', uuid),
  key: uuid,
  problem: null,
});

/** Finds out what a unit is looked up by. */
export function listedItem(by: ItemKey, text: string, tokenKeys: Keyring): ListedItem {
  const found = keyOf(by, text, tokenKeys);
  const ref = shown(text);
  return typeof found === 'string' ? { ref, key: found, problem: null } : { ref, key: null, problem: found };
}

function keyOf(by: ItemKey, text: string, tokenKeys: Keyring): string | Refusal {
  switch (by) {
    case 'unitId':
      return decodeId('unit', text) ?? refusal('NOT_A_UNIT_ID', 'is not an id of the form unit_…');
    case 'serial': {
      const serial = withoutSymbologyIdentifier(text);
      return /^[\x21-\x7e]{1,20}$/.test(serial)
        ? serial
        : refusal('NOT_A_SERIAL', 'is not a serial of 1 to 20 printable characters');
    }
    case 'code':
    default: {
      const unit = scannedUnitIn(tokenKeys, text);
      if (unit === null) return refusal('NOT_A_CODE', 'is not a code of this service');
      return 'code' in unit ? unit.code.toString('hex') : keyOfGtin(unit.ofGtin);
    }
  }
}

/**
 * Hexadecimal JSON, longer than any code: `source-repository.ts` takes it apart. Workers of the release before, which decode each key of
 * a job by codes, find no unit by it.
 */
const keyOfGtin = ({ gtin, serial, lot }: UnitOfGtin): string =>
  Buffer.from(JSON.stringify([gtin, serial, lot])).toString('hex');
