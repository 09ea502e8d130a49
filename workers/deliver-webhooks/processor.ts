/**
 * A queue of endpoints: a wake-up serves one endpoint until nothing is due for it, or for a while where others wait for a place. Sending,
 * settling and claiming run side by side; a slow receiver occupies its own connections and nothing of anybody else's.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../shared/config.ts';
import { createBatcher } from '../../shared/batcher.ts';
import { encodeId } from '../../shared/ids.ts';
import type { WakeUps } from '../../shared/queues.ts';
import { DEFAULT_CIRCUIT_POLICY } from '../../shared/webhooks/circuit-breaker.ts';
import { takeTurn, type TurnDeps, type TurnItem, type TurnResult } from '../../shared/webhooks/turn.ts';
import type { WorkerDeps } from '../deps.ts';
import { serveEndpoint } from './endpoint-session.ts';

export interface DeliverResult {
  endpoint: string;
  delivered: number;
  failed: number;
}

// One turn at a time: two would meet at the rows of a busy endpoint, and more claims and outcomes share the next one.
const TURNS_AT_A_TIME = 1;
const ITEMS_PER_TURN = 500;
/** What a deadline may be missed by before a lease is in doubt. */
const PROBE_MARGIN_MS = 5_000;
/** What is claimed is sent within this time, or given back. */
const SEND_WITHIN_SECONDS = 5;

/**
 * How long an endpoint stays a session's without a turn. Whatever is sent starts early enough to end within it, so that
 * it needs no renewal while attempts hang; and after the end of a worker its endpoints wait no longer than this.
 */
export const serveSeconds = (config: Pick<Config, 'WEBHOOK_TIMEOUT_MS' | 'LEASE_SECONDS'>): number =>
  config.WEBHOOK_TIMEOUT_MS / 1000 + Math.min(SEND_WITHIN_SECONDS, config.LEASE_SECONDS);

export function turnDepsOf(deps: WorkerDeps): TurnDeps {
  const { config } = deps;
  return {
    ...deps,
    leaseSeconds: serveSeconds(config),
    endpointConcurrency: config.WEBHOOK_ENDPOINT_CONCURRENCY,
    publicUrl: config.PUBLIC_URL,
    circuitPolicy: {
      ...DEFAULT_CIRCUIT_POLICY,
      probeLeaseMs: Math.max(
        DEFAULT_CIRCUIT_POLICY.probeLeaseMs,
        config.WEBHOOK_TIMEOUT_MS + PROBE_MARGIN_MS,
      ),
    },
  };
}

/** @param wait how the time between two turns of an endpoint goes by */
export const deliverWebhooks = (
  deps: WorkerDeps,
  wait: (ms: number) => Promise<void> = (ms) => sleep(ms),
) => {
  const turnDeps = turnDepsOf(deps);
  const turn = createBatcher<TurnItem, TurnResult>({
    run: (items) => takeTurn(turnDeps, items),
    maxItems: ITEMS_PER_TURN,
    concurrency: TURNS_AT_A_TIME,
  });
  let served = 0;
  // Where a place is free they are here in a moment; with Redis away nobody comes to take one.
  const othersWait = async (): Promise<boolean> =>
    served >= deps.config.WEBHOOK_CONCURRENCY && (await someWait(deps).catch(() => false));
  return async ({ endpointId }: WakeUps['deliver-webhooks']): Promise<DeliverResult> => {
    served += 1;
    const { delivered, failed, wakeAt } = await serveEndpoint(
      { ...deps, turn, wait, othersWait },
      endpointId,
    ).finally(() => (served -= 1));
    if (wakeAt !== null && !deps.stopping.aborted) {
      // Due again already (it came due since the claim): a delay of 1 ms still runs as a wake-up of its own.
      const delayMs = Math.max(1, wakeAt.getTime() - deps.clock.now().getTime());
      await deps.waker.deliverWebhooks([endpointId], delayMs);
    }
    // For another process, or what is due would wait for the next sweep.
    if (deps.stopping.aborted) await deps.waker.deliverWebhooks([endpointId]);
    return { endpoint: encodeId('whep', endpointId), delivered, failed };
  };
};

/** A wake-up for later stays one when its time has come, until a worker looks for its next: with all places taken none does. */
async function someWait({ clock, queues }: WorkerDeps): Promise<boolean> {
  const queue = queues['deliver-webhooks'];
  if ((await queue.getWaitingCount()) > 0) return true;
  const [next] = await queue.getDelayed(0, 0);
  return next !== undefined && next.timestamp + next.delay <= clock.now().getTime();
}
