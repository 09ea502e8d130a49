import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { systemClock } from '../../../shared/clock.ts';
import { deliverWebhooks } from '../../../workers/deliver-webhooks/processor.ts';
import { TestClock } from '../../support/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { answered } from '../../support/outcomes.ts';
import { Receivers, sessionDeps } from '../../support/webhook-sessions.ts';
import { createWebhookBench, type WebhookBench } from '../../support/webhook-turns.ts';

describe('an endpoint that is a chat channel', () => {
  let database: TestDatabase;
  let bench: WebhookBench;
  let receivers: Receivers;
  let orgId: string;

  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database.drop());
  beforeEach(async () => {
    bench = createWebhookBench({ db: database.pool, clock: systemClock });
    receivers = new Receivers();
    orgId = await bench.createOrganization();
  });

  const deliver = (endpointId: string, clock = systemClock) =>
    deliverWebhooks({
      ...sessionDeps({ db: database.pool, bench, receivers, stopping: new AbortController().signal }),
      clock,
    })({ endpointId });
  const bodies = () => receivers.sent.map(({ request }) => JSON.parse(request.body.toString()));

  it('is sent a message in its language, signed as every request is, and again until it is taken', async () => {
    const endpointId = await bench.createEndpoint(orgId, {
      format: 'slack',
      language: 'de',
      retryDelaysSeconds: [0],
    });
    await bench.recordScans(orgId, 1);
    receivers.respond = () => answered(receivers.sent.length === 1 ? 500 : 200);
    expect(await deliver(endpointId)).to.include({ delivered: 1, failed: 1 });
    const [first, second] = receivers.sent.map(({ request }) => request);
    expect(JSON.parse(first!.body.toString()).text).to.match(
      /^\*Ein Code wurde gescannt\*\n[\s\S]*<https?:\/\/[^/]+\/app\/scans\/scan_\w+\|Öffnen>$/,
    );
    expect(second!.body.equals(first!.body)).to.equal(true);
    const [t, signature] = first!.headers['X-Service-Signature']!.split(',');
    const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
    const signed = `${t!.slice(2)}.${first!.body.toString()}`;
    expect(signature).to.equal(`v1=${createHmac('sha256', secret).update(signed).digest('hex')}`);
  });

  it('is sent what waits as it is asked for by then, also what a session holds already', async () => {
    const endpointId = await bench.createEndpoint(orgId);
    await bench.recordScans(orgId, 12);
    const clock = new TestClock(new Date().toISOString());
    receivers.respond = () => null;
    const serving = deliver(endpointId, clock);
    await receivers.untilSent(3);
    // So long ago that a turn has seen the endpoint that it may have been changed.
    clock.advance(1_500);
    await bench.updateEndpoint(orgId, endpointId, { format: 'teams', language: 'fr' });
    receivers.respond = () => answered(202);
    receivers.sent[0]!.answer(answered(202));
    await receivers.untilSent(12);
    for (const { answer } of receivers.sent.slice(1, 3)) answer(answered(202));
    expect(await serving).to.include({ delivered: 12, failed: 0 });
    expect(bodies().map(({ type }) => type)).to.deep.equal([
      ...Array(3).fill('scan.recorded'),
      ...Array(9).fill('message'),
    ]);
    expect(bodies()[3].summary).to.equal('Un code a été scanné');
  });

  it('is told in its language from then on where only that is changed', async () => {
    const endpointId = await bench.createEndpoint(orgId, { format: 'slack', language: 'en' });
    await bench.recordScans(orgId, 4);
    const clock = new TestClock(new Date().toISOString());
    receivers.respond = () => null;
    const serving = deliver(endpointId, clock);
    await receivers.untilSent(3);
    clock.advance(1_500);
    await bench.updateEndpoint(orgId, endpointId, { language: 'es' });
    receivers.respond = () => answered(200);
    receivers.sent[0]!.answer(answered(200));
    await receivers.untilSent(4);
    for (const { answer } of receivers.sent.slice(1, 3)) answer(answered(200));
    await serving;
    expect(bodies().map(({ text }) => text.split('\n')[0])).to.deep.equal([
      ...Array(3).fill('*A code was scanned*'),
      '*Se escaneó un código*',
    ]);
  });
});
