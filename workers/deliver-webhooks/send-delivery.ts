import { deliveryHeaders } from '../../shared/webhooks/delivery-headers.ts';
import type { Claim, ClaimedDelivery } from '../../shared/webhooks/claim.ts';
import type { DeliveryResult } from '../../shared/webhooks/settle.ts';
import { headersToKeep } from '../../shared/webhooks/request-log.ts';
import type { WorkerDeps } from '../deps.ts';

/** Makes one attempt. Never rejects: whatever happens is an outcome. */
export async function sendDelivery(
  { clock, config, sender, stopping }: WorkerDeps,
  claim: Claim,
  delivery: ClaimedDelivery,
): Promise<DeliveryResult> {
  const headers = deliveryHeaders({
    eventId: delivery.publicEventId,
    eventType: delivery.eventType,
    deliveryId: delivery.publicDeliveryId,
    userAgent: sender.userAgent,
    secrets: claim.secrets,
    unixSeconds: Math.floor(clock.now().getTime() / 1000),
    rawBody: delivery.body,
    custom: claim.headers,
  });
  const outcome = await sender.send({
    url: claim.url,
    headers,
    body: delivery.body,
    deadlineMs: config.WEBHOOK_TIMEOUT_MS,
    signal: stopping,
  });
  return {
    delivery,
    outcome,
    requestHeaders: headersToKeep(headers, Object.keys(claim.headers)),
    endedAt: clock.now(),
  };
}
