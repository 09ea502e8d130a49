import { expect } from 'chai';
import type { Response } from 'supertest';
import { decodeId } from '../../../shared/ids.ts';
import { mintBarcodes } from '../../../workers/mint-barcodes/processor.ts';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';
import { codesOf, fetchArtifacts } from '../../support/artifacts.ts';
import { whileHeld } from '../../support/held-row.ts';
import { expectProblem } from '../../support/problem.ts';

describe('numbers of two batches of a product', () => {
  let api: TestApi;
  let org: TestOrganization;
  let productId: string;

  before(async () => {
    api = await createTestApi({ env: { MINT_CHUNK_UNITS: '2' } });
    org = await api.createOrganization();
  });
  beforeEach(async () => {
    ({ id: productId } = await org.createProduct());
  });
  after(() => api.close());

  const createBatch = (quantity: number) => org.createBatch({ productId, quantity });
  const numbers = (first: number, prefix = 'N', digits = 6) => ({
    serials: { source: 'sequential', prefix, first, digits },
  });
  const start = (batchId: string, body: object) => org.post(`/batches/${batchId}/barcode-jobs`, body);
  const upload = async (batchId: string, ...serials: string[]) => {
    const list = org.post(`/batches/${batchId}/serials`).set('Content-Type', 'text/csv');
    await list.send(serials.join('\n')).expect(200);
  };
  const serialsOf = async (jobId: string) =>
    codesOf(await fetchArtifacts(api, org, jobId)).map(({ serial }) => serial);

  it('stay those of a batch whose job was cancelled in the middle: the next job goes on with them', async () => {
    const first = await createBatch(4);
    const cancelled = await org.startJob(first.id, numbers(1));
    await mintBarcodes(api.workerDeps)({ jobId: decodeId('job', cancelled.id)!, slot: 1 });
    await org.post(`/barcode-jobs/${cancelled.id}/cancel`).expect(200);

    const second = await createBatch(2);
    const { errors } = expectProblem(await start(second.id, numbers(3)), 'VALIDATION_FAILED');
    expect(errors![0]).to.include({ path: 'serials.first', code: 'NUMBERS_TAKEN' });

    const resumed = await org.startJob(first.id);
    await api.runJob(resumed.id);
    expect(await serialsOf(resumed.id)).to.deep.equal(['N000001', 'N000002', 'N000003', 'N000004']);
  });

  it('are free again where a cancelled job had given out none', async () => {
    const first = await createBatch(4);
    const cancelled = await org.startJob(first.id, numbers(1));
    await org.post(`/barcode-jobs/${cancelled.id}/cancel`).expect(200);
    await start((await createBatch(2)).id, numbers(3)).expect(202);
  });

  it('are given to one of two jobs that start at once', async () => {
    const [first, second] = [await createBatch(2), await createBatch(2)];
    // Where both wait that have found their numbers free: each writes to the audit log before it commits.
    const organization = {
      text: 'select 1 from organizations where id = $1 for update',
      values: [org.uuid],
    };
    await whileHeld(api.database.pool, organization, async ({ waiting, release }) => {
      const both = [first, second].map(({ id }) => start(id, numbers(1)).then(({ status }) => status));
      await waiting(2);
      await release();
      expect(await Promise.all(both)).to.have.members([202, 422]);
    });
  });

  it('are compared as the serials that they make: part of the number may be in the prefix', async () => {
    await org.startJob((await createBatch(10)).id, numbers(100, 'A', 4));
    const second = await createBatch(10);
    for (const [first, prefix, digits] of [
      [0, 'A01', 2],
      [5, 'A010', 1],
    ] as const)
      expectProblem(await start(second.id, numbers(first, prefix, digits)), 'VALIDATION_FAILED');
    const free = await org.startJob(second.id, numbers(10, 'A01', 2));
    await org.post(`/barcode-jobs/${free.id}/cancel`).expect(200);
    await start(second.id, numbers(0, 'A0-', 2)).expect(202);
  });

  /** Two choices for ten units each that have no serial in common, though one's lie between the other's in the order of characters. */
  const BETWEEN = [
    // M1050 lies between M105 and M106, and A00X5 between A0095 and A0104.
    [numbers(1050, 'M', 4), numbers(100, 'M', 3)],
    [numbers(95, 'A', 4), numbers(0, 'A00X', 1)],
    [numbers(0, 'B00X', 1), numbers(95, 'B', 4)],
  ] as const;

  it('are free where others lie between them in the order of characters alone', async () => {
    for (const [taken, free] of BETWEEN) {
      const { id } = await org.startJob((await createBatch(10)).id, taken);
      await api.runJob(id);
      await org.startJob((await createBatch(10)).id, free);
    }
  });

  it('are free of the serials in lists that lie between them in the order of characters alone', async () => {
    const listOf = ({ serials: { prefix, first, digits } }: ReturnType<typeof numbers>) =>
      Array.from({ length: 10 }, (_, index) => prefix + String(first + index).padStart(digits, '0'));
    for (const [listed, numbered] of BETWEEN) {
      ({ id: productId } = await org.createProduct());
      const [one, other] = [await createBatch(10), await createBatch(10)];
      await upload(one.id, ...listOf(listed));
      const ofList = await org.startJob(one.id);
      const { id } = await org.startJob(other.id, numbered);
      // And the other way round: the list is checked against the numbers.
      await org.post(`/barcode-jobs/${ofList.id}/cancel`).expect(200);
      await org.startJob(one.id);
      await org.post(`/barcode-jobs/${id}/cancel`).expect(200);
    }
  });

  describe('and lists of serials', () => {
    const refusal = async (starting: PromiseLike<Response>) =>
      expectProblem(await starting, 'VALIDATION_FAILED').errors![0];

    it('that name the same serial are minted by the first batch alone, while its job is open and after', async () => {
      const [first, second] = [await createBatch(2), await createBatch(2)];
      await upload(first.id, 'A1', 'A2');
      await upload(second.id, 'A2', 'A3');
      const job = await org.startJob(first.id);
      const taken = { path: 'serials', code: 'SERIAL_TAKEN', params: { serial: 'A2' } };
      expect(await refusal(start(second.id, {}))).to.deep.include(taken);
      await api.runJob(job.id);
      expect(await refusal(start(second.id, {}))).to.deep.include(taken);
      await upload(second.id, 'A3', 'A4');
      const other = (await start(second.id, {}).expect(202)).body;
      await api.runJob(other.id);
      expect(await serialsOf(other.id)).to.deep.equal(['A3', 'A4']);
    });

    it('name none that is promised to a batch whose job was cancelled in the middle', async () => {
      const [begun, other] = [await createBatch(4), await createBatch(2)];
      const job = await org.startJob(begun.id, numbers(1));
      await mintBarcodes(api.workerDeps)({ jobId: decodeId('job', job.id)!, slot: 1 });
      await org.post(`/barcode-jobs/${job.id}/cancel`).expect(200);
      await upload(other.id, 'N000003', 'N000004');
      expect(await refusal(start(other.id, {}))).to.deep.include({
        code: 'SERIAL_TAKEN',
        params: { serial: 'N000003' },
      });
    });

    it('are free again where a cancelled job had given out none', async () => {
      const [cancelled, listed, numbered] = [
        await createBatch(2),
        await createBatch(2),
        await createBatch(2),
      ];
      await upload(cancelled.id, 'N000001', 'A2');
      const { id } = await org.startJob(cancelled.id);
      await org.post(`/barcode-jobs/${id}/cancel`).expect(200);
      await upload(listed.id, 'A2', 'A3');
      await org.startJob(listed.id);
      await org.startJob(numbered.id, numbers(1));
    });

    it('of thousands are compared at once, and not each with each', async function () {
      // Each with each takes 50 s.
      this.timeout(20_000);
      const [first, second] = [await createBatch(30_000), await createBatch(30_000)];
      const list = (prefix: string) => Array.from({ length: 30_000 }, (_, index) => `${prefix}${index}`);
      await upload(first.id, ...list('P'));
      // What Postgres knows from then on is that no other list has any serials.
      await api.database.pool.query('alter table uploaded_serials set (autovacuum_enabled = false)');
      await api.database.pool.query('analyze uploaded_serials');
      await upload(second.id, ...list('Q'));
      await org.startJob(first.id);
      await org.startJob(second.id);
    });

    it('do not name a number that an open job will mint, nor the other way round', async () => {
      const [numbered, listed] = [await createBatch(4), await createBatch(2)];
      await upload(listed.id, 'N000009', 'N000004');
      const job = await org.startJob(numbered.id, numbers(1));
      expect(await refusal(start(listed.id, {}))).to.deep.include({
        code: 'SERIAL_TAKEN',
        params: { serial: 'N000004' },
      });
      await org.post(`/barcode-jobs/${job.id}/cancel`).expect(200);
      await org.startJob(listed.id);
      expect(await refusal(start(numbered.id, numbers(1)))).to.deep.include({
        path: 'serials.first',
        code: 'SERIAL_TAKEN',
        params: { serial: 'N000004' },
      });
      await start(numbered.id, numbers(6)).expect(422);
      await start(numbered.id, numbers(10)).expect(202);
    });
  });
});
