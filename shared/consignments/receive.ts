/** A distributor confirms what arrived: once, with what is missing and what is damaged. */
import type { UnitOfWork } from '../db.ts';
import { AppError, invalidTransition } from '../errors.ts';
import { recordEvents } from '../events/service.ts';
import { refusal, type FieldError } from '../field-errors.ts';
import { decodeId } from '../ids.ts';
import type { Keyring } from '../keyring.ts';
import {
  scannedUnitIn,
  withoutSymbologyIdentifier,
  type ScannedUnit,
  type UnitOfGtin,
} from '../units/scanned.ts';
import { markReceived, type ConsignmentRow } from './repository.ts';
import {
  consignmentEventData,
  getConsignment,
  lockAndGetConsignment,
  statusOf,
  type ConsignmentDeps,
} from './service.ts';
import { findConsignmentUnits, markCondition, type NamedUnitRow } from './unit-repository.ts';

/** Units that one confirmation may name; more are told by the count alone. */
export const MAX_NAMED = 1_000;

export interface Receipt {
  /** How many the distributor counted; null says "all but the missing". */
  counted: number | null;
  /** Serials, those in capitals in lower case too, `unit_…` ids, or what a scanner reads off the units' codes. */
  missing: readonly string[];
  damaged: readonly string[];
  name: string | null;
  note: string | null;
}

/**
 * Records the one final confirmation, its discrepancies and its event.
 *
 * `missingCount` is the greater of what is named and what the count lacks; a count above the consignment's is kept as a
 * discrepancy (`counted`) and makes nothing more of it.
 * @throws AppError NOT_FOUND; INVALID_TRANSITION unless it is dispatched, so also the second time; VALIDATION_FAILED
 *   for a serial that is not of this consignment, or is missing and damaged at once
 */
export async function receiveConsignment(
  deps: ConsignmentDeps,
  uow: UnitOfWork,
  orgId: string,
  id: string,
  receipt: Receipt,
  through: 'link' | 'key',
): Promise<ConsignmentRow> {
  const before = await lockAndGetConsignment(uow.db, orgId, id);
  const status = statusOf(before);
  if (status !== 'dispatched') throw invalidTransition(status, 'received');
  const named = await resolveUnits(deps.tokenKeys, uow.db, before, receipt);
  const { missing, damaged } = named;
  const lacking = Math.max(0, before.unit_count - (receipt.counted ?? before.unit_count));
  const missingCount = Math.max(missing.length, lacking);
  const receivedCount = before.unit_count - missingCount;
  if (damaged.length > receivedCount)
    throw new AppError('VALIDATION_FAILED', {
      detail: 'more units are damaged than arrived',
      errors: [{ path: 'damaged', ...refusal('MORE_DAMAGED_THAN_ARRIVED', 'names more units than arrived') }],
    });
  const now = deps.clock.now();
  await markReceived(uow.db, id, {
    status: missingCount === 0 ? 'received' : 'partially_received',
    receivedCount,
    missingCount,
    damagedCount: damaged.length,
    counted: receipt.counted,
    name: receipt.name,
    note: receipt.note,
    through,
    now,
  });
  if (missing.length > 0) await markCondition(uow.db, id, missing, 'missing');
  if (damaged.length > 0) await markCondition(uow.db, id, damaged, 'damaged');
  const after = await getConsignment(uow.db, orgId, id);
  const data = {
    ...consignmentEventData(after),
    status: after.status,
    receivedCount,
    missingCount,
    damagedCount: damaged.length,
    counted: receipt.counted,
    receivedAt: now.toISOString(),
  };
  await recordEvents(deps, uow, [{ type: 'consignment.received', orgId, productId: null, data }]);
  return after;
}

/** Of serials the likeliest first. */
type Named = { uuid: string } | ScannedUnit | { serials: readonly string[] };

/** They are told apart by case, so one as it was typed comes first; most are in capitals, and typed as is easiest. */
function serialsIn(ref: string): readonly string[] {
  const serial = withoutSymbologyIdentifier(ref);
  return [serial, serial.toUpperCase()];
}

