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
  const added = new Set<string>();
  const problems = new Map<string, Refusal>();
  // Whoever held a unit may have let it go since it was refused, as a job that takes its units back does: it is asked for again, or the
  // consignment would be without it and nobody be told.
  for (let asked = unitIds; asked.length > 0;) {
    await releaseUnits(db, asked);
    for (const unitId of await insertConsignmentUnits(db, target, asked)) added.add(unitId);
    const others = asked.filter((unitId) => !added.has(unitId));
    if (others.length === 0) break;
    const holders = await listHolders(db, others);
    for (const { unit_id, consignment_id } of holders) {
      if (consignment_id === target.consignmentId) continue;
      const consignmentId = encodeId('cons', consignment_id);
      const message = `is in the open consignment ${consignmentId}`;
      problems.set(unit_id, refusal('UNIT_CONSIGNED', message, { consignmentId }));
    }
    const held = new Set(holders.map((holder) => holder.unit_id));
    asked = others.filter((unitId) => !held.has(unitId));
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
