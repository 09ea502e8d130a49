import { expect } from 'chai';
import {
  claimNextChunk,
  returnChunk,
  settleFailure,
  type ChunkDeps,
} from '../../../shared/barcode-jobs/chunks.ts';
import type { Storage } from '../../../shared/storage/storage.ts';
import { decodeId } from '../../../shared/ids.ts';
import { mintBarcodes } from '../../../workers/mint-barcodes/processor.ts';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';
import { codesOf, fetchArtifacts } from '../../support/artifacts.ts';
import { runBulkJob } from '../../support/bulk-jobs.ts';
import { whileHeld } from '../../support/held-row.ts';
import { expectProblem } from '../../support/problem.ts';

describe('a barcode job that fails', () => {
  let api: TestApi;
  let org: TestOrganization;
  let storage: Storage;

  before(async () => {
    api = await createTestApi({ env: { MINT_CHUNK_UNITS: '2' } });
    org = await api.createOrganization();
    ({ storage } = api.workerDeps);
  });
  afterEach(() => {
    api.workerDeps.storage = storage;
  });
  after(() => api.close());

  /** A disk with room for some objects; then it fills in the middle of one. */
  const fillAfter = (objects: number) => {
    let left = objects;
    api.workerDeps.storage = {
      ...storage,
      put: (key, source) =>
        storage.put(
          key,
          (async function* () {
            for await (const block of source) {
              if (left <= 0)
                throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
              yield block;
            }
            left -= 1;
          })(),
        ),
    };
  };
  const runToTheEnd = async (jobId: string) => {
    // As often as the storage is tried, and once more.
    for (let attempt = 0; attempt < 21; attempt++) {
      await api.runJob(jobId);
      api.clock.advance(60_000);
    }
  };
  const eventsOf = async (jobId: string) =>
    (await org.get('/events?limit=200').expect(200)).body.data.filter(
      (event: { type: string; data: { jobId?: string } }) => event.data.jobId === jobId,
    );
  const failedJob = async (quantity = 6, request: Record<string, unknown> = {}) => {
    const batch = await org.createBatch({ quantity });
    const job = await org.startJob(batch.id, request);
    fillAfter(4);
    await runToTheEnd(job.id);
    return { jobId: job.id, batchId: batch.id, productId: batch.productId };
  };

  it('says why and what to do, once, and keeps whole chunks', async () => {
    const { jobId, batchId } = await failedJob();
    const { body } = await org.get(`/barcode-jobs/${jobId}`).expect(200);
    expect(body).to.deep.include({ status: 'failed', artifacts: [], progress: { done: 2, total: 6 } });
    expect(body.error.code).to.equal('STORAGE_FULL');
    expect(body.error.message).to.match(/Retry the job when the operator has made room/);
    expect((await org.get(`/batches/${batchId}`)).body.mintedCount).to.equal(2);
    const events = await eventsOf(jobId);
    expect(events.map((event: { type: string }) => event.type)).to.deep.equal(['barcode_job.failed']);
    expect(events[0].data).to.deep.include({ done: 2, total: 6, error: body.error });
    const late = await org.post(`/barcode-jobs/${jobId}/cancel`);
    expect(expectProblem(late, 'INVALID_TRANSITION')).to.include({ from: 'failed', to: 'cancelled' });
    expect((await org.get(`/barcode-jobs/${jobId}`).expect(200)).body).to.deep.equal(body);
  });

  it('goes on where it stopped when it is retried, with the same units', async () => {
    const { jobId, batchId } = await failedJob();
    const kept = (await org.get(`/product-units?batchId=${batchId}`)).body.data.map(
      (unit: { id: string }) => unit.id,
    );
    api.workerDeps.storage = storage;
    const { body, headers } = await org.post(`/barcode-jobs/${jobId}/retry`).expect(202);
    expect(headers['location']).to.equal(`/api/v1/barcode-jobs/${jobId}`);
    expect(body).to.deep.include({ status: 'queued', error: null, finishedAt: null });
    expect(body.startedAt).to.be.a('string');
    await api.runJob(jobId);
    expect((await org.get(`/barcode-jobs/${jobId}`)).body.startedAt).to.equal(body.startedAt);
    const codes = codesOf(await fetchArtifacts(api, org, jobId));
    expect(codes).to.have.length(6);
    expect(codes.map(({ unitId }) => unitId)).to.include.members(kept);
    const events = await eventsOf(jobId);
    expect(events.map((event: { type: string }) => event.type)).to.deep.equal([
      'barcode_job.completed',
      'barcode_job.failed',
    ]);
    expect(events[0].data).to.deep.include({ done: 6, total: 6 });
    expect(events[0].data.durationMs).to.be.a('number');
    expect(events[0].data.artifacts.map((one: { url: string }) => one.url)).to.have.length(6);
  });

  it('is left alone by a retry while it is open, and cannot be retried when it has ended otherwise', async () => {
    const batch = await org.createBatch();
    const open = await org.startJob(batch.id);
    expect((await org.post(`/barcode-jobs/${open.id}/retry`).expect(202)).body).to.deep.equal(open);
    await org.post(`/barcode-jobs/${open.id}/cancel`).expect(200);
    expect(expectProblem(await org.post(`/barcode-jobs/${open.id}/retry`), 'INVALID_TRANSITION')).to.include({
      from: 'cancelled',
      to: 'queued',
    });
    const { jobId } = await org.mintUnits();
    expectProblem(await org.post(`/barcode-jobs/${jobId}/retry`), 'INVALID_TRANSITION');
  });

  it('has each part tried at once and anew, and no more by who was at it before', async () => {
    const { id } = await org.startJob((await org.createBatch({ quantity: 6 })).id);
    const deps: ChunkDeps = { ...api.workerDeps, publicUrl: '', leaseSeconds: 60, linkSeconds: 60 };
    const claim = async () => (await claimNextChunk(deps, decodeId('job', id)!))!;
    const [waiting, working, last] = [await claim(), await claim(), await claim()];
    const failure = { code: 'DATABASE_FULL', message: 'full' };
    expect(await settleFailure(deps, waiting, { ...failure, retry: 'soon' })).to.equal(false);
    expect(await settleFailure(deps, last, { ...failure, retry: 'never' })).to.equal(true);
    expect((await org.get(`/barcode-jobs/${id}`)).body.status).to.equal('failed');
    await org.post(`/barcode-jobs/${id}/retry`).expect(202);
    const again = [await claim(), await claim(), await claim()];
    expect(again.map(({ index, attempts }) => ({ index, attempts }))).to.deep.equal(
      [0, 1, 2].map((index) => ({ index, attempts: 1 })),
    );
    for (const retry of ['soon', 'never'] as const)
      expect(await settleFailure(deps, working, { ...failure, retry })).to.equal(false);
    await returnChunk(deps, working);
    expect((await org.get(`/barcode-jobs/${id}`)).body).to.include({ status: 'running', error: null });
    expect(await claimNextChunk(deps, decodeId('job', id)!), 'the others’').to.equal(null);
    for (const chunk of again) await returnChunk(deps, chunk);
    await api.runJob(id);
    expect((await org.get(`/barcode-jobs/${id}`)).body.status).to.equal('completed');
  });

  it('waits while another job of the batch is open', async () => {
    const { jobId, batchId } = await failedJob();
    api.workerDeps.storage = storage;
    const other = await org.startJob(batchId);
    expectProblem(await org.post(`/barcode-jobs/${jobId}/retry`), 'CONFLICT');
    await api.runJob(other.id);
    await org.post(`/barcode-jobs/${jobId}/retry`).expect(202);
  });

  it('waits while something is done to each unit of the batch, which would miss those to come', async () => {
    const { jobId, batchId } = await failedJob();
    const { body } = await org.post('/product-units/bulk', { action: 'activate', batchId });
    expect(expectProblem(await org.post(`/barcode-jobs/${jobId}/retry`), 'CONFLICT').detail).to.include(
      'units of this batch are being activated',
    );
    await runBulkJob(api, org, body.id);
    await org.post(`/barcode-jobs/${jobId}/retry`).expect(202);
  });

  it('waits while a range of serials is added to a consignment in which those to come lie', async () => {
    const serials = { source: 'sequential', prefix: 'R', first: 1, digits: 3 };
    const { jobId, productId } = await failedJob(6, { serials });
    const units = { serials: { productId, from: 'R001', to: 'R006' } };
    const { id } = (await org.post('/consignments', { units }).expect(201)).body;
    const { data } = (await org.get(`/bulk-jobs?consignmentId=${id}`)).body;
    expect(expectProblem(await org.post(`/barcode-jobs/${jobId}/retry`), 'CONFLICT').detail).to.include(
      'is being added to a consignment',
    );
    await runBulkJob(api, org, data[0].id);
    await org.post(`/barcode-jobs/${jobId}/retry`).expect(202);
  });

  it('that is cancelled has in the log what that changed, and not what a worker has made at that moment', async () => {
    const batch = await org.createBatch({ quantity: 6 });
    const { id: jobId } = await org.startJob(batch.id);
    const id = decodeId('job', jobId)!;
    const mint = () => mintBarcodes(api.workerDeps)({ jobId: id, slot: 1 });
    await mint();
    const job = { text: 'select 1 from barcode_jobs where id = $1 for update', values: [id] };
    await whileHeld(api.database.pool, job, async ({ waiting, release }) => {
      const minted = mint();
      await waiting(1);
      const cancelled = org.post(`/barcode-jobs/${jobId}/cancel`).then((reply) => reply);
      await waiting(2);
      await release();
      await minted;
      expect((await cancelled).body).to.deep.include({
        status: 'cancelled',
        progress: { done: 4, total: 6 },
      });
    });
    const { rows } = await api.database.pool.query<{ after: object }>(
      `select after from audit_log where resource = $1 and action = 'cancelBarcodeJob'`,
      [jobId],
    );
    expect(rows.map(({ after }) => Object.keys(after).toSorted())).to.deep.equal([['finishedAt', 'status']]);
  });

  it('is not taken up again where its artifacts expire at that moment', async () => {
    const { jobId } = await failedJob();
    const id = decodeId('job', jobId);
    const job = { text: 'select 1 from barcode_jobs where id = $1 for update', values: [id] };
    await whileHeld(api.database.pool, job, async ({ holder, waiting, release }) => {
      const retried = org.post(`/barcode-jobs/${jobId}/retry`).then((response) => response);
      await waiting(1);
      await holder.query('update barcode_jobs set artifacts_expired_at = $2 where id = $1', [
        id,
        api.clock.now(),
      ]);
      await release();
      const { detail } = expectProblem(await retried, 'CONFLICT');
      expect(detail).to.include('expired');
    });
  });

  it('is not taken up again where its symbols would name units by a GTIN that the product has no more', async () => {
    const failedWith = async (symbology: string) => {
      const { id: productId } = await org.createProduct({ gtin: '4006381333931' });
      const batch = await org.createBatch({ productId });
      const job = await org.startJob(batch.id, { symbology });
      fillAfter(0);
      await runToTheEnd(job.id);
      await org.patch(`/products/${productId}`, { gtin: '5901234123457' }).expect(200);
      return org.post(`/barcode-jobs/${job.id}/retry`);
    };
    expect(expectProblem(await failedWith('gs1-digital-link'), 'CONFLICT').detail).to.include('GTIN');
    expect((await failedWith('qr')).status).to.equal(202);
  });

  /** Fails before it mints anything. */
  const failAtOnce = async (batchId: string, fields: Record<string, unknown> = {}) => {
    const job = await org.startJob(batchId, fields);
    fillAfter(0);
    await runToTheEnd(job.id);
    api.workerDeps.storage = storage;
    expect((await org.get(`/barcode-jobs/${job.id}`)).body).to.include({ status: 'failed' });
    return job.id;
  };
  const mintOnePartOf = async (jobId: string) => {
    await mintBarcodes(api.workerDeps)({ jobId: decodeId('job', jobId)!, slot: 1 });
    await org.post(`/barcode-jobs/${jobId}/cancel`).expect(200);
  };
  const sequential = { serials: { source: 'sequential', prefix: 'Q', first: 1, digits: 4 } };
  const random = { serials: { source: 'random' } };

  it('is not taken up again where its serials were uploaded anew: a new job takes those', async () => {
    const batch = await org.createBatch({ quantity: 2 });
    const upload = (text: string) =>
      org.post(`/batches/${batch.id}/serials`).set('Content-Type', 'text/csv').send(text).expect(200);
    await upload('B1\nB2');
    const failed = await failAtOnce(batch.id);
    await upload('C1\nC2');
    const { detail } = expectProblem(await org.post(`/barcode-jobs/${failed}/retry`), 'CONFLICT');
    expect(detail).to.include('start a new job');
    const job = await org.startJob(batch.id);
    await api.runJob(job.id);
    const codes = codesOf(await fetchArtifacts(api, org, job.id));
    expect(codes.map(({ serial }) => serial)).to.deep.equal(['C1', 'C2']);
  });

  it('is not taken up again where units have other serials meanwhile', async () => {
    const batch = await org.createBatch({ quantity: 6 });
    const failed = await failAtOnce(batch.id, sequential);
    await mintOnePartOf((await org.startJob(batch.id, random)).id);
    const { detail } = expectProblem(await org.post(`/barcode-jobs/${failed}/retry`), 'CONFLICT');
    expect(detail).to.include('random').and.to.include('start a new job');
  });

  it('decides nothing about serials where it minted nothing', async () => {
    const batch = await org.createBatch({ quantity: 6 });
    const first = await failAtOnce(batch.id, random);
    await failAtOnce(batch.id, sequential);
    await org.post(`/barcode-jobs/${first}/retry`).expect(202);
    await mintOnePartOf(first);
    expect((await org.startJob(batch.id))['serials']).to.deep.equal({ source: 'random' });
  });

  it('fails at once, and for good, where another batch took its serials', async () => {
    const product = await org.createProduct();
    const first = await org.createBatch({ productId: product.id, quantity: 1 });
    await api.runJob((await org.startJob(first.id)).id);
    const second = await org.createBatch({ productId: product.id, quantity: 2 });
    const list = org.post(`/batches/${second.id}/serials`).set('Content-Type', 'text/csv');
    await list.send('A1\nA2').expect(200);
    const two = await org.startJob(second.id);
    // Behind the service's back: what it knows of it refuses.
    await api.database.pool.query(`update product_units set serial = 'A1' where batch_id = $1`, [
      decodeId('batch', first.id),
    ]);
    await api.runJob(two.id);
    const { body } = await org.get(`/barcode-jobs/${two.id}`);
    expect(body).to.deep.include({ status: 'failed' });
    expect(body.error.code).to.equal('SERIAL_TAKEN');
    expect((await org.get(`/batches/${second.id}`)).body.mintedCount).to.equal(0);
  });
});
