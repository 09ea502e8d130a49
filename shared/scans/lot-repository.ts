import type { Db } from '../db.ts';
import type { LotSightings } from '../risk/lot.ts';
import { addedCounts } from './added-counts.ts';

/** Columns of `batch_sightings`, null where no unit of the batch was counted yet. */
export interface LotColumns {
  lot_units: number | null;
  lot_outside: Record<string, number> | null;
}

/** Adds what a transaction saw of some batches: one statement, and rows in one order, so that no two scorers deadlock. */
export async function addSightings(db: Db, sightings: ReadonlyMap<string, LotSightings>): Promise<void> {
  if (sightings.size === 0) return;
  const rows = [...sightings.values()];
  await db.query({
    name: 'add-sightings',
    text: `insert into batch_sightings as b (batch_id, units, outside)
           select batch_id, units, outside from unnest($1::uuid[], $2::integer[], $3::jsonb[]) as t (batch_id, units, outside)
            order by batch_id
               on conflict (batch_id) do update
                  set units = b.units + excluded.units, outside = ${addedCounts('b.outside', 'excluded.outside')}`,
    values: [
      [...sightings.keys()],
      rows.map(({ units }) => units),
      rows.map(({ outside }) => JSON.stringify(outside)),
    ],
  });
}
