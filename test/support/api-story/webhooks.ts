/** The story of webhooks: endpoints, deliveries, recovery, events. */
import { decodeId, newUuid } from '../../../shared/ids.ts';
import { recoverWebhooks } from '../../../workers/recover-webhooks/processor.ts';
import type { TestApi } from '../api.ts';
import type { Goods } from './products.ts';
import type { Storyteller } from './storyteller.ts';

/** What the deliverer would have written of an attempt that arrived. */
async function recordDelivery(api: TestApi, endpointId: string): Promise<void> {
  await api.database.pool.query(
    `insert into webhook_deliveries (id, org_id, endpoint_id, event_id, event_type, attempt, started_at, settled_at, outcome,
            request_headers, response_status, response_headers, response_snippet, timings)
     select $1, org_id, $2, id, type, 1, $3, $3, 'delivered', '{"x-service-event": "scan.recorded"}', 200,
            '{"content-type": "text/plain"}', 'ok', '{"totalMs": 12}' from events limit 1`,
    [newUuid(), decodeId('whep', endpointId), api.clock.now()],
  );
}

/** Before anything happens, so that there is something to deliver. */
export async function subscribe({ run }: Storyteller, { product }: Goods): Promise<string> {
  const made = await run('createWebhookEndpoint', undefined, {
    url: 'https://erp.oliveira.example/hooks',
    events: ['scan.recorded', 'product.diverted'],
    description: 'ERP',
    productIds: [product.id],
  });
  return made.id as string;
}

export async function tellOfWebhooks({ api, run }: Storyteller, id: string) {
  await run('listWebhookEndpoints');
  await run('getWebhookEndpoint', id);
  await run('updateWebhookEndpoint', id, { events: ['*'], fifo: true });
  await run('rotateWebhookSecret', id, { overlapSeconds: 3600 });
  await run('testWebhookEndpoint', id);
  await recordDelivery(api, id);
  await run('listDeliveries', id);
  await run('disableWebhookEndpoint', id);
  await run('enableWebhookEndpoint', id);
  const recovery = await run('recoverWebhookEndpoint', id, {
    since: '2026-05-01T00:00:00Z',
    ratePerSecond: 100,
  });
  const ids = { id, recoveryId: recovery.id as string };
  await run('listWebhookRecoveries', id);
  await run('getWebhookRecovery', undefined, undefined, { ids });
  await run('cancelWebhookRecovery', undefined, undefined, { ids });
  await recoverWebhooks(api.workerDeps)({ recoveryId: decodeId('rcv', recovery.id)! });
  const events = await run('listEvents', undefined, undefined, { query: { type: 'scan.recorded' } });
  const eventId = events.data[0].id as string;
  await run('getEvent', eventId);
  await run('replayEvent', eventId, { endpointId: id });
  await run('listEventTypes');
  const gone = await run('createWebhookEndpoint', undefined, {
    url: 'https://old.oliveira.example/hooks',
    events: ['*'],
  });
  await run('deleteWebhookEndpoint', gone.id);
  return { recoveryId: ids.recoveryId, eventId };
}
