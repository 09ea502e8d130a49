/** What visitors do with one unit, one after the other. */
import { CALLER_LOCK_MS, withTransaction, type UnitOfWork } from '../shared/db.ts';
import { AppError } from '../shared/errors.ts';
import type { ApiDeps } from './deps.ts';

/**
 * Does the work in a transaction once what was begun before at the unit is done: it takes the unit's row, and of a flood all but one wait
 * for that without a connection, which others need.
 * @throws AppError UNAVAILABLE after as long as a caller waits for a lock
 */
export function inUnitTurn<T>(
  { db, unitTurns }: Pick<ApiDeps, 'db' | 'unitTurns'>,
  unitId: string,
  work: (uow: UnitOfWork) => Promise<T>,
): Promise<T> {
  const until = performance.now() + CALLER_LOCK_MS;
  return unitTurns.take(unitId, async () => {
    if (performance.now() > until)
      throw new AppError('UNAVAILABLE', { detail: 'too many look at this unit' });
    return withTransaction(db, work);
  });
}
