import { plainArray, textArray, timeArray } from '../array-literals.ts';
import type { Db } from '../db.ts';
import type { Hindsight, Look } from '../risk/hindsight.ts';

export interface NewLook {
  unitId: string;
  orgId: string;
  visitors: number;
  at: Date;
  look: Look;
}

/** @param anew units whose whole history was scored again: they looked as these looks say, and in no other way */
export async function storeLooks(
  db: Db,
  looks: readonly NewLook[],
  anew: readonly string[] = [],
): Promise<void> {
  if (anew.length > 0)
    await db.query({
      name: 'forget-looks',
      text: 'delete from risk_looks where unit_id = any($1::uuid[])',
      values: [plainArray(anew)],
    });
  if (looks.length === 0) return;
  await db.query({
    name: 'store-looks',
    text: `insert into risk_looks (unit_id, visitors, org_id, at, look)
           select unit_id, visitors, org_id, at, look::real[]
             from unnest($1::uuid[], $2::smallint[], $3::uuid[], $4::timestamptz[], $5::text[]) as t (unit_id, visitors, org_id, at, look)
               on conflict (unit_id, visitors) do update set at = excluded.at, look = excluded.look`,
    values: [
      plainArray(looks.map(({ unitId }) => unitId)),
      plainArray(looks.map(({ visitors }) => visitors)),
      plainArray(looks.map(({ orgId }) => orgId)),
      timeArray(looks.map(({ at }) => at)),
      textArray(looks.map(({ look }) => `{${look.join(',')}}`)),
    ],
  });
}

/** Organizations that have looks from before a time and were not learned from since another, those that wait longest first. */
export async function listUnlearned(
  db: Db,
  { matureUntil, learnedUntil }: { matureUntil: Date; learnedUntil: Date },
  limit: number,
): Promise<string[]> {
  const { rows } = await db.query<{ org_id: string }>(
    `select oa.org_id
       from organization_audiences oa
      where (oa.hindsight_learned_at is null or oa.hindsight_learned_at <= $1)
        and exists (select 1 from risk_looks l where l.org_id = oa.org_id and l.at <= $2)
      order by oa.hindsight_learned_at nulls first, oa.org_id
      limit $3`,
    [learnedUntil, matureUntil, limit],
  );
  return rows.map((row) => row.org_id);
}

export interface LookRow {
  unit_id: string;
  look: number[];
  /** A person's word counts for more than the rules'. */
  turned: boolean;
}

/** The newest from before a time, and what became of their units. */
export async function listLooks(db: Db, orgId: string, until: Date, limit: number): Promise<LookRow[]> {
  const { rows } = await db.query<LookRow>(
    `select l.unit_id, l.look,
            coalesce(r.decision = 'confirmed' or (r.decision is distinct from 'dismissed' and (r.profile->>'turned')::boolean), false) as turned
       from (select unit_id, look, at, visitors from risk_looks where org_id = $1 and at <= $2 order by at desc limit $3) l
       join unit_risk_profiles r on r.unit_id = l.unit_id
      order by l.at, l.unit_id, l.visitors`,
    [orgId, until, limit],
  );
  return rows;
}

/** @param hindsight null where there is nothing to learn from: what was known stays */
export async function storeHindsight(
  db: Db,
  orgId: string,
  { version, hindsight, now }: { version: string; hindsight: Hindsight | null; now: Date },
): Promise<void> {
  await db.query(
    `update organization_audiences
        set hindsight_learned_at = $4, hindsight = coalesce($3::jsonb, hindsight),
            hindsight_version = case when $3::jsonb is null then hindsight_version else $2 end
      where org_id = $1`,
    [orgId, version, hindsight === null ? null : JSON.stringify(hindsight), now],
  );
}

export async function findHindsights(
  db: Db,
  versions: readonly string[],
): Promise<{ version: string; hindsight: Hindsight }[]> {
  const { rows } = await db.query<{ version: string; hindsight: Hindsight }>(
    `select hindsight_version as version, hindsight from organization_audiences where hindsight_version = any($1::uuid[])`,
    [versions],
  );
  return rows;
}

/** Those older than their organization keeps scans. @returns how many */
export async function deleteOldLooks(db: Db, mostDays: number, now: Date, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    // By their places, which are found once: joined by their keys they were compared each with each where statistics knew of few of them.
    `delete from risk_looks
      where ctid = any (array(
        select l.ctid from organizations o
          cross join lateral (select ctid from risk_looks
                               where org_id = o.id and at < $2::timestamptz - make_interval(days => least(o.scan_retention_days, $1))
                               limit $3) l
         limit $3))`,
    [mostDays, now, limit],
  );
  return rowCount ?? 0;
}
