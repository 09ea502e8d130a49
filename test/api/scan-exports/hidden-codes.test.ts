import { expect } from 'chai';
import { decodeId } from '../../../shared/ids.ts';
import { exportScans } from '../../../workers/export-scans/processor.ts';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';
import { runAllBulkJobs } from '../../support/bulk-jobs.ts';
import { downloadFile } from '../../support/export-files.ts';

describe('exports of scans with hidden codes and taps of NFC tags', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
  });
  after(() => api.close());

  /** @returns each scan with what one column says of it. */
  const exportedBy = async (filter: object, column: string) => {
    const { id } = (await org.post('/scan-exports', { format: 'csv', ...filter }).expect(202)).body;
    await exportScans(api.workerDeps)({ exportId: decodeId('exp', id)! });
    const { body } = await downloadFile(
      api,
      (await org.get(`/scan-exports/${id}`).expect(200)).body.artifacts[0].url,
    );
    const [header, ...lines] = String(body).trimEnd().split('\n');
    const at = header!.split(',').indexOf(column);
    return lines.map((line) => [line.split(',')[0], line.split(',')[at]]);
  };

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
    const exported = (filter: object) => exportedBy({ batchId, ...filter }, 'hiddenCode');
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

  it('take those that came with a tap, and say what that was', async () => {
    const { units, batchId } = await org.mintUnits(4);
    const scans: string[] = [];
    for (const { token } of units) scans.push((await api.verify(token).expect(200)).body.scanId);
    const taps = ['fresh', 'replayed', 'invalid', null];
    await api.database.pool.query(
      `update scans s set nfc_tap = t.tap from unnest($1::uuid[], $2::text[]) as t (id, tap) where s.id = t.id`,
      [scans.map((id) => decodeId('scan', id)), taps],
    );
    api.clock.advance(1000);
    expect(await exportedBy({ batchId }, 'nfcTap')).to.have.deep.members(
      scans.map((id, n) => [id, taps[n] ?? '']),
    );
    for (const [n, nfcTap] of taps.slice(0, 3).entries())
      expect(await exportedBy({ batchId, nfcTap }, 'nfcTap')).to.deep.equal([[scans[n], nfcTap]]);
  });
});
