import { existsSync, readdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { claimJob, runSlice, type RunDeps } from '../../../shared/bulk-jobs/run.ts';
import { decodeId } from '../../../shared/ids.ts';
import { removeStrayFiles } from '../../../shared/storage/intake.ts';
import type { Waker } from '../../../shared/queues.ts';
import type { Storage } from '../../../shared/storage/storage.ts';
import { runBulkJobs } from '../../../workers/run-bulk-jobs/processor.ts';
import { sweep } from '../../../workers/sweep/sweep.ts';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';
import { runBulkJob } from '../../support/bulk-jobs.ts';
import { eventually } from '../../support/eventually.ts';
import { expectProblem } from '../../support/problem.ts';

describe('an uploaded list of units', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
  });
  after(() => api.close());

  const upload = async (list?: string): Promise<string> => {
    const { units } = await org.mintUnits(2);
    const { id } = (await org.post('/consignments', {}).expect(201)).body;
    const { body } = await org
      .post(`/consignments/${id}/units`)
      .set('Content-Type', 'text/csv')
      .send(list ?? `unitId\n${units.map((unit) => `${unit.id}\n`).join('')}`)
      .expect(202);
    return body.id as string;
  };
  const lists = (): string[] => {
    const uploads = path.join(api.deps.config.STORAGE_DIR, 'uploads');
    return existsSync(uploads) ? readdirSync(uploads) : [];
  };
  const runWith = (id: string, storage: Partial<Storage>) =>
    runBulkJobs({ ...api.workerDeps, storage: { ...api.workerDeps.storage, ...storage } })({
      jobId: decodeId('bulk', id)!,
    });
  const housekeep = () => {
    api.clock.advance(3_600_001);
    return removeStrayFiles(api.workerDeps);
  };
  const away = () => Promise.reject(new Error('the storage is away'));

  it('is CSV, NDJSON or JSON, which is said of what is neither', async () => {
    const { id } = (await org.post('/consignments', {}).expect(201)).body;
    const sent = await org.post(`/consignments/${id}/units`).set('Content-Type', 'text/plain').send('A');
    const problem = expectProblem(sent, 'UNSUPPORTED_MEDIA_TYPE');
    expect(problem.detail).to.equal('send one of application/json, text/csv, application/x-ndjson');
  });

  it('is added once for an Idempotency-Key, which tells one list, and what it is by, from another', async () => {
    const { units } = await org.mintUnits(2);
    const { id } = (await org.post('/consignments', {}).expect(201)).body;
    const send = (list: string, query = '') =>
      org
        .post(`/consignments/${id}/units${query}`)
        .set('Content-Type', 'text/csv')
        .set('Idempotency-Key', 'list')
        .send(list);
    const list = `unitId\n${units[0]!.id}\n`;
    const first = await send(list).expect(202);
    expect((await send(list).expect(202)).body).to.deep.equal(first.body);
    expectProblem(await send(`unitId\n${units[1]!.id}\n`), 'IDEMPOTENCY_KEY_REUSED');
    expectProblem(await send(list, '?by=code'), 'IDEMPOTENCY_KEY_REUSED');
    expect(await runBulkJob(api, org, first.body.id)).to.include({ status: 'completed', changed: 1 });
    expect((await send(list).expect(202)).headers).to.include({ 'idempotent-replayed': 'true' });
    await eventually('no list is left', () => lists().length === 0);
  });

  it('stays where a worker has lost its job, for the one that has it', async () => {
    const id = await upload();
    const deps: RunDeps = {
      ...api.workerDeps,
      tokenKeys: api.deps.config.TOKEN_KEYS,
      leaseSeconds: api.deps.config.LEASE_SECONDS,
    };
    const lost = (await claimJob(deps, decodeId('bulk', id)!))!;
    api.clock.advance(deps.leaseSeconds * 1000);
    const held = (await claimJob(deps, decodeId('bulk', id)!))!;
    expect(await runSlice(deps, lost)).to.equal(false);
    expect(await runSlice(deps, held)).to.equal(true);
    expect(lists()).to.deep.equal([]);
    api.clock.advance(deps.leaseSeconds * 1000);
    expect(await runBulkJob(api, org, id)).to.include({ status: 'completed', changed: 2 });
  });

  it('goes by housekeeping where it could not be removed when it was read, which does not hold its job up', async () => {
    const id = await upload();
    // It is in the last of its tries.
    await api.database.pool.query('update bulk_jobs set attempts = 4 where id = $1', [decodeId('bulk', id)]);
    expect(await runWith(id, { removeAll: away })).to.include({ did: 'finished' });
    expect((await org.get(`/bulk-jobs/${id}`).expect(200)).body).to.include({
      status: 'completed',
      changed: 2,
    });
    expect(lists()).to.have.length(1);
    expect(await housekeep()).to.equal(1);
    expect(lists()).to.deep.equal([]);
  });

  it('goes by housekeeping where it was refused and could not be removed', async () => {
    const id = await upload('serial\nA1\n');
    expect(await runWith(id, { removeAll: away })).to.include({ did: 'finished' });
    expect((await org.get(`/bulk-jobs/${id}`).expect(200)).body.error.code).to.equal('UPLOAD_NOT_USABLE');
    expect(await housekeep()).to.equal(1);
    expect(lists()).to.deep.equal([]);
  });

  it('goes by housekeeping where its job was given up', async () => {
    const id = await upload();
    const unreadable = () => {
      throw new Error('the storage is away');
    };
    for (let attempt = 0; attempt < 20; attempt += 1) {
      expect(await runWith(id, { read: unreadable })).to.include({ did: 'failed' });
      api.clock.advance(60_000);
    }
    expect(await runBulkJob(api, org, id)).to.deep.include({ status: 'failed' });
    expect(await housekeep()).to.equal(1);
    expect(lists()).to.deep.equal([]);
  });

  describe('while the storage is away', () => {
    const uploads = () => path.join(api.deps.config.STORAGE_DIR, 'uploads');
    const whileAway = async (act: () => Promise<unknown>) => {
      renameSync(uploads(), `${uploads()}-away`);
      try {
        await act();
      } finally {
        renameSync(`${uploads()}-away`, uploads());
      }
    };
    const rowOf = async (id: string) => {
      const { rows } = await api.database.pool.query<{
        due_at: Date;
        status: string;
        phase: string;
        attempts: number;
      }>('select due_at, status, phase, attempts from bulk_jobs where id = $1', [decodeId('bulk', id)]);
      return rows[0]!;
    };
    const read = async (id: string) => (await org.get(`/bulk-jobs/${id}`).expect(200)).body;
    /** Fails until the job is given up or `untilMs` is over. @returns how long that took. */
    const outlive = async (id: string, untilMs = Infinity) => {
      const began = api.clock.now().getTime();
      const waited = () => api.clock.now().getTime() - began;
      while (waited() < untilMs) {
        expect(await runWith(id, {})).to.include({ did: 'failed' });
        const { phase, due_at: dueAt } = await rowOf(id);
        if (phase !== 'load') break;
        expect(await runWith(id, {}), 'before it is due').to.include({ did: 'nothing' });
        api.clock.set(dueAt);
      }
      return waited();
    };

    it('waits, and is worked off when it comes back after minutes', async () => {
      const id = await upload();
      await whileAway(async () => {
        await outlive(id, 10 * 60_000);
        expect(await read(id)).to.include({ status: 'running', error: null });
        expect(await rowOf(id)).to.include({ attempts: 0 });
      });
      expect(lists()).to.have.length(1);
      expect(await runBulkJob(api, org, id)).to.include({ status: 'completed', changed: 2 });
      expect(lists()).to.deep.equal([]);
    });

    it('is given up after a quarter of an hour, which is said, and leaves the consignment as it was', async () => {
      const id = await upload();
      await whileAway(async () => {
        expect(await outlive(id)).to.be.within(14 * 60_000, 16 * 60_000);
      });
      const { status, error, consignmentId } = await runBulkJob(api, org, id);
      expect(status).to.equal('failed');
      expect(error).to.include({ code: 'STORAGE_UNAVAILABLE' });
      expect((await org.get(`/consignments/${consignmentId}`)).body.unitCount).to.equal(0);
      await housekeep();
      expect(lists()).to.deep.equal([]);
    });

    it('is cancelled at once, and goes later', async () => {
      const id = await upload();
      await whileAway(async () => {
        await outlive(id, 60_000);
        const { body } = await org.post(`/bulk-jobs/${id}/cancel`).expect(200);
        expect(body.status).to.equal('cancelled');
      });
      expect(await runWith(id, {})).to.include({ did: 'nothing' });
      await housekeep();
      expect(lists()).to.deep.equal([]);
    });

    it('is woken by the sweep alone, when it is due: all that Redis held is gone, and its worker was killed', async () => {
      const id = await upload();
      const uuid = decodeId('bulk', id)!;
      const sweeps = async () => {
        const woken: string[] = [];
        const waker: Waker = {
          ...api.workerDeps.waker,
          runBulkJobs: (ids) => Promise.resolve(void woken.push(...ids)),
        };
        await sweep({ ...api.workerDeps, waker });
        return woken.includes(uuid);
      };
      const leaseSeconds = api.deps.config.LEASE_SECONDS;
      const deps: RunDeps = { ...api.workerDeps, tokenKeys: api.deps.config.TOKEN_KEYS, leaseSeconds };
      await whileAway(() => outlive(id, 3 * 60_000));
      api.clock.advance(-1);
      expect(await sweeps(), 'before it is due').to.equal(false);
      api.clock.advance(1);
      expect(await sweeps()).to.equal(true);
      expect(await claimJob(deps, uuid)).to.include({ id: uuid });
      api.clock.advance(leaseSeconds * 1000);
      expect(await sweeps(), 'when the lease has run out').to.equal(true);
      expect(await runBulkJob(api, org, id)).to.include({ status: 'completed', changed: 2 });
    });
  });
});
