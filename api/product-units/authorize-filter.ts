import type { Actor } from '../../shared/actor.ts';
import { authorize } from '../middleware/authenticate.ts';
import { needs } from '../operation.ts';

/**
 * What a filter of units tells beyond them (which are under suspicion, which went to whom) is for whoever may read that.
 * @throws AppError INSUFFICIENT_SCOPE
 */
export function authorizeUnitFilter(
  actor: Actor,
  { risk, consignmentId }: { risk?: unknown; consignmentId?: unknown },
): void {
  if (risk !== undefined) authorize(actor, needs('scans.read'));
  if (consignmentId !== undefined) authorize(actor, needs('consignments.read', 'consignments.write'));
}
