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

/** What is read of a unit's scans. */
export interface RecordedHistory {
  /** In no order that counts. */
  scans: { scan: RiskScan; verdict: RiskVerdict }[];
  /** Whether there are more than {@link MAX_RECORDED_PER_UNIT}: the oldest are left out. */
  isTruncated: boolean;
}

/** @returns the scans by unit, each with what the rules said of it at the time. */
export async function listRecordedScans(
  db: Db,
  unitIds: readonly string[],
  { from, to }: { from: Date; to: Date },
): Promise<Map<string, RecordedHistory>> {
  // One more than count: it tells that there are more.
  const limit = MAX_RECORDED_PER_UNIT + 1;
  const rows = await listHistories(db, unitIds, uuidFloor(from), uuidFloor(to), limit);
  const byUnit = new Map<string, typeof rows>();
  for (const row of rows) {
    const ofUnit = byUnit.get(row.unit_id);
    if (ofUnit === undefined) byUnit.set(row.unit_id, [row]);
    else ofUnit.push(row);
  }
  const historyOf = (ofUnit: typeof rows): RecordedHistory => {
    const isTruncated = ofUnit.length > MAX_RECORDED_PER_UNIT;
    const oldest = isTruncated ? ofUnit.reduce((a, b) => (a.id < b.id ? a : b)) : null;
    const scans = ofUnit
      .filter((row) => row !== oldest)
      .map((row) => ({ scan: riskScan(row), verdict: riskVerdictOf(row) }));
    return { scans, isTruncated };
  };
  return new Map([...byUnit].map(([unitId, ofUnit]) => [unitId, historyOf(ofUnit)]));
}
