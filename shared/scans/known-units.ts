/** Units as the next visitor finds them: with the scans that wait to be scored. */
import type { Pool } from '../db.ts';
import { effectivePolicy } from '../risk-policies/effective.ts';
import { score } from '../risk/score.ts';
import type { RiskProfile, ScanFacts } from '../risk/types.ts';
import { loadHindsights } from './hindsights.ts';
import { findPeers, type PeerSightings } from './peer-repository.ts';
import type { ScannedUnitRow } from './repository.ts';
import { needsPeers, riskScan, unitContext } from './risk-input.ts';
import { listNewestUnscored } from './scoring-repository.ts';

/**
 * Newest scans of a unit that are looked at for such as wait: a flood of one code while the workers are away must not make each
 * answer dearer; the worker scores them all.
 */
export const MAX_FOLDED = 20;

/**
 * A unit with the profile that its next scan is judged against. `isFlooded`: all of its newest scans wait to be scored. `failure`: why
 * they cannot be, which is told to this unit's visitors and not to all of the batch (as ADR 109 does in the worker).
 */
export interface KnownUnit {
  row: ScannedUnitRow;
  upToDate: RiskProfile | null;
  isFlooded: boolean;
  failure: { error: unknown } | null;
  peers: PeerSightings;
}

/**
 * Folds scans that wait for scoring into the profiles, so that even the second of two scans in a moment is judged by the first. Those
 * that the worker has scored between the two look-ups are read, too; to a profile that has them they are visitors who look again. Peers
 * are read a moment after the units: one that is first scored in between is among its own, in a preliminary verdict only.
 */
export async function bringUpToDate(db: Pool, rows: readonly ScannedUnitRow[]): Promise<KnownUnit[]> {
  const waiting = rows.filter((row) => row.unscored_from !== null);
  const [scans, peers] = await Promise.all([
    waiting.length === 0 ? [] : listNewestUnscored(db, waiting, MAX_FOLDED),
    findPeers(
      db,
      rows.filter((row) => needsPeers(row, policyOf(row))),
    ),
    loadHindsights(db, rows),
  ]);
  return rows.map((row) => {
    // Beside the row, not added to it: each name that is added to a row of pg's costs a hidden class and 46 descriptors, which only a
    // full collection takes away (ADR 0120).
    const unit: KnownUnit = { row, upToDate: row.profile, isFlooded: false, failure: null, peers };
    if (row.unscored_from === null) return unit;
    const own = scans.filter((scan) => scan.unit_id === row.unit_id);
    try {
      const context = contextOf(unit);
      for (const scan of own)
        unit.upToDate = score(unit.upToDate, riskScan(scan), context, policyOf(row)).profile;
    } catch (error) {
      unit.failure = { error };
    }
    unit.isFlooded = own.length === MAX_FOLDED;
    return unit;
  });
}

export const policyOf = (unit: ScannedUnitRow) => effectivePolicy(unit.org_policy, unit.product_policy);

export const contextOf = ({ row, peers }: KnownUnit) => unitContext(row, policyOf(row), { peers });

/** What is known of the unit, whoever looks: who previews a link holds no product, and is in a data centre. */
export function assessUnseen(unit: KnownUnit, at: Date) {
  const nobody: ScanFacts = { at: at.getTime(), sessionId: null, networkId: null, place: null };
  // Nobody is somebody new since it was used up, nor holds what was never shipped.
  const context = { ...contextOf(unit), consumedAt: null };
  if (unit.upToDate === null) context.shipment = 'untracked';
  return score(unit.upToDate, nobody, context, policyOf(unit.row));
}
