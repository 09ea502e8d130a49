/**
 * One turn of a deliverer: what was sent is settled and what may go next is claimed, for many endpoints, in one
 * transaction of a few statements. Between turns the worker sends. Endpoints are independent: one whose row somebody
 * holds is left for the next turn, and one that makes the turn fail is retried alone.
 */
import type { Clock } from '../clock.ts';
import { BEGIN_BY_KEYS, withTransaction, type Pool, type UnitOfWork } from '../db.ts';
import { isPassing } from '../errors.ts';
import type { Logger } from '../logger.ts';
import type { SecretBox } from '../secret-box.ts';
import type { CircuitPolicy } from './circuit-breaker.ts';
import { claimLocked, type ClaimRequest, type ClaimResult } from './claim.ts';
import { lockForServing, storeServing } from './serving-repository.ts';
import { settleLocked, type Settlement, type Standing } from './settle.ts';

export { listDueEndpointIds, listNeglectedEndpointIds } from './serving-repository.ts';

export interface TurnDeps {
  db: Pool;
  clock: Clock;
  log: Logger;
  secretBox: SecretBox;
  /** Uniform in [0, 1), for the jitter. */
  randomUniform(): number;
  /** How long a claim, and the serving of an endpoint, lasts without a sign of life. */
  leaseSeconds: number;
  /** Attempts at a time to an endpoint that has no number of its own. */
  endpointConcurrency: number;
  circuitPolicy: CircuitPolicy;
  /** Of the service: messages lead to its dashboard. */
  publicUrl: string;
}

export type TurnItem =
  | { type: 'settle'; endpointId: string; settlements: readonly Settlement[] }
  | { type: 'claim'; endpointId: string; request: ClaimRequest }
  /** Ends a session at a stop: others may serve at once. */
  | { type: 'leave'; endpointId: string; session: string };

export type TurnResult =
  | { type: 'settled'; standing: Standing }
  | { type: 'left' }
  /** This endpoint alone made the turn fail, and nothing of its items has happened. */
  | { type: 'failed'; error: unknown }
  | ClaimResult;

/**
 * Takes a turn. @returns one result for each item, in order.
 * @throws what Postgres throws; then nothing of the turn has happened.
 */
export async function takeTurn(deps: TurnDeps, items: readonly TurnItem[]): Promise<TurnResult[]> {
  try {
    return await takeTogether(deps, items);
  } catch (error) {
    const endpointIds = new Set(items.map(({ endpointId }) => endpointId));
    if (endpointIds.size < 2 || isPassing(error)) throw error;
    const results = new Map<TurnItem, TurnResult>();
    for (const endpointId of endpointIds) {
      const own = items.filter((item) => item.endpointId === endpointId);
      const settled = await takeTogether(deps, own).catch((failure: unknown) => {
        deps.log.error({ err: failure, endpointId }, 'a webhook endpoint’s turn failed');
        return own.map(() => ({ type: 'failed' as const, error: failure }));
      });
      own.forEach((item, index) => results.set(item, settled[index]!));
    }
    return items.map((item) => results.get(item)!);
  }
}

async function takeTogether(deps: TurnDeps, items: readonly TurnItem[]): Promise<TurnResult[]> {
  const take = async ({ db }: UnitOfWork): Promise<TurnResult[]> => {
    const ids = [...new Set(items.map(({ endpointId }) => endpointId))];
    const { locked, busy } = await lockForServing(db, ids, deps.clock.now());
    const settlements = items.flatMap((item) =>
      item.type === 'settle' && !busy.has(item.endpointId) ? item.settlements : [],
    );
    const standings =
      settlements.length === 0 ? new Map() : await settleLocked(deps, db, locked, settlements);
    for (const item of items) {
      const endpoint = item.type === 'leave' ? locked.get(item.endpointId) : undefined;
      if (item.type !== 'leave' || endpoint?.served_by !== item.session) continue;
      endpoint.served_by = null;
      endpoint.served_until = null;
    }
    const requests = items.flatMap((item) => (item.type === 'claim' ? [item.request] : []));
    const claims = (
      requests.length === 0 ? [] : await claimLocked(deps, db, { locked, busy }, requests)
    ).values();
    if (locked.size > 0) await storeServing(db, [...locked.values()]);
    return items.map((item): TurnResult => {
      if (item.type === 'claim') return claims.next().value!;
      if (busy.has(item.endpointId)) return { type: 'busy' };
      if (item.type === 'leave') return { type: 'left' };
      return {
        type: 'settled',
        standing: standings.get(item.endpointId) ?? { mayGoOn: true, configuration: null },
      };
    });
  };
  // A claim planned each time takes 2 ms for that; planned to read whole partitions it took 18 ms at 20,000 rows.
  return withTransaction(deps.db, take, BEGIN_BY_KEYS);
}
