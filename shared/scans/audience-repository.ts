import type { Db } from '../db.ts';
import type { Audience } from '../risk/audience.ts';

/** Columns of `organization_audiences`, null where none of the organization's units had two visitors yet. */
export interface AudienceColumns {
  /** Whole numbers, as text. */
  audience_chances: string | null;
  audience_met: string | null;
}

/** Adds what a transaction saw of some organizations' units: one statement, and rows in one order, so that no two scorers deadlock. */
export async function addVisitors(db: Db, audiences: ReadonlyMap<string, Audience>): Promise<void> {
  if (audiences.size === 0) return;
  const rows = [...audiences.values()];
  await db.query({
    name: 'add-visitors',
    text: `insert into organization_audiences as a (org_id, chances, met)
           select org_id, chances, met from unnest($1::uuid[], $2::bigint[], $3::bigint[]) as t (org_id, chances, met)
            order by org_id
               on conflict (org_id) do update
                  set chances = a.chances + excluded.chances, met = a.met + excluded.met`,
    values: [[...audiences.keys()], rows.map(({ chances }) => chances), rows.map(({ met }) => met)],
  });
}
