/** Recorded scans of many units, as the rules want them, for simulations. */
import type { Db } from '../db.ts';
import { uuidFloor } from '../ids.ts';
import type { RiskScan, RiskVerdict } from '../risk/types.ts';
import { riskScan, riskVerdictOf } from './risk-input.ts';
import { listHistories } from './scoring-repository.ts';

export { AUDIENCE, type AudienceColumns } from './audience-repository.ts';
export { loadHindsights } from './hindsights.ts';
export { findPeers } from './peer-repository.ts';
export { needsPeers, unitContext } from './risk-input.ts';

/** The newest of a unit's scans count; one with more is long past any doubt. */
export const MAX_RECORDED_PER_UNIT = 5_000;

/** @returns the scans by unit, each with what the rules said of it at the time. */
export async function listRecordedScans(
  db: Db,
  unitIds: readonly string[],
  { from, to }: { from: Date; to: Date },
): Promise<Map<string, { scan: RiskScan; verdict: RiskVerdict }[]>> {
  const rows = await listHistories(db, unitIds, uuidFloor(from), uuidFloor(to), MAX_RECORDED_PER_UNIT);
  const byUnit = new Map<string, { scan: RiskScan; verdict: RiskVerdict }[]>();
  for (const row of rows) {
    const scans = byUnit.get(row.unit_id) ?? [];
    scans.push({ scan: riskScan(row), verdict: riskVerdictOf(row) });
    byUnit.set(row.unit_id, scans);
  }
  return byUnit;
}
