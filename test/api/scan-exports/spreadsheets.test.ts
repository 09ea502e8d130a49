import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { decodeId } from '../../../shared/ids.ts';
import { exportScans } from '../../../workers/export-scans/processor.ts';
import { exportUnits } from '../../../workers/export-units/processor.ts';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';
import { runBulkJob } from '../../support/bulk-jobs.ts';
import { downloadFile } from '../../support/export-files.ts';
import { expectProblem } from '../../support/problem.ts';

const MARK = Buffer.from([0xef, 0xbb, 0xbf]);

describe('exports for spreadsheets', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
  });
  after(() => api.close());

  const written = async (list: 'scan-exports' | 'unit-exports', asked: object): Promise<Buffer> => {
    const { body: started } = await org.post(`/${list}`, asked).expect(202);
    expect(started.byteOrderMark).to.equal('byteOrderMark' in asked);
    if (list === 'scan-exports')
      await exportScans(api.workerDeps)({ exportId: decodeId('exp', started.id)! });
    else await exportUnits(api.workerDeps)({ exportId: decodeId('uexp', started.id)! });
    const { body: done } = await org.get(`/${list}/${started.id}`).expect(200);
    const { body } = await downloadFile(api, done.artifacts[0].url);
    const [{ bytes, sha256 }] = done.artifacts;
    expect({ bytes, sha256 }).to.deep.equal({
      bytes: body.length,
      sha256: createHash('sha256').update(body).digest('hex'),
    });
    return body;
  };

  it('begin with a byte order mark where they are asked to, and else not; the rest is the same', async () => {
    const { units } = await org.mintUnits(2, { product: { name: 'Bougie « Hiver »', sku: 'BOUGIE' } });
    await api.verify(units[0]!.token);
    for (const list of ['scan-exports', 'unit-exports'] as const) {
      const plain = await written(list, {});
      const marked = await written(list, { byteOrderMark: true });
      expect(plain.subarray(0, 3).toString(), list).to.equal('id,');
      expect(Buffer.concat([MARK, plain]).equals(marked), list).to.equal(true);
    }
  });

  it('are read again as lists of units', async () => {
    const { batchId, units } = await org.mintUnits(2);
    const table = await written('unit-exports', { batchId, byteOrderMark: true });
    expect(table.subarray(0, 3).equals(MARK)).to.equal(true);
    const { body } = await org
      .post('/product-units/bulk?action=suspend')
      .set('Content-Type', 'text/csv')
      .send(table.toString())
      .expect(202);
    expect(await runBulkJob(api, org, body.id)).to.deep.include({ changed: 2, refused: 0 });
    expect((await org.get(`/product-units/${units[0]!.id}`)).body.status).to.equal('suspended');
  });

  it('are tables: NDJSON is asked for one in vain', async () => {
    for (const list of ['scan-exports', 'unit-exports']) {
      const refused = await org.post(`/${list}`, { format: 'ndjson', byteOrderMark: true });
      expect(expectProblem(refused, 'VALIDATION_FAILED').errors![0]).to.include({ path: 'byteOrderMark' });
      expectProblem(await org.post(`/${list}`, { byteOrderMark: 'yes' }), 'VALIDATION_FAILED');
    }
  });
});
