/** Putting units into a draft, for the bulk job that does it. */
import type { Db } from '../db.ts';
import { refusal, type Refusal } from '../field-errors.ts';
import { encodeId } from '../ids.ts';
import {
  deleteAddedUnits,
  insertConsignmentUnits,
  listHolders,
  releaseUnits,
  storeContents,
} from './unit-repository.ts';

export { storeContents };

export interface HoldResult {
  added: Set<string>;
  /** Why a unit could not go in, by its UUID; one that is in this consignment already is no problem. */
  problems: Map<string, Refusal>;
}

/** Holds units for a consignment: a unit that another open consignment holds is refused. */
export async function holdUnits(
  db: Db,
  target: { orgId: string; consignmentId: string; jobId: string },
  unitIds: readonly string[],
): Promise<HoldResult> {
  await releaseUnits(db, unitIds);
  const added = new Set(await insertConsignmentUnits(db, target, unitIds));
  const others = unitIds.filter((unitId) => !added.has(unitId));
  const problems = new Map<string, Refusal>();
  if (others.length > 0) {
    for (const { unit_id, consignment_id } of await listHolders(db, others)) {
      if (consignment_id === target.consignmentId) continue;
      const consignmentId = encodeId('cons', consignment_id);
      const message = `is in the open consignment ${consignmentId}`;
      problems.set(unit_id, refusal('UNIT_CONSIGNED', message, { consignmentId }));
    }
  }
  return { added, problems };
}

/** Takes back a slice of what a job put in. @returns where the next slice begins, or null at the end. */
export const takeBack = (
  db: Db,
  { consignmentId, jobId }: { consignmentId: string; jobId: string },
  after: string | null,
  limit: number,
): Promise<string | null> => deleteAddedUnits(db, consignmentId, jobId, after, limit);
