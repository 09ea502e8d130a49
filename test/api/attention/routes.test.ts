import { expect } from 'chai';
import { decodeId } from '../../../shared/ids.ts';
import { runBulkJobs } from '../../../workers/run-bulk-jobs/processor.ts';
import { runAllBulkJobs } from '../../support/bulk-jobs.ts';
import { createTestApi, type TestApi, type TestOrganization, type TestUnit } from '../../support/api.ts';

const DAY_MS = 86_400_000;

describe('GET /api/v1/attention', () => {
  let api: TestApi;
  let org: TestOrganization;
  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
  });
  after(() => api.close());

  const attention = async (key = org.key) =>
    (await api.http().get('/api/v1/attention').set('X-Api-Key', key).expect(200)).body;

  it('has nothing to say about a quiet organization', async () => {
    const quiet = await api.createOrganization();
    const none = { count: 0, hasMore: false, top: [] };
    expect(await attention(quiet.key)).to.deep.equal({
      cases: none,
      thresholds: none,
      reports: none,
      endpoints: none,
      barcodeJobs: none,
      bulkJobs: none,
      receipts: none,
      consignments: none,
    });
  });

  it('tells what waits, and forgets what is done', async () => {
    const { units, batchId } = await org.mintUnits(7);
    for (const unit of units.slice(0, 6))
      for (const from of ['141.20.1.1', '133.11.0.1']) await api.verify(unit.token, from).expect(200);
    await api.score();
    const report = await api
      .http()
      .post(`/v/${units[0]!.token}/reports`)
      .send({ description: 'Odd smell' })
      .expect(201);
    const endpoint = await org.createEndpoint();
    await api.database.pool.query(
      `update webhook_endpoints set circuit = circuit || '{"failingSince": 1767225600000}' where id = $1`,
      [decodeId('whep', endpoint.id)],
    );
    const job = await org.startJob(batchId, {});
    const consignment = await org.post('/consignments', { units: { unitIds: [units[6]!.id] } }).expect(201);
    const { body: bulk } = await org.get('/bulk-jobs').expect(200);
    expect((await attention()).bulkJobs.top[0]).to.include({
      id: bulk.data[0].id,
      action: 'consign',
      batchId: null,
      consignmentId: consignment.body.id,
    });
    await runBulkJobs(api.workerDeps)({ jobId: decodeId('bulk', bulk.data[0].id)! });
    await org.post(`/consignments/${consignment.body.id}/dispatch`).expect(200);
    expect((await attention()).consignments.count).to.equal(0);
    api.clock.advance(15 * DAY_MS);

    const waiting = await attention();
    expect(waiting.cases.count).to.equal(6);
    expect(waiting.cases.top).to.have.length(5);
    expect(waiting.cases.top[0]).to.include({ status: 'open', productName: 'Olive oil' });
    expect(waiting.reports.top).to.have.length(1);
    expect(waiting.reports.top[0]).to.include({
      id: report.body.reportId,
      excerpt: 'Odd smell',
      photoCount: 0,
    });
    expect(waiting.endpoints.top[0]).to.include({ id: endpoint.id, state: 'closed' });
    expect(waiting.endpoints.top[0].failingSince).to.equal('2026-01-01T00:00:00.000Z');
    expect(waiting.barcodeJobs.top[0]).to.include({ id: job.id, status: 'queued', batchId });
    expect(waiting.bulkJobs.count).to.equal(0);
    expect(waiting.consignments.top[0]).to.include({ id: consignment.body.id, unitCount: 1 });

    const { body: undecided } = await org.get('/risk-cases?undecided=true').expect(200);
    expect(undecided.data).to.have.length(waiting.cases.count);
    const [closed, kept] = undecided.data;
    await org.patch(`/risk-cases/${closed.id}`, { status: 'dismissed', closingReason: 'resold' }).expect(200);
    await org.patch(`/risk-cases/${kept.id}`, { status: 'investigating' }).expect(200);
    const { body: left } = await org.get('/risk-cases?undecided=true').expect(200);
    expect(left.data.map(({ id }: { id: string }) => id))
      .to.include(kept.id)
      .and.not.include(closed.id);
    expect((await attention()).cases.count).to.equal(left.data.length);

    await org.patch(`/counterfeit-reports/${report.body.reportId}`, { status: 'investigating' }).expect(200);
    await org.post(`/barcode-jobs/${job.id}/cancel`).expect(200);
    await org.post(`/consignments/${consignment.body.id}/recall`).expect(200);
    expect((await org.get('/consignments?overdue=true').expect(200)).body.data).to.deep.equal([]);
    expect((await attention()).consignments).to.deep.include({ count: 0, top: [] });
    await org.post(`/consignments/${consignment.body.id}/lift-recall`).expect(200);
    expect((await attention()).consignments.count).to.equal(1);
    await org.post(`/consignments/${consignment.body.id}/receive`, {}).expect(200);
    const after = await attention();
    expect([after.reports.count, after.barcodeJobs.count, after.consignments.count]).to.deep.equal([0, 0, 0]);
  });

  it('counts the jobs that their list finds, and leads from a bulk job to its batch', async () => {
    const busy = await api.createOrganization();
    const { batchId, jobId } = await busy.mintUnits(2);
    const ofList = async () =>
      (await busy.get('/barcode-jobs?needsAttention=true').expect(200)).body.data.map(
        (job: { id: string }) => job.id,
      );
    expect(await ofList()).to.deep.equal([]);
    await api.database.pool.query(`update barcode_jobs set status = 'failed' where id = $1`, [
      decodeId('job', jobId),
    ]);
    const { body: bulk } = await busy.post('/product-units/bulk', { action: 'suspend', batchId }).expect(202);
    const open = await busy.startJob(batchId, {});
    expect(await ofList()).to.deep.equal([open.id, jobId]);
    const waiting = await attention(busy.key);
    expect(waiting.barcodeJobs.count).to.equal(2);
    expect(waiting.bulkJobs.top[0]).to.include({ id: bulk.id, batchId, consignmentId: null });
    api.clock.advance(8 * DAY_MS);
    expect(await ofList()).to.deep.equal([open.id]);
    expect((await attention(busy.key)).barcodeJobs.count).to.equal(1);
  });

  it('tells of a job that failed lately, however long ago it was made', async () => {
    const slow = await api.createOrganization();
    const { batchId, jobId } = await slow.mintUnits(1);
    const { body: bulk } = await slow.post('/product-units/bulk', { action: 'suspend', batchId }).expect(202);
    // Ids tell the time of this machine and not of the test.
    api.clock.advance(Date.now() - api.clock.now().getTime() + 30 * DAY_MS);
    const failedAt = api.clock.now();
    for (const [table, id] of [
      ['barcode_jobs', decodeId('job', jobId)],
      ['bulk_jobs', decodeId('bulk', bulk.id)],
    ])
      await api.database.pool.query(`update ${table} set status = 'failed', finished_at = $2 where id = $1`, [
        id,
        failedAt,
      ]);
    const { barcodeJobs, bulkJobs } = await attention(slow.key);
    expect([barcodeJobs.count, bulkJobs.count]).to.deep.equal([1, 1]);
    const { body } = await slow.get('/barcode-jobs?needsAttention=true').expect(200);
    expect(body.data.map(({ id }: { id: string }) => id)).to.deep.equal([jobId]);
  });

  it('tells how far a barcode job came as the job does, also where parts were under way when it failed', async () => {
    const other = await api.createOrganization();
    const { id } = await other.startJob((await other.createBatch({ quantity: 3 })).id);
    const jobId = decodeId('job', id);
    await api.database.pool.query(
      `update barcode_job_chunks set rendered = 2 where job_id = $1 and kind = 'units'`,
      [jobId],
    );
    const told = async () => ({
      here: (await attention(other.key)).barcodeJobs.top[0].progress.done,
      job: (await other.get(`/barcode-jobs/${id}`).expect(200)).body.progress.done,
    });
    expect(await told()).to.deep.equal({ here: 2, job: 2 });
    await api.database.pool.query(
      `update barcode_jobs set status = 'failed', finished_at = $2 where id = $1`,
      [jobId, api.clock.now()],
    );
    expect(await told()).to.deep.equal({ here: 0, job: 0 });
  });

  it('tells of receipts that are not as was sent, as their list finds them, until two weeks have gone', async () => {
    const other = await api.createOrganization();
    const receive = async (receiptOf: (units: TestUnit[]) => object) => {
      const { units } = await other.mintUnits(2);
      const body = { units: { unitIds: units.map(({ id }) => id) } };
      const { id } = (await other.post('/consignments', body).expect(201)).body;
      await runAllBulkJobs(api);
      await other.post(`/consignments/${id}/dispatch`).expect(200);
      await other.post(`/consignments/${id}/receive`, receiptOf(units)).expect(200);
      api.clock.advance(DAY_MS);
      return id as string;
    };
    const missing = await receive(() => ({ receivedCount: 1 }));
    await receive(() => ({}));
    await receive(() => ({ receivedCount: 2 }));
    const surplus = await receive(() => ({ receivedCount: 3 }));
    const damaged = await receive(([unit]) => ({ damaged: [unit!.serial] }));
    const ofList = async (query = 'hasDiscrepancy=true&receivedWithinDays=14') =>
      (await other.get(`/consignments?${query}`).expect(200)).body.data.map(
        ({ id }: { id: string }) => id,
      ) as string[];
    const waiting = (await attention(other.key)).receipts;
    expect(waiting.count).to.equal(3);
    expect(waiting.top.map(({ id }: { id: string }) => id)).to.deep.equal([damaged, surplus, missing]);
    expect(waiting.top[1]).to.include({ unitCount: 2, missingCount: 0, damagedCount: 0, counted: 3 });
    expect(await ofList()).to.deep.equal([damaged, surplus, missing]);
    expect(await ofList('receivedWithinDays=14')).to.have.length(5);
    // A recall makes nothing of what is missing.
    await other.post(`/consignments/${missing}/recall`).expect(200);
    expect((await attention(other.key)).receipts.count).to.equal(3);
    api.clock.advance(10 * DAY_MS);
    expect((await attention(other.key)).receipts.count).to.equal(2);
    expect(await ofList()).to.deep.equal([damaged, surplus]);
    expect(await ofList('hasDiscrepancy=true')).to.deep.equal([damaged, surplus, missing]);
    for (const days of ['0', '366', 'x', ''])
      await other.get(`/consignments?receivedWithinDays=${days}`).expect(422);
  });

  it('counts to a thousand, and says where there are more', async () => {
    const crowd = await api.createOrganization();
    const add = (count: number) =>
      api.database.pool.query(
        `insert into consignments (id, org_id, status, created_at, dispatched_at)
         select gen_random_uuid(), $1, 'dispatched', $2, $2 from generate_series(1, $3::integer)`,
        [crowd.uuid, new Date(api.clock.now().getTime() - 20 * DAY_MS), count],
      );
    await add(1_000);
    expect((await attention(crowd.key)).consignments).to.include({ count: 1_000, hasMore: false });
    await add(1);
    expect((await attention(crowd.key)).consignments).to.include({ count: 1_000, hasMore: true });
  });

  it('shows each caller what it may see, and of its own organization alone', async () => {
    const reader = await attention(await org.createKey('scans.read'));
    expect(
      Object.entries(reader)
        .filter(([, section]) => section !== null)
        .map(([name]) => name),
    ).to.deep.equal(['cases']);
    const stranger = await api.createOrganization();
    expect((await attention(stranger.key)).cases.count).to.equal(0);
  });
});
