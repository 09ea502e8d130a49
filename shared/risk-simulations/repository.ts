import type { Db } from '../db.ts';
import { pageOf, type Page, type PageRequest } from '../page.ts';
import type { RiskPolicyOverride } from '../risk/policy.ts';
import type { RiskProfile } from '../risk/types.ts';
import { AUDIENCE, type AudienceColumns } from '../scans/history.ts';
import type { EarlierDecision, Tally } from './tally.ts';

export const SIMULATION_STATUSES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;
export type SimulationStatus = (typeof SIMULATION_STATUSES)[number];

export interface SimulationRow {
  id: string;
  org_id: string;
  product_id: string | null;
  policy: RiskPolicyOverride;
  from_at: Date;
  to_at: Date;
  status: SimulationStatus;
  next_unit: string;
  done: number;
  total: number;
  tally: Tally;
  error: string | null;
  lease_epoch: number;
  attempts: number;
  created_at: Date;
  finished_at: Date | null;
}

/** The policies that were in force when the simulation was started, which it leaves as they are where it changes nothing. */
export interface SimulatedPolicies {
  organization: RiskPolicyOverride | null;
  /** By the product's UUID; of products that have one. */
  products: Record<string, RiskPolicyOverride>;
}

export interface ClaimedSimulation extends SimulationRow {
  policies: SimulatedPolicies;
}

const COLUMNS = `id, org_id, product_id, policy, from_at, to_at, status, next_unit, done, total, tally, error, lease_epoch,
            attempts, created_at, finished_at`;

export interface NewSimulation {
  id: string;
  orgId: string;
  productId: string | null;
  policy: RiskPolicyOverride;
  from: Date;
  to: Date;
  tally: Tally;
  now: Date;
}

export async function insertSimulation(db: Db, simulation: NewSimulation): Promise<SimulationRow> {
  const { rows } = await db.query<SimulationRow>(
    `insert into risk_simulations (id, org_id, product_id, policy, from_at, to_at, total, tally, due_at, created_at, policies)
     values ($1, $2, $3, $4, $5, $6, 0, $7, $8, $8, policies_to_simulate($2, $3)) returning ${COLUMNS}`,
    [
      simulation.id,
      simulation.orgId,
      simulation.productId,
      JSON.stringify(simulation.policy),
      simulation.from,
      simulation.to,
      JSON.stringify(simulation.tally),
      simulation.now,
    ],
  );
  return rows[0]!;
}

/** Until the transaction ends, nobody else counts or starts simulations of the organization. */
export async function lockSimulationCount(db: Db, orgId: string): Promise<void> {
  await db.query(`select pg_advisory_xact_lock(hashtextextended('risk-simulations:' || $1, 0))`, [orgId]);
}

