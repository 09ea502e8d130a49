import { expect } from 'chai';
import { rollUp } from '../../../shared/analytics/service.ts';
import { decodeId } from '../../../shared/ids.ts';
import { parseToken } from '../../../shared/units/token.ts';
import type { Storage } from '../../../shared/storage/storage.ts';
import type { WorkerDeps } from '../../../workers/deps.ts';
import { mintBarcodes } from '../../../workers/mint-barcodes/processor.ts';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';

/** Three chunks of units and the last one, which assembles. */
const QUANTITY = 7;
const CHUNK = 3;

describe('minting', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
  });
  after(() => api.close());

  /** A job cut into small chunks, whatever the size that the service would choose. */
  const startJob = async (
    fields = {},
  ): Promise<{ id: string; uuid: string; batchId: string; batch: string }> => {
    const batch = await org.createBatch({ quantity: QUANTITY });
    const job = await org.startJob(batch.id, { activate: true, ...fields });
    const uuid = decodeId('job', job.id)!;
    await cut(uuid);
    return { id: job.id, uuid, batchId: decodeId('batch', batch.id)!, batch: batch.id };
  };
  const cut = async (job: string) => {
    const { pool } = api.database;
    await pool.query('delete from barcode_job_chunks where job_id = $1', [job]);
    await pool.query(
      `insert into barcode_job_chunks (job_id, index, kind, first_ordinal, units, due_at)
       select $1::uuid, n / 3, 'units', n, least(${CHUNK}, ${QUANTITY} - n), $2::timestamptz from generate_series(0, ${QUANTITY - 1}, ${CHUNK}) n
       union all select $1::uuid, 3, 'assemble', ${QUANTITY}, 0, $2::timestamptz`,
      [job, api.clock.now()],
    );
  };
  const mint = (deps = api.workerDeps) => mintBarcodes(deps);
  const units = async (batchId: string) =>
    (
      await api.database.pool.query<{ ordinal: number; code: Buffer; serial: string; status: string }>(
        'select ordinal, code, serial, status from product_units where batch_id = $1 order by ordinal',
        [batchId],
      )
    ).rows;
  const chunks = async (job: string) =>
    (
      await api.database.pool.query<{ state: string; attempts: number; minted: number | null }>(
        'select state, attempts, minted from barcode_job_chunks where job_id = $1 order by index',
        [job],
      )
    ).rows;
  const events = async (job: string) =>
    (
      await api.database.pool.query<{ type: string; data: Record<string, any> }>(
        `select type, data from events where data->>'jobId' = $1`,
        [job],
      )
    ).rows;

  it('does one chunk for one wake-up, and adds the next wake-up of its slot', async () => {
    const job = await startJob();
    const did = [];
    for (let i = 0; i < 5; i++) did.push(await mint()({ jobId: job.uuid, slot: 1 }));
    expect(did.map((one) => one.did)).to.deep.equal(['chunk', 'chunk', 'chunk', 'assembled', 'nothing']);
    expect((await units(job.batchId)).map(({ ordinal }) => ordinal)).to.deep.equal([0, 1, 2, 3, 4, 5, 6]);
    expect((await org.get(`/barcode-jobs/${job.id}`)).body).to.deep.include({
      status: 'completed',
      progress: { done: QUANTITY, total: QUANTITY },
    });
    const [event] = await events(job.id);
    expect(event!.type).to.equal('barcode_job.completed');
    expect(event!.data).to.include({ total: QUANTITY, done: QUANTITY });
    expect(event!.data['artifacts']).to.have.length(6);
    expect(event!.data).to.include({ artifactCount: 6 });
  });

  it('counts the units that it mints, and as activated those that are', async () => {
    const counted = await api.createOrganization();
    const mintSome = async (quantity: number, activate: boolean) => {
      const batch = await counted.createBatch({ quantity });
      await api.runJob((await counted.startJob(batch.id, { activate })).id);
    };
    await mintSome(3, true);
    await mintSome(2, false);
    await rollUp(api.database.pool);
    const day = 86_400_000;
    const [from, to] = [-day, day].map((ms) => new Date(api.clock.now().getTime() + ms).toISOString());
    const { body } = await counted.get(`/analytics/summary?from=${from}&to=${to}`).expect(200);
    expect(body.units).to.include({ minted: 5, activated: 3 });
  });

  it('completes a job of thousands of files, with the manifest and the first of them in an event of a few kB', async () => {
    const job = await startJob();
    for (let chunk = 0; chunk < 3; chunk += 1) await mint()({ jobId: job.uuid, slot: 0 });
    // As ten million codes with images and labels have.
    await api.database.pool.query(
      `insert into barcode_artifacts (id, org_id, job_id, kind, name, media_type, bytes, sha256, storage_key)
       select gen_random_uuid(), $2, $1, 'images', 'more-images-' || lpad(n::text, 40, '0') || '.zip', 'application/zip', 1,
              repeat('0', 64), 'more/' || n
         from generate_series(1, 4000) n`,
      [job.uuid, org.uuid],
    );
    await mint()({ jobId: job.uuid, slot: 0 });
    const read = await org.get(`/barcode-jobs/${job.id}`).expect(200);
    expect(read.body.status).to.equal('completed');
    const [event] = await events(job.id);
    expect(event!.type).to.equal('barcode_job.completed');
    expect(event!.data['artifactCount']).to.equal(4006);
    expect(event!.data['artifacts']).to.have.length(20);
    expect(event!.data['artifacts'][0].kind).to.equal('manifest');
    expect(Buffer.byteLength(JSON.stringify(event!.data))).to.be.lessThan(10_000);
    const { pathname } = new URL(event!.data['artifactsUrl']);
    const all = await org.get(pathname.replace('/api/v1', '')).expect(200);
    expect(all.body.artifacts).to.have.length(4006);
  });

  it('mints every unit once with tokens of its own, with many wake-ups at once and each of them doubled', async () => {
    const job = await startJob();
    const storm = () => Array.from({ length: 8 }, (_, slot) => mint()({ jobId: job.uuid, slot }));
    for (let round = 0; round < 3; round++) await Promise.all([...storm(), ...storm()]);
    const minted = await units(job.batchId);
    expect(minted).to.have.length(QUANTITY);
    expect(new Set(minted.map(({ code }) => code.toString('hex'))).size).to.equal(QUANTITY);
    expect(new Set(minted.map(({ serial }) => serial)).size).to.equal(QUANTITY);
    expect((await chunks(job.uuid)).every(({ state }) => state === 'done')).to.equal(true);
    expect(await events(job.id)).to.have.length(1);
    const { body } = await org.get(`/product-units?batchId=${job.batch}`);
    for (const { token } of body.data)
      expect(parseToken(api.deps.config.TOKEN_KEYS, token)).not.to.equal(null);
  });

  it('resumes where a dead worker stopped, when its lease has run out', async () => {
    const job = await startJob();
    await mint()({ jobId: job.uuid, slot: 0 });
    // A worker that dies with a claim in its hand.
    await api.database.pool.query(
      `update barcode_job_chunks set lease_until = $2, lease_epoch = 1, attempts = 1 where job_id = $1 and index = 1`,
      [job.uuid, new Date(api.clock.now().getTime() + 60_000)],
    );
    expect((await mint()({ jobId: job.uuid, slot: 1 })).did).to.equal('chunk');
    expect((await mint()({ jobId: job.uuid, slot: 1 })).did).to.equal('nothing');
    expect(await units(job.batchId)).to.have.length(QUANTITY - CHUNK);
    api.clock.advance(60_000);
    await api.runJob(job.id);
    expect(await units(job.batchId)).to.have.length(QUANTITY);
  });

  it('writes nothing when the lease was lost in the middle', async () => {
    const job = await startJob();
    const robbed: Storage = {
      ...api.workerDeps.storage,
      put: async (...parameters) => {
        await api.database.pool.query(
          'update barcode_job_chunks set lease_epoch = lease_epoch + 1 where job_id = $1 and index = 0',
          [job.uuid],
        );
        return api.workerDeps.storage.put(...parameters);
      },
    };
    const result = await mint({ ...api.workerDeps, storage: robbed })({ jobId: job.uuid, slot: 1 });
    expect(result.did).to.equal('lost');
    expect(await units(job.batchId)).to.deep.equal([]);
    expect((await chunks(job.uuid))[0]).to.include({ state: 'pending', minted: null });
  });

  it('leaves whole chunks when it is cancelled in the middle, and a second job mints only what is missing', async () => {
    const job = await startJob();
    await mint()({ jobId: job.uuid, slot: 1 });
    const cancelling: Storage = {
      ...api.workerDeps.storage,
      put: async (...parameters) => {
        await org.post(`/barcode-jobs/${job.id}/cancel`).expect(200);
        return api.workerDeps.storage.put(...parameters);
      },
    };
    const result = await mint({ ...api.workerDeps, storage: cancelling })({ jobId: job.uuid, slot: 1 });
    expect(result.did).to.equal('lost');
    const kept = await units(job.batchId);
    expect(kept.map(({ ordinal }) => ordinal)).to.deep.equal([0, 1, 2]);
    expect((await mint()({ jobId: job.uuid, slot: 1 })).did).to.equal('nothing');
    expect(await events(job.id)).to.deep.equal([]);

    const second = await org.startJob(job.batch);
    await api.runJob(second.id);
    const all = await units(job.batchId);
    expect(all).to.have.length(QUANTITY);
    expect(all.slice(0, CHUNK)).to.deep.equal(kept);
    expect((await org.get(`/batches/${job.batch}`)).body.mintedCount).to.equal(QUANTITY);
  });

  it('renders again and mints nothing in a second job of a complete batch', async () => {
    const job = await startJob();
    await api.runJob(job.id);
    const before = await units(job.batchId);
    const second = await org.startJob(job.batch, { formats: ['svg'], activate: false });
    await api.runJob(second.id);
    expect(await units(job.batchId)).to.deep.equal(before);
    const { body } = await org.get(`/barcode-jobs/${second.id}`).expect(200);
    expect(body).to.deep.include({ status: 'completed', progress: { done: QUANTITY, total: QUANTITY } });
    expect((await org.get(`/batches/${job.batch}`)).body.mintedCount).to.equal(QUANTITY);
  });

  it('tries a failed chunk again after a growing pause, and fails the job at the fifth time with an event', async () => {
    const job = await startJob();
    // As where the random source of the system fails; the message is the operator's.
    const broken: WorkerDeps = {
      ...api.workerDeps,
      random: () => {
        throw new Error('/secret/path failed');
      },
    };
    const pauses: number[] = [];
    for (let attempt = 1; attempt <= 5; attempt++) {
      // Only the first chunk is due; the others are put off, so that it alone is tried.
      await api.database.pool.query(
        `update barcode_job_chunks set due_at = '2100-01-01' where job_id = $1 and index > 0`,
        [job.uuid],
      );
      expect((await mint(broken)({ jobId: job.uuid, slot: 1 })).did).to.equal('failed');
      const { rows } = await api.database.pool.query<{ due_at: Date }>(
        'select due_at from barcode_job_chunks where job_id = $1 and index = 0',
        [job.uuid],
      );
      if (attempt < 5) pauses.push((rows[0]!.due_at.getTime() - api.clock.now().getTime()) / 1000);
      api.clock.set(rows[0]!.due_at);
    }
    expect(pauses).to.deep.equal([1, 2, 4, 8]);
    const { body } = await org.get(`/barcode-jobs/${job.id}`).expect(200);
    expect(body.status).to.equal('failed');
    expect(body.error.code).to.equal('MINTING_FAILED');
    expect(JSON.stringify(body)).not.to.include('secret/path');
    expect((await events(job.id)).map(({ type }) => type)).to.deep.equal(['barcode_job.failed']);
    expect(await units(job.batchId)).to.deep.equal([]);
    expect((await mint()({ jobId: job.uuid, slot: 1 })).did).to.equal('nothing');
  });

  it('gives its chunk back unharmed when it is told to stop', async () => {
    const job = await startJob();
    const stop = new AbortController();
    const stopping: Storage = {
      ...api.workerDeps.storage,
      put: () => {
        stop.abort();
        return Promise.reject(new Error('the stream was closed'));
      },
    };
    const result = await mint({ ...api.workerDeps, storage: stopping, stopping: stop.signal })({
      jobId: job.uuid,
      slot: 1,
    });
    expect(result.did).to.equal('returned');
    expect((await chunks(job.uuid))[0]).to.deep.equal({ state: 'pending', attempts: 0, minted: null });
    await api.runJob(job.id);
    expect(await units(job.batchId)).to.have.length(QUANTITY);
  });
});
