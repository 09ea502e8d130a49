import { expect } from 'chai';
import { decodeId, newUuid } from '../../../shared/ids.ts';
import {
  claimDeliveries,
  settleDeliveryOutcomes,
  type Claim,
  type DeliveryDeps,
} from '../../../shared/webhooks/delivery.ts';
import type { AttemptOutcome } from '../../../shared/webhooks/attempt.ts';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';
import { answered, failed } from '../../support/outcomes.ts';

describe('claiming and settling deliveries', () => {
  let api: TestApi;
  let org: TestOrganization;
  let endpointId: string;
  let deps: DeliveryDeps;

  before(async () => {
    api = await createTestApi();
    deps = { ...api.workerDeps, leaseSeconds: 60, claimLimit: 20 };
  });
  beforeEach(async () => {
    org = await api.createOrganization();
    endpointId = decodeId('whep', (await org.createEndpoint()).id)!;
  });
  after(() => api.close());

  /** Events of this organization, due now. */
  const addEvents = (count: number) =>
    api.database.pool.query(
      `with event as (
         insert into events (id, org_id, type, data, created_at)
         select id, $1, 'scan.recorded', '{}', $3 from unnest($4::uuid[]) as id returning id
       )
       insert into webhook_dispatches (event_id, endpoint_id, org_id, due_at) select id, $2, $1, $3 from event`,
      [org.uuid, endpointId, api.clock.now(), Array.from({ length: count }, newUuid)],
    );
  const claim = async (): Promise<Claim> => {
    const result = await claimDeliveries(deps, endpointId);
    if (result.type !== 'claimed') throw new Error('nothing was claimed');
    return result.claim;
  };
  const settle = (claimed: Claim, outcome: AttemptOutcome, probeEpoch = claimed.probeEpoch) =>
    settleDeliveryOutcomes(
      deps,
      { endpointId, probeEpoch },
      claimed.deliveries.map((delivery) => ({ delivery, outcome, endedAt: api.clock.now() })),
    );
  const dispatches = async () =>
    (
      await api.database.pool.query<{ state: string; attempts: number; due_at: Date }>(
        'select state, attempts, due_at from webhook_dispatches where endpoint_id = $1 order by event_id',
        [endpointId],
      )
    ).rows;
  const deliveries = async () =>
    (
      await api.database.pool.query<{ attempt: number; outcome: string | null; error_class: string | null }>(
        'select attempt, outcome, error_class from webhook_deliveries where endpoint_id = $1 order by id',
        [endpointId],
      )
    ).rows;
  const phase = async () =>
    (await api.database.pool.query('select circuit_state from webhook_endpoints where id = $1', [endpointId]))
      .rows[0].circuit_state as string;

  it('writes an attempt down before it may be sent', async () => {
    await addEvents(1);
    const { deliveries: claimed, secrets, url } = await claim();
    expect(await deliveries()).to.deep.equal([{ attempt: 1, outcome: null, error_class: null }]);
    expect(url).to.equal('https://hooks.example.com/in');
    expect(secrets[0]).to.match(/^whsec_/);
    const envelope = JSON.parse(claimed[0]!.body.toString());
    expect(envelope).to.deep.equal({
      id: claimed[0]!.publicEventId,
      type: 'scan.recorded',
      createdAt: api.clock.now().toISOString(),
      data: {},
    });
  });

  it('gives a dispatch to one worker at a time, until its lease ends', async () => {
    await addEvents(3);
    const both = await Promise.all([claimDeliveries(deps, endpointId), claimDeliveries(deps, endpointId)]);
    expect(both.map(({ type }) => type).sort()).to.deep.equal(['claimed', 'idle']);
    const idle = both.find((one) => one.type === 'idle');
    expect(idle).to.deep.equal({ type: 'idle', until: new Date(api.clock.now().getTime() + 60_000) });
    api.clock.advance(60_000);
    const second = await claim();
    expect(second.deliveries.map(({ attempt }) => attempt)).to.deep.equal([2, 2, 2]);
    expect((await deliveries()).filter(({ error_class }) => error_class === 'lost')).to.have.length(3);
  });

  it('puts a failure off, keeps the time in the row, and delivers at the next try', async () => {
    await addEvents(1);
    await settle(await claim(), answered(500));
    const [waiting] = await dispatches();
    expect(waiting).to.deep.include({ state: 'pending', attempts: 1 });
    // Five seconds, without jitter as the test's randomness is a half.
    expect(waiting!.due_at.getTime() - api.clock.now().getTime()).to.equal(5_000);
    expect(await claimDeliveries(deps, endpointId)).to.deep.equal({ type: 'idle', until: waiting!.due_at });
    api.clock.set(waiting!.due_at);
    await settle(await claim(), answered(204));
    expect(await dispatches()).to.deep.include.members([
      { state: 'delivered', attempts: 2, due_at: waiting!.due_at },
    ]);
    expect(await claimDeliveries(deps, endpointId)).to.deep.equal({ type: 'idle', until: null });
  });

  it('gives up after the last attempt of the schedule', async () => {
    await addEvents(1);
    for (let attempt = 1; ; attempt++) {
      await settle(await claim(), answered(500));
      const [row] = await dispatches();
      if (row!.state !== 'pending') {
        expect(row).to.include({ state: 'exhausted', attempts: attempt });
        expect(attempt).to.equal(10);
        break;
      }
      api.clock.set(row!.due_at);
    }
  });

  it('costs the receiver no attempt when we stopped it ourselves', async () => {
    await addEvents(1);
    await settle(await claim(), failed('aborted'));
    expect(await dispatches()).to.deep.equal([{ state: 'pending', attempts: 0, due_at: api.clock.now() }]);
  });

  it('lets a worker that lost its lease write no failure over the new owner’s work', async () => {
    await addEvents(1);
    const lost = await claim();
    api.clock.advance(60_000);
    const owner = await claim();
    const before = await dispatches();
    await settle(lost, answered(500));
    expect(await dispatches()).to.deep.equal(before);
    await settle(owner, answered(200));
    expect(await dispatches()).to.deep.include.members([{ ...before[0]!, state: 'delivered' }]);
  });

  it('believes a late success: what was delivered is not sent again', async () => {
    await addEvents(1);
    const lost = await claim();
    api.clock.advance(60_000);
    const owner = await claim();
    await settle(lost, answered(200));
    expect((await dispatches())[0]!.state).to.equal('delivered');
    await settle(owner, answered(500));
    expect((await dispatches())[0]!.state).to.equal('delivered');
    expect(await claimDeliveries(deps, endpointId)).to.deep.equal({ type: 'idle', until: null });
  });

  it('opens the circuit after ten failures, parks the rest without spending attempts, and sends one probe', async () => {
    await addEvents(30);
    deps = { ...deps, claimLimit: 10 };
    await settle(await claim(), answered(503));
    expect(await phase()).to.equal('open');
    const states = () =>
      dispatches().then((rows) => rows.map(({ state, attempts }) => `${state} ${attempts}`));
    const parked = (await states()).filter((one) => one === 'parked 0');
    expect(parked).to.have.length(20);
    const before = await dispatches();
    const closedFor = await claimDeliveries(deps, endpointId);
    expect(closedFor).to.deep.equal({ type: 'idle', until: new Date(api.clock.now().getTime() + 30_000) });
    expect(await dispatches()).to.deep.equal(before);

    api.clock.advance(30_000);
    const both = await Promise.all([claimDeliveries(deps, endpointId), claimDeliveries(deps, endpointId)]);
    const probes = both.flatMap((one) => (one.type === 'claimed' ? [one.claim] : []));
    expect(probes).to.have.length(1);
    expect(probes[0]!.deliveries).to.have.length(1);
    expect(await phase()).to.equal('half-open');

    // The probe fails: open again, twice as long.
    await settle(probes[0]!, answered(503));
    expect(await phase()).to.equal('open');
    expect(await claimDeliveries(deps, endpointId)).to.deep.equal({
      type: 'idle',
      until: new Date(api.clock.now().getTime() + 60_000),
    });
    api.clock.advance(60_000);
    await settle(await claim(), answered(200));
    expect(await phase()).to.equal('closed');
    expect((await states()).some((one) => one.startsWith('parked'))).to.equal(false);
  });

  it('disables an endpoint that says 410, and keeps what arrives', async () => {
    await addEvents(1);
    await settle(await claim(), answered(410));
    expect(await phase()).to.equal('disabled');
    await addEvents(1);
    expect(await claimDeliveries(deps, endpointId)).to.deep.equal({ type: 'idle', until: null });
    expect((await dispatches()).map(({ state }) => state)).to.deep.equal(['parked', 'parked']);
  });

  it('sends nothing to an endpoint that was deleted meanwhile', async () => {
    await addEvents(2);
    const claimed = await claim();
    await org
      .delete(`/webhook-endpoints/${(await org.get('/webhook-endpoints')).body.data[0].id}`)
      .expect(204);
    await settle(claimed, answered(200));
    expect((await dispatches()).map(({ state }) => state)).to.deep.equal(['discarded', 'discarded']);
    expect(await claimDeliveries(deps, endpointId)).to.deep.equal({ type: 'idle', until: null });
  });
});
