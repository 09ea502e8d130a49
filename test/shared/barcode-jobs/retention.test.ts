import { expect } from 'chai';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { claimNextChunk } from '../../../shared/barcode-jobs/chunks.ts';
import { expireOldArtifacts, forgetBrokenUploads } from '../../../shared/barcode-jobs/retention.ts';
import { decodeId } from '../../../shared/ids.ts';
import { mintBarcodes } from '../../../workers/mint-barcodes/processor.ts';
import { folderOf, partKey } from '../../../workers/mint-barcodes/process-chunk.ts';
import type { Storage } from '../../../shared/storage/storage.ts';
import { countRows, createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';
import { expectProblem } from '../../support/problem.ts';

const DAY_MS = 86_400_000;

describe('keeping artifacts for a time', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi({ env: { ARTIFACT_RETENTION_DAYS: '30', MINT_CHUNK_UNITS: '2' } });
    org = await api.createOrganization();
  });
  after(() => api.close());

  const expire = () =>
    expireOldArtifacts({
      db: api.deps.db,
      clock: api.clock,
      storage: api.workerDeps.storage,
      retentionDays: api.deps.config.ARTIFACT_RETENTION_DAYS,
    });

  it('deletes the files and rows of a finished job when its days are over, and the job says so', async () => {
    const { jobId } = await org.mintUnits(2);
    const { body: fresh } = await org.get(`/barcode-jobs/${jobId}`);
    const finishedAt = new Date(fresh.finishedAt).getTime();
    expect(fresh.artifactsExpireAt).to.equal(new Date(finishedAt + 30 * DAY_MS).toISOString());
    expect(fresh.artifactsExpiredAt).to.equal(null);

    const { rows: kept } = await api.database.pool.query<{ key: string }>(
      'select storage_key as key from barcode_artifacts where job_id = $1 order by name limit 1',
      [decodeId('job', jobId)],
    );
    const { key } = kept[0]!;
    api.clock.set(new Date(finishedAt + 30 * DAY_MS));
    expect(await expire()).to.equal(0);
    api.clock.advance(1);
    expect(await expire()).to.equal(1);
    expect(await expire()).to.equal(0);

    const { body: old } = await org.get(`/barcode-jobs/${jobId}`);
    expect(old).to.deep.include({
      status: 'completed',
      artifacts: [],
      artifactsExpireAt: null,
      artifactsExpiredAt: api.clock.now().toISOString(),
    });
    const url = api.deps.links.sign(jobId, 'codes.csv', new Date(api.clock.now().getTime() + 60_000));
    expectProblem(await api.http().get(url.replace('https://verify.example.com', '')), 'NOT_FOUND');
    const rows = await api.database.pool.query('select 1 from barcode_artifacts where job_id = $1', [
      decodeId('job', jobId),
    ]);
    expect(rows.rowCount).to.equal(0);
    const file = api.workerDeps.storage.read(key);
    expect(await file.toArray().catch((error: NodeJS.ErrnoException) => error.code)).to.equal('ENOENT');
    expect((await org.get(`/product-units?limit=1`)).body.data).to.have.length(1);
  });

  it('finishes the next time what a crash interrupted, and gives nothing out in between', async () => {
    const { jobId } = await org.mintUnits(1);
    api.clock.advance(31 * DAY_MS);
    const broken = {
      ...api.workerDeps.storage,
      removeAll: () => Promise.reject(new Error('the power went')),
    };
    await expireOldArtifacts({ db: api.deps.db, clock: api.clock, storage: broken, retentionDays: 30 }).catch(
      () => undefined,
    );
    expect((await org.get(`/barcode-jobs/${jobId}`)).body.artifacts).to.deep.equal([]);
    const url = api.deps.links.sign(jobId, 'codes.csv', new Date(api.clock.now().getTime() + 60_000));
    expectProblem(await api.http().get(url.replace('https://verify.example.com', '')), 'NOT_FOUND');
    expect(await expire()).to.equal(1);
  });

  it('lets no job whose files stay keep those of younger ones, and tells of it', async () => {
    const older = (await org.mintUnits(1)).jobId;
    api.clock.advance(1000);
    const younger = (await org.mintUnits(1)).jobId;
    api.clock.advance(31 * DAY_MS);
    const { storage } = api.workerDeps;
    const stuck: Storage = {
      ...storage,
      removeAll: (prefix) =>
        prefix === `jobs/${decodeId('job', older)}/`
          ? Promise.reject(new Error('permission denied'))
          : storage.removeAll(prefix),
    };
    const failure = await expireOldArtifacts({
      db: api.deps.db,
      clock: api.clock,
      storage: stuck,
      retentionDays: 30,
    }).then(
      () => expect.fail('nobody heard of it'),
      (error: Error) => error,
    );
    expect(failure.message).to.equal(`files of 1 were not removed, first of ${decodeId('job', older)}`);
    expect((failure.cause as Error).message).to.equal('permission denied');
    const { rows } = await api.database.pool.query<{ job_id: string }>(
      'select distinct job_id from barcode_artifacts where job_id = any($1)',
      [[older, younger].map((id) => decodeId('job', id))],
    );
    expect(rows).to.deep.equal([{ job_id: decodeId('job', older) }]);
    expect(await expire()).to.equal(1);
  });

  it('keeps a failed job from being retried without its parts', async () => {
    const batch = await org.createBatch({ quantity: 2 });
    const job = await org.startJob(batch.id);
    await api.database.pool.query(
      `update barcode_jobs set status = 'failed', finished_at = $2 where id = $1`,
      [decodeId('job', job.id), api.clock.now()],
    );
    api.clock.advance(31 * DAY_MS);
    await expire();
    expect(expectProblem(await org.post(`/barcode-jobs/${job.id}/retry`), 'CONFLICT').detail).to.match(
      /expired/,
    );
  });

  it('keeps everything where no days are set, and open jobs always', async () => {
    const { jobId } = await org.mintUnits(1);
    const { config } = api.deps;
    api.deps.config = { ...config, ARTIFACT_RETENTION_DAYS: 0 };
    const { body: kept } = await org.get(`/barcode-jobs/${jobId}`);
    api.deps.config = config;
    expect(kept.artifacts).not.to.deep.equal([]);
    expect(kept).to.deep.include({ artifactsExpireAt: null, artifactsExpiredAt: null });
    await org.startJob((await org.createBatch()).id);
    api.clock.advance(1000 * DAY_MS);
    const before = await countRows(api.database);
    const forEver = { db: api.deps.db, clock: api.clock, storage: api.workerDeps.storage, retentionDays: 0 };
    expect(await expireOldArtifacts(forEver)).to.equal(0);
    expect(await countRows(api.database)).to.deep.equal(before);
    expect(await expire()).to.equal(1);
  });

  it('removes what a cancelled job left, whatever the days, when no worker can be at it any more', async () => {
    const { clock, workerDeps } = api;
    const { id: batchId } = await org.createBatch({ quantity: 4 });
    const job = await org.startJob(batchId);
    const uuid = decodeId('job', job.id)!;
    await mintBarcodes(workerDeps)({ jobId: uuid, slot: 1 });
    // Killed while it wrote, so that nobody tidies up behind it.
    const chunkDeps = { ...workerDeps, publicUrl: '', leaseSeconds: 10, linkSeconds: 60 };
    const killed = (await claimNextChunk(chunkDeps, uuid))!;
    await workerDeps.storage.put(partKey(folderOf(killed), 'csv'), Readable.from([Buffer.from('token')]));
    await org.post(`/barcode-jobs/${job.id}/cancel`).expect(200);
    const tidy = () =>
      expireOldArtifacts({ db: api.deps.db, clock, storage: workerDeps.storage, retentionDays: 0 });
    const folder = path.join(workerDeps.config.STORAGE_DIR, 'jobs', uuid);

    expect(await tidy()).to.equal(0);
    expect(readdirSync(folder)).to.have.length(2);
    clock.advance(10_000);
    expect(await tidy()).to.equal(1);
    expect(existsSync(folder)).to.equal(false);
    expect(await tidy()).to.equal(0);
    expect((await org.get(`/batches/${batchId}`)).body.mintedCount).to.equal(2);
    await api.runJob((await org.startJob(batchId)).id);
    expect((await org.get(`/batches/${batchId}`)).body.mintedCount).to.equal(4);
  });

  it('forgets an upload of serials that broke off a day ago, and no other', async () => {
    const batch = await org.createBatch({ quantity: 1 });
    const batchId = decodeId('batch', batch.id)!;
    await org.post(`/batches/${batch.id}/serials`).set('Content-Type', 'text/csv').send('A1').expect(200);
    await api.database.pool.query(
      `with lost as (insert into serial_uploads (id, org_id, batch_id, state, created_at)
                     values (gen_random_uuid(), $1, $2, 'receiving', $3) returning id)
       insert into uploaded_serials (upload_id, ordinal, line, serial) select id, 0, 1, 'X' from lost`,
      [org.uuid, batchId, api.clock.now()],
    );
    api.clock.advance(DAY_MS);
    expect(await forgetBrokenUploads({ db: api.deps.db, clock: api.clock })).to.equal(0);
    api.clock.advance(1);
    expect(await forgetBrokenUploads({ db: api.deps.db, clock: api.clock })).to.equal(1);
    const { rows } = await api.database.pool.query('select serial from uploaded_serials');
    expect(rows).to.deep.equal([{ serial: 'A1' }]);
  });
});
