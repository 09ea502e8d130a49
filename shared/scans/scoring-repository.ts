import { plainArray, textArray, timeArray } from '../array-literals.ts';
import { SHARED_LISTS, type Db } from '../db.ts';
import type { RiskPolicyOverride } from '../risk/policy.ts';
import type { PlaceSource, RiskProfile, RiskSignal } from '../risk/types.ts';
import { AUDIENCE, type AudienceColumns } from './audience-repository.ts';
import type { LotColumns } from './lot-repository.ts';
import type { ScanResult } from './verdict.ts';

export interface WaitingUnitRow extends LotColumns, AudienceColumns {
  unit_id: string;
  org_id: string;
  state: 'clear' | 'suspect' | 'confirmed';
  profile: RiskProfile | null;
  decision: 'dismissed' | 'confirmed' | null;
  decided_at: Date | null;
  raised_at: Date[];
  last_alert_at: Date | null;
  /** Suspicious scans since then for which no event was sent. */
  held_alerts: number;
  unscored_since: Date;
  unscored_from: string;
  /** Of the scans that were counted. */
  first_scanned_at: Date;
  org_policy: RiskPolicyOverride | null;
  product_policy: RiskPolicyOverride | null;
  alert_cooldown_minutes: number;
  batch_id: string;
  product_id: string;
  product_name: string;
  sku: string;
  gtin: string | null;
  serial: string;
  activated_at: Date | null;
  consumed_at: Date | null;
  hidden_code_reused_at: Date | null;
  nfc_tap_replayed_at: Date | null;
  shipment: 'untracked' | 'not-shipped' | 'shipped';
  lot: string | null;
  markets: readonly string[];
}

/**
 * Locks units with unscored scans, those that wait longest first, past what other workers hold and what is set aside. The lock
 * is the lease: it lasts as long as the transaction that scores, and while it is held no further scan of the unit commits.
 * @param limit one of few: each is a statement of its own
 */
export async function lockWaitingUnits(db: Db, limit: number, now: Date): Promise<WaitingUnitRow[]> {
  const { rows } = await db.query<WaitingUnitRow>({
    // The limit stands in the text: planned for any limit, it would be for thousands of units, and so be planned each time anew.
    name: `lock-waiting-units-${limit}`,
    types: SHARED_LISTS,
    text: `with waiting as (
         select unit_id, org_id, state, profile, decision, decided_at, raised_at, hidden_code_reused_at, nfc_tap_replayed_at, last_alert_at, held_alerts,
                unscored_since, unscored_from, first_scanned_at
           from unit_risk_profiles
          where unscored_since is not null and (scoring_held_until is null or scoring_held_until <= $1)
          order by unscored_since
          limit ${limit}
          for update skip locked
       )
       select w.unit_id, w.org_id, w.state, w.profile, w.decision, w.decided_at, w.raised_at, w.last_alert_at, w.held_alerts, w.unscored_since, w.unscored_from,
              w.first_scanned_at, w.hidden_code_reused_at, w.nfc_tap_replayed_at,
              op.policy as org_policy, pp.policy as product_policy,
              coalesce(pp.alert_cooldown_minutes, op.alert_cooldown_minutes, 0) as alert_cooldown_minutes, u.batch_id, u.product_id, p.name as product_name, p.sku, p.gtin, u.serial, u.activated_at, u.consumed_at,
              s.shipment, b.lot,
              coalesce(s.expected_markets, b.markets, p.markets) as markets,
              bs.units as lot_units, bs.outside as lot_outside, ${AUDIENCE}
         from waiting w
         join product_units u on u.org_id = w.org_id and u.id = w.unit_id
         join batches b on b.id = u.batch_id
         join products p on p.id = u.product_id
         join lateral unit_supply(u.id, u.batch_id, u.product_id) s on true
         left join risk_policies op on op.org_id = w.org_id and op.product_id is null
         left join risk_policies pp on pp.org_id = w.org_id and pp.product_id = u.product_id
         left join batch_sightings bs on bs.batch_id = u.batch_id
         left join organization_audiences oa on oa.org_id = w.org_id`,
    values: [now],
  });
  return rows;
}

/** Sets a unit aside. */
export async function holdUnit(db: Db, unitId: string, until: Date): Promise<void> {
  await db.query('update unit_risk_profiles set scoring_held_until = $2 where unit_id = $1', [unitId, until]);
}

/** What the rules look at. */
export interface ScanPlaceRow {
  id: string;
  unit_id: string;
  at: Date;
  session_id: string | null;
  network_id: string | null;
  country: string | null;
  lat: number | null;
  lon: number | null;
  accuracy_km: number | null;
  place_source: PlaceSource | null;
}

export interface UnscoredScanRow extends ScanPlaceRow {
  /** How often it was scored for good before, and what came of it. */
  scorings: number;
  result: ScanResult;
  risk_level: string;
  /** True once `product.diverted` told of it. */
  diversion_told: boolean | null;
}

/** A unit with waiting scans: none of them has a smaller id than `unscored_from`. */
export interface Waiting {
  unit_id: string;
  unscored_from: string | null;
}

