import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { extendBulkLease } from '../../../shared/bulk-jobs/repository.ts';
import { claimJob, giveBack, runSlice, settleFailure, type RunDeps } from '../../../shared/bulk-jobs/run.ts';
import { decodeId, newUuid } from '../../../shared/ids.ts';
import { removeStrayFiles } from '../../../shared/storage/intake.ts';
import { runBulkJobs, runDepsOf } from '../../../workers/run-bulk-jobs/processor.ts';
import { sweep } from '../../../workers/sweep/sweep.ts';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';
import { runBulkJob } from '../../support/bulk-jobs.ts';
import { eventually } from '../../support/eventually.ts';
import { whileHeld } from '../../support/held-row.ts';
import { expectProblem } from '../../support/problem.ts';

const SLICE = 5_000;
/** A slice, and one more. */
const UNITS = SLICE + 1;

describe('cancelling a bulk job', () => {
  let api: TestApi;
  let org: TestOrganization;
  let runDeps: RunDeps;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
    runDeps = runDepsOf(api.workerDeps);
  });
  after(() => api.close());

  const start = async (body: object) =>
    (await org.post('/product-units/bulk', body).expect(202)).body.id as string;
  const cancel = (id: string, as = org) => as.post(`/bulk-jobs/${id}/cancel`);
  const read = async (id: string) => (await org.get(`/bulk-jobs/${id}`).expect(200)).body;
  const run = (id: string) => runBulkJobs(api.workerDeps)({ jobId: decodeId('bulk', id)! });
  const claim = async (id: string) => (await claimJob(runDeps, decodeId('bulk', id)!))!;
  const scalar = async (text: string, ...values: unknown[]): Promise<number> =>
    (await api.database.pool.query<{ n: number }>(text, values)).rows[0]!.n;
  const itemsOf = (id: string) =>
    scalar('select count(*)::int as n from bulk_job_items where job_id = $1', decodeId('bulk', id));
  const suspendedOf = (batchId: string) =>
    scalar(
      `select count(*)::int as n from product_units where batch_id = $1 and status = 'suspended'`,
      decodeId('batch', batchId),
    );
  const unitsOf = async (consignmentId: string) => ({
    held: await scalar(
      'select count(*)::int as n from consignment_units where consignment_id = $1',
      decodeId('cons', consignmentId),
    ),
    unitCount: (await org.get(`/consignments/${consignmentId}`).expect(200)).body.unitCount as number,
  });
  const auditOf = async (id: string) =>
    (
      await api.database.pool.query(
        `select before, after from audit_log where action = 'cancelBulkJob' and resource = $1`,
        [id],
      )
    ).rows;
  /** What a worker amid a slice waits for. */
  const rowOf = (table: 'product_units' | 'batches' | 'consignments' | 'bulk_jobs', uuid: string) => ({
    text: `select 1 from ${table} where id = $1 for update`,
    values: [uuid],
  });
  /** A batch with more units than a slice has. */
  const mintMany = async () => {
    const minted = await org.mintUnits(1);
    await api.database.pool.query(
      `insert into product_units (id, org_id, batch_id, product_id, ordinal, serial, code, token_key, status)
       select gen_random_uuid(), org_id, batch_id, product_id, ordinal + n, 'MORE' || n,
              substring(decode(md5(batch_id::text || n), 'hex') for 10), token_key, status
         from product_units, generate_series(1, $2::int) as n where id = $1`,
      [minted.units[0]!.uuid, UNITS - 1],
    );
    return { batchId: minted.batchId, unitId: minted.units[0]!.uuid };
  };
  const draft = async () => (await org.post('/consignments', {}).expect(201)).body.id as string;
  const consign = async (consignmentId: string, body: object) =>
    (await org.post(`/consignments/${consignmentId}/units`, body).expect(202)).body.id as string;
  const upload = async (consignmentId: string, unitIds: string[]) =>
    (
      await org
        .post(`/consignments/${consignmentId}/units`)
        .set('Content-Type', 'text/csv')
        .send(`unitId\n${unitIds.join('\n')}\n`)
        .expect(202)
    ).body.id as string;
  const lists = (): string[] => {
    const uploads = path.join(api.deps.config.STORAGE_DIR, 'uploads');
    return existsSync(uploads) ? readdirSync(uploads) : [];
  };

  it('ends one that waits at once, and repeats as a success', async () => {
    const { units } = await org.mintUnits(2);
    const id = await start({ action: 'suspend', unitIds: units.map((unit) => unit.id) });
    const { body } = await cancel(id).expect(200);
    const at = api.clock.now().toISOString();
    expect(body).to.deep.include({
      status: 'cancelled',
      progress: { done: 0, total: null },
      changed: 0,
      error: null,
      startedAt: null,
      finishedAt: at,
      cancelRequestedAt: at,
    });
    api.clock.advance(1_000);
    expect((await cancel(id).expect(200)).body).to.deep.equal(body);
    expect(await read(id)).to.deep.equal(body);
    expect(await itemsOf(id)).to.equal(0);
    expect(await run(id)).to.include({ did: 'nothing' });
    expect((await api.verify(units[0]!.token)).body.result).to.equal('genuine');
    const { data } = (await org.get('/bulk-jobs?status=cancelled').expect(200)).body;
    expect(data.map((job: { id: string }) => job.id)).to.deep.equal([id]);
  });

  it('waits for the slice that is being stored, counts it, and nothing comes behind it', async () => {
    const { batchId, unitId } = await mintMany();
    const id = await start({ action: 'suspend', batchId });
    await whileHeld(api.database.pool, rowOf('product_units', unitId), async ({ waiting, release }) => {
      const working = run(id);
      await waiting(1);
      const cancelling = cancel(id).then(({ status, body }) => ({ status, body }));
      await waiting(2);
      await release();
      const { status, body } = await cancelling;
      expect(status).to.equal(200);
      expect(body).to.deep.include({
        status: 'cancelled',
        progress: { done: SLICE, total: UNITS },
        changed: SLICE,
        unchanged: 0,
        refused: 0,
        finishedAt: api.clock.now().toISOString(),
      });
      await working;
      expect(await read(id)).to.deep.equal(body);
    });
    expect(await suspendedOf(batchId)).to.equal(SLICE);
    expect(await run(id)).to.include({ did: 'nothing' });
    // What the slice did is no change of who cancelled.
    const finishedAt = api.clock.now().toISOString();
    expect(await auditOf(id)).to.deep.equal([
      {
        before: { status: 'running', finishedAt: null, cancelRequestedAt: null },
        after: { status: 'cancelled', finishedAt, cancelRequestedAt: finishedAt },
      },
    ]);
  });

  it('comes too late for one that its worker finishes meanwhile', async () => {
    const { batchId, units } = await org.mintUnits(1);
    const id = await start({ action: 'recall', batchId });
    const uuid = decodeId('batch', batchId)!;
    await whileHeld(api.database.pool, rowOf('batches', uuid), async ({ waiting, release }) => {
      const working = run(id);
      await waiting(1);
      const cancelling = cancel(id).then((answer) => answer);
      await waiting(2);
      await release();
      expect(expectProblem(await cancelling, 'INVALID_TRANSITION')).to.include({ from: 'completed' });
      await working;
    });
    expect(await read(id)).to.include({ status: 'completed', changed: 1, cancelRequestedAt: null });
    expect((await api.verify(units[0]!.token)).body.result).to.equal('recalled');
  });

  it('leaves nothing to a worker that was at it, however that one goes on', async () => {
    const { batchId } = await org.mintUnits(2);
    const id = await start({ action: 'suspend', batchId });
    const claimed = await claim(id);
    const { body } = await cancel(id).expect(200);
    expect(await extendBulkLease(runDeps.db, claimed, new Date('2027-01-01T00:00:00Z'))).to.equal(false);
    expect(await runSlice(runDeps, claimed)).to.equal(false);
    await giveBack(runDeps, claimed);
    await settleFailure(runDeps, claimed);
    expect(await settleFailure(runDeps, { ...claimed, attempts: 4 })).to.equal(null);
    api.clock.advance(60_000);
    expect(await claimJob(runDeps, claimed.id)).to.equal(null);
    expect(await read(id)).to.deep.equal(body);
    expect(await suspendedOf(batchId)).to.equal(0);
  });

  it('does it once where it is asked for twice at once', async () => {
    const { batchId } = await mintMany();
    const consignmentId = await draft();
    for (const id of [
      await start({ action: 'suspend', batchId }),
      await consign(consignmentId, { batchId }),
    ]) {
      const uuid = decodeId('bulk', id)!;
      await runSlice(runDeps, await claim(id));
      const epoch = () => scalar('select lease_epoch as n from bulk_jobs where id = $1', uuid);
      const before = await epoch();
      await whileHeld(api.database.pool, rowOf('bulk_jobs', uuid), async ({ waiting, release }) => {
        const both = [cancel(id), cancel(id)].map((each) => each.then(({ status, body }) => [status, body]));
        await waiting(2);
        await release();
        const [first, second] = await Promise.all(both);
        expect(first![0]).to.equal(200);
        expect(second).to.deep.equal(first);
      });
      expect(await epoch()).to.equal(before + 1);
      await runBulkJob(api, org, id);
      expect(await read(id)).to.include({ status: 'cancelled' });
    }
  });

  it('refuses one that is completed or has failed, naming both states', async () => {
    const { batchId } = await org.mintUnits(1);
    const completed = await start({ action: 'suspend', batchId });
    await runBulkJob(api, org, completed);
    const failed = await start({ action: 'suspend', batchId });
    await settleFailure(runDeps, { ...(await claim(failed)), attempts: 4 });
    for (const [id, from] of [
      [completed, 'completed'],
      [failed, 'failed'],
    ] as const) {
      const before = await read(id);
      const problem = expectProblem(await cancel(id), 'INVALID_TRANSITION');
      expect(problem).to.include({ from, to: 'cancelled' });
      expect(await read(id)).to.deep.equal(before);
    }
  });

  it('is the organization’s own, and needs the scope that the job needed', async () => {
    const { batchId } = await org.mintUnits(1);
    const id = await start({ action: 'suspend', batchId });
    const consigning = await consign(await draft(), { batchId });
    expectProblem(await cancel(id, await api.createOrganization()), 'NOT_FOUND');
    const by = async (target: string, ...scopes: Parameters<TestOrganization['createKey']>) =>
      api
        .http()
        .post(`/api/v1/bulk-jobs/${target}/cancel`)
        .set('X-Api-Key', await org.createKey(...scopes));
    for (const target of [id, consigning])
      expectProblem(await by(target, 'products.read', 'consignments.read'), 'INSUFFICIENT_SCOPE');
    expectProblem(await by(id, 'consignments.write'), 'INSUFFICIENT_SCOPE');
    expectProblem(await by(consigning, 'product_units.write'), 'INSUFFICIENT_SCOPE');
    expect(await read(id)).to.include({ status: 'queued', cancelRequestedAt: null });
    expect(await read(consigning)).to.include({ status: 'queued' });
    expect((await by(id, 'product_units.write')).status).to.equal(200);
    expect((await by(consigning, 'consignments.write')).status).to.equal(200);
    expect(await read(consigning)).to.include({ status: 'cancelled' });
  });

  it('leaves no consignment half: what went in is taken back first, and the job is open until then', async () => {
    const { batchId } = await mintMany();
    const { units } = await org.mintUnits(2);
    const consignmentId = await draft();
    await runBulkJob(api, org, await consign(consignmentId, { unitIds: units.map((unit) => unit.id) }));
    const id = await consign(consignmentId, { batchId });
    await whileHeld(
      api.database.pool,
      rowOf('consignments', decodeId('cons', consignmentId)!),
      async ({ waiting, release }) => {
        const working = run(id);
        await waiting(1);
        const cancelling = cancel(id).then(({ status, body }) => ({ status, body }));
        await waiting(2);
        await release();
        const { status, body } = await cancelling;
        expect(status).to.equal(200);
        expect(body).to.deep.include({
          status: 'running',
          changed: SLICE,
          finishedAt: null,
          cancelRequestedAt: api.clock.now().toISOString(),
        });
        expect((await working).did).to.equal('finished');
      },
    );
    expect(await unitsOf(consignmentId)).to.deep.equal({ held: SLICE + 2, unitCount: 2 });
    expect((await org.get(`/consignments/${consignmentId}/units`).expect(200)).body.data).to.have.length(2);
    expectProblem(await org.post(`/consignments/${consignmentId}/dispatch`), 'CONFLICT');
    const ended = await runBulkJob(api, org, id);
    expect(ended).to.deep.include({
      status: 'cancelled',
      progress: { done: SLICE, total: UNITS },
      changed: 0,
      error: null,
    });
    expect((await cancel(id).expect(200)).body).to.deep.equal(ended);
    expect(await unitsOf(consignmentId)).to.deep.equal({ held: 2, unitCount: 2 });
    // Its units are free, and so is the draft.
    expect(await runBulkJob(api, org, await consign(consignmentId, { batchId }))).to.include({
      status: 'completed',
      changed: UNITS,
    });
  });

  it('of a consignment that is taking units back already goes on with that, and keeps why', async () => {
    const { batchId, units } = await org.mintUnits(2);
    const taken = await draft();
    await runBulkJob(api, org, await consign(taken, { unitIds: [units[0]!.id] }));
    const consignmentId = await draft();
    const id = await consign(consignmentId, { batchId });
    const claimed = await claim(id);
    await runSlice(runDeps, claimed);
    await runSlice(runDeps, claimed);
    // It waits, too: whoever cancels waits for nothing.
    await settleFailure(runDeps, claimed, new Error('Postgres is away'));
    const { status, cancelRequestedAt } = (await cancel(id).expect(200)).body;
    expect(status).to.equal('running');
    expect(await runSlice(runDeps, claimed)).to.equal(false);
    api.clock.advance(500);
    const ended = await runBulkJob(api, org, id);
    expect(ended).to.deep.include({ status: 'cancelled', changed: 0, refused: 1, error: null });
    expect(ended).to.include({ cancelRequestedAt });
    expect(ended['problems']).to.have.length(1);
    expect(await unitsOf(consignmentId)).to.deep.equal({ held: 0, unitCount: 0 });
    expect(await itemsOf(id)).to.equal(0);
  });

  it('gives up an uploaded list that nobody has read', async () => {
    const { units } = await org.mintUnits(1);
    const consignmentId = await draft();
    const id = await upload(consignmentId, [units[0]!.id]);
    expect((await cancel(id).expect(200)).body).to.include({ status: 'cancelled' });
    api.clock.advance(3_600_001);
    expect(await removeStrayFiles(api.workerDeps)).to.equal(1);
    expect(lists()).to.deep.equal([]);
    expect(await run(id)).to.include({ did: 'nothing' });
    expect(await runBulkJob(api, org, await upload(consignmentId, [units[0]!.id]))).to.include({
      status: 'completed',
      changed: 1,
    });
  });

  it('stops a worker in the middle of reading a list, which leaves none of it', async () => {
    const id = await upload(await draft(), ['unit_1']);
    const claimed = await claim(id);
    let cancelled: unknown;
    // Without an end: only who notices comes to one.
    const endless = async function* () {
      yield Buffer.from('unitId\n');
      for (let lines = 0; ; lines += 1) {
        yield Buffer.from('unit_1\n');
        if (lines === 100) cancelled = (await cancel(id)).body;
        await turn();
      }
    };
    const storage = { ...runDeps.storage, read: () => Readable.from(endless()) };
    expect(await runSlice({ ...runDeps, storage, leaseSeconds: 0.03 }, claimed)).to.equal(false);
    expect(cancelled).to.include({ status: 'cancelled' });
    expect(await read(id)).to.deep.equal(cancelled);
    expect(await itemsOf(id)).to.equal(0);
  });

  it('outlives an emptied Redis: the sweep wakes what is to be taken back, and revives nothing', async () => {
    const { batchId } = await org.mintUnits(2);
    const stopped = await start({ action: 'suspend', batchId });
    const consignmentId = await draft();
    const halfway = await consign(consignmentId, { batchId });
    const queue = api.deps.queues['run-bulk-jobs'];
    const own = [stopped, halfway].map((id) => decodeId('bulk', id)!);
    const woken = async () => {
      const ids = (await queue.getJobs()).map(({ data }) => data.jobId);
      return own.filter((id) => ids.includes(id));
    };
    // Wake-ups follow a request's end, and nobody waits for them.
    const wakesUp = (ids: string[]) =>
      eventually(`wake-ups of ${ids.length}`, async () => String(await woken()) === String(ids));
    await wakesUp(own);
    await runSlice(runDeps, await claim(stopped));
    await runSlice(runDeps, await claim(halfway));
    await queue.obliterate({ force: true });
    await cancel(stopped).expect(200);
    await cancel(halfway).expect(200);
    await wakesUp([own[1]!]);
    await queue.obliterate({ force: true });
    // Past every lease that a worker had.
    api.clock.advance(runDeps.leaseSeconds * 1000);
    await sweep(api.workerDeps);
    expect(await woken()).to.deep.equal([own[1]]);
    expect(await runBulkJob(api, org, halfway)).to.include({ status: 'cancelled' });
    expect(await read(stopped)).to.include({ status: 'cancelled', changed: 2 });
    await queue.obliterate({ force: true });
    api.clock.advance(runDeps.leaseSeconds * 1000);
    await sweep(api.workerDeps);
    expect(await woken()).to.deep.equal([]);
    expect(await unitsOf(consignmentId)).to.deep.equal({ held: 0, unitCount: 0 });
  });

  it('knows no job that there is not', async () => {
    expectProblem(await cancel('bulk_nonsense'), 'NOT_FOUND');
    expectProblem(await cancel(newUuid()), 'NOT_FOUND');
  });
});