/** Neither an id nor a code can pass for a serial, which is shorter than both. */
function namedBy(tokenKeys: Keyring, ref: string): Named {
  const uuid = decodeId('unit', ref);
  return uuid === null ? (scannedUnitIn(tokenKeys, ref) ?? { serials: serialsIn(ref) }) : { uuid };
}

/** As a verification finds it: by a lot that it has or had, where the code says one. */
const isOf = (unit: NamedUnitRow, { gtin, lot }: UnitOfGtin): boolean =>
  unit.gtin === gtin && (lot === null || lot === unit.lot || unit.former_lots.includes(lot));

async function findNamed(
  db: UnitOfWork['db'],
  { org_id: orgId, id }: ConsignmentRow,
  named: readonly Named[],
) {
  const found = await findConsignmentUnits(db, orgId, id, {
    unitIds: named.flatMap((by) => ('uuid' in by ? [by.uuid] : [])),
    codes: named.flatMap((by) => ('code' in by ? [by.code] : [])),
    serials: named.flatMap((by) => {
      if ('ofGtin' in by) return [by.ofGtin.serial];
      return 'serials' in by ? by.serials : [];
    }),
  });
  const bySerial = new Map<string, NamedUnitRow[]>();
  for (const unit of found) bySerial.set(unit.serial, [...(bySerial.get(unit.serial) ?? []), unit]);
  const byId = new Map(found.map((unit) => [unit.unit_id, unit]));
  const byCode = new Map(found.map((unit) => [unit.code.toString('hex'), unit]));
  const alone = (unit: NamedUnitRow | undefined) => (unit === undefined ? [] : [unit]);
  return (by: Named): readonly NamedUnitRow[] => {
    if ('uuid' in by) return alone(byId.get(by.uuid));
    if ('code' in by) return alone(byCode.get(by.code.toString('hex')));
    if ('ofGtin' in by) return (bySerial.get(by.ofGtin.serial) ?? []).filter((unit) => isOf(unit, by.ofGtin));
    return by.serials.map((serial) => bySerial.get(serial)).find((units) => units !== undefined) ?? [];
  };
}

async function resolveUnits(
  tokenKeys: Keyring,
  db: UnitOfWork['db'],
  consignment: ConsignmentRow,
  { missing, damaged }: Receipt,
): Promise<{ missing: string[]; damaged: string[] }> {
  const refs = new Map([...missing, ...damaged].map((ref) => [ref, namedBy(tokenKeys, ref)]));
  if (refs.size === 0) return { missing: [], damaged: [] };
  const unitsOf = await findNamed(db, consignment, [...refs.values()]);
  const serials = new Map<string, string>();
  const errors: FieldError[] = [];
  const resolve = (path: string, list: readonly string[]): string[] => {
    const named = new Set<string>();
    const unitIds = list.flatMap((ref, index) => {
      // Named again: what is to be said of it, its first place has said.
      if (named.has(ref)) return [];
      named.add(ref);
      const units = unitsOf(refs.get(ref)!);
      const [unit] = units;
      if (unit !== undefined && units.length === 1) {
        serials.set(unit.unit_id, unit.serial);
        return [unit.unit_id];
      }
      const refused =
        units.length === 0
          ? refusal('NOT_IN_CONSIGNMENT', `${ref} is not in this consignment`, { unit: ref })
          : refusal('AMBIGUOUS_SERIAL', `${ref} is the serial of several products here; use the unit's id`, {
              serial: ref,
            });
      errors.push({ path: `${path}.${index}`, ...refused });
      return [];
    });
    // Its serial in two spellings, or the serial and the id or the code, name one unit.
    return [...new Set(unitIds)];
  };
  const resolved = { missing: resolve('missing', missing), damaged: resolve('damaged', damaged) };
  const both = resolved.damaged.find((unit) => resolved.missing.includes(unit));
  if (both !== undefined) {
    const serial = serials.get(both)!;
    const message = `${serial} cannot be missing and damaged at once`;
    errors.push({ path: 'damaged', ...refusal('MISSING_AND_DAMAGED', message, { serial }) });
  }
  if (errors.length > 0)
    throw new AppError('VALIDATION_FAILED', {
      detail: errors
        .map(({ message }) => message)
        .join('; ')
        .slice(0, 500),
      errors: errors.slice(0, 100),
    });
  return resolved;
}