/** The first unscored scans of some units, in order of time; of each at most so many. */
export async function listUnscoredScans(
  db: Db,
  units: readonly Waiting[],
  limitPerUnit: number,
): Promise<UnscoredScanRow[]> {
  const { rows } = await db.query<UnscoredScanRow>({
    name: 'list-unscored-scans',
    // Laterally, so that each unit's bound prunes the partitions and no plan reads a partition whole.
    text: `select s.*
             from unnest($1::uuid[], $2::uuid[]) as w (unit_id, unscored_from)
             join lateral (
               select id, unit_id, at, session_id, network_id, country, lat, lon, accuracy_km, place_source, scorings, result,
                      risk_level, diversion_told
                 from scans
                where unit_id = w.unit_id and id >= w.unscored_from and assessment = 'preliminary'
                order by id
                limit $3
             ) s on true
            order by s.id`,
    values: [
      plainArray(units.map((unit) => unit.unit_id)),
      plainArray(units.map((unit) => unit.unscored_from)),
      limitPerUnit,
    ],
  });
  return rows;
}

/**
 * Of the newest scans of some units, so many of each, those that are not in the profiles that were read before, in order of time. One
 * that was scored since is among them, and one that waits to be scored again is not: it is in the profile.
 */
export async function listNewestUnscored(
  db: Db,
  units: readonly Waiting[],
  newestPerUnit: number,
): Promise<ScanPlaceRow[]> {
  const { rows } = await db.query<ScanPlaceRow>({
    name: 'list-newest-unscored',
    // The limit stands before the condition: a flood is not read to its end, whatever was scored of it. Internal scans are passed over
    // before it: many of them would leave none of those that wait.
    text: `select s.id, s.unit_id, s.at, s.session_id, s.network_id, s.country, s.lat, s.lon, s.accuracy_km, s.place_source
             from unnest($1::uuid[], $2::uuid[]) as w (unit_id, unscored_from)
             join lateral (
               select * from scans where unit_id = w.unit_id and id >= w.unscored_from and not is_internal order by id desc limit $3
             ) s on s.assessment = 'final' or s.scorings = 0
            order by s.id`,
    values: [
      plainArray(units.map((unit) => unit.unit_id)),
      plainArray(units.map((unit) => unit.unscored_from)),
      newestPerUnit,
    ],
  });
  return rows;
}

export interface HistoryRow extends ScanPlaceRow {
  /** Without its session, and later its network: retention has been there. */
  is_coarse: boolean;
}

/** The newest scans of one unit but for those that wait beyond `lastWaiting`, in no order that counts. */
export async function listHistory(
  db: Db,
  unitId: string,
  lastWaiting: string,
  limit: number,
): Promise<HistoryRow[]> {
  const { rows } = await db.query<HistoryRow>({
    name: 'list-history',
    text: `select id, unit_id, at, session_id, network_id, country, lat, lon, accuracy_km, place_source,
                  id <= any (select up_to from retention_marks where rule in ('addresses', 'pseudonyms')) as is_coarse
             from scans
            where unit_id = $1 and (id <= $2 or assessment = 'final') and not is_internal
            order by id desc
            limit $3`,
    values: [unitId, lastWaiting, limit],
  });
  return rows;
}

export interface ScoredScan {
  id: string;
  result: ScanResult;
  riskLevel: string;
  riskScore: number;
  signals: readonly RiskSignal[];
}

/** @param divertedIds of those of which `product.diverted` tells now */
export async function storeScores(
  db: Db,
  scans: readonly ScoredScan[],
  divertedIds: ReadonlySet<string>,
): Promise<void> {
  const ids = scans.map((scan) => scan.id);
  await db.query(
    // Planned for its ids, which prune the partitions: a join on ids alone would look into every month. By bounds, which Postgres takes for
    // empty where they are newer than what it has counted, it reads all scans between the first and the last.
    `update scans s
              set assessment = 'final', scorings = scorings + 1, result = t.result, risk_level = t.risk_level, risk_score = t.risk_score,
                  signals = t.signals, diversion_told = case when t.tells then true else s.diversion_told end
             from unnest($1::uuid[], $2::text[], $3::text[], $4::smallint[], $5::jsonb[], $6::boolean[])
               as t (id, result, risk_level, risk_score, signals, tells)
            where s.id = t.id and s.id = any($1::uuid[])`,
    [
      plainArray(ids),
      plainArray(scans.map((scan) => scan.result)),
      plainArray(scans.map((scan) => scan.riskLevel)),
      plainArray(scans.map((scan) => scan.riskScore)),
      textArray(scans.map(({ signals }) => (signals.length === 0 ? '[]' : JSON.stringify(signals)))),
      plainArray(ids.map((id) => String(divertedIds.has(id)))),
    ],
  );
}

export interface ScoredProfile {
  unitId: string;
  profile: RiskProfile;
  state: 'clear' | 'suspect' | 'confirmed';
  lastAlertAt: Date | null;
  heldAlerts: number;
  /** The earliest of the scans just scored. */
  firstAt: Date | null;
  /** The first scan that still waits; null where none does. */
  next: { id: string; at: Date } | null;
}

