/** Deliveries per second: a bare undici loop, and ours from event rows to settled deliveries, to the same receiver. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { scanRecorded } from '../../../shared/events/event-examples.ts';
import { encodeId, newUuid } from '../../../shared/ids.ts';
import { deliveryHeaders } from '../../../shared/webhooks/delivery-headers.ts';
import { generateSecret } from '../../../shared/webhooks/signature.ts';
import type { ProcessorTime, Rig } from './rig.ts';
import { createSubject, record, scanEvent } from './subjects.ts';

const BARE_BODIES = 2_000;
const BARE_USER_AGENT = 'bare undici';

/** Envelopes as ours are. */
const bodies = () =>
  Array.from({ length: BARE_BODIES }, () => {
    const eventId = encodeId('evt', newUuid());
    const envelope = { id: eventId, type: 'scan.recorded', createdAt: new Date(), data: scanRecorded };
    return { eventId, rawBody: Buffer.from(JSON.stringify(envelope)) };
  });

/**
 * Posts envelopes over kept-alive TLS in `concurrency` loops: what a plain sender does that keeps nothing.
 * @param sign whether each request is signed, in both schemes, when it is sent, since a signature holds the time; or all of
 *   them once before the clock starts, which leaves the loop nothing to do but to send
 * @returns successes per second
 */
export async function measureBare(
  rig: Rig,
  { concurrency, seconds, sign }: { concurrency: number; seconds: number; sign: 'each' | 'before' },
): Promise<number> {
  const agent = new Agent({ connect: { ca: rig.caPem }, pipelining: 1 });
  const secrets = [generateSecret()];
  const signed = ({ eventId, rawBody }: { eventId: string; rawBody: Buffer }, n: number) => ({
    headers: deliveryHeaders({
      eventId,
      eventType: 'scan.recorded',
      deliveryId: `dlv_${n}`,
      userAgent: BARE_USER_AGENT,
      secrets,
      unixSeconds: Math.floor(Date.now() / 1000),
      rawBody,
    }),
    body: rawBody,
  });
  const subjects = bodies();
  const before = sign === 'before' ? subjects.map(signed) : null;
  const startedAt = performance.now();
  const endAt = startedAt + seconds * 1000;
  let started = 0;
  let succeeded = 0;
  const loop = async () => {
    while (performance.now() < endAt) {
      const index = started % BARE_BODIES;
      started += 1;
      const { headers, body } = before?.[index] ?? signed(subjects[index]!, started);
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
const POLL_MS = 50;
const WAKE_EVERY_POLLS = 100;

/** Puts rows there first, then wakes the worker; counts until the last delivery is settled. */
export async function measureOurs(
  rig: Rig,
  endpoints: number,
  deliveries: number,
): Promise<{ perSecond: number; processor: ProcessorTime }> {
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
  const before = await rig.processorSeconds();
  const startedAt = performance.now();
  for (let polls = 0; ; polls += 1) {
    // Again now and then, for there is no sweeper here: on a machine under load a wake-up may not get through.
    if (polls % WAKE_EVERY_POLLS === 0) await core.waker.fanOutEvents(orgIds);
    await sleep(POLL_MS);
    const { rows } = await core.db.query<{ waits: boolean }>(
      `select exists (select 1 from webhook_dispatches where state = 'pending' and endpoint_id in
                        (select id from webhook_endpoints where org_id = any($1))) as waits`,
      [orgIds],
    );
    if (rows[0]?.waits === false) break;
    if (performance.now() - startedAt > LONGEST_MS) throw new Error('not all was delivered in ten minutes');
  }
  const perSecond = (each * endpoints * 1000) / (performance.now() - startedAt);
  const after = await rig.processorSeconds();
  const spent = (of: keyof ProcessorTime) => after[of] - before[of];
  return {
    perSecond,
    processor: { worker: spent('worker'), postgres: spent('postgres'), receiver: spent('receiver') },
  };
}
