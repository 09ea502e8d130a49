/** Turns "this organization has new events" into one wake-up for each endpoint that has something due. */
import { encodeId } from '../../shared/ids.ts';
import type { WakeUps } from '../../shared/queues.ts';
import { listDueEndpointIds } from '../../shared/webhooks/turn.ts';
import type { WorkerDeps } from '../deps.ts';

export const fanOutEvents =
  (deps: WorkerDeps) =>
  async ({ orgId }: WakeUps['fan-out-events']): Promise<{ organization: string; endpoints: number }> => {
    const endpointIds = await listDueEndpointIds(deps.db, orgId, deps.clock.now());
    if (endpointIds.length > 0) await deps.waker.deliverWebhooks(endpointIds);
    return { organization: encodeId('org', orgId), endpoints: endpointIds.length };
  };
