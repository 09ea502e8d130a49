import { expect } from 'chai';
import { decodeId } from '../../../shared/ids.ts';
import { exportScans } from '../../../workers/export-scans/processor.ts';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';
import { runAllBulkJobs } from '../../support/bulk-jobs.ts';
import { downloadFile } from '../../support/export-files.ts';

describe('exports of scans with hidden codes', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
  });
  after(() => api.close());

  it('take those with which a hidden code was entered, also of a consignment, and say whether it was right', async () => {
    const { units, batchId } = await org.mintUnits(4);
    const unitIds = units.slice(0, 3).map((unit) => unit.id);
    const consignment = await org.post('/consignments', { units: { unitIds } }).expect(201);
    await runAllBulkJobs(api);
    const scans: string[] = [];
    for (const { token } of units) scans.push((await api.verify(token).expect(200)).body.scanId);
    await api.database.pool.query(
      `update scans s set hidden_code_correct = t.is_right
         from unnest($1::uuid[], $2::boolean[]) as t (id, is_right) where s.id = t.id`,
      [scans.map((id) => decodeId('scan', id)), [true, false, null, false]],
    );
    api.clock.advance(1000);
    const exported = async (filter: object) => {
      const { id } = (await org.post('/scan-exports', { format: 'csv', batchId, ...filter }).expect(202))
        .body;
      await exportScans(api.workerDeps)({ exportId: decodeId('exp', id)! });
      const { body } = await downloadFile(
        api,
        (await org.get(`/scan-exports/${id}`).expect(200)).body.artifacts[0].url,
      );
      const [header, ...lines] = String(body).trimEnd().split('\n');
      const column = header!.split(',').indexOf('hiddenCode');
      return lines.map((line) => [line.split(',')[0], line.split(',')[column]]);
    };
    const [right, wrong, none, stray] = scans as [string, string, string, string];
    expect(await exported({})).to.have.deep.members([
      [right, 'correct'],
      [wrong, 'wrong'],
      [none, ''],
      [stray, 'wrong'],
    ]);
    expect(await exported({ hiddenCode: 'correct' })).to.deep.equal([[right, 'correct']]);
    const consignmentId = consignment.body.id as string;
    expect(await exported({ hiddenCode: 'wrong', consignmentId })).to.deep.equal([[wrong, 'wrong']]);
    const { body } = await org.get(`/scans?hiddenCode=wrong&consignmentId=${consignmentId}`).expect(200);
    expect(body.data.map((scan: { id: string }) => scan.id)).to.deep.equal([wrong]);
  });
});
