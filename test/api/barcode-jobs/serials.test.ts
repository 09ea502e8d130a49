import { expect } from 'chai';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';
import { codesOf, fetchArtifacts } from '../../support/artifacts.ts';
import { expectProblem } from '../../support/problem.ts';

describe('serials of a barcode job', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi({ env: { MINT_CHUNK_UNITS: '4' } });
    org = await api.createOrganization();
  });
  after(() => api.close());

  const run = async (batchId: string, fields: Record<string, unknown>) => {
    const job = await org.startJob(batchId, { scale: 3, ...fields });
    await api.runJob(job.id);
    return fetchArtifacts(api, org, job.id);
  };

  it('counts with a prefix, and goes on so in a later job of the batch', async () => {
    const batch = await org.createBatch({ quantity: 5 });
    const serials = { source: 'sequential', prefix: 'LX', first: 98, digits: 4 };
    const wanted = ['LX0098', 'LX0099', 'LX0100', 'LX0101', 'LX0102'];
    expect(codesOf(await run(batch.id, { serials })).map(({ serial }) => serial)).to.deep.equal(wanted);
    expect(codesOf(await run(batch.id, {})).map(({ serial }) => serial)).to.deep.equal(wanted);
    for (const others of [{ source: 'random' }, { ...serials, first: 99 }, { ...serials, digits: 5 }])
      expectProblem(await org.post(`/batches/${batch.id}/barcode-jobs`, { serials: others }), 'CONFLICT');
  });

  it('refuses numbers that the product has given out, or is about to', async () => {
    const product = await org.createProduct();
    const [first, second, third] = await Promise.all(
      [1, 2, 3].map(() => org.createBatch({ productId: product.id, quantity: 10 })),
    );
    const serials = (from: number) => ({ source: 'sequential', prefix: 'N', first: from, digits: 6 });
    const start = (batchId: string, from: number) =>
      org.post(`/batches/${batchId}/barcode-jobs`, { serials: serials(from) });
    const { body: job } = await start(first!.id, 100).expect(202);
    for (const from of [91, 100, 109])
      expect(expectProblem(await start(second!.id, from), 'VALIDATION_FAILED').errors![0]!.path).to.equal(
        'serials.first',
      );
    await api.runJob(job.id);
    for (const from of [91, 100, 109])
      expect(expectProblem(await start(second!.id, from), 'VALIDATION_FAILED').errors![0]!.path).to.equal(
        'serials.first',
      );
    await start(second!.id, 90).expect(202);
    await start(third!.id, 110).expect(202);
  });

  it('are of 20 characters at the most, prefix and digits together', async () => {
    const { id } = await org.createBatch({ quantity: 1 });
    const start = (prefix: string) =>
      org.post(`/batches/${id}/barcode-jobs`, {
        serials: { source: 'sequential', prefix, first: 1, digits: 8 },
      });
    const [error] = expectProblem(await start('N'.repeat(13)), 'VALIDATION_FAILED').errors!;
    expect(error).to.include({ path: 'serials.prefix', code: 'SERIAL_TOO_LONG' });
    await start('N'.repeat(12)).expect(202);
  });

  it('are random otherwise: no two alike, none to be guessed from its neighbour', async () => {
    const batch = await org.createBatch({ quantity: 200 });
    const serials = codesOf(await run(batch.id, {})).map(({ serial }) => serial);
    expect(new Set(serials).size).to.equal(200);
    for (const serial of serials) expect(serial).to.match(/^[0-9A-HJKMNP-TV-Z]{12}$/);
    // Neighbours share a character in a place once in 32: 12 places × 199 pairs / 32 is 75.
    const alike = serials
      .slice(1)
      .reduce(
        (sum, serial, index) => sum + Array.from(serial).filter((c, at) => serials[index]![at] === c).length,
        0,
      );
    expect(alike).to.be.within(35, 120);
  });
});
