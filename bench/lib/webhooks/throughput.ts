/** Deliveries per second: a bare undici loop, and ours from event rows to settled deliveries, to the same receiver. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { scanRecorded } from '../../../shared/events/event-examples.ts';
import { encodeId, newUuid } from '../../../shared/ids.ts';
import { deliveryHeaders } from '../../../shared/webhooks/delivery-headers.ts';
import { generateSecret } from '../../../shared/webhooks/signature.ts';
import type { Rig } from './rig.ts';
import { createSubject, record, scanEvent } from './subjects.ts';

const BARE_REQUESTS = 2_000;

/** Signed before the clock starts: the loop has nothing to do but to send. */
function signedRequests(): { headers: Record<string, string>; body: Buffer }[] {
  const secrets = [generateSecret()];
  return Array.from({ length: BARE_REQUESTS }, () => {
    const eventId = encodeId('evt', newUuid());
    const body = Buffer.from(
      JSON.stringify({
        id: eventId,
        type: 'scan.recorded',
        createdAt: new Date().toISOString(),
        data: scanRecorded,
      }),
    );
    const headers = deliveryHeaders({
      eventId,
      eventType: 'scan.recorded',
      deliveryId: encodeId('dlv', newUuid()),
      secrets,
      unixSeconds: Math.floor(Date.now() / 1000),
      rawBody: body,
    });
    return { headers, body };
  });
}

/** Posts signed envelopes of the same size in `concurrency` loops. @returns successes per second */
export async function measureBare(rig: Rig, concurrency: number, seconds: number): Promise<number> {
  const agent = new Agent({ connect: { ca: rig.caPem }, pipelining: 1 });
  const requests = signedRequests();
  const startedAt = performance.now();
  const endAt = startedAt + seconds * 1000;
  let started = 0;
  let succeeded = 0;
  const loop = async () => {
    while (performance.now() < endAt) {
      const { headers, body } = requests[started % BARE_REQUESTS]!;
      started += 1;
      const answer = await agent.request({
        origin: rig.origin,
        path: '/hooks',
        method: 'POST',
        headers,
        body,
      });
      await answer.body.dump();
      if (answer.statusCode === 204) succeeded += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, loop));
  const perSecond = (succeeded * 1000) / (performance.now() - startedAt);
  await agent.close();
  if (succeeded === 0) throw new Error('not one attempt succeeded');
  return perSecond;
}

const EVENTS_PER_INSERT = 1000;
const LONGEST_MS = 600_000;

/** Puts rows there first, then wakes the worker; counts until the last delivery is settled. @returns per second */
export async function measureOurs(rig: Rig, endpoints: number, deliveries: number): Promise<number> {
  const { core } = rig;
  const orgIds: string[] = [];
  for (let n = 0; n < endpoints; n += 1) orgIds.push(await createSubject(core, `${rig.origin}/hooks`));
  const each = Math.ceil(deliveries / endpoints);
  for (const orgId of orgIds) {
    for (let left = each; left > 0; left -= EVENTS_PER_INSERT) {
      const count = Math.min(left, EVENTS_PER_INSERT);
      await record(
        core,
        Array.from({ length: count }, () => scanEvent(orgId)),
        false,
      );
    }
  }
  await core.db.query('analyze events, webhook_dispatches, webhook_deliveries');
  const startedAt = performance.now();
  await core.waker.fanOutEvents(orgIds);
  for (;;) {
    await sleep(50);
    const { rows } = await core.db.query<{ waits: boolean }>(
      `select exists (select 1 from webhook_dispatches where state = 'pending' and endpoint_id in
                        (select id from webhook_endpoints where org_id = any($1))) as waits`,
      [orgIds],
    );
    if (rows[0]?.waits === false) break;
    if (performance.now() - startedAt > LONGEST_MS) throw new Error('not all was delivered in ten minutes');
  }
  return (each * endpoints * 1000) / (performance.now() - startedAt);
}
