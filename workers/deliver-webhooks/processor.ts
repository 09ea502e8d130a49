/**
 * A queue of endpoints: claims what is due for one endpoint, sends it with that endpoint's own concurrency, settles, and
 * goes on until nothing is due. A slow receiver occupies its own wake-up and no other.
 */
import { encodeId } from '../../shared/ids.ts';
import type { WakeUps } from '../../shared/queues.ts';
import { deliveryHeaders } from '../../shared/webhooks/delivery-headers.ts';
import {
  claimDeliveries,
  settleDeliveryOutcomes,
  type Claim,
  type ClaimedDelivery,
  type DeliveryDeps,
  type DeliveryResult,
} from '../../shared/webhooks/delivery.ts';
import type { WorkerDeps } from '../deps.ts';

export interface DeliverResult {
  endpoint: string;
  delivered: number;
  failed: number;
}

// A claim is this many rounds of the endpoint's concurrency, so that claiming and settling are shared by many.
const ROUNDS_PER_CLAIM = 4;

export const deliverWebhooks = (deps: WorkerDeps) => {
  const { config } = deps;
  const deliveryDeps: DeliveryDeps = {
    ...deps,
    // Long enough for every round of a claim to run into its deadline.
    leaseSeconds: Math.max(
      config.LEASE_SECONDS,
      Math.ceil(((ROUNDS_PER_CLAIM + 1) * config.WEBHOOK_TIMEOUT_MS) / 1000),
    ),
    claimLimit: ROUNDS_PER_CLAIM * config.WEBHOOK_ENDPOINT_CONCURRENCY,
  };
  return async ({ endpointId }: WakeUps['deliver-webhooks']): Promise<DeliverResult> => {
    const result: DeliverResult = { endpoint: encodeId('whep', endpointId), delivered: 0, failed: 0 };
    while (!deps.stopping.aborted) {
      const claimed = await claimDeliveries(deliveryDeps, endpointId);
      if (claimed.type === 'idle') {
        if (claimed.until !== null) await wakeAt(deps, endpointId, claimed.until);
        break;
      }
      const results = await sendAll(deps, claimed.claim);
      await settleDeliveryOutcomes(deliveryDeps, claimed.claim, results);
      for (const { outcome } of results) result[outcome.ok ? 'delivered' : 'failed'] += 1;
    }
    // For another process, or what is due would wait for the next sweep.
    if (deps.stopping.aborted) await deps.waker.deliverWebhooks([endpointId]);
    return result;
  };
};

async function wakeAt({ clock, waker }: WorkerDeps, endpointId: string, at: Date): Promise<void> {
  const delayMs = at.getTime() - clock.now().getTime();
  // Due again already (it came due since the claim): a delay of 1 ms still runs as a wake-up of its own.
  await waker.deliverWebhooks([endpointId], Math.max(1, delayMs));
}

async function sendAll(deps: WorkerDeps, claim: Claim): Promise<DeliveryResult[]> {
  const results: DeliveryResult[] = [];
  const waiting = claim.deliveries.values();
  const lane = async (): Promise<void> => {
    for (const delivery of waiting) {
      const outcome = await send(deps, claim, delivery);
      results.push({ delivery, outcome, endedAt: deps.clock.now() });
    }
  };
  await Promise.all(Array.from({ length: deps.config.WEBHOOK_ENDPOINT_CONCURRENCY }, lane));
  return results;
}

function send({ clock, config, sender, stopping }: WorkerDeps, claim: Claim, delivery: ClaimedDelivery) {
  return sender.send({
    url: claim.url,
    headers: deliveryHeaders({
      eventId: delivery.publicEventId,
      eventType: delivery.eventType,
      deliveryId: delivery.publicDeliveryId,
      secrets: claim.secrets,
      unixSeconds: Math.floor(clock.now().getTime() / 1000),
      rawBody: delivery.body,
    }),
    body: delivery.body,
    deadlineMs: config.WEBHOOK_TIMEOUT_MS,
    signal: stopping,
  });
}
