import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { claimJob, runSlice, type RunDeps } from '../../../shared/bulk-jobs/run.ts';
import { decodeId } from '../../../shared/ids.ts';
import { removeStrayFiles } from '../../../shared/storage/intake.ts';
import type { Storage } from '../../../shared/storage/storage.ts';
import { runBulkJobs } from '../../../workers/run-bulk-jobs/processor.ts';
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

  it('goes by housekeeping where it could not be removed when it was read', async () => {
    const id = await upload();
    expect(await runWith(id, { removeAll: away })).to.include({ did: 'failed' });
    expect(lists()).to.have.length(1);
    expect(await housekeep()).to.equal(1);
    expect(lists()).to.deep.equal([]);
    expect(await runBulkJob(api, org, id)).to.include({ status: 'completed', changed: 2 });
  });

  it('goes by housekeeping where it was refused and could not be removed', async () => {
    const id = await upload('serial\nA1\n');
    await runWith(id, { removeAll: away });
    expect((await org.get(`/bulk-jobs/${id}`).expect(200)).body.error.code).to.equal('UPLOAD_NOT_USABLE');
    expect(await housekeep()).to.equal(1);
    expect(lists()).to.deep.equal([]);
  });

  it('goes by housekeeping where its job was given up', async () => {
    const id = await upload();
    const unreadable = () => {
      throw new Error('the storage is away');
    };
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect(await runWith(id, { read: unreadable })).to.include({ did: 'failed' });
      api.clock.advance(60_000);
    }
    expect(await runBulkJob(api, org, id)).to.deep.include({ status: 'failed' });
    expect(await housekeep()).to.equal(1);
    expect(lists()).to.deep.equal([]);
  });
});
