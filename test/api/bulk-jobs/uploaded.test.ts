import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { claimJob, giveBack, runSlice, settleFailure, type RunDeps } from '../../../shared/bulk-jobs/run.ts';
import { createPool, type Pool } from '../../../shared/db.ts';
import { decodeId } from '../../../shared/ids.ts';
import { StorageFailedError } from '../../../shared/storage/storage-failure.ts';
import { housekeep } from '../../../workers/sweep/sweep.ts';
import { runDepsOf } from '../../../workers/run-bulk-jobs/processor.ts';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';
import { runBulkJob } from '../../support/bulk-jobs.ts';
import { eventually } from '../../support/eventually.ts';
import { expectProblem } from '../../support/problem.ts';

const NO_SUCH_UNIT = { code: 'NO_SUCH_UNIT', message: 'no such unit' };

describe('a bulk job over an uploaded list', () => {
  let api: TestApi;
  let org: TestOrganization;
  let other: TestOrganization;
  let runDeps: RunDeps;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
    other = await api.createOrganization();
    runDeps = runDepsOf(api.workerDeps);
  });
  after(() => api.close());

  const send = (query: string, list: string, type = 'text/csv') =>
    org.post(`/product-units/bulk?${query}`).set('Content-Type', type).send(list);
  const run = async (...sent: Parameters<typeof send>) =>
    runBulkJob(api, org, (await send(...sent).expect(202)).body.id);
  const files = (): string[] => {
    const uploads = path.join(api.deps.config.STORAGE_DIR, 'uploads');
    return existsSync(uploads) ? readdirSync(uploads) : [];
  };
  const lines = async () =>
    (await api.database.pool.query('select count(*)::int as n from bulk_job_items')).rows[0].n as number;
  const statuses = async (batchId: string) =>
    (await org.get(`/product-units?batchId=${batchId}`)).body.data.map((unit: any) => unit.status);

  it('does it by a product’s serials, slice after slice, and tells each line that names no unit of it', async () => {
    const { productId, batchId, units } = await org.mintUnits(3);
    const theirs = (await other.mintUnits(1)).units[0]!;
    const strays = Array.from({ length: 5_200 }, (_, i) => `STRAY-${i}`);
    const list = [units[0]!.serial, theirs.serial, ...strays, units[1]!.serial];
    const job = await run(
      `action=suspend&by=serial&productId=${productId}`,
      `lot;serial\n${list.map((serial) => `L1;${serial}`).join('\n')}\n`,
    );
    expect(job).to.deep.include({
      status: 'completed',
      progress: { done: 5_203, total: 5_203 },
      changed: 2,
      unchanged: 0,
      refused: 5_201,
    });
    expect(job['problems']).to.have.length(100);
    expect(job['problems'][0]).to.deep.equal({ line: 3, ref: theirs.serial, ...NO_SUCH_UNIT });
    expect((await statuses(batchId)).toSorted()).to.deep.equal(['active', 'suspended', 'suspended']);
    expect((await api.verify(theirs.token)).body.result).to.equal('genuine');
    expect(await lines()).to.equal(0);
    await eventually('no file is left', () => files().length === 0);
  });

  it('recalls by codes with a reason, and lifts that by ids', async () => {
    const { units } = await org.mintUnits(2);
    const scanned = units.map(({ token }) =>
      JSON.stringify({ code: `https://verify.example.com/v/${token}` }),
    );
    const query = `action=recall&by=code&reason=${encodeURIComponent('Glass splinters')}`;
    const job = await run(query, scanned.join('\n'), 'application/x-ndjson');
    expect(job).to.include({ action: 'recall', status: 'completed', changed: 2, refused: 0 });
    const { body } = await org.get(`/product-units/${units[0]!.id}`).expect(200);
    expect(body.recall).to.include({ of: 'unit', reason: 'Glass splinters' });
    const lifted = await run('action=lift-recall', `unitId\n${units[0]!.id}\n${units[1]!.id}\n`);
    expect(lifted).to.include({ status: 'completed', changed: 2 });
    expect((await api.verify(units[0]!.token)).body.result).to.equal('genuine');
  });

  it('says what is missing, keeps nothing of what it refuses, and changes nothing', async () => {
    const { productId, units } = await org.mintUnits(1);
    const theirs = await other.createProduct();
    const list = `serial\n${units[0]!.serial}\n`;
    for (const [query, field, code] of [
      ['by=serial', 'query.action', 'REQUIRED'],
      ['action=void', 'query.action', 'UNKNOWN_CHOICE'],
      ['action=suspend&by=serial', 'query.productId', 'REQUIRED'],
      [`action=suspend&by=serial&productId=${theirs.id}`, 'query.productId', 'NO_SUCH_PRODUCT'],
      ['action=suspend&by=lot', 'query.by', 'UNKNOWN_CHOICE'],
      ['action=suspend&reason=Stolen', 'query.reason', 'ONLY_FOR_RECALL'],
    ] as const) {
      const { errors } = expectProblem(await send(query, list), 'VALIDATION_FAILED');
      expect(errors![0], query).to.include({ path: field, code });
    }
    const both = await org.post('/product-units/bulk?action=recall', {
      action: 'suspend',
      unitIds: [units[0]!.id],
    });
    expect(expectProblem(both, 'VALIDATION_FAILED').errors![0]).to.include({ code: 'AT_MOST_ONE_OF' });
    const ok = `action=suspend&by=serial&productId=${productId}`;
    expectProblem(await send(ok, list, 'text/plain'), 'UNSUPPORTED_MEDIA_TYPE');
    await eventually('no file is left', () => files().length === 0);
    const job = await run(ok, 'sku\nP1\n');
    expect(job).to.include({ status: 'failed', changed: 0 });
    expect(job['error']).to.include({ code: 'UPLOAD_NOT_USABLE' });
    expect((await api.verify(units[0]!.token)).body.result).to.equal('genuine');
  });

  it('may be sent again where the storage does not take it: it is away, has no room, or falls silent', async () => {
    const { storage } = api.deps;
    for (const failure of [{ code: 'ECONNREFUSED' }, { code: 'ENOSPC' }, { name: 'TimeoutError' }]) {
      const put = () => Promise.reject(Object.assign(new Error('no'), failure));
      api.deps.storage = { ...storage, put };
      expectProblem(await send('action=suspend', 'unitId\nnone\n'), 'UNAVAILABLE');
    }
    api.deps.storage = storage;
  });

  it('is done once for an Idempotency-Key, and not again with another action', async () => {
    const { units } = await org.mintUnits(1);
    const list = `unitId\n${units[0]!.id}\n`;
    const again = (action: string) => send(`action=${action}`, list).set('Idempotency-Key', 'bulk-list');
    const first = await again('suspend').expect(202);
    expect((await again('suspend').expect(202)).body).to.deep.equal(first.body);
    expectProblem(await again('activate'), 'IDEMPOTENCY_KEY_REUSED');
    expect(await runBulkJob(api, org, first.body.id)).to.include({ status: 'completed', changed: 1 });
    await eventually('no file is left', () => files().length === 0);
  });

  it('leaves no line of a job that is cancelled, or fails, and all lines of one that is open', async () => {
    const { units } = await org.mintUnits(3);
    const start = async (strays = 0) => {
      const list = `unitId\n${units.map(({ id }) => id).join('\n')}\n${'none\n'.repeat(strays)}`;
      const { id } = (await send('action=suspend', list).expect(202)).body;
      const claimed = (await claimJob(runDeps, decodeId('bulk', id)!))!;
      expect(await runSlice(runDeps, claimed)).to.equal(true);
      return { id: id as string, claimed };
    };
    const [stopped, failed, open] = [await start(1_500), await start(), await start()];
    await org.post(`/bulk-jobs/${stopped.id}/cancel`).expect(200);
    expect(
      await settleFailure(runDeps, { ...failed.claimed, attempts: 4, phase: 'work' }, new Error('no')),
    ).to.equal(null);
    // A thousand go with the cancelling itself.
    expect(await lines()).to.equal(503 + 3 + 3);
    expect((await housekeep(api.workerDeps)).leftLists).to.equal(2);
    expect(await lines()).to.equal(3);
    expect((await housekeep(api.workerDeps)).leftLists).to.equal(0);
    expect(await runSlice(runDeps, { ...open.claimed, phase: 'work' })).to.equal(true);
    expect(await lines()).to.equal(0);
  });

  describe('from a storage that is slower than a statement may be', () => {
    const SILENCE_MS = 700;
    let db: Pool;

    before(() => {
      db = createPool({
        databaseUrl: api.database.url,
        max: 3,
        applicationName: 'test',
        answerMs: SILENCE_MS / 2,
        onError: () => undefined,
      });
      db.on('connect', (client) => void client.query(`set statement_timeout = ${SILENCE_MS / 4}`));
    });
    after(() => db.end());

    const start = async () => {
      const { id } = (await send('action=suspend', 'unitId\nnone\n').expect(202)).body;
      return { id: id as string, claimed: (await claimJob(runDeps, decodeId('bulk', id)!))! };
    };
    const readFrom = (source: () => AsyncGenerator<Buffer>): RunDeps => ({
      ...runDeps,
      db,
      storage: { ...runDeps.storage, read: () => Readable.from(source()) },
    });

    it('takes the list all the same', async () => {
      const { id, claimed } = await start();
      const slow = readFrom(async function* () {
        yield Buffer.from('unitId\n');
        await sleep(SILENCE_MS);
        yield Buffer.from('none\n');
      });
      expect(await runSlice(slow, claimed)).to.equal(true);
      await giveBack(runDeps, claimed);
      expect(await runBulkJob(api, org, id)).to.include({ status: 'completed', refused: 1 });
    });

    it('blames the storage where it falls silent', async () => {
      const { claimed } = await start();
      const silent = readFrom(async function* () {
        yield Buffer.from('unitId\nnone\n');
        await sleep(SILENCE_MS);
        throw new Error('no answer');
      });
      const error: unknown = await runSlice(silent, claimed).catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(StorageFailedError);
    });
  });
});
