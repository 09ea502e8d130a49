import { expect } from 'chai';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { claimNextChunk, type ChunkDeps } from '../../../shared/barcode-jobs/chunks.ts';
import { decodeId } from '../../../shared/ids.ts';
import type { Waker } from '../../../shared/queues.ts';
import type { Storage } from '../../../shared/storage/storage.ts';
import { removeStrayFiles } from '../../../shared/storage/intake.ts';
import { mintBarcodes } from '../../../workers/mint-barcodes/processor.ts';
import { sweep } from '../../../workers/sweep/sweep.ts';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';
import { codesOf, fetchArtifacts } from '../../support/artifacts.ts';

const MINUTE = 60_000;
/** Three chunks of units and the last one, which assembles. */
const QUANTITY = 6;

function deferred() {
  let resolve!: () => void;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

describe('a barcode job whose storage is away', () => {
  let api: TestApi;
  let org: TestOrganization;
  let wakeUps: unknown[][];

  before(async () => {
    api = await createTestApi({ env: { MINT_CHUNK_UNITS: '2' } });
    org = await api.createOrganization();
    const { waker } = api.workerDeps;
    api.workerDeps.waker = {
      ...waker,
      mintBarcodes: (...call) => {
        wakeUps.push(call);
        return waker.mintBarcodes(...call);
      },
      mintBarcodesLater: (...call) => {
        wakeUps.push(['later', ...call]);
        return waker.mintBarcodesLater(...call);
      },
    };
  });
  beforeEach(() => {
    wakeUps = [];
  });
  after(() => api.close());

  const start = async () => {
    const { id: batchId } = await org.createBatch({ quantity: QUANTITY });
    const { id } = await org.startJob(batchId, { formats: ['png', 'pdf', 'zpl'] });
    return { id, uuid: decodeId('job', id)!, batchId };
  };
  const mint = (jobId: string, storage = api.workerDeps.storage, slot = 0) =>
    mintBarcodes({ ...api.workerDeps, storage })({ jobId, slot });
  const read = async (id: string) => (await org.get(`/barcode-jobs/${id}`).expect(200)).body;
  const waitOf = async (uuid: string) => {
    const { rows } = await api.database.pool.query<{ failures: number; due_at: Date | null }>(
      'select storage_failures as failures, storage_due_at as due_at from barcode_jobs where id = $1',
      [uuid],
    );
    return rows[0]!;
  };
  const eventsOf = async (id: string) =>
    (
      await api.database.pool.query<{ type: string; code: string | null }>(
        `select type, data->'error'->>'code' as code from events where data->>'jobId' = $1`,
        [id],
      )
    ).rows;
  const unitIdsOf = async (batchId: string): Promise<string[]> => {
    const { rows } = await api.database.pool.query<{ id: string }>(
      'select id from product_units where batch_id = $1 order by ordinal',
      [decodeId('batch', batchId)],
    );
    return rows.map(({ id }) => id);
  };

  const folder = () => path.join(api.deps.config.STORAGE_DIR, 'jobs');
  const whileAway = async (act: () => Promise<unknown>) => {
    mkdirSync(folder(), { recursive: true });
    renameSync(folder(), `${folder()}-away`);
    writeFileSync(folder(), 'no folder');
    try {
      await act();
    } finally {
      rmSync(folder());
      renameSync(`${folder()}-away`, folder());
    }
  };
  /** Fails until the job ends or `untilMs` is over. @returns how long that took. */
  const outlive = async (uuid: string, untilMs = Infinity, storage = api.workerDeps.storage) => {
    const began = api.clock.now().getTime();
    const waited = () => api.clock.now().getTime() - began;
    while (waited() < untilMs) {
      expect(await mint(uuid, storage)).to.include({ did: 'failed' });
      expect(await mint(uuid, storage), 'before it is due').to.include({ did: 'nothing' });
      const { rows } = await api.database.pool.query<{ status: string }>(
        'select status from barcode_jobs where id = $1',
        [uuid],
      );
      if (rows[0]!.status !== 'running') break;
      api.clock.set((await waitOf(uuid)).due_at!);
    }
    return waited();
  };
  const away = (): Promise<never> => Promise.reject(new Error('connect ECONNREFUSED'));
  const failing = (isIt: (key: string) => boolean): Storage => ({
    ...api.workerDeps.storage,
    put: (key, source) => (isIt(key) ? away() : api.workerDeps.storage.put(key, source)),
  });

  it('runs on for minutes, and ends by itself with each unit minted once', async () => {
    const { id, uuid, batchId } = await start();
    await mint(uuid);
    const kept = await unitIdsOf(batchId);
    await whileAway(async () => {
      await outlive(uuid, 10 * MINUTE);
      expect(await read(id)).to.deep.include({
        status: 'running',
        error: null,
        progress: { done: 2, total: QUANTITY },
      });
    });
    wakeUps = [];
    expect(await mint(uuid)).to.include({ did: 'chunk' });
    expect(wakeUps, 'all slots').to.deep.equal([[[uuid]]]);
    expect(await waitOf(uuid)).to.deep.equal({ failures: 0, due_at: null });
    await api.runJob(id);
    const ids = await unitIdsOf(batchId);
    expect(ids).to.have.length(QUANTITY);
    expect(ids.slice(0, 2)).to.deep.equal(kept);
    expect(codesOf(await fetchArtifacts(api, org, id))).to.have.length(QUANTITY);
    expect(await eventsOf(id)).to.deep.equal([{ type: 'barcode_job.completed', code: null }]);
  });

  it('fails after a quarter of an hour and says why, and a retry begins anew', async () => {
    const { id, uuid, batchId } = await start();
    await mint(uuid);
    await whileAway(async () => {
      expect(await outlive(uuid)).to.be.within(14 * MINUTE, 16 * MINUTE);
    });
    const { status, error } = await read(id);
    expect(status).to.equal('failed');
    expect(error).to.include({ code: 'STORAGE_UNAVAILABLE' });
    expect(await eventsOf(id)).to.deep.equal([{ type: 'barcode_job.failed', code: 'STORAGE_UNAVAILABLE' }]);
    await org.post(`/barcode-jobs/${id}/retry`).expect(202);
    expect(await waitOf(uuid)).to.deep.equal({ failures: 0, due_at: null });
    await api.runJob(id);
    expect((await read(id)).status).to.equal('completed');
    expect(await unitIdsOf(batchId)).to.have.length(QUANTITY);
  });

  it('makes all files anew at a retry where parts are gone for good, as of a database that was restored without its storage', async () => {
    const { id, uuid, batchId } = await start();
    for (let chunk = 0; chunk < 3; chunk += 1) expect(await mint(uuid)).to.include({ did: 'chunk' });
    const minted = await unitIdsOf(batchId);
    rmSync(path.join(folder(), uuid), { recursive: true });
    expect(await outlive(uuid)).to.be.within(14 * MINUTE, 16 * MINUTE);
    expect(await read(id)).to.deep.include({ status: 'failed' });
    await org.post(`/barcode-jobs/${id}/retry`).expect(202);
    await api.runJob(id);
    expect(await read(id)).to.deep.include({
      status: 'completed',
      progress: { done: QUANTITY, total: QUANTITY },
    });
    expect(codesOf(await fetchArtifacts(api, org, id))).to.have.length(QUANTITY);
    expect(await unitIdsOf(batchId)).to.deep.equal(minted);
    const { rows } = await api.database.pool.query(
      `select sum(minted)::int as minted from barcode_job_chunks where job_id = $1`,
      [uuid],
    );
    expect(rows).to.deep.equal([{ minted: QUANTITY }]);
    expect(await eventsOf(id)).to.deep.equal([
      { type: 'barcode_job.failed', code: 'STORAGE_UNAVAILABLE' },
      { type: 'barcode_job.completed', code: null },
    ]);
  });

  for (const [step, isIt] of [
    ['images', (key: string) => key.endsWith('images-0001.zip')],
    ['sheets', (key: string) => key.endsWith('.pdf')],
    ['labels', (key: string) => key.endsWith('.zpl')],
    ['parts of the lists', (key: string) => key.endsWith('codes-part.ndjson')],
    ['code lists', (key: string) => key.endsWith('codes.csv')],
    ['manifest', (key: string) => key.endsWith('manifest.json')],
  ] as const)
    it(`waits where it fails at the ${step}`, async () => {
      const { id, uuid } = await start();
      let { did } = await mint(uuid, failing(isIt));
      while (did === 'chunk') ({ did } = await mint(uuid, failing(isIt)));
      expect(did).to.equal('failed');
      api.clock.set((await waitOf(uuid)).due_at!);
      await outlive(uuid, MINUTE, failing(isIt));
      expect(await read(id)).to.include({ status: 'running' });
      await api.runJob(id);
      expect((await read(id)).status).to.equal('completed');
    });

  it('fills no room of a full storage with what it tries again and again', async () => {
    const { uuid } = await start();
    const { storage } = api.workerDeps;
    const isFull = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    const full: Storage = {
      ...storage,
      put: (key, source) => (key.endsWith('.pdf') ? Promise.reject(isFull) : storage.put(key, source)),
    };
    await outlive(uuid, MINUTE, full);
    const { error } = (
      await api.database.pool.query(
        'select last_error as error from barcode_job_chunks where job_id = $1 and last_error is not null',
        [uuid],
      )
    ).rows[0];
    expect(error).to.include('is full');
    expect(existsSync(path.join(folder(), uuid)) ? readdirSync(path.join(folder(), uuid)) : []).to.deep.equal(
      [],
    );
  });

  it('waits where the parts that it joins cannot be read', async () => {
    const { id, uuid } = await start();
    for (let chunk = 0; chunk < 3; chunk += 1) expect(await mint(uuid)).to.include({ did: 'chunk' });
    await whileAway(async () => {
      const unreadable = { ...api.workerDeps.storage, put: readAll };
      await outlive(uuid, 5 * MINUTE, unreadable);
    });
    expect(await read(id)).to.include({ status: 'running' });
    expect(await mint(uuid)).to.include({ did: 'assembled' });
  });
  /** Of a storage that takes what it is given. */
  const readAll: Storage['put'] = async (_key, source) => {
    let bytes = 0;
    for await (const piece of source) bytes += piece.length;
    return { bytes, sha256: '0'.repeat(64) };
  };

  it('counts a failure once for all chunks that were tried side by side, and then tries one of them', async () => {
    const { uuid } = await start();
    const all = deferred();
    let tried = 0;
    const together: Storage = {
      ...api.workerDeps.storage,
      put: async () => {
        tried += 1;
        if (tried === 3) all.resolve();
        await all.promise;
        return away();
      },
    };
    const results = await Promise.all([0, 1, 2].map((slot) => mint(uuid, together, slot)));
    expect(results.map(({ did }) => did)).to.deep.equal(['failed', 'failed', 'failed']);
    const first = await waitOf(uuid);
    expect(first.failures).to.equal(1);

    api.clock.set(first.due_at!);
    const answer = deferred();
    const asked = deferred();
    const silent: Storage = {
      ...api.workerDeps.storage,
      put: async () => {
        asked.resolve();
        await answer.promise;
        return away();
      },
    };
    const trying = mint(uuid, silent, 1);
    await asked.promise;
    wakeUps = [];
    expect(
      await mint(
        uuid,
        failing(() => true),
        0,
      ),
    ).to.include({ did: 'nothing' });
    // Not before the one that tries has to have an answer.
    expect(wakeUps).to.have.length(1);
    expect(wakeUps[0]![2]).to.be.greaterThan(1_000);
    answer.resolve();
    expect(await trying).to.include({ did: 'failed' });
    expect((await waitOf(uuid)).failures).to.equal(2);
  });

  it('is cancelled at once', async () => {
    const { id, uuid, batchId } = await start();
    await mint(uuid);
    await whileAway(async () => {
      await outlive(uuid, MINUTE);
      expect((await org.post(`/barcode-jobs/${id}/cancel`).expect(200)).body.status).to.equal('cancelled');
      api.clock.advance(MINUTE);
      expect(await mint(uuid)).to.include({ did: 'nothing' });
    });
    expect(await unitIdsOf(batchId)).to.have.length(2);
    expect(await eventsOf(id)).to.deep.equal([]);
  });

  it('is woken by the sweep alone, when it is due: all that Redis held is gone, and its worker was killed', async () => {
    const { id, uuid } = await start();
    const woken: string[] = [];
    const waker: Waker = {
      ...api.workerDeps.waker,
      mintBarcodes: (ids) => Promise.resolve(void woken.push(...ids)),
    };
    const sweeps = async () => {
      woken.length = 0;
      await sweep({ ...api.workerDeps, waker });
      return woken.includes(uuid);
    };
    await whileAway(() => outlive(uuid, 3 * MINUTE));
    await mint(
      uuid,
      failing(() => true),
    );
    const { failures, due_at: dueAt } = await waitOf(uuid);
    api.clock.set(new Date(dueAt!.getTime() - 1));
    expect(await sweeps(), 'before it is due').to.equal(false);
    api.clock.set(dueAt!);
    expect(await sweeps()).to.equal(true);
    const chunkDeps: ChunkDeps = { ...api.workerDeps, publicUrl: '', leaseSeconds: 10, linkSeconds: 60 };
    expect(await claimNextChunk(chunkDeps, uuid)).to.include({ storage_failures: failures, index: 0 });
    expect(await sweeps(), 'while it is tried').to.equal(false);
    api.clock.advance(10_000);
    expect(await sweeps(), 'when the lease has run out').to.equal(true);
    expect(await mint(uuid)).to.include({ did: 'chunk' });
    await api.runJob(id);
    expect((await read(id)).status).to.equal('completed');
  });

  it('is completed where only what is left over cannot be removed, which goes later', async () => {
    const { id, uuid } = await start();
    await claimNextChunk({ ...api.workerDeps, publicUrl: '', leaseSeconds: 10, linkSeconds: 60 }, uuid);
    api.clock.advance(10_000);
    for (let chunk = 0; chunk < 3; chunk += 1) await mint(uuid);
    const keeps: Storage = { ...api.workerDeps.storage, remove: away, removeAll: away };
    expect(await mint(uuid, keeps)).to.include({ did: 'assembled' });
    expect((await read(id)).status).to.equal('completed');
    const left = async () => {
      const { rows } = await api.database.pool.query('select 1 from storage_intake where prefix like $1', [
        `jobs/${uuid}/%`,
      ]);
      return rows.length;
    };
    expect(await left(), 'parts of the lists, and the folder of the lost lease').to.equal(7);
    api.clock.advance(61 * MINUTE);
    await removeStrayFiles({ ...api.workerDeps, db: api.database.pool });
    expect(await left()).to.equal(0);
    expect(codesOf(await fetchArtifacts(api, org, id))).to.have.length(QUANTITY);
  });
});
