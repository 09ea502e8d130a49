import type { Db } from '../db.ts';
import type { RiskSignal } from '../risk/types.ts';

interface Span {
  unitId: string;
  firstScanId: string;
  /** The types to seek, each among the scans from the first one to this one. */
  until: ReadonlyMap<string, string>;
}

/**
 * The newest signal of each type among a unit's scans: later ones know more, but for those that only say that a person has confirmed
 * the unit. Each is sought backwards along the index of the unit's scans, so that it costs what lies between it and where the search
 * begins: a few scans where that was noted when the signal was gathered, all since then where it was not.
 */
export async function findNewestSignals(
  db: Db,
  orgId: string,
  { unitId, firstScanId, until }: Span,
): Promise<RiskSignal[]> {
  const { rows } = await db.query<{ signal: RiskSignal }>(
    `select newest.signal
       from unnest($4::text[], $5::uuid[]) as wanted (type, until)
      cross join lateral (
            select signal
              from scans s
             cross join lateral jsonb_array_elements(s.signals) as signal
             where s.org_id = $1 and s.unit_id = $2 and s.id between $3 and wanted.until and not s.is_internal
               and signal ->> 'type' = wanted.type and signal ->> 'reason' is distinct from 'confirmed'
             order by s.id desc
             limit 1) as newest`,
    [orgId, unitId, firstScanId, [...until.keys()], [...until.values()]],
  );
  return rows.map(({ signal }) => signal);
}
