/** Units: reading them and moving them along `minted → active ⇄ suspended`, `minted → voided`; a recall (see recalls/) lies over that. */
import { countUnits } from '../analytics/service.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../db.ts';
import { AppError, invalidTransition } from '../errors.ts';
import { newUuid } from '../ids.ts';
import {
  insertTransitions,
  findUnit,
  lockUnit,
  lockUnits,
  setConsumedAt,
  setUnitStatus,
  setUnitStatuses,
  type LockedUnit,
  type UnitRow,
  type UnitStatus,
} from './repository.ts';

export {
  countUnitsBy,
  countUnitsByStatus,
  findUnitFigures,
  findSerials as listSerials,
  findUnitNames,
  listUnits,
  type UnitCounts,
  type UnitFigures,
  type UnitFilter,
  type UnitRisk,
  type UnitRow,
  type UnitStatus,
} from './repository.ts';

/** From which states each state can be reached. */
const REACHABLE_FROM: Record<UnitStatus, readonly UnitStatus[]> = {
  minted: [],
  active: ['minted', 'suspended'],
  suspended: ['active'],
  voided: ['minted'],
};

const noUnit = () => new AppError('NOT_FOUND', { detail: 'no such unit' });

/** @throws AppError NOT_FOUND */
export async function getUnit(db: Db, orgId: string, id: string): Promise<UnitRow> {
  const unit = await findUnit(db, orgId, id);
  if (unit === null) throw noUnit();
  return unit;
}

/**
 * Moves a unit to a state; a state that holds already is a success without effect.
 * @throws AppError NOT_FOUND, INVALID_TRANSITION
 */
export async function moveUnit(
  { clock }: { clock: Clock },
  db: Db,
  orgId: string,
  id: string,
  to: 'active' | 'suspended' | 'voided',
): Promise<UnitRow> {
  const unit = await lockUnit(db, orgId, id);
  if (unit === null) throw noUnit();
  if (unit.status !== to) {
    if (!REACHABLE_FROM[to].includes(unit.status)) throw invalidTransition(unit.status, to);
    const at = clock.now();
    const isFirstActivation = to === 'active' && unit.activated_at === null;
    await setUnitStatus(db, orgId, id, to, {
      activatedAt: isFirstActivation ? at : unit.activated_at,
      voidedAt: to === 'voided' ? at : null,
    });
    if (to !== 'voided' && !isFirstActivation)
      await insertTransitions(db, orgId, [{ id: newUuid(), unitId: id }], to, at);
    if (isFirstActivation)
      await countUnits(db, 'activated', [{ orgId, productId: unit.product_id, at, amount: 1 }]);
  }
  return getUnit(db, orgId, id);
}

/** Holds a unit until the transaction ends; none of the organization with that id is fine. */
export const holdUnit = async (db: Db, orgId: string, id: string): Promise<void> => {
  await lockUnit(db, orgId, id);
};

/**
 * Notes that a unit was used up: scans of it by new visitors speak for a copied code from then on. A unit that is consumed already
 * keeps its time.
 * @param at when; null for now
 * @throws AppError NOT_FOUND; INVALID_TRANSITION for a unit that was never activated, as a voided one was not
 */
export async function consumeUnit(
  { clock }: { clock: Clock },
  db: Db,
  orgId: string,
  id: string,
  at: Date | null,
): Promise<UnitRow> {
  const unit = await lockUnit(db, orgId, id);
  if (unit === null) throw noUnit();
  if (unit.activated_at === null) throw invalidTransition(unit.status, 'consumed');
  if (unit.consumed_at === null) await setConsumedAt(db, orgId, id, at ?? clock.now());
  return getUnit(db, orgId, id);
}

/**
 * Takes that back, for one that was noted by mistake; no effect on a unit that is not consumed.
 * @throws AppError NOT_FOUND
 */
export async function unconsumeUnit(db: Db, orgId: string, id: string): Promise<UnitRow> {
  const unit = await lockUnit(db, orgId, id);
  if (unit === null) throw noUnit();
  if (unit.consumed_at !== null) await setConsumedAt(db, orgId, id, null);
  return getUnit(db, orgId, id);
}

/** What became of units that were to move; those that the organization does not have are in neither. */
export interface MovedUnits {
  moved: ReadonlySet<string>;
  /** The others, with the state that they stay in: it may be the very one. */
  left: ReadonlyMap<string, UnitStatus>;
}

/**
 * Moves units to a state, for bulk jobs; those that cannot get there, or are there, are left as they are.
 * @param ids UUIDs
 * @param from instead of every state that leads there
 */
export async function moveUnits(
  { clock }: { clock: Clock },
  db: Db,
  orgId: string,
  ids: readonly string[],
  to: 'active' | 'suspended',
  from: readonly UnitStatus[] = REACHABLE_FROM[to],
): Promise<MovedUnits> {
  const units = await lockUnits(db, orgId, ids);
  // Not before the locks: of two that move a unit, the later one moves it later.
  const now = clock.now();
  const moving = units.filter(({ status }) => from.includes(status));
  const left = units.filter(({ status }) => !from.includes(status));
  if (moving.length > 0) {
    await setUnitStatuses(
      db,
      orgId,
      moving.map(({ id }) => id),
      to,
      now,
    );
    const isFirstActivation = (unit: LockedUnit) => to === 'active' && unit.activated_at === null;
    await countUnits(
      db,
      'activated',
      moving
        .filter(isFirstActivation)
        .map((unit) => ({ orgId, productId: unit.product_id, at: now, amount: 1 })),
    );
    const transitions = moving
      .filter((unit) => !isFirstActivation(unit))
      .map((unit) => ({ id: newUuid(), unitId: unit.id }));
    if (transitions.length > 0) await insertTransitions(db, orgId, transitions, to, now);
  }
  return {
    moved: new Set(moving.map(({ id }) => id)),
    left: new Map(left.map(({ id, status }) => [id, status])),
  };
}
