import { expect } from 'chai';
import { decodeId } from '../../../shared/ids.ts';
import { tellBegunRecalls } from '../../../shared/recalls/service.ts';
import { createTestApi, type TestApi, type TestOrganization, type TestUnit } from '../../support/api.ts';
import { runAllBulkJobs, runBulkJob } from '../../support/bulk-jobs.ts';
import { whileHeld } from '../../support/held-row.ts';
import { expectProblem } from '../../support/problem.ts';

const TEXT = {
  reason: 'Glass splinters',
  messages: { en: 'Return it to the shop.', de: 'Bringen Sie es zurück.' },
  contact: 'care@example.com',
};

const LATER = '2099-01-01T00:00:00Z';

describe('recalls that are planned', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
  });
  after(() => api.close());

  const resultOf = async (unit: TestUnit) => (await api.verify(unit.token)).body.result as string;

  const consignmentOf = async (units: TestUnit[]) => {
    const list = { units: { unitIds: units.map(({ id }) => id) } };
    const { id } = (await org.post('/consignments', list).expect(201)).body;
    await runAllBulkJobs(api);
    await org.post(`/consignments/${id}/dispatch`).expect(200);
    return id as string;
  };

  /** The time of what is planned comes: the database goes by its own clock. */
  const begin = () =>
    api.database.pool.query('update recalls set starts_at = now() where starts_at = $1', [LATER]);

  it('that begin later show nowhere before, and everywhere from then on', async () => {
    const { units, batchId } = await org.mintUnits(1);
    const consignmentId = await consignmentOf(units);
    const { receiveUrl } = (await org.post(`/consignments/${consignmentId}/renew-link`).expect(200)).body;
    const planned: { id: string }[] = [];
    for (const target of [{ batchId }, { consignmentId }])
      planned.push((await org.post('/recalls', { ...target, startsAt: LATER }).expect(201)).body);
    const batch = async () => (await org.get(`/batches/${batchId}`).expect(200)).body;
    const look = async () => {
      const consignment = (await org.get(`/consignments/${consignmentId}`).expect(200)).body;
      const consignments = (await org.get('/consignments?status=recalled').expect(200)).body.data;
      const batches = (await org.get(`/batches?productId=${(await batch()).productId}`).expect(200)).body
        .data;
      const inForce = (await org.get('/recalls?inForce=true').expect(200)).body.data;
      const notInForce = (await org.get('/recalls?inForce=false').expect(200)).body.data;
      const page = await api.http().get(new URL(receiveUrl).pathname).set('Accept', 'text/html').expect(200);
      const among = (list: any[], ids: string[]) => ids.map((id) => list.some((one) => one.id === id));
      return {
        scan: await resultOf(units[0]!),
        status: consignment.status,
        recalls: [consignment.recall, (await batch()).recall, batches[0].recall].map((one) => one !== null),
        listed: among(consignments, [consignmentId]),
        inForce: among(
          inForce,
          planned.map(({ id }) => id),
        ),
        notInForce: among(
          notInForce,
          planned.map(({ id }) => id),
        ),
        form: page.text.includes('<form'),
      };
    };
    expect(await look()).to.deep.equal({
      scan: 'genuine',
      status: 'dispatched',
      recalls: [false, false, false],
      listed: [false],
      inForce: [false, false],
      notInForce: [true, true],
      form: true,
    });
    await begin();
    expect(await look()).to.deep.equal({
      scan: 'recalled',
      status: 'recalled',
      recalls: [true, true, true],
      listed: [true],
      inForce: [true, true],
      notInForce: [false, false],
      form: false,
    });
    expectProblem(await org.post(`/consignments/${consignmentId}/receive`), 'INVALID_TRANSITION');
  });

  it('that begin later keep no consignment from being received before', async () => {
    const { units } = await org.mintUnits(1);
    const consignmentId = await consignmentOf(units);
    await org.post('/recalls', { consignmentId, startsAt: LATER }).expect(201);
    const { body } = await org.post(`/consignments/${consignmentId}/receive`).expect(200);
    expect(body.status).to.equal('received');
    await begin();
    expect((await org.get(`/consignments/${consignmentId}`)).body.status).to.equal('recalled');
  });

  const PLANNED = { startsAt: '2099-01-01T00:00:00Z', reason: 'Planned', contact: 'planned@example.com' };

  for (const scope of ['unit', 'batch', 'consignment', 'product'] as const) {
    it(`of a ${scope} that are urgent do not wait for a planned one`, async () => {
      const { units, batchId, productId } = await org.mintUnits(1);
      const id = {
        unit: units[0]!.id,
        batch: batchId,
        consignment: scope === 'consignment' ? await consignmentOf(units) : '',
        product: productId,
      }[scope];
      const target = { [`${scope}Id`]: id };
      const planned = (await org.post('/recalls', { ...target, ...PLANNED }).expect(201)).body;
      api.clock.advance(1000);
      const now = api.clock.now().toISOString();
      const [path, body, status] = {
        unit: [`/product-units/${id}/recall`, TEXT, 200],
        batch: [`/batches/${id}/recall`, TEXT, 200],
        consignment: [`/consignments/${id}/recall`, TEXT, 200],
        product: ['/recalls', { ...target, ...TEXT }, 201],
      }[scope] as [string, object, number];
      await org.post(path, body).expect(status);
      const { body: recall } = await org.get(`/recalls/${planned.id}`).expect(200);
      expect(recall).to.deep.equal({ ...planned, ...TEXT, startsAt: now, createdAt: now });
      expect((await api.verify(units[0]!.token)).body).to.deep.include({
        result: 'recalled',
        recall: { messages: TEXT.messages, contact: TEXT.contact },
      });
    });
  }

  it('of units in bulk that are urgent do not wait for planned ones, and count them as changed', async () => {
    const { units } = await org.mintUnits(3);
    const [planned, recalled, free] = units as [TestUnit, TestUnit, TestUnit];
    await org.post('/recalls', { unitId: planned.id, ...PLANNED }).expect(201);
    await org.post(`/product-units/${recalled.id}/recall`, { reason: 'Before' }).expect(200);
    api.clock.advance(1000);
    const unitIds = [planned.id, recalled.id, free.id];
    const { body } = await org.post('/product-units/bulk', { action: 'recall', unitIds, reason: 'Urgent' });
    expect(await runBulkJob(api, org, body.id)).to.include({ changed: 2, unchanged: 1 });
    const reasons = await Promise.all(
      unitIds.map(async (id) => (await org.get(`/product-units/${id}`).expect(200)).body.recall.reason),
    );
    expect(reasons).to.deep.equal(['Urgent', 'Before', 'Urgent']);
  });

  it('that are planned are brought forward by an earlier plan only', async () => {
    const { batchId } = await org.mintUnits(1);
    const plan = async (startsAt: string, reason: string) =>
      (await org.post('/recalls', { batchId, startsAt, reason }).expect(201)).body;
    const first = await plan('2099-01-02T00:00:00Z', 'First');
    expect(await plan('2099-01-03T00:00:00Z', 'Later')).to.deep.equal(first);
    const earlier = await plan('2099-01-01T00:00:00Z', 'Earlier');
    expect(earlier).to.deep.include({
      id: first.id,
      startsAt: '2099-01-01T00:00:00.000Z',
      reason: 'Earlier',
    });
    await org.post(`/batches/${batchId}/recall`, TEXT).expect(200);
    const { reason } = await plan('2026-01-01T00:00:00Z', 'Backdated');
    expect(reason, 'of one that has begun').to.equal(TEXT.reason);
  });

  it('of a consignment are told of when they have begun, so once where they are brought forward', async () => {
    const { units } = await org.mintUnits(1);
    const consignmentId = await consignmentOf(units);
    await org.post('/recalls', { consignmentId, ...PLANNED }).expect(201);
    await org.post(`/consignments/${consignmentId}/recall`, TEXT).expect(200);
    const { data } = (await org.get('/events?type=consignment.recalled').expect(200)).body;
    const told = data.filter((event: any) => event.data.consignmentId === consignmentId);
    expect(told.map((event: any) => [event.data.reason, event.data.recalledAt])).to.deep.equal([
      [TEXT.reason, api.clock.now().toISOString()],
    ]);
  });

  it('of a consignment are told of with what they say then, also where that is corrected at that moment', async () => {
    const { units } = await org.mintUnits(1);
    const consignmentId = await consignmentOf(units);
    const planned = (await org.post('/recalls', { consignmentId, ...PLANNED }).expect(201)).body;
    await begin();
    const recall = {
      text: 'select 1 from recalls where id = $1 for update',
      values: [decodeId('rcl', planned.id)],
    };
    await whileHeld(api.database.pool, recall, async ({ waiting, release }) => {
      const corrected = org.patch(`/recalls/${planned.id}`, { reason: 'Corrected' }).then((reply) => reply);
      await waiting(1);
      const told = tellBegunRecalls(api.workerDeps, 100);
      await waiting(2);
      await release();
      expect((await corrected).status).to.equal(200);
      await told;
    });
    const { data } = (await org.get('/events?type=consignment.recalled').expect(200)).body;
    const events = data.filter((event: any) => event.data.consignmentId === consignmentId);
    expect(events.map((event: any) => event.data.reason)).to.deep.equal(['Corrected']);
  });
});