/** Stores profiles, and takes the units off the waiting list that have no scan left to score. */
export async function storeProfiles(db: Db, profiles: readonly ScoredProfile[]): Promise<void> {
  await db.query({
    name: 'store-profiles',
    text: `update unit_risk_profiles p
              set profile = t.profile, state = t.state, last_alert_at = t.last_alert_at, held_alerts = t.held_alerts,
                  first_scanned_at = least(p.first_scanned_at, t.first_at), unscored_since = t.next_at, unscored_from = t.next_id,
                  scoring_held_until = null
             from unnest($1::uuid[], $2::jsonb[], $3::text[], $4::timestamptz[], $5::integer[], $6::timestamptz[], $7::timestamptz[],
                         $8::uuid[])
               as t (unit_id, profile, state, last_alert_at, held_alerts, first_at, next_at, next_id)
            where p.unit_id = t.unit_id`,
    values: [
      plainArray(profiles.map(({ unitId }) => unitId)),
      textArray(profiles.map(({ profile }) => JSON.stringify(profile))),
      plainArray(profiles.map(({ state }) => state)),
      timeArray(profiles.map(({ lastAlertAt }) => lastAlertAt)),
      plainArray(profiles.map(({ heldAlerts }) => heldAlerts)),
      timeArray(profiles.map(({ firstAt }) => firstAt)),
      timeArray(profiles.map(({ next }) => next?.at ?? null)),
      plainArray(profiles.map(({ next }) => next?.id ?? null)),
    ],
  });
}

/** For the sweeper and the metrics: whether units wait, and since when the first. */
export async function findOldestUnscored(db: Db): Promise<Date | null> {
  const { rows } = await db.query<{ since: Date | null }>(
    'select min(unscored_since) as since from unit_risk_profiles where unscored_since is not null',
  );
  return rows[0]?.since ?? null;
}

export async function lockProfileRow(db: Db, unitId: string): Promise<void> {
  await db.query('select 1 from unit_risk_profiles where unit_id = $1 for update', [unitId]);
}

export async function storeDecision(
  db: Db,
  unitId: string,
  decision: 'dismissed' | 'confirmed',
  now: Date,
): Promise<void> {
  await db.query(
    `update unit_risk_profiles
        set earlier_decisions = case when decision is null then null
              else (case when jsonb_array_length(earlier_decisions) >= 100 then earlier_decisions - 0
                         else coalesce(earlier_decisions, '[]') end)
                   || jsonb_build_object('decision', decision, 'at', decided_at) end,
            decision = $2, decided_at = $3, state = case when $2 = 'confirmed' then 'confirmed' else 'clear' end,
            -- Where people's suspicion ends.
            raised_at = case when $2 = 'dismissed' and cardinality(raised_at) % 2 = 1 then raised_at || $3::timestamptz
                             else raised_at end,
            -- What comes after a dismissal is another case, and news.
            last_alert_at = case when $2 = 'dismissed' then null else last_alert_at end
      where unit_id = $1`,
    [unitId, decision, now],
  );
}

/** As {@link lockProfileRow}, of a unit that nobody may have scanned. */
export async function lockAnyProfileRow(
  db: Db,
  { orgId, unitId }: { orgId: string; unitId: string },
): Promise<void> {
  await db.query(
    'insert into unit_risk_profiles (unit_id, org_id) values ($2, $1) on conflict (unit_id) do nothing',
    [orgId, unitId],
  );
  await lockProfileRow(db, unitId);
}

/** Puts a unit under suspicion; one that is, since no dismissal, has been so since then, and one that is confirmed stays so. */
export async function storeSuspicion(db: Db, unitId: string, now: Date): Promise<void> {
  await db.query(
    `update unit_risk_profiles
        set state = case when state = 'clear' then 'suspect' else state end,
            raised_at = case when cardinality(raised_at) % 2 = 1 then raised_at
                             when cardinality(raised_at) >= 100 then raised_at[3:] || $2::timestamptz
                             else raised_at || $2::timestamptz end
      where unit_id = $1`,
    [unitId, now],
  );
}

/** The newest scans of each unit within a range of ids; its bounds prune the partitions. */
export async function listHistories(
  db: Db,
  unitIds: readonly string[],
  fromId: string,
  toId: string,
  limitPerUnit: number,
): Promise<(ScanPlaceRow & { risk_level: string; signals: RiskSignal[] })[]> {
  const { rows } = await db.query<ScanPlaceRow & { risk_level: string; signals: RiskSignal[] }>({
    name: 'list-histories',
    text: `select s.id, s.unit_id, s.at, s.session_id, s.network_id, s.country, s.lat, s.lon, s.accuracy_km,
                  s.place_source, s.risk_level, s.signals
             from unnest($1::uuid[]) as u (unit_id)
             cross join lateral (select * from scans where unit_id = u.unit_id and id >= $2 and id < $3 and not is_internal
                                  order by id desc limit $4) s`,
    values: [unitIds, fromId, toId, limitPerUnit],
  });
  return rows;
}
