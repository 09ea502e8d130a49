/** Scans written straight into the table: for lists, exports and figures, which care for nothing that scoring does. */
import { newUuids } from '../../shared/ids.ts';
import type { TestDatabase } from './database.ts';

export interface SeededScan {
  orgId: string;
  unitId: string;
  productId: string;
  batchId: string;
  at: Date;
  country?: string | null;
  result?: string;
  riskLevel?: string;
  place?: { lat: number; lon: number } | null;
}

/** @returns their UUIDs, in the order given. */
export async function seedScans(
  database: Pick<TestDatabase, 'pool'>,
  scans: readonly SeededScan[],
): Promise<string[]> {
  const ids = newUuids(scans.length);
  await database.pool.query(
    `insert into scans (id, org_id, unit_id, product_id, batch_id, at, country, result, risk_level, risk_score, lat, lon,
                        accuracy_km, place_source, assessment)
     select id, org_id, unit_id, product_id, batch_id, at, country, result, risk_level, 0, lat, lon,
            case when lat is null then null else 200 end, case when lat is null then null else 'ip' end, 'final'
       from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::timestamptz[], $7::text[], $8::text[],
                   $9::text[], $10::float8[], $11::float8[])
         as t (id, org_id, unit_id, product_id, batch_id, at, country, result, risk_level, lat, lon)`,
    [
      ids,
      scans.map(({ orgId }) => orgId),
      scans.map(({ unitId }) => unitId),
      scans.map(({ productId }) => productId),
      scans.map(({ batchId }) => batchId),
      scans.map(({ at }) => at),
      scans.map(({ country }) => country ?? null),
      scans.map(({ result }) => result ?? 'genuine'),
      scans.map(({ riskLevel }) => riskLevel ?? 'none'),
      scans.map(({ place }) => place?.lat ?? null),
      scans.map(({ place }) => place?.lon ?? null),
    ],
  );
  return ids;
}
