import { plainArray, textArray } from '../array-literals.ts';
import type { Db } from '../db.ts';
import { uuidFloor } from '../ids.ts';
import type { RetentionStep } from '../retention/walk.ts';
import { COARSE_KM } from '../risk/coarse.ts';
import type { RiskProfile, RiskSignal } from '../risk/types.ts';

const DAY_MS = 86_400_000;

/** `seen`: with those that are left for the next time. */
export interface DeletedRows {
  seen: number;
  deleted: number;
}

export interface AgedScan {
  id: string;
  unit_id: string;
  /** With its visitor's own position. */
  is_exact: boolean;
  /** Null for none. */
  signals: RiskSignal[] | null;
}

export async function listAged(db: Db, fromId: string, toId: string, batch: number): Promise<AgedScan[]> {
  const { rows } = await db.query<AgedScan>(
    `select id, unit_id, place_source is not distinct from 'gps' as is_exact, nullif(signals, '[]') as signals
       from scans where id > $1 and id < $2 order by id limit $3`,
    [fromId, toId, batch],
  );
  return rows;
}

/**
 * /24 and /48 are kept of the address, one decimal (11 km) of a visitor's own position; browser and session go.
 * @param scans with their evidence as it is to be; null for none
 */
export async function makeScansCoarse(
  db: Db,
  scans: readonly Pick<AgedScan, 'id' | 'signals'>[],
): Promise<void> {
  await db.query(
    // By their ids in a list: the bounds of many would be taken for few rows where Postgres has not counted them, and each be compared with each.
    `update scans s
        set ip = host(network(set_masklen(s.ip, case family(s.ip) when 4 then 24 else 48 end)))::inet,
            user_agent = null, session_id = null,
            lat = case when s.place_source = 'gps' then round(s.lat::numeric, 1)::double precision else s.lat end,
            lon = case when s.place_source = 'gps' then round(s.lon::numeric, 1)::double precision else s.lon end,
            accuracy_km = case when s.place_source = 'gps' then greatest(s.accuracy_km, $3) else s.accuracy_km end,
            claimed_lat = round(s.claimed_lat::numeric, 1)::double precision,
            claimed_lon = round(s.claimed_lon::numeric, 1)::double precision,
            claimed_accuracy_km = case when s.claimed_lat is null then null else greatest(s.claimed_accuracy_km, $3) end,
            signals = coalesce(t.signals, s.signals)
       from unnest($1::uuid[], $2::jsonb[]) as t (id, signals)
      where s.id = t.id and s.id = any($1::uuid[])`,
    [
      plainArray(scans.map(({ id }) => id)),
      textArray(scans.map(({ signals }) => signals && JSON.stringify(signals))),
      COARSE_KM,
    ],
  );
}

export async function lockProfiles(
  db: Db,
  unitIds: readonly string[],
): Promise<{ unit_id: string; profile: RiskProfile }[]> {
  const { rows } = await db.query<{ unit_id: string; profile: RiskProfile }>(
    `select unit_id, profile from unit_risk_profiles
      where unit_id = any($1::uuid[]) and profile is not null order by unit_id for update`,
    [unitIds],
  );
  return rows;
}

export async function replaceProfiles(
  db: Db,
  profiles: readonly { unit_id: string; profile: RiskProfile }[],
): Promise<void> {
  await db.query(
    `update unit_risk_profiles p set profile = t.profile
       from unnest($1::uuid[], $2::jsonb[]) as t (unit_id, profile) where p.unit_id = t.unit_id`,
    [
      plainArray(profiles.map((each) => each.unit_id)),
      textArray(profiles.map((each) => JSON.stringify(each.profile))),
    ],
  );
}

export const forgetPseudonyms: RetentionStep = async (db, fromId, toId, batch) => {
  const { rows } = await db.query<{ rows: number; last: string | null }>(
    `with due as (
       select id from scans where id > $1 and id < $2 order by id limit $3
     ), changed as (
       update scans s set ip = null, network_id = null
         from due where s.id = due.id and s.id > $1 and s.id < $2
     )
     select count(*) as rows, (array_agg(id order by id desc))[1] as last from due`,
    [fromId, toId, batch],
  );
  return rows[0]!;
};

/**
 * An organization's oldest scans with ids below $2. In the order of `scans_newest`: in that of ids the planner walks along the primary
 * key, through all that others keep for longer. Ids are made at the scan's time, so that a day later none is due.
 */
const OLDEST_DUE = 'org_id = $1 and id < $2 and at < $3 order by at, id limit $4';

const valuesOf = (orgId: string, before: Date, limit: number) => [
  orgId,
  uuidFloor(before),
  new Date(before.getTime() + DAY_MS),
  limit,
];

/** Units of an organization's oldest scans that are due with a visitor's own position, and that no rule has made coarse yet. */
export async function listUnitsWithExactScans(
  db: Db,
  orgId: string,
  before: Date,
  limit: number,
): Promise<string[]> {
  const { rows } = await db.query<{ unit_id: string }>(
    `select distinct unit_id
       from (select id, unit_id, place_source from scans where ${OLDEST_DUE}) due
      where place_source = 'gps'
        and not exists (select 1 from retention_marks where rule = 'addresses' and up_to >= due.id)`,
    valuesOf(orgId, before, limit),
  );
  return rows.map((row) => row.unit_id);
}

/**
 * Deletes the oldest scans of an organization from before a time, those among them left out that were taken out of the figures and
 * come back into them when they are scored again: they go the next time.
 * @param limit as of {@link listUnitsWithExactScans}, which has seen to the same scans
 */
export async function deleteOldestScans(
  db: Db,
  orgId: string,
  before: Date,
  limit: number,
): Promise<DeletedRows> {
  const { rows } = await db.query<DeletedRows>(
    `with due as (
       select id from scans where ${OLDEST_DUE}
     ), gone as (
       delete from scans s using due
        where s.id = due.id and s.id < $2 and not (s.assessment = 'preliminary' and s.scorings > 0)
       returning 1
     )
     select (select count(*) from due) as seen, (select count(*) from gone) as deleted`,
    valuesOf(orgId, before, limit),
  );
  return rows[0]!;
}
