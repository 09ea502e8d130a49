import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { decodeId } from '../../../shared/ids.ts';
import { mintBarcodes } from '../../../workers/mint-barcodes/processor.ts';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';
import { codesOf, csvLinesOf, fetchArtifacts, type FetchedArtifact } from '../../support/artifacts.ts';

/** Lists, labels and rows of a part are then more than the 64 KB that are written at a time. */
const PART = 500;
const QUANTITY = 2 * PART;

describe('what a job with long parts makes', () => {
  let api: TestApi;
  let org: TestOrganization;
  let batchId: string;
  let artifacts: Map<string, FetchedArtifact>;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
    batchId = (await org.createBatch({ quantity: QUANTITY })).id;
    const job = await org.startJob(batchId, { formats: ['zpl'], scale: 2 });
    const jobId = decodeId('job', job.id)!;
    const { pool } = api.database;
    await pool.query('delete from barcode_job_chunks where job_id = $1', [jobId]);
    // A worker that was killed had the first part: it is done after the second, and under another lease.
    await pool.query(
      `insert into barcode_job_chunks (job_id, index, kind, first_ordinal, units, due_at, lease_until, lease_epoch)
       values ($1, 0, 'units', 0, ${PART}, $2, $3, 1), ($1, 1, 'units', ${PART}, ${PART}, $2, null, 0),
              ($1, 2, 'assemble', ${QUANTITY}, 0, $2, null, 0)`,
      [jobId, api.clock.now(), new Date(api.clock.now().getTime() + 1_000)],
    );
    const wake = () => mintBarcodes(api.workerDeps)({ jobId, slot: 0 });
    expect(await wake()).to.include({ did: 'chunk', chunk: 1 });
    api.clock.advance(1_000);
    expect(await wake()).to.include({ did: 'chunk', chunk: 0 });
    expect(await wake()).to.include({ did: 'assembled' });
    artifacts = await fetchArtifacts(api, org, job.id);
  });
  after(() => api.close());

  it('lists each unit once, in the order of the batch, in both lists', async () => {
    const { rows } = await api.database.pool.query<{ serial: string }>(
      'select serial from product_units where batch_id = $1 order by ordinal',
      [decodeId('batch', batchId)],
    );
    const serials = rows.map(({ serial }) => serial);
    expect(serials).to.have.length(QUANTITY);
    expect(codesOf(artifacts).map(({ serial }) => serial)).to.deep.equal(serials);
    const [, ...lines] = csvLinesOf(artifacts);
    expect(lines.map((line) => line.split(',')[1])).to.deep.equal(serials);
  });

  it('prints one label for each', () => {
    const labels = ['labels-0001.zpl', 'labels-0002.zpl'].map((name) =>
      artifacts.get(name)!.bytes.toString().split('^XZ\n').slice(0, -1),
    );
    expect(labels.map((part) => part.length)).to.deep.equal([PART, PART]);
    expect(new Set(labels.flat()).size).to.equal(QUANTITY);
  });

  it('is in the manifest with the digest and size of what was sent', () => {
    const { files } = JSON.parse(artifacts.get('manifest.json')!.bytes.toString());
    const sent = [...artifacts.values()].filter(({ kind }) => kind !== 'manifest');
    const told = sent.map(({ kind, name, bytes }) => {
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      return { kind, name, bytes: bytes.length, sha256 };
    });
    expect(files).to.have.deep.members(told);
  });
});
