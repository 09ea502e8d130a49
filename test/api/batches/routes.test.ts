import { expect } from 'chai';
import { decodeId } from '../../../shared/ids.ts';
import {
  countRows,
  createTestApi,
  dumpTable,
  type TestApi,
  type TestOrganization,
} from '../../support/api.ts';
import { whileHeld } from '../../support/held-row.ts';
import { expectProblem } from '../../support/problem.ts';

describe('batches', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
  });
  after(() => api.close());

  it('creates a batch with every field, and reads it back', async () => {
    const product = await org.createProduct();
    const fields = {
      productId: product.id,
      quantity: 10_000_000,
      lot: 'L2610-A',
      manufacturedOn: '2026-02-28',
      expiresOn: '2028-02-29',
      markets: ['FR'],
    };
    const { body, headers } = await org.post('/batches', fields).expect(201);
    expect(body).to.deep.include({ ...fields, mintedCount: 0, recall: null });
    expect(headers['location']).to.equal(`/api/v1/batches/${body.id}`);
    expect((await org.get(`/batches/${body.id}`).expect(200)).body).to.deep.equal(body);
  });

  it('is corrected, and scans tell it at once; what is not given stays', async () => {
    const { batchId, units } = await org.mintUnits(1, {
      batch: { lot: 'L-WRNOG', manufacturedOn: '2026-01-01', expiresOn: '2026-02-01', markets: ['FR'] },
    });
    const scan = async () => (await api.verify(units[0]!.token).expect(200)).body;
    expect((await scan()).result).to.equal('expired');
    const { body } = await org
      .patch(`/batches/${batchId}`, { lot: 'L-RIGHT', expiresOn: '2029-02-01' })
      .expect(200);
    expect(body).to.deep.include({
      lot: 'L-RIGHT',
      manufacturedOn: '2026-01-01',
      expiresOn: '2029-02-01',
      markets: ['FR'],
      formerLots: ['L-WRNOG'],
      quantity: 1,
    });
    const seen = await scan();
    expect(seen.result).not.to.equal('expired');
    expect(seen.unit).to.include({ lot: 'L-RIGHT', expiresOn: '2029-02-01' });
    await org
      .patch(`/batches/${batchId}`, { manufacturedOn: '2029-02-01' })
      .expect(200, /"manufacturedOn":"2029-02-01"/);
    await org.patch(`/batches/${batchId}`, { manufacturedOn: '2026-01-01' }).expect(200);
    const again = await org.patch(`/batches/${batchId}`, { lot: 'L-WRNOG', markets: null }).expect(200);
    expect(again.body).to.deep.include({ lot: 'L-WRNOG', formerLots: ['L-RIGHT'], markets: null });

    const read = { lot: 'L-RIGHT', manufacturedOn: '2026-01-01', expiresOn: '2029-02-01', markets: ['FR'] };
    const late = await org.patch(`/batches/${batchId}`, { lot: 'L-LATE', expected: read });
    expect(expectProblem(late, 'CONFLICT').errors?.map(({ path }: { path: string }) => path)).to.deep.equal([
      'lot',
      'markets',
    ]);

    const before = await dumpTable(api.database, 'batches');
    for (const [bad, path] of [
      [{ expiresOn: '2025-12-31' }, 'expiresOn'],
      [{ manufacturedOn: '2030-01-01' }, 'expiresOn'],
      [{ lot: '' }, 'lot'],
      [{ markets: ['XX'] }, 'markets.0'],
      [{ quantity: 2 }, 'quantity'],
      [{ formerLots: [] }, 'formerLots'],
      [{}, ''],
    ] as const) {
      const problem = expectProblem(await org.patch(`/batches/${batchId}`, bad), 'VALIDATION_FAILED');
      expect(problem.errors![0]!.path, JSON.stringify(bad)).to.equal(path);
    }
    const stranger = await api.createOrganization();
    expectProblem(await stranger.patch(`/batches/${batchId}`, { lot: 'MINE' }), 'NOT_FOUND');
    const reader = await org.createKey('products.read');
    const refused = await api
      .http()
      .patch(`/api/v1/batches/${batchId}`)
      .set('X-Api-Key', reader)
      .send({ lot: 'MINE' });
    expectProblem(refused, 'INSUFFICIENT_SCOPE');
    expect(await dumpTable(api.database, 'batches')).to.equal(before);
  });

  it('keeps printed GS1 codes good that name the lot it had', async () => {
    const gtin = '09506000134352';
    const { batchId, units } = await org.mintUnits(1, { product: { gtin }, batch: { lot: 'L-1' } });
    const read = (lot: string) =>
      api.http().get(`/01/${gtin}/10/${lot}/21/${units[0]!.serial}`).set('Accept', 'application/json');
    await read('L-2').expect(404);
    await org.patch(`/batches/${batchId}`, { lot: 'L-2' }).expect(200);
    for (const lot of ['L-1', 'L-2']) expect((await read(lot).expect(200)).body.unit.lot).to.equal('L-2');
    await read('L-3').expect(404);
    for (const lot of ['L-1', 'L-2']) {
      const { body } = await org.get(`/search?q=(01)${gtin}(10)${lot}`).expect(200);
      expect(body.data.map(({ id }: { id: string }) => id)).to.deep.equal([batchId]);
    }
  });

  it('does not change what labels say in the middle of a job, nor takes one up that began before', async () => {
    const { body: batch } = await org
      .post('/batches', { productId: (await org.createProduct()).id, quantity: 2, lot: 'L-1' })
      .expect(201);
    const job = await org.startJob(batch.id, {});
    expectProblem(await org.patch(`/batches/${batch.id}`, { lot: 'L-2' }), 'CONFLICT');
    await api.database.pool.query(`update barcode_jobs set status = 'running' where id = $1`, [
      decodeId('job', job.id),
    ]);
    expectProblem(await org.patch(`/batches/${batch.id}`, { expiresOn: '2030-01-01' }), 'CONFLICT');
    await org.patch(`/batches/${batch.id}`, { lot: 'L-1', markets: ['DE'] }).expect(200);
    await api.database.pool.query(
      `update barcode_jobs set status = 'failed', finished_at = $2 where id = $1`,
      [decodeId('job', job.id), api.clock.now()],
    );
    const corrected = await org.patch(`/batches/${batch.id}`, { lot: 'L-2' }).expect(200);
    // Nothing was printed yet.
    expect(corrected.body.formerLots).to.deep.equal([]);
    expectProblem(await org.post(`/barcode-jobs/${job.id}/retry`), 'CONFLICT');
    await org.startJob(batch.id, {});
  });

  it('keeps the lot that a job begins to make codes with at that moment', async () => {
    const product = await org.createProduct();
    const { body: batch } = await org
      .post('/batches', { productId: product.id, quantity: 1, lot: 'L-1' })
      .expect(201);
    const serials = {
      text: `select pg_advisory_xact_lock(hashtextextended('product-serials:' || $1, 0))`,
      values: [decodeId('prod', product.id)],
    };
    // The job has read the batch, and waits for the serials of another one.
    await whileHeld(api.database.pool, serials, async ({ waiting, release }) => {
      const started = org.post(`/batches/${batch.id}/barcode-jobs`, {}).then((reply) => reply);
      await waiting(1);
      const corrected = org.patch(`/batches/${batch.id}`, { lot: 'L-2' }).then((reply) => reply);
      await waiting(2);
      await release();
      expect((await started).status).to.equal(202);
      expectProblem(await corrected, 'CONFLICT');
    });
    expect((await org.get(`/batches/${batch.id}`).expect(200)).body.lot).to.equal('L-1');
  });

  it('remembers twenty lots that were printed, and takes no further one', async () => {
    const { batchId } = await org.mintUnits(1, { batch: { lot: 'L-0' } });
    for (let lot = 1; lot <= 20; lot++)
      await org.patch(`/batches/${batchId}`, { lot: `L-${lot}` }).expect(200);
    expectProblem(await org.patch(`/batches/${batchId}`, { lot: 'L-21' }), 'CONFLICT');
    // One of them is no further one.
    const { body } = await org.patch(`/batches/${batchId}`, { lot: 'L-0' }).expect(200);
    expect(body.formerLots).to.have.length(20);
  });

  it('refuses quantities outside 1..10,000,000, impossible days and an end before the beginning', async () => {
    const { id: productId } = await org.createProduct();
    const before = await countRows(api.database);
    const bad: [object, string][] = [
      [{ quantity: 0 }, 'quantity'],
      [{ quantity: 10_000_001 }, 'quantity'],
      [{ quantity: 1.5 }, 'quantity'],
      [{ quantity: '5' }, 'quantity'],
      [{ quantity: 1, expiresOn: '2026-02-30' }, 'expiresOn'],
      // There is no year 0, neither in our calendar nor in Postgres.
      [{ quantity: 1, expiresOn: '0000-01-01' }, 'expiresOn'],
      [{ quantity: 1, manufacturedOn: '0000-12-31' }, 'manufacturedOn'],
      [{ quantity: 1, manufacturedOn: '2026-02-02', expiresOn: '2026-02-01' }, 'expiresOn'],
      [{ quantity: 1, lot: 'x'.repeat(21) }, 'lot'],
    ];
    for (const [fields, path] of bad) {
      const { errors } = expectProblem(
        await org.post('/batches', { productId, ...fields }),
        'VALIDATION_FAILED',
      );
      expect(
        errors!.map((error) => error.path),
        JSON.stringify(fields),
      ).to.deep.equal([path]);
    }
    expect(await countRows(api.database)).to.deep.equal(before);
  });

  it('refuses a product of nobody, of another organization, and an id of another kind, alike', async () => {
    const stranger = await api.createOrganization();
    const foreign = await stranger.createProduct();
    const nobodys = foreign.id.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    const [a, b] = await Promise.all(
      [foreign.id, nobodys].map(async (productId) =>
        expectProblem(await org.post('/batches', { productId, quantity: 1 }), 'VALIDATION_FAILED'),
      ),
    );
    expect(a!.errors)
      .to.deep.equal(b!.errors)
      .and.to.deep.equal([{ path: 'productId', code: 'NO_SUCH_PRODUCT', message: 'no such product' }]);
    expectProblem(await org.post('/batches', { productId: org.id, quantity: 1 }), 'VALIDATION_FAILED');
  });

  it('filters by product and lot', async () => {
    const batch = await org.createBatch({ lot: 'FILTER' });
    await org.createBatch({ lot: 'OTHER' });
    const ids = async (query: string) =>
      (await org.get(`/batches?${query}`).expect(200)).body.data.map((one: { id: string }) => one.id);
    expect(await ids(`productId=${batch['productId']}`)).to.deep.equal([batch.id]);
    expect(await ids('lot=FILTER')).to.deep.equal([batch.id]);
    expect(await ids(`productId=${batch['productId']}&lot=OTHER`)).to.deep.equal([]);
  });

  it('names the product, and is found by it as by the lot', async () => {
    const product = await org.createProduct({ name: 'Saffron threads', sku: 'SAF-1' });
    const batch = await org.createBatch({ productId: product.id, lot: 'SPICE7' });
    expect(batch).to.include({ productName: 'Saffron threads' });
    const ids = async (q: string) =>
      (await org.get('/batches').query({ q }).expect(200)).body.data.map((one: { id: string }) => one.id);
    expect(await ids('saffr')).to.deep.equal([batch.id]);
    expect(await ids('SAF-1')).to.deep.equal([batch.id]);
    expect(await ids('pice7')).to.deep.equal([batch.id]);
  });

  it('is found page by page, whatever newer ones match that are filtered out or another organization’s', async () => {
    const stranger = await api.createOrganization();
    const make = async (from: typeof org, lots: string[]) => {
      const product = await from.createProduct({ name: 'Rosemary oil' });
      const made: string[] = [];
      for (const lot of lots) made.push((await from.createBatch({ productId: product.id, lot })).id);
      return { productId: product.id, made };
    };
    const older = await make(org, ['RM-1', 'RM-2', 'RM-3']);
    const newer = await make(org, ['RM-4', 'RM-5', 'RM-6']);
    await make(stranger, ['RM-1', 'RM-2', 'RM-3']);
    const pages = async (query: object) => {
      const seen: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null;) {
        const answer: { body: any } = await org.get('/batches').query({ ...query, limit: 1, cursor });
        seen.push(...answer.body.data.map((one: { id: string }) => one.id));
        cursor = answer.body.nextCursor as string | null;
      }
      return seen;
    };
    for (const q of ['rm-', 'rosemary']) {
      expect(await pages({ q }), q).to.deep.equal([...older.made, ...newer.made].reverse());
      expect(await pages({ q, lot: 'RM-1' }), q).to.deep.equal([older.made[0]]);
      expect(await pages({ q, productId: older.productId }), q).to.deep.equal([...older.made].reverse());
    }
  });

  it('counts its units by state, and another organization’s are not found', async () => {
    const { batchId, units } = await org.mintUnits(5);
    await org.post(`/product-units/${units[0]!.id}/suspend`).expect(200);
    const { body } = await org.get(`/batches/${batchId}/unit-counts`).expect(200);
    expect(body).to.deep.equal({ minted: 0, active: 4, suspended: 1, voided: 0 });
    const other = await api.createOrganization();
    expectProblem(await other.get(`/batches/${batchId}/unit-counts`), 'NOT_FOUND');
  });

  it('recalls once, keeping the first time and reason, and lifts', async () => {
    const batch = await org.createBatch();
    const path = `/batches/${batch.id}`;
    const first = await org.post(`${path}/recall`, { reason: 'glass' }).expect(200);
    const recalledAt = api.clock.now().toISOString();
    expect(first.body.recall).to.deep.equal({ recalledAt, reason: 'glass' });
    api.clock.advance(60_000);
    const again = await org.post(`${path}/recall`, { reason: 'metal' }).expect(200);
    expect(again.body.recall).to.deep.equal(first.body.recall);
    expect((await org.post(`${path}/lift-recall`).expect(200)).body).to.deep.equal(batch);
    expect((await org.post(`${path}/lift-recall`).expect(200)).body.recall).to.equal(null);
  });

  it('recalls without a body too, and refuses a reason that is too long', async () => {
    const batch = await org.createBatch();
    expectProblem(
      await org.post(`/batches/${batch.id}/recall`, { reason: 'x'.repeat(1001) }),
      'VALIDATION_FAILED',
    );
    expect((await org.get(`/batches/${batch.id}`)).body.recall).to.equal(null);
    const { body } = await org.post(`/batches/${batch.id}/recall`).expect(200);
    expect(body.recall.reason).to.equal(null);
  });
});
