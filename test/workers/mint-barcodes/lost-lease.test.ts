import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  claimNextChunk,
  keepChunk,
  LostChunkError,
  returnChunk,
  settleFailure,
  settleJob,
  type ChunkDeps,
} from '../../../shared/barcode-jobs/chunks.ts';
import { decodeId } from '../../../shared/ids.ts';
import { mintBarcodes } from '../../../workers/mint-barcodes/processor.ts';
import { Pace } from '../../../workers/mint-barcodes/pace.ts';
import { passesOf, processChunk } from '../../../workers/mint-barcodes/process-chunk.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';

describe('a worker that has lost its lease without noticing', () => {
  let api: TestApi;

  before(async () => {
    api = await createTestApi();
  });
  after(() => api.close());

  it('writes nothing, and nothing over what the next worker has written', async () => {
    const { workerDeps: deps, clock, database } = api;
    const org = await api.createOrganization();
    const { id: productId } = await org.createProduct();
    const { id: batchId } = await org.createBatch({ productId, quantity: 20 });
    const job = await org.startJob(batchId);
    const jobId = decodeId('job', job.id)!;
    const chunkDeps: ChunkDeps = { ...deps, publicUrl: '', leaseSeconds: 10, linkSeconds: 60 };
    const stalled = await claimNextChunk(chunkDeps, jobId);
    clock.advance(11_000);
    const taken = await claimNextChunk(chunkDeps, jobId);
    const work = (chunk: NonNullable<typeof taken>) =>
      processChunk(deps, chunkDeps, chunk, new Pace(passesOf(chunk), deps.stopping));

    await work(taken!);
    const late = await work({ ...stalled! }).then(
      () => undefined,
      (error: Error) => error.name,
    );
    expect(late).to.be.a('string');
    await api.runJob(job.id);

    const { body } = await org.get(`/barcode-jobs/${job.id}`).expect(200);
    expect(body.status).to.equal('completed');
    const { rows } = await database.pool.query<{ name: string; sha256: string; storage_key: string }>(
      'select name, sha256, storage_key from barcode_artifacts where job_id = $1',
      [jobId],
    );
    expect(rows.map(({ name }) => name)).to.include.members([
      'images-0001.zip',
      'codes.csv',
      'manifest.json',
    ]);
    const read = (key: string) => readFileSync(path.join(deps.config.STORAGE_DIR, key));
    for (const { name, sha256, storage_key } of rows) {
      expect(createHash('sha256').update(read(storage_key)).digest('hex'), name).to.equal(sha256);
    }
    const csv = read(rows.find(({ name }) => name === 'codes.csv')!.storage_key).toString();
    const units = await database.pool.query<{ serial: string }>(
      'select serial from product_units where batch_id = $1 order by ordinal',
      [decodeId('batch', batchId)],
    );
    const printed = csv.trimEnd().split('\n').slice(1);
    expect(printed.map((line) => line.split(',')[1])).to.deep.equal(units.rows.map(({ serial }) => serial));
  });

  it('leaves nothing of its progress to the next worker, which renders all again', async () => {
    const org = await api.createOrganization();
    const { id: batchId } = await org.createBatch({ quantity: 2 });
    const job = await org.startJob(batchId);
    const jobId = decodeId('job', job.id)!;
    const chunkDeps: ChunkDeps = { ...api.workerDeps, publicUrl: '', leaseSeconds: 10, linkSeconds: 60 };
    const done = async () => (await org.get(`/barcode-jobs/${job.id}`).expect(200)).body.progress.done;
    await keepChunk(chunkDeps, (await claimNextChunk(chunkDeps, jobId))!, 1);
    expect(await done()).to.equal(1);
    api.clock.advance(11_000);
    await claimNextChunk(chunkDeps, jobId);
    expect(await done()).to.equal(0);
  });

  it('uses up none of the tries that a part has', async () => {
    const { workerDeps, clock } = api;
    const org = await api.createOrganization();
    const { id: batchId } = await org.createBatch({ quantity: 2 });
    const job = await org.startJob(batchId);
    const jobId = decodeId('job', job.id)!;
    const chunkDeps: ChunkDeps = { ...workerDeps, publicUrl: '', leaseSeconds: 10, linkSeconds: 60 };
    const claim = async () => {
      clock.advance(60_000);
      return (await claimNextChunk(chunkDeps, jobId))!;
    };
    const failure = { code: 'DATABASE_FULL', message: 'full', retry: 'soon' } as const;
    for (let lost = 0; lost < 4; lost++) await claim();
    for (let failed = 1; failed < 5; failed++)
      expect(await settleFailure(chunkDeps, await claim(), failure), `failure ${failed}`).to.equal(false);
    expect(await settleFailure(chunkDeps, await claim(), failure)).to.equal(true);
    expect((await org.get(`/barcode-jobs/${job.id}`)).body.status).to.equal('failed');
  });

  it('is the fifth in a row that the same part ended: the job fails and says so, and a retry begins anew', async () => {
    const { workerDeps, clock, database } = api;
    const org = await api.createOrganization();
    const { id: batchId } = await org.createBatch({ quantity: 2 });
    const job = await org.startJob(batchId);
    const jobId = decodeId('job', job.id)!;
    const chunkDeps: ChunkDeps = { ...workerDeps, publicUrl: '', leaseSeconds: 10, linkSeconds: 60 };
    const loseLeases = async (times: number) => {
      for (let lost = 0; lost < times; lost++) {
        await claimNextChunk(chunkDeps, jobId);
        clock.advance(11_000);
      }
    };
    const mint = () => mintBarcodes(workerDeps)({ jobId, slot: 0 });

    await loseLeases(4);
    // One that stopped as it should in between: it was not the part.
    await returnChunk(chunkDeps, (await claimNextChunk(chunkDeps, jobId))!);
    await loseLeases(5);
    expect(await mint()).to.include({ did: 'failed' });
    const { body } = await org.get(`/barcode-jobs/${job.id}`);
    expect(body.status).to.equal('failed');
    expect(body.error.code).to.equal('WORKERS_LOST');
    const { rows } = await database.pool.query(
      `select data->'error'->>'code' as code from events where type = 'barcode_job.failed' and data->>'jobId' = $1`,
      [job.id],
    );
    expect(rows).to.deep.equal([{ code: 'WORKERS_LOST' }]);

    await org.post(`/barcode-jobs/${job.id}/retry`).expect(202);
    expect(await mint()).to.include({ did: 'chunk' });
    expect(await mint()).to.include({ did: 'assembled' });
  });

  it('does not take a chunk again that it gave back, by a sign of life that comes late', async () => {
    const org = await api.createOrganization();
    const { id: productId } = await org.createProduct();
    const { id: batchId } = await org.createBatch({ productId, quantity: 20 });
    const jobId = decodeId('job', (await org.startJob(batchId)).id)!;
    const chunkDeps: ChunkDeps = { ...api.workerDeps, publicUrl: '', leaseSeconds: 10, linkSeconds: 60 };
    const given = await claimNextChunk(chunkDeps, jobId);
    await returnChunk(chunkDeps, given!);
    expect(await keepChunk(chunkDeps, given!, 5)).to.equal(false);
    const next = await claimNextChunk(chunkDeps, jobId);
    expect(next).to.include({ index: given!.index, attempts: given!.attempts });
  });

  it('completes no job that was cancelled while it put the last files together, and tells nobody that it is complete', async () => {
    const org = await api.createOrganization();
    const { id: batchId } = await org.createBatch({ quantity: 2 });
    const job = await org.startJob(batchId);
    const id = decodeId('job', job.id)!;
    expect(await mintBarcodes(api.workerDeps)({ jobId: id, slot: 1 })).to.include({ did: 'chunk' });
    const chunkDeps: ChunkDeps = { ...api.workerDeps, publicUrl: '', leaseSeconds: 10, linkSeconds: 60 };
    const last = await claimNextChunk(chunkDeps, id);
    expect(last).to.include({ kind: 'assemble' });
    const { body: cancelled } = await org.post(`/barcode-jobs/${job.id}/cancel`).expect(200);
    const settled = await settleJob(chunkDeps, last!, []).catch((error: unknown) => error);
    expect(settled).to.be.instanceOf(LostChunkError);
    expect((await org.get(`/barcode-jobs/${job.id}`).expect(200)).body).to.deep.equal(cancelled);
    const { body: told } = await org.get('/events?type=barcode_job.completed').expect(200);
    expect(told.data).to.deep.equal([]);
  });
});
