import type { Db } from '../db.ts';
import type { RiskProfile, RiskSignal } from '../risk/types.ts';
import type { UnitStatus } from '../units/service.ts';
import type { ScanResult } from './verdict.ts';

export interface WaitingUnitRow {
  unit_id: string;
  org_id: string;
  state: 'clear' | 'suspect' | 'confirmed';
  profile: RiskProfile | null;
  batch_id: string;
  product_id: string;
  serial: string;
  status: UnitStatus;
  activated_at: Date | null;
  unit_recalled_at: Date | null;
  batch_recalled_at: Date | null;
  lot: string | null;
  expires_on: string | null;
  markets: string[];
}

/**
 * Locks units with unscored scans, those that wait longest first, past what other workers hold. The lock is the lease:
 * it lasts as long as the transaction that scores, and while it is held no further scan of the unit commits.
 */
export async function lockWaitingUnits(db: Db, limit: number): Promise<WaitingUnitRow[]> {
  const { rows } = await db.query<WaitingUnitRow>({
    name: 'lock-waiting-units',
    text: `with waiting as (
         select unit_id, org_id, state, profile from unit_risk_profiles
          where unscored_since is not null
          order by unscored_since
          limit $1
          for update skip locked
       )
       select w.unit_id, w.org_id, w.state, w.profile, u.batch_id, u.product_id, u.serial, u.status, u.activated_at,
              u.recalled_at as unit_recalled_at, b.recalled_at as batch_recalled_at, b.lot, b.expires_on,
              coalesce(b.markets, p.markets) as markets
         from waiting w
         join product_units u on u.org_id = w.org_id and u.id = w.unit_id
         join batches b on b.id = u.batch_id
         join products p on p.id = u.product_id`,
    values: [limit],
  });
  return rows;
}

export interface UnscoredScanRow {
  id: string;
  unit_id: string;
  at: Date;
  session_id: string | null;
  network_id: string | null;
  country: string | null;
  lat: number | null;
  lon: number | null;
  accuracy_km: number | null;
  place_source: 'gps' | 'ip-fixed' | 'ip-mobile' | 'ip' | null;
}

/**
 * The unscored scans of some units, in order of time.
 * @param sinceId the smallest id to look at: it spares the partitions before it. Without it all are searched, so that
 *   not even a scan with a wrong clock behind it is passed over.
 */
export async function listUnscoredScans(
  db: Db,
  unitIds: readonly string[],
  sinceId = '00000000-0000-0000-0000-000000000000',
): Promise<UnscoredScanRow[]> {
  const { rows } = await db.query<UnscoredScanRow>({
    name: 'list-unscored-scans',
    text: `select id, unit_id, at, session_id, network_id, country, lat, lon, accuracy_km, place_source
             from scans where unit_id = any($1::uuid[]) and assessment = 'preliminary' and id >= $2
            order by id`,
    values: [unitIds, sinceId],
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

export async function storeScores(db: Db, scans: readonly ScoredScan[]): Promise<void> {
  const ids = scans.map((scan) => scan.id);
  await db.query({
    name: 'store-scores',
    // The bounds prune the partitions: a join on ids alone would look into every month.
    text: `update scans s
              set assessment = 'final', result = t.result, risk_level = t.risk_level, risk_score = t.risk_score,
                  signals = t.signals
             from unnest($1::uuid[], $2::text[], $3::text[], $4::smallint[], $5::jsonb[])
               as t (id, result, risk_level, risk_score, signals)
            where s.id = t.id and s.id >= $6 and s.id <= $7`,
    values: [
      ids,
      scans.map((scan) => scan.result),
      scans.map((scan) => scan.riskLevel),
      scans.map((scan) => scan.riskScore),
      scans.map((scan) => JSON.stringify(scan.signals)),
      ids.reduce((a, b) => (a < b ? a : b)),
      ids.reduce((a, b) => (a > b ? a : b)),
    ],
  });
}

export interface ScoredProfile {
  unitId: string;
  profile: RiskProfile;
  state: 'clear' | 'suspect' | 'confirmed';
}

/** Stores profiles and takes the units off the waiting list. */
export async function storeProfiles(db: Db, profiles: readonly ScoredProfile[]): Promise<void> {
  await db.query({
    name: 'store-profiles',
    text: `update unit_risk_profiles p
              set profile = t.profile, state = t.state, unscored_since = null
             from unnest($1::uuid[], $2::jsonb[], $3::text[]) as t (unit_id, profile, state)
            where p.unit_id = t.unit_id`,
    values: [
      profiles.map(({ unitId }) => unitId),
      profiles.map(({ profile }) => JSON.stringify(profile)),
      profiles.map(({ state }) => state),
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
