import type { Db } from '../db.ts';
import type { Audience } from '../risk/audience.ts';

/** The row of `organization_audiences`, null where nobody looked at one of the organization's units after its first visitor yet. */
export interface AudienceColumns {
  audience: Audience | null;
  /** Of what was learned from the organization's history; null where that is nothing yet. See `hindsights.ts`. */
  hindsight_version: string | null;
}

/** Selects them, where the row is `oa`. JSON numbers are exact up to 2^53. */
export const AUDIENCE = `case when oa.org_id is null then null else
  json_build_object('chances', oa.chances, 'met', oa.met, 'looks', oa.looks, 'known', oa.known) end as audience, oa.hindsight_version`;

/** Adds what a transaction saw of some organizations' units: one statement, and rows in one order, so that no two scorers deadlock. */
export async function addVisitors(db: Db, audiences: ReadonlyMap<string, Audience>): Promise<void> {
  if (audiences.size === 0) return;
  const rows = [...audiences.values()];
  await db.query({
    name: 'add-visitors',
    text: `insert into organization_audiences as a (org_id, chances, met, looks, known)
           select org_id, chances, met, looks, known
             from unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[]) as t (org_id, chances, met, looks, known)
            order by org_id
               on conflict (org_id) do update
                  set chances = a.chances + excluded.chances, met = a.met + excluded.met,
                      looks = a.looks + excluded.looks, known = a.known + excluded.known`,
    values: [
      [...audiences.keys()],
      ...(['chances', 'met', 'looks', 'known'] as const).map((column) => rows.map((row) => row[column])),
    ],
  });
}
