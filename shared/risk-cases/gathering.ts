/** Suspicious scans gather into their units' cases, in the transaction that scores them. */
import type { Clock } from '../clock.ts';
import type { Db } from '../db.ts';
import { newUuid } from '../ids.ts';
import { addToConfirmedCases, addToOpenCases } from './repository.ts';

/** New suspicious scans of one unit. */
export interface Suspicion {
  orgId: string;
  unitId: string;
  productId: string;
  batchId: string;
  /** A person has confirmed the unit as copied: more scans of it are counted, and are nobody's new task. */
  isConfirmed: boolean;
  scans: number;
  maxScore: number;
  signals: string[];
  firstScanId: string;
  lastScanId: string;
}

/**
 * Opens a case for each unit that has none open, and counts on in the others. The caller holds the units' profiles.
 * @returns the case of each unit, by its id; both are UUIDs
 */
export async function gatherSuspicions(
  { clock }: { clock: Clock },
  db: Db,
  suspicions: readonly Suspicion[],
): Promise<Map<string, string>> {
  const now = clock.now();
  const open = suspicions.filter(({ isConfirmed }) => !isConfirmed);
  const confirmed = suspicions.filter(({ isConfirmed }) => isConfirmed);
  const cases = [
    ...(open.length === 0
      ? []
      : await addToOpenCases(
          db,
          open.map((suspicion) => ({ id: newUuid(), ...suspicion })),
          now,
        )),
    ...(confirmed.length === 0 ? [] : await addToConfirmedCases(db, confirmed, now)),
  ];
  return new Map(cases.map((each) => [each.unit_id, each.id]));
}
