import { expect } from 'chai';
import { rollUp } from '../../../shared/analytics/service.ts';
import { newUuid } from '../../../shared/ids.ts';
import { extendBulkLease } from '../../../shared/bulk-jobs/repository.ts';
import { claimJob, giveBack, runSlice, settleFailure, type RunDeps } from '../../../shared/bulk-jobs/run.ts';
import { decodeId, encodeId } from '../../../shared/ids.ts';
import { runBulkJobs, runDepsOf } from '../../../workers/run-bulk-jobs/processor.ts';
import { createTestApi, type TestApi, type TestOrganization, type TestUnit } from '../../support/api.ts';
import { runBulkJob } from '../../support/bulk-jobs.ts';
import { whileHeld, type Held } from '../../support/held-row.ts';
import { expectProblem } from '../../support/problem.ts';

const YEAR = 'from=2026-01-01T00:00:00Z&to=2027-01-01T00:00:00Z';

describe('bulk jobs', () => {
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
  const statuses = async (batchId: string) =>
    (await org.get(`/product-units?batchId=${batchId}`)).body.data.map((unit: any) => unit.status);

  it('activate and suspend a whole batch, with progress to poll', async () => {
    const { batchId } = await org.mintUnits(4, { job: { activate: false } });
    const { body, headers } = await org
      .post('/product-units/bulk', { action: 'activate', batchId })
      .expect(202);
    expect(headers['location']).to.equal(`/api/v1/bulk-jobs/${body.id}`);
    expect((await org.get(`/bulk-jobs/${body.id}`)).headers['retry-after']).to.equal('1');
    expect(await runBulkJob(api, org, body.id)).to.deep.include({
      status: 'completed',
      progress: { done: 4, total: 4 },
      changed: 4,
    });
    expect(await statuses(batchId)).to.deep.equal(['active', 'active', 'active', 'active']);
    await runBulkJob(api, org, await start({ action: 'suspend', batchId }));
    expect(new Set(await statuses(batchId))).to.deep.equal(new Set(['suspended']));
  });

  it('count each unit that they activate for the first time, for its product', async () => {
    const counted = async (productId: string) => {
      await rollUp(api.database.pool);
      const { activated } = (await org.get(`/analytics/funnel?productId=${productId}&${YEAR}`).expect(200))
        .body;
      return activated as number;
    };
    const oil = await org.mintUnits(2, { job: { activate: false } });
    const soap = await org.mintUnits(2, { job: { activate: false } });
    await org.post(`/product-units/${soap.units[0]!.id}/activate`).expect(200);
    await org.post(`/product-units/${soap.units[0]!.id}/suspend`).expect(200);
    const unitIds = [...oil.units, ...soap.units].map((unit) => unit.id);
    expect(await runBulkJob(api, org, await start({ action: 'activate', unitIds }))).to.include({
      changed: 4,
    });
    expect([await counted(oil.productId), await counted(soap.productId)]).to.deep.equal([2, 2]);
    await runBulkJob(api, org, await start({ action: 'suspend', unitIds }));
    await runBulkJob(api, org, await start({ action: 'activate', unitIds }));
    expect([await counted(oil.productId), await counted(soap.productId)]).to.deep.equal([2, 2]);
  });

  it('tell which units cannot get there, and move the others', async () => {
    const minted = (await org.mintUnits(1, { job: { activate: false } })).units[0]!;
    const active = (await org.mintUnits(1)).units[0]!;
    const strange = encodeId('unit', newUuid());
    const unitIds = [minted.id, active.id, strange];
    const job = await runBulkJob(api, org, await start({ action: 'suspend', unitIds }));
    expect(job).to.deep.include({ status: 'completed', changed: 1, refused: 2 });
    expect(job['problems']).to.deep.equal([
      {
        line: 1,
        ref: minted.id,
        code: 'UNIT_STATE',
        message: 'cannot go from "minted" to "suspended"',
        params: { from: 'minted', to: 'suspended' },
      },
      { line: 3, ref: strange, code: 'NO_SUCH_UNIT', message: 'no such unit' },
    ]);
  });

  it('take a unit that another job moves meanwhile as it is then', async () => {
    const { units, batchId } = await org.mintUnits(2, { job: { activate: false } });
    const ids = [await start({ action: 'activate', batchId }), await start({ action: 'activate', batchId })];
    const { pool } = api.database;
    const text = 'select 1 from product_units where id = $1 for update';
    await whileHeld(pool, { text, values: [units[0]!.uuid] }, async ({ waiting, release }) => {
      const first = runBulkJob(api, org, ids[0]!);
      await waiting(1);
      const second = runBulkJob(api, org, ids[1]!);
      await waiting(2);
      await release();
      expect(await first).to.deep.include({ changed: 2, refused: 0 });
      expect(await second).to.deep.include({ changed: 0, unchanged: 2, refused: 0, problems: [] });
    });
    expect(await statuses(batchId)).to.deep.equal(['active', 'active']);
  });

  it('recall and lift listed units, and a batch by one overlay', async () => {
    const { units, batchId } = await org.mintUnits(2);
    const unitIds = units.map((unit) => unit.id);
    const result = async () => (await api.verify(units[1]!.token)).body.result;
    for (const target of [{ unitIds }, { batchId }]) {
      await runBulkJob(api, org, await start({ action: 'recall', reason: 'Test', ...target }));
      expect(await result()).to.equal('recalled');
      await runBulkJob(api, org, await start({ action: 'lift-recall', ...target }));
      expect(await result()).to.equal('genuine');
    }
    const { rows } = await api.database.pool.query(
      'select scope, count(*)::int as n from recalls group by 1 order by 1',
    );
    expect(rows).to.deep.equal([
      { scope: 'batch', n: 1 },
      { scope: 'unit', n: 2 },
    ]);
  });

  it('recall a batch before it has units, and those that are minted later with it', async () => {
    const batch = await org.createBatch({ quantity: 1 });
    const job = await runBulkJob(api, org, await start({ action: 'recall', batchId: batch.id, reason: 'R' }));
    expect(job).to.deep.include({ status: 'completed', progress: { done: 0, total: 0 }, changed: 0 });
    expect((await org.get(`/batches/${batch.id}`).expect(200)).body.recall.reason).to.equal('R');
    await api.runJob((await org.startJob(batch.id, { activate: true })).id);
    const unit = (await org.get(`/product-units?batchId=${batch.id}`)).body.data[0];
    expect((await api.verify(unit.token)).body.result).to.equal('recalled');
  });

  it('recall a batch once, whatever becomes of the worker and of the recall meanwhile; lifting alike', async () => {
    const { batchId, units } = await org.mintUnits(1);
    // Two more than a slice.
    await api.database.pool.query(
      `insert into product_units (id, org_id, batch_id, product_id, ordinal, serial, code, token_key, status)
       select gen_random_uuid(), org_id, batch_id, product_id, ordinal + n, 'MORE' || n,
              substring(decode(md5('more' || n), 'hex') for 10), token_key, status
         from product_units, generate_series(1, 5001) as n where id = $1`,
      [units[0]!.uuid],
    );
    const isRecalled = async () => (await api.verify(units[0]!.token)).body.result === 'recalled';
    for (const [action, opposite] of [
      ['recall', 'lift-recall'],
      ['lift-recall', 'recall'],
    ]) {
      if (action === 'lift-recall') await org.post(`/batches/${batchId}/recall`).expect(200);
      const id = await start({ action, batchId });
      await runSlice(runDeps, (await claimJob(runDeps, decodeId('bulk', id)!))!);
      expect(await isRecalled(), action).to.equal(action === 'recall');
      await org.post(`/batches/${batchId}/${opposite}`).expect(200);
      api.clock.advance(runDeps.leaseSeconds * 1000);
      expect(await runBulkJob(api, org, id)).to.deep.include({
        status: 'completed',
        progress: { done: 5002, total: 5002 },
        changed: 5002,
      });
      expect(await isRecalled(), `${action}, then the opposite`).to.equal(action === 'lift-recall');
    }
  });

  it('count no unit as changed where the batch was recalled, or lifted, already', async () => {
    const { batchId } = await org.mintUnits(2);
    const outcomes = [];
    for (const action of ['lift-recall', 'recall', 'recall', 'lift-recall', 'lift-recall']) {
      const { changed, unchanged } = await runBulkJob(api, org, await start({ action, batchId }));
      outcomes.push([changed, unchanged]);
    }
    expect(outcomes).to.deep.equal([
      [0, 2],
      [2, 0],
      [0, 2],
      [2, 0],
      [0, 2],
    ]);
  });

  it('change nothing for a worker that lost its lease', async () => {
    const { batchId } = await org.mintUnits(2);
    const id = decodeId('bulk', await start({ action: 'suspend', batchId }))!;
    const first = (await claimJob(runDeps, id))!;
    expect(await claimJob(runDeps, id)).to.equal(null);
    api.clock.advance(runDeps.leaseSeconds * 1000);
    const second = (await claimJob(runDeps, id))!;
    expect(await runSlice(runDeps, first)).to.equal(false);
    await giveBack(runDeps, first);
    expect(await claimJob(runDeps, id), 'the second’s').to.equal(null);
    expect(new Set(await statuses(batchId))).to.deep.equal(new Set(['active']));
    // The second goes on where the cursor stands, to the end.
    while (await runSlice(runDeps, second));
    expect(new Set(await statuses(batchId))).to.deep.equal(new Set(['suspended']));
    expect((await org.get(`/bulk-jobs/${encodeId('bulk', id)}`)).body).to.include({
      status: 'completed',
      changed: 2,
    });
  });

  it('are handed over at once when the process is told to stop', async () => {
    const { batchId } = await org.mintUnits(1);
    const id = decodeId('bulk', await start({ action: 'suspend', batchId }))!;
    const woken: string[] = [];
    const waker = {
      ...api.workerDeps.waker,
      runBulkJobs: async (ids: string[]) => {
        woken.push(...ids);
      },
    };
    const told = runBulkJobs({ ...api.workerDeps, waker, stopping: AbortSignal.abort() });
    expect(await told({ jobId: id })).to.include({ did: 'nothing' });
    expect(woken).to.deep.equal([id]);
    expect(await claimJob(runDeps, id), 'free for another').to.include({ id });
  });

  it('are not taken again by a sign of life that comes after they were given back', async () => {
    const { batchId } = await org.mintUnits(1);
    const id = decodeId('bulk', await start({ action: 'suspend', batchId }))!;
    const job = (await claimJob(runDeps, id))!;
    await giveBack(runDeps, job);
    const late = new Date(api.clock.now().getTime() + 60_000);
    await extendBulkLease(runDeps.db, job, late);
    expect(await claimJob(runDeps, id)).to.include({ id });

    const { id: consignmentId } = (await org.post('/consignments', {}).expect(201)).body;
    const consigning = (await org.post(`/consignments/${consignmentId}/units`, { batchId }).expect(202)).body;
    const failing = (await claimJob(runDeps, decodeId('bulk', consigning.id)!))!;
    // For the last time: what is left is to take the units back.
    await settleFailure(runDeps, { ...failing, attempts: 4 });
    await extendBulkLease(runDeps.db, failing, late);
    expect(await claimJob(runDeps, failing.id)).to.include({ phase: 'undo' });
  });

  it('resume behind the last slice after a worker died', async () => {
    const { batchId } = await org.mintUnits(3);
    const id = decodeId('bulk', await start({ action: 'suspend', batchId }))!;
    await runSlice(runDeps, (await claimJob(runDeps, id))!);
    api.clock.advance(runDeps.leaseSeconds * 1000);
    const job = await runBulkJob(api, org, encodeId('bulk', id));
    expect(job).to.deep.include({ changed: 3, progress: { done: 3, total: 3 } });
  });

  it('fail when five workers in a row ended with them, and no sooner where they moved in between', async () => {
    const { batchId } = await org.mintUnits(2);
    const id = decodeId('bulk', await start({ action: 'suspend', batchId }))!;
    const die = async (times: number) => {
      for (let death = 0; death < times; death += 1) {
        expect(await claimJob(runDeps, id)).to.include({ id });
        api.clock.advance(runDeps.leaseSeconds * 1000);
      }
    };
    await die(4);
    await runSlice(runDeps, (await claimJob(runDeps, id))!);
    api.clock.advance(runDeps.leaseSeconds * 1000);
    await die(4);
    const run = runBulkJobs(api.workerDeps);
    expect(await run({ jobId: id })).to.include({ did: 'failed' });
    const { body } = await org.get(`/bulk-jobs/${encodeId('bulk', id)}`).expect(200);
    expect(body).to.deep.include({ status: 'failed', changed: 2 });
    expect(body.error.code).to.equal('BULK_JOB_FAILED');
    expect(await run({ jobId: id })).to.include({ did: 'nothing' });
  });

  it('do not fail for one error behind a slice that was done, however many there were before it', async () => {
    const { batchId } = await org.mintUnits(2);
    const id = decodeId('bulk', await start({ action: 'suspend', batchId }))!;
    const { pool } = api.database;
    await pool.query('update bulk_jobs set attempts = 4 where id = $1', [id]);
    await pool.query(`create function refuse() returns trigger language plpgsql as 'begin raise ''away''; end';
      create trigger refuse before update on bulk_jobs for each row when (new.finished_at is not null) execute function refuse()`);
    const run = runBulkJobs(api.workerDeps);
    expect(await run({ jobId: id })).to.include({ did: 'failed' });
    await pool.query('drop function refuse cascade');
    api.clock.advance(1_000);
    expect(await run({ jobId: id })).to.include({ did: 'finished' });
    const { body } = await org.get(`/bulk-jobs/${encodeId('bulk', id)}`).expect(200);
    expect(body).to.include({ status: 'completed', changed: 2 });
  });

  /** A job suspends a unit whose row somebody holds, and waits for it when `meanwhile` begins. */
  const suspendWhileHeld = async (
    meanwhile: (held: Held, unit: TestUnit) => Promise<void>,
  ): Promise<TestUnit> => {
    const unit = (await org.mintUnits(1)).units[0]!;
    const jobId = decodeId('bulk', await start({ action: 'suspend', unitIds: [unit.id] }))!;
    const row = { text: 'select 1 from product_units where id = $1 for update', values: [unit.uuid] };
    await whileHeld(api.database.pool, row, async (held) => {
      const worked = runBulkJobs(api.workerDeps)({ jobId });
      await held.waiting(1);
      await meanwhile(held, unit);
      await worked;
    });
    return unit;
  };

  it('move a unit when they have it, and not before what they waited for', async () => {
    const { uuid } = await suspendWhileHeld(async ({ release }) => {
      api.clock.advance(1_000);
      await release();
    });
    const { rows } = await api.database.pool.query('select at from unit_transitions where unit_id = $1', [
      uuid,
    ]);
    expect(rows).to.deep.equal([{ at: api.clock.now() }]);
  });

  it('are not in the log as the change of whoever moves one of their units at that moment', async () => {
    const { id } = await suspendWhileHeld(async ({ waiting, release }, unit) => {
      const suspended = org.post(`/product-units/${unit.id}/suspend`).then((reply) => reply);
      await waiting(2);
      await release();
      expect((await suspended).body.status).to.equal('suspended');
    });
    const { rows } = await api.database.pool.query<{ after: object }>(
      `select after from audit_log where resource = $1 and action = 'suspendUnit'`,
      [id],
    );
    expect(rows.map(({ after }) => after)).to.deep.equal([{}]);
  });

  it('belong to one organization, and need the scope', async () => {
    const { batchId, units } = await org.mintUnits(1);
    const id = await start({ action: 'activate', batchId });
    const other = await api.createOrganization();
    expectProblem(await other.get(`/bulk-jobs/${id}`), 'NOT_FOUND');
    expectProblem(await other.post('/product-units/bulk', { action: 'suspend', batchId }), 'NOT_FOUND');
    const theirs = (
      await other.post('/product-units/bulk', { action: 'suspend', unitIds: [units[0]!.id] }).expect(202)
    ).body.id;
    expect(await runBulkJob(api, other, theirs)).to.include({ changed: 0, refused: 1 });
    expect(await statuses(batchId)).to.deep.equal(['active']);
    expectProblem(await org.post('/product-units/bulk', { action: 'void', batchId }), 'VALIDATION_FAILED');
    expectProblem(await org.post('/product-units/bulk', { action: 'activate' }), 'VALIDATION_FAILED');
  });
});
