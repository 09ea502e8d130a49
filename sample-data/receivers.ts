/** Two webhook endpoints: one that hears everything and broke down two days ago, one that is well. Nothing is sent anywhere. */
import { withTransaction } from '../shared/db.ts';
import { encodeId, newUuid } from '../shared/ids.ts';
import { VERSION } from '../shared/version.ts';
import type { AttemptOutcome, Sender } from '../shared/webhooks/attempt.ts';
import { createEndpoint, vetNewUrl, type NewEndpointInput } from '../shared/webhooks/service.ts';
import { createUrlVetting } from '../shared/webhooks/url-vetting.ts';
import { takeTurn, type TurnItem, type TurnResult } from '../shared/webhooks/turn.ts';
import { turnDepsOf } from '../workers/deliver-webhooks/processor.ts';
import { sendDelivery } from '../workers/deliver-webhooks/send-delivery.ts';
import { ARCHIVED_SKU } from './catalogue.ts';
import type { Sample, Staff } from './deps.ts';
import type { Goods } from './goods.ts';
import { DAY } from './time.ts';

// Names under `.invalid` exist nowhere (RFC 2606), so what the running workers try later fails with `dns`, and no
// request leaves the machine.
const FAILING_URL = 'https://erp.aurelle.invalid/hooks/touchstone';
const HEALTHY_URL = 'https://archive.aurelle.invalid/touchstone';
const FAILS_SINCE_DAYS = 2;
const AT_A_TIME = 100;

const answered = (ms: number): AttemptOutcome => ({
  ok: true,
  errorClass: null,
  error: null,
  status: 200,
  responseHeaders: { 'content-type': 'application/json' },
  responseBody: '{"received":true}',
  responseTruncated: false,
  retryAfter: null,
  timings: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: ms, totalMs: ms + 1 },
});

const unresolved = (): AttemptOutcome => ({
  ...answered(3),
  ok: false,
  errorClass: 'dns',
  error: 'the name erp.aurelle.invalid does not resolve',
  status: null,
  responseHeaders: {},
  responseBody: '',
  timings: { dnsMs: 3, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: 3 },
});

/** Receivers as they would have answered. */
export function playedReceivers(sample: Pick<Sample, 'time' | 'end' | 'random'>): Sender {
  const brokenSince = sample.end - FAILS_SINCE_DAYS * DAY;
  return {
    userAgent: `Touchstone/${VERSION} (+webhooks)`,
    send: ({ url }) => {
      const isBroken = url === FAILING_URL && sample.time.clock.now().getTime() >= brokenSince;
      return Promise.resolve(
        isBroken ? unresolved() : answered(60 + Math.floor(sample.random.lognormal(60, 0.5))),
      );
    },
    close: () => Promise.resolve(),
  };
}

/** @returns the endpoints' UUIDs, and what sends whatever is due for them. */
export async function makeEndpoints(
  sample: Sample,
  { owner }: Staff,
  goods: readonly Goods[],
): Promise<(at: number) => Promise<void>> {
  const { deps, time, orgId, end } = sample;
  // A public address for the check of the address; nothing is ever sent to it.
  const resolve = () => Promise.resolve(['93.184.215.14']);
  const vetWebhookUrl = createUrlVetting({ allowedCidrs: [], resolve });
  const archived = goods.find(({ product }) => product.sku === ARCHIVED_SKU)!;
  const create = (daysAgo: number, input: Omit<NewEndpointInput, 'url'> & { url: string }) =>
    time.at(end - daysAgo * DAY, () =>
      withTransaction(deps.db, async ({ db }) => {
        const url = await vetNewUrl({ vetWebhookUrl }, db, orgId, input.url);
        const { endpoint } = await createEndpoint(deps, db, orgId, { ...input, url });
        const after = { url: input.url, events: input.events };
        await sample.audit(db, owner, 'createWebhookEndpoint', encodeId('whep', endpoint.id), after);
        return endpoint.id;
      }),
    );
  const failing = await create(9, { url: FAILING_URL, events: ['*'], description: 'ERP' });
  const healthy = await create(30, {
    url: HEALTHY_URL,
    events: ['scan.recorded'],
    description: 'Archive of the limited edition',
    productIds: [archived.productId],
  });
  return async (at) => {
    for (const endpointId of [failing, healthy]) await time.at(at, () => deliverDue(sample, endpointId));
  };
}

/** A deliverer's turns, one after the other: claims what is due, sends it and settles it, until nothing is due. */
async function deliverDue({ deps }: Sample, endpointId: string): Promise<void> {
  const turnDeps = turnDepsOf(deps);
  const session = newUuid();
  let settle: TurnItem[] = [];
  for (;;) {
    const request = { endpointId, session, room: AT_A_TIME, hasWork: false };
    const results: TurnResult[] = await takeTurn(turnDeps, [
      ...settle,
      { type: 'claim', endpointId, request },
    ]);
    const claimed = results.at(-1)!;
    if (claimed.type !== 'claimed') return;
    const { claim } = claimed;
    const settlements = await Promise.all(
      claim.deliveries.map(async (delivery) => ({
        claim,
        session,
        result: await sendDelivery(deps, claim, delivery),
      })),
    );
    settle = [{ type: 'settle', endpointId, settlements }];
  }
}
