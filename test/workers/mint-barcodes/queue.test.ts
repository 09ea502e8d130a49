import { renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { systemClock } from '../../../shared/clock.ts';
import { decodeId } from '../../../shared/ids.ts';
import { createMetrics } from '../../../shared/metrics.ts';
import { createRegistry } from '../../../workers/registry.ts';
import { runQueues, type RunningQueues } from '../../../workers/run-queues.ts';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';

/** Real queues and real workers in this process; `until` looks at the state again and again, for what has no event. */
/** How often a second may be missed: a machine that shares its processors may give a worker none for as long. */
const IN_VAIN = 2;

describe('barcode jobs on real queues', function () {
  this.timeout(120_000);
  let api: TestApi;
  let large: TestOrganization;
  let small: TestOrganization;
  let queues: RunningQueues;

  before(async () => {
    api = await createTestApi({
      env: { MINT_CHUNK_UNITS: '500', MINT_CONCURRENCY: '2', LOG_LEVEL: 'info' },
      deps: { clock: systemClock },
    });
    large = await api.createOrganization();
    small = await api.createOrganization();
    queues = runQueues(
      api.workerDeps,
      createRegistry(api.workerDeps),
      ['mint-barcodes'],
      createMetrics('test'),
    );
  });
  after(async () => {
    await queues.close();
    await api.close();
  });

  const read = async (org: TestOrganization, jobId: string) =>
    (await org.get(`/barcode-jobs/${jobId}`).expect(200)).body as {
      status: string;
      progress: { done: number; total: number };
      finishedAt: string | null;
    };
  const until = async (
    org: TestOrganization,
    jobId: string,
    holds: (job: Awaited<ReturnType<typeof read>>) => boolean,
  ) => {
    for (;;) {
      const job = await read(org, jobId);
      if (holds(job)) return job;
      if (job.status === 'failed') throw new Error(JSON.stringify(job));
      await sleep(5);
    }
  };
  const ended = (job: { finishedAt: string | null }) => job.finishedAt !== null;

  it('a job of ten million does not hold up another organization’s hundred', async () => {
    const { id: batchId } = await large.createBatch({ quantity: 10_000_000 });
    const huge = await large.startJob(batchId);
    await until(large, huge.id, ({ progress }) => progress.done >= 2_000);
    const before = (await read(large, huge.id)).progress.done;
    const hundred = await small.startJob((await small.createBatch({ quantity: 100 })).id);
    const done = await until(small, hundred.id, ended);
    expect(done).to.deep.include({ status: 'completed', progress: { done: 100, total: 100 } });
    const after = (await read(large, huge.id)).progress.done;
    // The small job has two chunks; each waits at most for one round of the large one's eight slots.
    expect(after - before).to.be.lessThan(3 * 8 * 500);
    await large.post(`/barcode-jobs/${huge.id}/cancel`).expect(200);
  });

  it('a cancelled job stops within a second and leaves whole chunks, also of slow symbols', async function () {
    this.retries(IN_VAIN);
    const { id: batchId } = await large.createBatch({ quantity: 20_000 });
    const job = await large.startJob(batchId, { symbology: 'code128', scale: 2 });
    await until(large, job.id, ({ progress }) => progress.done > 0);
    await large.post(`/barcode-jobs/${job.id}/cancel`).expect(200);
    const cancelledAt = Date.now();
    const held = async () =>
      (
        await api.database.pool.query<{ active: number }>(
          `select count(*)::integer as active from barcode_job_chunks
            where job_id = $1 and state = 'pending' and lease_until > now()`,
          [decodeId('job', job.id)],
        )
      ).rows[0]!.active;
    // A worker that is at it hears of the cancellation with its next sign of life and then gives up: no unit follows.
    await api.deps.queues['mint-barcodes'].getActiveCount();
    while ((await api.deps.queues['mint-barcodes'].getActiveCount()) > 0) await sleep(10);
    expect(Date.now() - cancelledAt).to.be.lessThan(1_000);
    expect(await held()).to.be.greaterThan(0);
    const { progress } = await read(large, job.id);
    const { rows } = await api.database.pool.query<{ units: number }>(
      'select count(*)::integer as units from product_units where batch_id = $1',
      [decodeId('batch', batchId)],
    );
    expect(progress.done % 500).to.equal(0);
    expect(rows[0]!.units).to.equal(progress.done);
  });

  it('a job goes on by its own wake-ups when the storage is back, without a sweep', async () => {
    const folder = path.join(api.deps.config.STORAGE_DIR, 'jobs');
    renameSync(folder, `${folder}-away`);
    writeFileSync(folder, 'no folder');
    const job = await small.startJob((await small.createBatch({ quantity: 4_000 })).id);
    const failures = async () => {
      const { rows } = await api.database.pool.query<{ storage_failures: number }>(
        'select storage_failures from barcode_jobs where id = $1',
        [decodeId('job', job.id)],
      );
      return rows[0]!.storage_failures;
    };
    await eventually('a second try', async () => (await failures()) >= 2);
    rmSync(folder);
    renameSync(`${folder}-away`, folder);
    const done = await until(small, job.id, ended);
    expect(done).to.deep.include({ status: 'completed', progress: { done: 4_000, total: 4_000 } });
  });

  it('progress moves at least once a second within a chunk of slow symbols', async function () {
    this.retries(IN_VAIN);
    const { id: batchId } = await small.createBatch({ quantity: 2_000 });
    const job = await small.startJob(batchId, { symbology: 'code128', scale: 2 });
    await until(small, job.id, ({ status }) => status === 'running');
    let since = Date.now();
    let longest = 0;
    let last = 0;
    await until(small, job.id, (now) => {
      if (now.progress.done > last) {
        longest = Math.max(longest, Date.now() - since);
        since = Date.now();
        last = now.progress.done;
      }
      return ended(now) || now.progress.done > 700;
    });
    expect(longest).to.be.lessThan(1_000);
    await small.post(`/barcode-jobs/${job.id}/cancel`);
  });
});
