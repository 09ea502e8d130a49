import { createHmac, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { systemClock } from '../../../shared/clock.ts';
import { withTransaction, type UnitOfWork } from '../../../shared/db.ts';
import { encodeIds } from '../../../shared/ids.ts';
import { disableEndpoint, rotateSecret } from '../../../shared/webhooks/operate.ts';
import { updateEndpoint, type EndpointChanges, type VettedUrl } from '../../../shared/webhooks/service.ts';
import { deliverWebhooks } from '../../../workers/deliver-webhooks/processor.ts';
import { TestClock } from '../../support/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { answered } from '../../support/outcomes.ts';
import { Receivers, sessionDeps } from '../../support/webhook-sessions.ts';
import { createWebhookBench, dispatchesOf, type WebhookBench } from '../../support/webhook-turns.ts';

describe('a session whose endpoint is changed while it holds deliveries and three are out', () => {
  let database: TestDatabase;
  let bench: WebhookBench;
  let receivers: Receivers;
  let orgId: string;
  const OLD = 'https://hooks.example.com/in';
  const NEW = 'https://new.example.com/in';
  let clock: TestClock;
  let endpointId: string;
  let events: string[];
  let serving: Promise<unknown>;

  const deliver = () =>
    deliverWebhooks({
      ...sessionDeps({ db: database.pool, bench, receivers, stopping: new AbortController().signal }),
      clock,
    })({ endpointId });
  const states = () => dispatchesOf(database.pool, endpointId);

  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database.drop());
  beforeEach(async () => {
    bench = createWebhookBench({ db: database.pool, clock: systemClock });
    receivers = new Receivers();
    orgId = await bench.createOrganization();
    endpointId = await bench.createEndpoint(orgId);
    events = encodeIds('evt', await bench.recordScans(orgId, 12));
    clock = new TestClock(new Date().toISOString());
    receivers.respond = () => null;
    serving = deliver();
    await receivers.untilSent(3);
    // So long ago that a turn has seen the endpoint that it may have been changed.
    clock.advance(1_500);
  });

  const operate = (work: (uow: UnitOfWork) => Promise<unknown>) =>
    withTransaction(database.pool, (uow) => work(uow));
  const endpointDeps = () => ({ ...bench.deps, clock, waker: bench.waker, random: randomBytes });
  const change = (changes: EndpointChanges) =>
    operate((uow) => updateEndpoint(endpointDeps(), uow, orgId, endpointId, changes));

  it('sends all others to its new URL, with its new secret alone', async () => {
    await change({ url: NEW as VettedUrl });
    let secret = '';
    await operate(async ({ db }) => {
      ({ secret } = await rotateSecret(endpointDeps(), db, orgId, endpointId, 0));
    });
    receivers.respond = () => answered(204);
    receivers.sent[0]!.answer(answered(204));
    // Though two are out still.
    await receivers.untilSent(12);
    for (const { answer } of receivers.sent.slice(1, 3)) answer(answered(204));
    expect(await serving).to.include({ delivered: 12, failed: 0 });
    expect(receivers.idsTo(OLD)).to.deep.equal(events.slice(0, 3));
    expect(receivers.idsTo(NEW)).to.have.members(events.slice(3));
    for (const { request } of receivers.sent.slice(3)) {
      const [t, ...signatures] = request.headers['X-Service-Signature']!.split(',');
      const signed = `${t!.slice(2)}.${request.body.toString()}`;
      expect(signatures).to.deep.equal([`v1=${createHmac('sha256', secret).update(signed).digest('hex')}`]);
    }
    expect((await states()).map(({ attempts }) => attempts)).to.deep.equal(Array(12).fill(1));
  });

  it('sends all others with its new headers', async () => {
    await change({ headers: { Authorization: 'Bearer new' } });
    receivers.respond = () => answered(204);
    receivers.sent[0]!.answer(answered(204));
    await receivers.untilSent(12);
    for (const { answer } of receivers.sent.slice(1, 3)) answer(answered(204));
    await serving;
    expect(receivers.sent.map(({ request }) => request.headers['Authorization'])).to.deep.equal([
      ...Array(3).fill(undefined),
      ...Array(9).fill('Bearer new'),
    ]);
  });

  it('sends nothing more when it is disabled', async () => {
    await operate(({ db }) => disableEndpoint({ clock }, db, orgId, endpointId));
    receivers.respond = () => answered(204);
    for (const { answer } of receivers.sent.slice()) answer(answered(204));
    await serving;
    expect(receivers.idsTo(OLD)).to.deep.equal(events.slice(0, 3));
    expect((await states()).map(({ attempts }) => attempts)).to.deep.equal([
      ...Array(3).fill(1),
      ...Array(9).fill(0),
    ]);
  });

  it('keeps to its new rate', async () => {
    await change({ ratePerSecond: 1 });
    receivers.respond = () => answered(204);
    for (const { answer } of receivers.sent.slice()) answer(answered(204));
    await serving;
    expect(receivers.idsTo(OLD)).to.deep.equal(events.slice(0, 4));
    expect((await states()).map(({ attempts }) => attempts)).to.deep.equal([
      ...Array(4).fill(1),
      ...Array(8).fill(0),
    ]);
  });

  it('keeps to FIFO order from then on: nothing goes past what fails', async () => {
    await change({ fifo: true });
    receivers.respond = () => answered(204);
    receivers.sent[1]!.answer(answered(500));
    await eventually('the failure to be settled', async () => {
      const { rows } = await database.pool.query<{ held: boolean }>(
        'select held_until is not null as held from webhook_endpoints where id = $1',
        [endpointId],
      );
      return rows[0]!.held;
    });
    receivers.sent[0]!.answer(answered(204));
    receivers.sent[2]!.answer(answered(204));
    await serving;
    expect(receivers.idsTo(OLD), 'while it waits').to.deep.equal(events.slice(0, 3));
    clock.advance(10_000);
    await deliver();
    expect(receivers.idsTo(OLD).slice(3)).to.deep.equal([events[1], ...events.slice(3)]);
  });
});
