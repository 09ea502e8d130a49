/** Simulations: a policy tried on the stored history of an organization, unit by unit, by whichever worker holds the lease. */
import { readFunnel } from '../analytics/service.ts';
import type { Clock } from '../clock.ts';
import type { Db, Pool, UnitOfWork } from '../db.ts';
import { AppError, invalidField, invalidTransition } from '../errors.ts';
import { refusal } from '../field-errors.ts';
import { newUuid, NIL_UUID } from '../ids.ts';
import { keepLease } from '../keep-lease.ts';
import type { Waker } from '../queues.ts';
import { effectivePolicy } from '../risk-policies/effective.ts';
import { checkThresholds, getPolicy } from '../risk-policies/service.ts';
import { knownOverride, type RiskPolicyOverride } from '../risk/policy.ts';
import {
  findPeers,
  listRecordedScans,
  loadHindsights,
  MAX_RECORDED_PER_UNIT,
  needsPeers,
  unitContext,
} from '../scans/history.ts';
import {
  claimSimulation,
  countOpenSimulations,
  extendSimulationLease,
  findSimulation,
  findStretchEnd,
  insertSimulation,
  listNeglected,
  listScannedUnits,
  lockSimulationCount,
  markCancelled,
  storeFailure,
  storeStep,
  type ClaimedSimulation,
  type SimulatedUnit,
  type SimulationRow,
} from './repository.ts';
import { emptyTally, isComplete, tallyUnit, type Tally } from './tally.ts';

export { listSimulations, SIMULATION_STATUSES, type SimulationRow } from './repository.ts';
export { emptyTally, isComplete, type Tally } from './tally.ts';

const DEFAULT_SPAN_MS = 90 * 86_400_000;
/** Before it a year has no four digits, and a caller could not ask for the span again. */
const EARLIEST_MS = Date.parse('0000-01-01T00:00:00Z');
/** Open at a time in one organization: each is a worker's for minutes, and all organizations share the workers. */
const MAX_OPEN = 5;
const UNITS_PER_STEP = 200;
/** Of which few may ever have been scanned. */
const UNITS_READ_PER_STEP = 20_000;
/** A step holds the scans of its units in memory: of four that were flooded, or of 200 with a hundred each. */
const SCANS_PER_STEP = 4 * MAX_RECORDED_PER_UNIT;
const MAX_ATTEMPTS = 5;
const RETRY_MS = 60_000;

export interface SimulationInput {
  policy: RiskPolicyOverride;
  productId: string | null;
  from: Date | null;
  to: Date | null;
}

/**
 * Within a transaction.
 * @throws AppError NOT_FOUND for the product, VALIDATION_FAILED for a span that ends before it begins or thresholds that
 *   cross, RATE_LIMITED while as many as are allowed are open
 */
export async function createSimulation(
  { clock, waker }: { clock: Clock; waker: Waker },
  { db, afterCommit }: UnitOfWork,
  orgId: string,
  { policy, productId, from, to }: SimulationInput,
): Promise<SimulationRow> {
  const now = clock.now();
  const until = to ?? now;
  const since = from ?? new Date(Math.max(EARLIEST_MS, until.getTime() - DEFAULT_SPAN_MS));
  if (to === null && since >= until) throw invalidField('from', refusal('NOT_IN_PAST', 'is not in the past'));
  if (since >= until)
    throw invalidField(
      'from',
      refusal('ENDS_BEFORE_START', 'must be before `to`', { start: 'from', end: 'to' }),
    );
  // What could not be stored is not tried.
  await checkThresholds(db, orgId, productId, policy);
  await lockSimulationCount(db, orgId);
  if ((await countOpenSimulations(db, orgId)) >= MAX_OPEN)
    throw new AppError('RATE_LIMITED', {
      detail: `${MAX_OPEN} simulations are under way; wait for one, or cancel it`,
      headers: { 'Retry-After': '60' },
    });
  const id = newUuid();
  const row = await insertSimulation(db, {
    id,
    orgId,
    productId,
    policy,
    from: since,
    to: until,
    tally: await beginTally(db, orgId, productId),
    now,
  });
  afterCommit(() => waker.simulateRiskPolicies([id]));
  return row;
}

/** @throws AppError NOT_FOUND */
export async function getSimulation(db: Db, orgId: string, id: string): Promise<SimulationRow> {
  const row = await findSimulation(db, orgId, id);
  if (row === null) throw new AppError('NOT_FOUND', { detail: 'no such simulation' });
  return row;
}

/** The worker that has it notices at the end of its step. @throws AppError NOT_FOUND, INVALID_TRANSITION */
export async function cancelSimulation(
  { clock }: { clock: Clock },
  db: Db,
  orgId: string,
  id: string,
): Promise<SimulationRow> {
  await markCancelled(db, orgId, id, clock.now());
  const row = await getSimulation(db, orgId, id);
  if (row.status !== 'cancelled') throw invalidTransition(row.status, 'cancelled');
  return row;
}

export interface SimulationDeps {
  db: Pool;
  clock: Clock;
  leaseSeconds: number;
  stopping: AbortSignal;
}

const leaseUntil = ({ clock, leaseSeconds }: SimulationDeps): Date =>
  new Date(clock.now().getTime() + leaseSeconds * 1000);

/**
 * Works on a simulation until it is finished, cancelled, lost to another worker, or this process stops.
 * @returns what became of it
 */
