/** What happens to a consignment, and to a batch, at the same moment. */
import { expect } from 'chai';
import { claimJob, runSlice, settleFailure, type RunDeps } from '../../../shared/bulk-jobs/run.ts';
import { decodeId } from '../../../shared/ids.ts';
import { runBulkJobs, runDepsOf } from '../../../workers/run-bulk-jobs/processor.ts';
import { createTestApi, type TestApi, type TestOrganization, type TestUnit } from '../../support/api.ts';
import { runAllBulkJobs, runBulkJob } from '../../support/bulk-jobs.ts';
import { whileHeld } from '../../support/held-row.ts';
import { expectProblem } from '../../support/problem.ts';

describe('a consignment, beside what else goes on', () => {
  let api: TestApi;
  let org: TestOrganization;
  let runDeps: RunDeps;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
    runDeps = runDepsOf(api.workerDeps);
  });
  after(() => api.close());

  const listOf = (units: readonly TestUnit[]) => ({ unitIds: units.map(({ id }) => id) });
  const sequential = (prefix: string, first: number) => ({
    serials: { source: 'sequential', prefix, first, digits: 4 },
  });
  const begin = async (units: readonly TestUnit[]) =>
    (await org.post('/consignments', { units: listOf(units) }).expect(201)).body.id as string;
  const draftOf = async (units: readonly TestUnit[]) => {
    const id = await begin(units);
    await runAllBulkJobs(api);
    return id;
  };
  const dispatch = async (id: string) =>
    (await org.post(`/consignments/${id}/dispatch`, {}).expect(200)).body;

  it('refuses a second list while the first one’s worker is at its end', async () => {
    const { units } = await org.mintUnits(6);
    const id = await begin(units.slice(0, 3));
    const { data } = (await org.get('/bulk-jobs?status=queued')).body;
    const jobId = decodeId('bulk', data[0].id)!;
    // Between the job's row and the consignment's the worker asks for the names of products.
    const products = { text: 'lock table products in access exclusive mode', values: [] };
    await whileHeld(api.database.pool, products, async ({ waiting, release }) => {
      const working = runBulkJobs(api.workerDeps)({ jobId });
      await waiting(1);
      expectProblem(await org.post(`/consignments/${id}/units`, listOf(units.slice(3))), 'CONFLICT');
      await release();
      expect(await working).to.include({ did: 'finished' });
    });
    expect((await org.get(`/consignments/${id}`)).body.unitCount).to.equal(3);
  });

  it('gets rid of what was refused, however many workers end with it or fail at it, and says why it was', async () => {
    const { units } = await org.mintUnits(4, { job: { activate: false } });
    await draftOf(units.slice(3));
    const id = await draftOf(units.slice(0, 1));
    const { body } = await org.post(`/consignments/${id}/units`, listOf(units.slice(1))).expect(202);
    const jobId = decodeId('bulk', body.id)!;
    const pass = () => api.clock.advance(runDeps.leaseSeconds * 1000);
    const claimed = (await claimJob(runDeps, jobId))!;
    for (const phase of ['work', 'work'] as const) await runSlice(runDeps, { ...claimed, phase });
    const kept = async () =>
      (
        await api.database.pool.query('select unit_id from consignment_units where consignment_id = $1', [
          decodeId('cons', id),
        ])
      ).rowCount;
    expect(await kept(), 'to be taken back').to.equal(3);
    const shown = async () => (await org.get(`/consignments/${id}/units`).expect(200)).body.data;
    expect(await shown(), 'of the list that is complete').to.have.length(1);
    for (let death = 0; death < 6; death += 1) {
      pass();
      expect(await claimJob(runDeps, jobId)).to.include({ phase: 'undo' });
    }
    pass();
    const failing = (await claimJob(runDeps, jobId))!;
    expect(await settleFailure(runDeps, failing, new Error('Postgres is away')), 'due').to.be.a('date');
    pass();
    const ended = await runBulkJob(api, org, body.id);
    expect(ended).to.deep.include({ status: 'failed', changed: 0 });
    expect(ended['error'].code).to.equal('UNITS_REFUSED');
    expect(await kept()).to.equal(1);
  });

  it('takes no receipt by a link that was taken away while it waited', async () => {
    const { units } = await org.mintUnits(2);
    const id = await draftOf(units);
    const { pathname } = new URL((await dispatch(id)).receiveUrl);
    const held = {
      text: 'select 1 from consignments where id = $1 for update',
      values: [decodeId('cons', id)],
    };
    await whileHeld(api.database.pool, held, async ({ waiting, release }) => {
      const revoked = org.post(`/consignments/${id}/revoke-link`).then(({ status }) => status);
      await waiting(1);
      const received = api
        .http()
        .post(`${pathname}/receive`)
        .send({ receivedCount: 0, name: 'x' })
        .then(({ status }) => status);
      await waiting(2);
      await release();
      expect([await revoked, await received]).to.deep.equal([200, 404]);
    });
    expect((await org.get(`/consignments/${id}`)).body).to.deep.include({
      status: 'dispatched',
      receipt: null,
    });
  });

  it('is not called off while a recall of it stands or is planned', async () => {
    const { units } = await org.mintUnits(1);
    const id = await draftOf(units);
    await dispatch(id);
    const startsAt = new Date(api.clock.now().getTime() + 3_600_000).toISOString();
    for (const recall of [{ startsAt }, {}]) {
      const { body } = await org.post('/recalls', { consignmentId: id, ...recall }).expect(201);
      expectProblem(await org.post(`/consignments/${id}/cancel`), 'CONFLICT');
      await org.post(`/recalls/${body.id}/lift`).expect(200);
    }
    await org.post(`/consignments/${id}/cancel`).expect(200);
  });

  it('takes no batch, as no bulk job does, whose units are being minted: it would miss some', async () => {
    const batch = await org.createBatch({ quantity: 2 });
    const job = await org.startJob(batch.id);
    const whole = { batchId: batch.id };
    const bulk = (action: string) => org.post('/product-units/bulk', { action, ...whole });
    expectProblem(await org.post('/consignments', { units: whole }), 'CONFLICT');
    const empty = (await org.post('/consignments', {}).expect(201)).body.id;
    expectProblem(await org.post(`/consignments/${empty}/units`, whole), 'CONFLICT');
    for (const action of ['activate', 'suspend']) expectProblem(await bulk(action), 'CONFLICT');
    await bulk('recall').expect(202);
    await bulk('lift-recall').expect(202);
    await runAllBulkJobs(api);
    await api.runJob(job.id);
    // Making the symbols of units again mints none.
    await org.startJob(batch.id);
    await bulk('activate').expect(202);
    await org.post(`/consignments/${empty}/units`, whole).expect(202);
    await runAllBulkJobs(api);
  });

  it('nor does a batch get units while something is done to each of those that it has', async () => {
    const batch = await org.createBatch({ quantity: 2 });
    await org.post('/product-units/bulk', { action: 'suspend', batchId: batch.id }).expect(202);
    expectProblem(await org.post(`/batches/${batch.id}/barcode-jobs`, {}), 'CONFLICT');
    await runAllBulkJobs(api);
    await org.startJob(batch.id);
  });

  it('takes no range of serials while sequential ones of it are being minted', async () => {
    const product = await org.createProduct();
    const minted = await org.createBatch({ productId: product.id, quantity: 1 });
    await api.runJob((await org.startJob(minted.id, sequential('N', 12))).id);
    const batch = await org.createBatch({ productId: product.id, quantity: 2 });
    const job = await org.startJob(batch.id, sequential('N', 10));
    const add = (from: string, to: string) =>
      org.post('/consignments', { units: { serials: { productId: product.id, from, to } } });
    for (const [from, to] of [
      ['N0011', 'N0012'],
      ['M', 'N0010'],
      ['N001', 'N002'],
    ] as const)
      expectProblem(await add(from, to), 'CONFLICT');
    await add('N0012', 'N0012').expect(201);
    await runAllBulkJobs(api);
    await api.runJob(job.id);
    // Making the symbols of units again mints none.
    await org.startJob(batch.id);
    await add('N0010', 'N0011').expect(201);
    await runAllBulkJobs(api);
  });

  it('nor while uploaded ones are', async () => {
    const product = await org.createProduct();
    const minted = await org.createBatch({ productId: product.id, quantity: 1 });
    await api.runJob((await org.startJob(minted.id, sequential('N', 12))).id);
    const batch = await org.createBatch({ productId: product.id, quantity: 2 });
    await org
      .post(`/batches/${batch.id}/serials`)
      .set('Content-Type', 'text/csv')
      .send('serial\nN0011\nP1\n')
      .expect(200);
    const job = await org.startJob(batch.id, { serials: { source: 'uploaded' } });
    const add = (from: string, to: string) =>
      org.post('/consignments', { units: { serials: { productId: product.id, from, to } } });
    for (const [from, to] of [
      ['N0010', 'N0011'],
      ['N0011', 'N0012'],
      ['O', 'Q'],
    ] as const)
      expectProblem(await add(from, to), 'CONFLICT');
    await add('N0012', 'N0013').expect(201);
    await runAllBulkJobs(api);
    await api.runJob(job.id);
    await add('N0011', 'N0011').expect(201);
    await runAllBulkJobs(api);
  });

  it('nor are serials of a range minted that is being added: some of them would be left out', async () => {
    const product = await org.createProduct();
    const minted = await org.createBatch({ productId: product.id, quantity: 1 });
    await api.runJob((await org.startJob(minted.id, sequential('N', 10))).id);
    const batch = await org.createBatch({ productId: product.id, quantity: 2 });
    const mint = (serials: object) => org.post(`/batches/${batch.id}/barcode-jobs`, serials);
    const add = (serials: object) => org.post('/consignments', { units: { serials } });
    await add({ productId: product.id, from: 'N0010', to: 'N0012' }).expect(201);
    expectProblem(await mint(sequential('N', 11)), 'CONFLICT');
    await mint(sequential('N', 13)).expect(202);
    await runAllBulkJobs(api);
  });

  it('and a range of them that are asked for at the same moment go to one of both', async () => {
    const product = await org.createProduct();
    const batch = await org.createBatch({ productId: product.id, quantity: 1 });
    const serials = {
      text: `select pg_advisory_xact_lock(hashtextextended('product-serials:' || $1, 0))`,
      values: [decodeId('prod', product.id)],
    };
    await whileHeld(api.database.pool, serials, async ({ waiting, release }) => {
      const range = { productId: product.id, from: 'N0010', to: 'N0012' };
      const answers = Promise.all([
        org.post('/consignments', { units: { serials: range } }),
        org.post(`/batches/${batch.id}/barcode-jobs`, sequential('N', 10)),
      ]);
      await waiting(2);
      await release();
      const statuses = (await answers).map(({ status }) => status);
      expect(statuses.filter((status) => status === 409)).to.have.length(1);
    });
    await runAllBulkJobs(api);
  });

  it('has no receipt by the link in the log as the change of whoever takes the link away at that moment', async () => {
    const { units } = await org.mintUnits(1);
    const id = await draftOf(units);
    const { receiveUrl } = await dispatch(id);
    const consignment = {
      text: 'select 1 from consignments where id = $1 for update',
      values: [decodeId('cons', id)],
    };
    await whileHeld(api.database.pool, consignment, async ({ waiting, release }) => {
      const received = api
        .http()
        .post(`${new URL(receiveUrl).pathname}/receive`)
        .send({ name: 'Distributor' })
        .then((reply) => reply);
      await waiting(1);
      const revoked = org.post(`/consignments/${id}/revoke-link`).then((reply) => reply);
      await waiting(2);
      await release();
      expect([(await received).status, (await revoked).body.status]).to.deep.equal([200, 'received']);
    });
    const { rows } = await api.database.pool.query<{ after: object }>(
      `select after from audit_log where resource = $1 and action = 'revokeConsignmentLink'`,
      [id],
    );
    expect(rows.map(({ after }) => Object.keys(after))).to.deep.equal([['linkExpiresAt']]);
  });
});