export async function countOpenSimulations(db: Db, orgId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*) as count from risk_simulations where org_id = $1 and status in ('queued', 'running')`,
    [orgId],
  );
  return rows[0]!.count;
}

export async function findSimulation(db: Db, orgId: string, id: string): Promise<SimulationRow | null> {
  const { rows } = await db.query<SimulationRow>(
    `select ${COLUMNS} from risk_simulations where org_id = $1 and id = $2`,
    [orgId, id],
  );
  return rows[0] ?? null;
}

export async function listSimulations(
  db: Db,
  orgId: string,
  { status = null }: { status?: SimulationStatus | null | undefined },
  page: PageRequest,
): Promise<Page<SimulationRow>> {
  const { rows } = await db.query<SimulationRow>(
    `select ${COLUMNS} from risk_simulations
      where org_id = $1 and ($2::uuid is null or id < $2) and ($3::text is null or status = $3)
      order by id desc limit $4`,
    [orgId, page.beforeId, status, page.limit + 1],
  );
  return pageOf(rows, page);
}

/** Ends one that is open. */
export async function markCancelled(db: Db, orgId: string, id: string, now: Date): Promise<void> {
  await db.query(
    `update risk_simulations set status = 'cancelled', finished_at = $3, lease_until = null, error = null
      where org_id = $1 and id = $2 and status in ('queued', 'running')`,
    [orgId, id, now],
  );
}

/** Claims a simulation that is due and that nobody works on. */
export async function claimSimulation(
  db: Db,
  id: string,
  now: Date,
  leaseUntil: Date,
): Promise<ClaimedSimulation | null> {
  const { rows } = await db.query<ClaimedSimulation>(
    `update risk_simulations
        set status = 'running', lease_until = $3, lease_epoch = lease_epoch + 1, attempts = attempts + 1,
            policies = coalesce(policies, policies_to_simulate(org_id, product_id))
      where id = $1 and status in ('queued', 'running') and due_at <= $2
        and (lease_until is null or lease_until <= $2)
     returning ${COLUMNS}, policies`,
    [id, now, leaseUntil],
  );
  return rows[0] ?? null;
}

export interface SimulatedUnit extends AudienceColumns {
  unit_id: string;
  org_id: string;
  /** Of all time. */
  scan_count: number;
  product_id: string;
  markets: string[];
  activated_at: Date | null;
  consumed_at: Date | null;
  hidden_code_reused_at: Date | null;
  nfc_tap_replayed_at: Date | null;
  shipment: 'untracked' | 'not-shipped' | 'shipped';
  decision: 'dismissed' | 'confirmed' | null;
  decided_at: Date | null;
  raised_at: Date[];
  /** Before that one, oldest first. */
  earlier_decisions: EarlierDecision[] | null;
  profile: RiskProfile | null;
  lot_units: number | null;
  lot_outside: Record<string, number> | null;
}

/** A part of the walk over the organization's units: those after one, up to another or to the end. */
export interface Stretch {
  after: string;
  upTo: string | null;
}

/**
 * The last of so many units after one, scanned or not: where hardly one was ever scanned, it bounds what a step reads.
 * @returns null where fewer are left
 */
export async function findStretchEnd(
  db: Db,
  orgId: string,
  after: string,
  units: number,
): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>(
    'select id from product_units where org_id = $1 and id > $2 order by id offset $3 limit 1',
    [orgId, after, units - 1],
  );
  return rows[0]?.id ?? null;
}

/** The first units of a stretch that were ever scanned, in order of their ids. */
export async function listScannedUnits(
  db: Db,
  simulation: Pick<SimulationRow, 'org_id' | 'product_id'>,
  { after, upTo }: Stretch,
  limit: number,
): Promise<SimulatedUnit[]> {
  const { rows } = await db.query<SimulatedUnit>(
    // Profiles have no index by organization, which every scan would have to keep; "offset 0" has them looked up by unit.
    `select u.id as unit_id, u.org_id, u.scan_count, u.product_id, coalesce(s.expected_markets, b.markets, p.markets) as markets, u.activated_at, u.consumed_at,
            s.shipment, u.decision, u.decided_at, u.raised_at, u.hidden_code_reused_at, u.nfc_tap_replayed_at, u.earlier_decisions, u.profile, bs.units as lot_units,
            bs.outside as lot_outside, ${AUDIENCE}
       from (select u.id, u.org_id, u.batch_id, u.product_id, u.activated_at, u.consumed_at, r.scan_count, r.decision, r.decided_at, r.raised_at, r.hidden_code_reused_at, r.nfc_tap_replayed_at,
                    r.earlier_decisions, r.profile
               from product_units u
               join lateral (select scan_count, decision, decided_at, raised_at, hidden_code_reused_at, nfc_tap_replayed_at, earlier_decisions, profile from unit_risk_profiles
                              where unit_id = u.id offset 0) r on true
              where u.org_id = $1 and u.id > $2 and ($3::uuid is null or u.id <= $3) and ($4::uuid is null or u.product_id = $4)
              order by u.id limit $5) u
       join batches b on b.id = u.batch_id
       join products p on p.id = u.product_id
       join lateral unit_supply(u.id, u.batch_id, u.product_id) s on true
       left join batch_sightings bs on bs.batch_id = u.batch_id
       left join organization_audiences oa on oa.org_id = u.org_id
      order by u.id`,
    [simulation.org_id, after, upTo, simulation.product_id, limit],
  );
  return rows;
}

export interface Step {
  id: string;
  leaseEpoch: number;
  nextUnit: string;
  done: number;
  total: number;
  tally: Tally;
  leaseUntil: Date | null;
  /** Set at the end. */
  finishedAt: Date | null;
}

/**
 * Stores how far the walk came. Attempts are those of one step: the next one of this claim is at its first, a step that is
 * left to another worker at none.
 * @returns false where the lease was lost, to another worker or because it was cancelled.
 */
export async function storeStep(db: Db, step: Step): Promise<boolean> {
  const { rowCount } = await db.query(
    `update risk_simulations
        set next_unit = $3, done = $4, tally = $5, lease_until = $6, finished_at = $7, total = $8,
            attempts = case when $6::timestamptz is null then 0 else 1 end,
            status = case when $7::timestamptz is null then status else 'completed' end
      where id = $1 and lease_epoch = $2 and status = 'running'`,
    [
      step.id,
      step.leaseEpoch,
      step.nextUnit,
      step.done,
      JSON.stringify(step.tally),
      step.leaseUntil,
      step.finishedAt,
      step.total,
    ],
  );
  return rowCount === 1;
}

/** A sign of life. One that comes late extends nothing that was given back. */
export async function extendSimulationLease(
  db: Db,
  { id, lease_epoch: epoch }: Pick<SimulationRow, 'id' | 'lease_epoch'>,
  leaseUntil: Date,
): Promise<void> {
  await db.query(
    `update risk_simulations set lease_until = $3
      where id = $1 and lease_epoch = $2 and status = 'running' and lease_until is not null`,
    [id, epoch, leaseUntil],
  );
}

/** @param error set where it was the last attempt */
export async function storeFailure(
  db: Db,
  id: string,
  leaseEpoch: number,
  { dueAt, error, now }: { dueAt: Date; error: string | null; now: Date },
): Promise<void> {
  await db.query(
    `update risk_simulations
        set lease_until = null, due_at = $3, error = $4::text,
            status = case when $4::text is null then status else 'failed' end,
            finished_at = case when $4::text is null then null else $5::timestamptz end
      where id = $1 and lease_epoch = $2 and status = 'running'`,
    [id, leaseEpoch, dueAt, error, now],
  );
}

export async function listNeglected(db: Db, now: Date, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select id from risk_simulations
      where status in ('queued', 'running') and due_at <= $1 and (lease_until is null or lease_until <= $1)
      order by due_at limit $2`,
    [now, limit],
  );
  return rows.map((row) => row.id);
}

/** Their organizations keep when they last had a policy tried on all products. @returns how many. */
export async function deleteFinished(db: Db, finishedBefore: Date, limit: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `with gone as (
       delete from risk_simulations
        where id in (select id from risk_simulations where finished_at < $1
                      order by finished_at limit $2 for update skip locked)
       returning org_id, product_id, status, created_at
     ), kept as (
       update organizations o set risk_policy_tried_at = greatest(risk_policy_tried_at, tried.at)
         from (select org_id, max(created_at) as at from gone
                where product_id is null and status = 'completed' group by org_id) tried
        where o.id = tried.org_id
     )
     select count(*) as count from gone`,
    [finishedBefore, limit],
  );
  return rows[0]!.count;
}
