import type { Db } from '../db.ts';
import type { ScanResult } from './verdict.ts';

export interface PositionedScan {
  id: string;
  unit_id: string;
  at: Date;
}

/** The scan of a nonce, if it is one of the unit with this code. */
export async function findScanForPosition(
  db: Db,
  scanId: string,
  code: Buffer,
): Promise<PositionedScan | null> {
  const { rows } = await db.query<PositionedScan>(
    `select s.id, s.unit_id, s.at
       from scans s join product_units u on u.org_id = s.org_id and u.id = s.unit_id
      where s.id = $1 and u.code = $2`,
    [scanId, code],
  );
  return rows[0] ?? null;
}

export interface CountedRow {
  org_id: string;
  product_id: string;
  at: Date;
  result: ScanResult;
  country: string | null;
  lat: number | null;
  lon: number | null;
  assessment: 'preliminary' | 'final';
}

/** The scan as the figures have it. The caller holds the unit's profile, so no scoring changes it meanwhile. */
export async function findCounted(db: Db, scanId: string): Promise<CountedRow> {
  const { rows } = await db.query<CountedRow>(
    'select org_id, product_id, at, result, country, lat, lon, assessment from scans where id = $1',
    [scanId],
  );
  return rows[0]!;
}

/** Sets the position once, and marks scan and unit for scoring. @returns false where the scan has one already. */
export async function setPosition(
  db: Db,
  scan: PositionedScan & { lat: number; lon: number; accuracyKm: number; country: string | null },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `with positioned as (
       update scans
          set lat = $2, lon = $3, accuracy_km = $4, country = coalesce($5, country), place_source = 'gps',
              assessment = 'preliminary'
        where id = $1 and place_source is distinct from 'gps'
       returning id, unit_id, at
     )
     update unit_risk_profiles p
        set unscored_since = least(p.unscored_since, positioned.at),
            unscored_from = least(p.unscored_from, positioned.id)
       from positioned where p.unit_id = positioned.unit_id`,
    [scan.id, scan.lat, scan.lon, scan.accuracyKm, scan.country],
  );
  return rowCount === 1;
}