export async function runSimulation(
  deps: SimulationDeps,
  id: string,
): Promise<'completed' | 'failed' | 'lost' | 'stopped' | 'nothing'> {
  const { db, clock } = deps;
  const claimed = await claimSimulation(db, id, clock.now(), leaseUntil(deps));
  if (claimed === null) return 'nothing';
  // Whoever held it the last five times died before the step came to an end.
  if (claimed.attempts > MAX_ATTEMPTS) {
    await settleFailure(deps, claimed, claimed.attempts);
    return 'failed';
  }
  return keepLease(
    deps.leaseSeconds,
    () => extendSimulationLease(db, claimed, leaseUntil(deps)),
    () => takeSteps(deps, claimed),
  );
}

async function takeSteps(
  deps: SimulationDeps,
  claimed: ClaimedSimulation,
): Promise<'completed' | 'lost' | 'stopped'> {
  const { db, clock, stopping } = deps;
  let { attempts } = claimed;
  try {
    let { next_unit: nextUnit, done, total, tally } = claimed;
    // Begun by a release that counted less: from the start.
    if (!isComplete(tally)) {
      [nextUnit, done] = [NIL_UUID, 0];
      tally = await beginTally(db, claimed.org_id, claimed.product_id);
    }
    // The figures may lag behind, and know nothing of scans that are not assessed: the walk corrects them.
    if (total === 0) total = await countScannedUnits(deps, claimed);
    for (;;) {
      const upTo = await findStretchEnd(db, claimed.org_id, nextUnit, UNITS_READ_PER_STEP);
      const listed = await listScannedUnits(db, claimed, { after: nextUnit, upTo }, UNITS_PER_STEP);
      const units = firstThatFit(listed);
      await tallyUnits(db, claimed, tally, units);
      const isWhole = units.length === listed.length && listed.length < UNITS_PER_STEP;
      nextUnit = (isWhole ? upTo : units.at(-1)?.unit_id) ?? nextUnit;
      done += units.length;
      const isLast = isWhole && upTo === null;
      total = isLast ? done : Math.max(total, done);
      const stored = await storeStep(db, {
        id: claimed.id,
        leaseEpoch: claimed.lease_epoch,
        nextUnit,
        done,
        total,
        tally,
        leaseUntil: isLast || stopping.aborted ? null : leaseUntil(deps),
        finishedAt: isLast ? clock.now() : null,
      });
      if (!stored) return 'lost';
      attempts = 1;
      if (isLast) return 'completed';
      if (stopping.aborted) return 'stopped';
    }
  } catch (error) {
    await settleFailure(deps, claimed, attempts);
    throw error;
  }
}

/** As it is when the simulation begins: the threshold by which its units' cases were opened. */
async function beginTally(db: Db, orgId: string, productId: string | null): Promise<Tally> {
  const { effective } = await getPolicy(db, orgId, productId);
  return { ...emptyTally(), inForce: effective.thresholds.suspicious };
}

async function countScannedUnits(
  { db, clock }: SimulationDeps,
  { org_id: orgId, product_id: productId }: SimulationRow,
): Promise<number> {
  const allTime = { from: new Date(0), to: clock.now() };
  return (await readFunnel(db, { orgId, productId: productId ?? undefined, ...allTime })).firstScanned;
}

/** Again later, five times in all. @param attempts of the step that failed */
async function settleFailure(
  { db, clock }: SimulationDeps,
  { id, lease_epoch: epoch }: SimulationRow,
  attempts: number,
): Promise<void> {
  const now = clock.now();
  await storeFailure(db, id, epoch, {
    dueAt: new Date(now.getTime() + RETRY_MS),
    error: attempts >= MAX_ATTEMPTS ? 'The simulation could not be finished. Start another one.' : null,
    now,
  });
}

/** As many of the units, in order, as a step may read the scans of; one alone never has too many. */
function firstThatFit(units: SimulatedUnit[]): SimulatedUnit[] {
  let scans = 0;
  const tooMany = units.findIndex(({ scan_count: count }) => {
    scans += Math.min(count, MAX_RECORDED_PER_UNIT);
    return scans > SCANS_PER_STEP;
  });
  return tooMany === -1 ? units : units.slice(0, tooMany);
}

async function tallyUnits(
  db: Pool,
  simulation: ClaimedSimulation,
  tally: Tally,
  units: readonly SimulatedUnit[],
): Promise<void> {
  const { organization, products } = simulation.policies;
  const histories = await listRecordedScans(
    db,
    units.map((unit) => unit.unit_id),
    { from: simulation.from_at, to: simulation.to_at },
  );
  const policyOf = (unit: SimulatedUnit) =>
    simulation.product_id === null
      ? effectivePolicy(simulation.policy, products[unit.product_id] ?? null)
      : effectivePolicy(organization, simulation.policy);
  const apart = new Set(
    Object.keys(products).filter(
      (id) =>
        simulation.product_id === null && knownOverride(products[id]).thresholds?.suspicious !== undefined,
    ),
  );
  await loadHindsights(db, units);
  const peers = await findPeers(
    db,
    units.filter((unit) => needsPeers(unit, policyOf(unit))),
  );
  for (const unit of units) {
    const policy = policyOf(unit);
    const { scans, isTruncated } = histories.get(unit.unit_id) ?? { scans: [], isTruncated: false };
    // Where other units were seen, and how many people the organization's meet, is taken as it is today.
    const context = unitContext(unit, policy, { peers });
    const past = {
      earlier: unit.earlier_decisions ?? [],
      isTruncated,
      isApart: apart.has(unit.product_id),
    };
    tallyUnit(tally, unit.unit_id, scans, context, policy, past);
  }
}

/** For the sweeper: simulations that are due and that nobody works on. */
export const listNeglectedSimulationIds = (db: Db, now: Date, limit: number): Promise<string[]> =>
  listNeglected(db, now, limit);
