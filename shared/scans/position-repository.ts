import type { Db } from '../db.ts';
import { rough } from '../risk/coarse.ts';
import type { ClaimedPosition } from './claimed-position.ts';
import type { ScanResult } from './verdict.ts';

export interface PositionedScan {
  id: string;
  unit_id: string;
  at: Date;
}

/** The scan of a nonce, if it is one of the unit with this code. Codes of an organization that is blocked are nobody's. */
export async function findScanForPosition(
  db: Db,
  scanId: string,
  code: Buffer,
): Promise<PositionedScan | null> {
  const { rows } = await db.query<PositionedScan>(
    `select s.id, s.unit_id, s.at
       from scans s
       join product_units u on u.org_id = s.org_id and u.id = s.unit_id
       join organizations o on o.id = s.org_id and o.blocked_at is null
      where s.id = $1 and u.code = $2 and not s.is_internal`,
    [scanId, code],
  );
  return rows[0] ?? null;
}

/** A scan as the figures have it, and the place of its address. */
export interface CountedRow {
  org_id: string;
  product_id: string;
  at: Date;
  result: ScanResult;
  country: string | null;
  lat: number | null;
  lon: number | null;
  accuracy_km: number | null;
  place_source: string | null;
  assessment: 'preliminary' | 'final';
}

/**
 * Where the figures count a scan: a visitor's own position as it will be when it is made coarse, so that what is taken back of it after that
 * is what was counted.
 */
export const countedPlace = ({
  lat,
  lon,
  place_source: source,
}: Pick<CountedRow, 'lat' | 'lon' | 'place_source'>): Pick<CountedRow, 'lat' | 'lon'> =>
  source === 'gps' && lat !== null && lon !== null ? rough({ lat, lon }) : { lat, lon };

/** The caller holds the unit's profile, so no scoring changes it meanwhile. */
export async function findCounted(db: Db, scanId: string): Promise<CountedRow> {
  const { rows } = await db.query<CountedRow>(
    'select org_id, product_id, at, result, country, lat, lon, accuracy_km, place_source, assessment from scans where id = $1',
    [scanId],
  );
  return rows[0]!;
}

/** Keeps what the visitor claims, once. @returns false where the scan has a position already. */
export async function setClaim(
  db: Db,
  scanId: string,
  { lat, lon, accuracyKm }: ClaimedPosition,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update scans set claimed_lat = $2, claimed_lon = $3, claimed_accuracy_km = $4
      where id = $1 and claimed_lat is null`,
    [scanId, lat, lon, accuracyKm],
  );
  return rowCount === 1;
}

/** Moves the scan. */
export async function moveScan(
  db: Db,
  scanId: string,
  place: ClaimedPosition & { country: string | null },
): Promise<void> {
  await db.query(
    `update scans set lat = $2, lon = $3, accuracy_km = $4, country = coalesce($5, country), place_source = 'gps' where id = $1`,
    [scanId, place.lat, place.lon, place.accuracyKm, place.country],
  );
}

/** Marks a scan and its unit for scoring: it waits since now, however long ago the scan was made. */
export async function markUnscored(db: Db, scanId: string, now: Date): Promise<void> {
  await db.query(
    `with marked as (
       update scans set assessment = 'preliminary' where id = $1 returning id, unit_id
     )
     update unit_risk_profiles p
        set unscored_since = coalesce(p.unscored_since, $2), unscored_from = least(p.unscored_from, marked.id)
       from marked where p.unit_id = marked.unit_id`,
    [scanId, now],
  );
}
