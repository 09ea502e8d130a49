import { expect } from 'chai';
import { countRows, createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';
import { expectProblem } from '../../support/problem.ts';

describe('barcode jobs', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
  });
  after(() => api.close());

  it('accepts a job, says where to poll it, and wakes the workers after the commit', async () => {
    const batch = await org.createBatch();
    const { body, headers } = await org
      .post(`/batches/${batch.id}/barcode-jobs`, {
        symbology: 'qr',
        formats: ['png', 'svg'],
        scale: 2,
        activate: true,
      })
      .expect(202);
    expect(headers['location']).to.equal(`/api/v1/barcode-jobs/${body.id}`);
    expect(headers['retry-after']).to.equal('1');
    expect(body).to.deep.include({
      batchId: batch.id,
      status: 'queued',
      formats: ['png', 'svg'],
      scale: 2,
      activate: true,
      progress: { done: 0, total: 3 },
      artifacts: [],
      error: null,
      startedAt: null,
      finishedAt: null,
    });
    const waiting = await api.deps.queues['mint-barcodes'].getWaiting();
    expect(waiting).to.have.length(8);
    const poll = await org.get(`/barcode-jobs/${body.id}`).expect(200);
    expect(poll.headers['retry-after']).to.equal('1');
    expect(poll.body).to.deep.equal(body);
  });

  it('runs without a body, with the defaults', async () => {
    const batch = await org.createBatch();
    const { body } = await org.post(`/batches/${batch.id}/barcode-jobs`).expect(202);
    expect(body).to.deep.include({ symbology: 'qr', formats: ['png'], scale: 4, activate: false });
  });

  it('shows a finished job with its artifacts, and asks no more to wait', async () => {
    const { jobId, batchId } = await org.mintUnits(5);
    const { body, headers } = await org.get(`/barcode-jobs/${jobId}`).expect(200);
    expect(headers).not.to.have.property('retry-after');
    expect(body).to.deep.include({ status: 'completed', progress: { done: 5, total: 5 }, error: null });
    expect(body.artifacts.map((one: { kind: string }) => one.kind)).to.include.members([
      'images',
      'codes',
      'codes',
      'manifest',
    ]);
    for (const artifact of body.artifacts) {
      expect(artifact.bytes).to.be.greaterThan(0);
      expect(artifact.sha256).to.match(/^[0-9a-f]{64}$/);
      expect(artifact.url).to.match(/^https:\/\/verify\.example\.com\/artifacts\/job_/);
    }
    expect((await org.get(`/batches/${batchId}`)).body.mintedCount).to.equal(5);
  });

  it('refuses a second job while one is open', async () => {
    const batch = await org.createBatch();
    await org.startJob(batch.id);
    const before = await countRows(api.database);
    expectProblem(await org.post(`/batches/${batch.id}/barcode-jobs`), 'CONFLICT');
    expect(await countRows(api.database)).to.deep.equal(before);
  });

  it('lets one of two jobs started at once through', async () => {
    const batch = await org.createBatch();
    const answers = await Promise.all([1, 2, 3].map(() => org.post(`/batches/${batch.id}/barcode-jobs`)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).to.deep.equal([202, 409, 409]);
  });

  it('cancels an open job, repeats as a success, and lets a new one start', async () => {
    const batch = await org.createBatch();
    const job = await org.startJob(batch.id);
    const { body } = await org.post(`/barcode-jobs/${job.id}/cancel`).expect(200);
    expect(body).to.include({ status: 'cancelled', finishedAt: api.clock.now().toISOString() });
    expect(body.artifactsExpireAt, 'there are none').to.equal(null);
    api.clock.advance(1000);
    expect((await org.post(`/barcode-jobs/${job.id}/cancel`).expect(200)).body).to.deep.equal(body);
    await org.startJob(batch.id);
  });

  it('refuses to cancel a finished job, naming both states', async () => {
    const { jobId } = await org.mintUnits();
    const problem = expectProblem(await org.post(`/barcode-jobs/${jobId}/cancel`), 'INVALID_TRANSITION');
    expect(problem).to.include({ from: 'completed', to: 'cancelled' });
  });

  it('refuses unknown symbologies, formats and scales', async () => {
    const batch = await org.createBatch();
    const before = await countRows(api.database);
    for (const body of [
      { symbology: 'runes' },
      { formats: [] },
      { formats: ['png', 'png'] },
      { formats: ['gif'] },
      { scale: 0 },
      { scale: 33 },
      { activate: 'yes' },
      { status: 'completed' },
      { total: 1 },
    ]) {
      expectProblem(await org.post(`/batches/${batch.id}/barcode-jobs`, body), 'VALIDATION_FAILED');
    }
    expect(await countRows(api.database)).to.deep.equal(before);
  });

  it('lists by batch and status', async () => {
    const { jobId, batchId } = await org.mintUnits();
    const ids = async (query: string) =>
      (await org.get(`/barcode-jobs?${query}`).expect(200)).body.data.map((one: { id: string }) => one.id);
    expect(await ids(`batchId=${batchId}`)).to.deep.equal([jobId]);
    expect(await ids(`batchId=${batchId}&status=queued`)).to.deep.equal([]);
    const { body } = await org.get('/barcode-jobs?status=completed').expect(200);
    expect(body.data[0].artifacts.length).to.be.at.least(3);
  });
});
