import type { Db } from '../db.ts';
import type { RiskSignal } from '../risk/types.ts';

interface Span {
  unitId: string;
  /** Of scans, both ends included. */
  firstScanId: string;
  lastScanId: string;
  types: readonly string[];
}

/**
 * The newest signal of each type among a unit's scans: later ones know more, but for those that only say that a person has confirmed
 * the unit. Each is sought backwards along the index of the unit's scans, so that it costs the same after ten scans and after a million.
 */
export async function findNewestSignals(
  db: Db,
  orgId: string,
  { unitId, firstScanId, lastScanId, types }: Span,
): Promise<RiskSignal[]> {
  const { rows } = await db.query<{ signal: RiskSignal }>(
    `select newest.signal
       from unnest($5::text[]) as wanted (type)
      cross join lateral (
            select signal
              from scans s
             cross join lateral jsonb_array_elements(s.signals) as signal
             where s.org_id = $1 and s.unit_id = $2 and s.id between $3 and $4
               and signal ->> 'type' = wanted.type and signal ->> 'reason' is distinct from 'confirmed'
             order by s.id desc
             limit 1) as newest`,
    [orgId, unitId, firstScanId, lastScanId, [...types]],
  );
  return rows.map(({ signal }) => signal);
}
