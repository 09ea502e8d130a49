import { expect } from 'chai';
import { claimJob, runSlice } from '../../../shared/bulk-jobs/run.ts';
import { holdUnits } from '../../../shared/consignments/holding.ts';
import { withTransaction, type Db } from '../../../shared/db.ts';
import { decodeId, newUuid } from '../../../shared/ids.ts';
import { runDepsOf } from '../../../workers/run-bulk-jobs/processor.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';
import { runAllBulkJobs } from '../../support/bulk-jobs.ts';

describe('units for a consignment', () => {
  let api: TestApi;

  before(async () => {
    api = await createTestApi();
  });
  after(() => api.close());

  it('go in where whoever held them lets them go at that moment', async () => {
    const org = await api.createOrganization();
    const { units } = await org.mintUnits(1);
    const [{ id, uuid }] = units as [(typeof units)[0]];
    await org.post('/consignments', { units: { unitIds: [id] } }).expect(201);
    const { data } = (await org.get('/bulk-jobs?status=queued')).body;
    const runDeps = runDepsOf(api.workerDeps);
    await runSlice(runDeps, (await claimJob(runDeps, decodeId('bulk', data[0].id)!))!);
    const draft = (await org.post('/consignments', {}).expect(201)).body.id;
    const target = { orgId: org.uuid, consignmentId: decodeId('cons', draft)!, jobId: newUuid() };
    let refusals = 0;
    const held = await withTransaction(api.deps.db, ({ db }) => {
      const beside = {
        async query(text: string, values: unknown[]) {
          const answer = await db.query(text, values);
          if (text.startsWith('insert into consignment_units') && answer.rowCount === 0) {
            refusals += 1;
            await org.post(`/bulk-jobs/${data[0].id}/cancel`).expect(200);
            await runAllBulkJobs(api);
          }
          return answer;
        },
      } as unknown as Db;
      return holdUnits(beside, target, [uuid]);
    });
    expect(refusals, 'times that it was held').to.equal(1);
    expect([...held.added]).to.deep.equal([uuid]);
    expect([...held.problems]).to.deep.equal([]);
  });
});
