import { expect } from 'chai';
import { createTestApi, dumpTable, type TestApi, type TestOrganization } from '../../support/api.ts';
import { decodeId } from '../../../shared/ids.ts';
import { whileHeld } from '../../support/held-row.ts';
import { expectProblem } from '../../support/problem.ts';

describe('products', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
  });
  after(() => api.close());

  it('creates a product with every field, and reads it back', async () => {
    const fields = {
      name: 'Early Harvest 500 ml',
      sku: 'EH-500',
      gtin: '4006381333931',
      brand: 'Olivaia',
      description: 'Cold-pressed.',
      imageUrl: 'https://cdn.example.com/eh.png',
      markets: ['DE', 'FR'],
      attributes: { colour: 'green', nested: { list: [1, null, 'x'] } },
    };
    const { body, headers } = await org.post('/products', fields).expect(201);
    expect(headers['location']).to.equal(`/api/v1/products/${body.id}`);
    expect(body).to.deep.include({ ...fields, gtin: '04006381333931', archivedAt: null });
    expect(body.id).to.match(/^prod_/);
    expect(body.createdAt).to.equal('2026-06-01T12:00:00.000Z');
    expect((await org.get(`/products/${body.id}`).expect(200)).body).to.deep.equal(body);
  });

  it('takes over defaults: sold everywhere, no GTIN', async () => {
    const { body } = await org.post('/products', { name: 'Plain', sku: 'PLAIN' }).expect(201);
    expect(body).to.deep.include({ markets: [], gtin: null, brand: null, attributes: {}, imageUrl: null });
  });

  it('changes the fields that are given and leaves the others', async () => {
    const product = await org.createProduct({ brand: 'Old', markets: ['DE'] });
    api.clock.advance(1000);
    const { body } = await org.patch(`/products/${product.id}`, { brand: null, name: 'New' }).expect(200);
    expect(body).to.deep.include({ name: 'New', brand: null, markets: ['DE'], sku: product['sku'] });
    expect(Date.parse(body.updatedAt) - Date.parse(product['updatedAt'])).to.equal(1000);
  });

  it('keeps a GTIN that codes of units name, and changes one that none does', async () => {
    const printed = async (symbology: string, { cancelled = false } = {}) => {
      const { id } = await org.createProduct({ gtin: '4006381333931' });
      const batch = await org.createBatch({ productId: id, quantity: 1 });
      const { body: job } = await org.post(`/batches/${batch.id}/barcode-jobs`, { symbology }).expect(202);
      if (cancelled) await org.post(`/barcode-jobs/${job.id}/cancel`).expect(200);
      return `/products/${id}`;
    };
    const gs1 = await printed('gs1-digital-link');
    for (const status of ['queued', 'running', 'completed']) {
      await api.database.pool.query(
        `update barcode_jobs set status = $2, finished_at = case when $2 = 'completed' then $3::timestamptz end
          where batch_id in (select id from batches where product_id = $1)`,
        [decodeId('prod', gs1.split('/')[2]!), status, api.clock.now()],
      );
      for (const gtin of ['96385074', null]) {
        expect(expectProblem(await org.patch(gs1, { gtin }), 'CONFLICT').errors, status).to.deep.equal([
          { path: 'gtin', code: 'GTIN_PRINTED', message: 'is in codes that were made' },
        ]);
      }
    }
    await org.patch(gs1, { gtin: '4006381333931', name: 'Same GTIN' }).expect(200);
    for (const path of [
      await printed('qr'),
      await printed('ean13'),
      await printed('gs1-128', { cancelled: true }),
    ]) {
      await org.patch(path, { gtin: '5901234123457' }).expect(200);
    }
  });

  it('keeps a GTIN that a job begins to make codes with at that moment', async () => {
    const product = await org.createProduct({ gtin: '4006381333931' });
    const batch = await org.createBatch({ productId: product.id, quantity: 1 });
    const serials = {
      text: `select pg_advisory_xact_lock(hashtextextended('product-serials:' || $1, 0))`,
      values: [decodeId('prod', product.id)],
    };
    // The job has read the product, and waits for the serials of another one.
    await whileHeld(api.database.pool, serials, async ({ waiting, release }) => {
      const symbology = 'gs1-digital-link';
      const started = org.post(`/batches/${batch.id}/barcode-jobs`, { symbology }).then((reply) => reply);
      await waiting(1);
      const changed = org.patch(`/products/${product.id}`, { gtin: '96385074' }).then((reply) => reply);
      await waiting(2);
      await release();
      expect((await started).status).to.equal(202);
      const [refused] = expectProblem(await changed, 'CONFLICT').errors!;
      expect(refused).to.include({ path: 'gtin', code: 'GTIN_PRINTED' });
    });
  });

  it('refuses to change what is not as it was read any more, and names it; the rest does not matter', async () => {
    const { id } = await org.createProduct({
      name: 'Read',
      brand: null,
      attributes: { ml: 500, tags: ['a'] },
    });
    const path = `/products/${id}`;
    await org
      .patch(path, { name: 'Faster', markets: ['DE'], expected: { name: 'Read', markets: [] } })
      .expect(200);
    const before = await dumpTable(api.database, 'products');
    const late = await org.patch(path, {
      name: 'Slower',
      brand: 'B',
      expected: { name: 'Read', brand: null },
    });
    const { errors } = expectProblem(late, 'CONFLICT');
    expect(errors).to.deep.equal([
      { path: 'name', code: 'CHANGED_MEANWHILE', message: 'was changed meanwhile' },
    ]);
    expectProblem(await org.patch(path, { expected: { name: 'Faster' } }), 'VALIDATION_FAILED');
    expectProblem(await org.patch(path, { name: 'x', expected: { sold: true } }), 'VALIDATION_FAILED');
    expect(await dumpTable(api.database, 'products')).to.equal(before);
    const attributes = { ml: 750 };
    const change = { attributes, expected: { attributes: { tags: ['a'], ml: 500 } } };
    await org.patch(path, change).expect(200);
    // Its answer may have been lost.
    await org.patch(path, change).expect(200);
  });

  it('lets one of two through who change the same of what they have read', async () => {
    const { id } = await org.createProduct({ name: 'Read' });
    const both = await Promise.all(
      ['one', 'two'].map((name) => org.patch(`/products/${id}`, { name, expected: { name: 'Read' } })),
    );
    expect(both.map(({ status }) => status)).to.have.members([200, 409]);
  });

  it('archives once, keeps the first time, and hides archived products from the list', async () => {
    const product = await org.createProduct({ sku: 'ARCHIVED' });
    const first = await org.post(`/products/${product.id}/archive`).expect(200);
    api.clock.advance(1000);
    const again = await org.post(`/products/${product.id}/archive`).expect(200);
    expect(again.body).to.deep.equal(first.body);
    const listed = async (archived: string) =>
      (await org.get(`/products?sku=ARCHIVED${archived}`).expect(200)).body.data.length;
    expect([await listed(''), await listed('&archived=true'), await listed('&archived=all')]).to.deep.equal([
      0, 1, 1,
    ]);
    const batch = await org.post('/batches', { productId: product.id, quantity: 1 });
    expectProblem(batch, 'CONFLICT');

    const back = await org.post(`/products/${product.id}/unarchive`).expect(200);
    expect(back.body).to.include({ archivedAt: null, updatedAt: api.clock.now().toISOString() });
    api.clock.advance(1000);
    expect((await org.post(`/products/${product.id}/unarchive`).expect(200)).body).to.deep.equal(back.body);
    expect(await listed('')).to.equal(1);
    await org.post('/batches', { productId: product.id, quantity: 1 }).expect(201);
  });

  it('refuses a SKU that is taken, at creation and at change, and changes nothing', async () => {
    await org.createProduct({ sku: 'TAKEN' });
    const other = await org.createProduct({ sku: 'FREE' });
    const before = await dumpTable(api.database, 'products');
    expectProblem(await org.post('/products', { name: 'x', sku: 'TAKEN' }), 'CONFLICT');
    expectProblem(await org.patch(`/products/${other.id}`, { sku: 'TAKEN' }), 'CONFLICT');
    expect(await dumpTable(api.database, 'products')).to.equal(before);
  });

  it('lets another organization have the same SKU', async () => {
    await org.createProduct({ sku: 'SHARED' });
    const other = await api.createOrganization();
    await other.post('/products', { name: 'x', sku: 'SHARED' }).expect(201);
  });

  it('names every field that is wrong', async () => {
    const response = await org.post('/products', {
      name: '',
      sku: 'x'.repeat(101),
      gtin: '4006381333932',
      imageUrl: 'javascript:alert(1)',
      markets: ['DE', 'ZZ', 'DE'],
      attributes: [],
    });
    const { errors } = expectProblem(response, 'VALIDATION_FAILED');
    const paths = errors!.map((error) => error.path);
    expect(paths).to.include.members(['name', 'sku', 'gtin', 'imageUrl', 'markets.1', 'attributes']);
  });

  it('refuses a name in which there is nothing to see, and the GTIN of nothing but zeros', async () => {
    for (const name of ['\u200b', ' \u2060\u00ad ', '\u3164', '\u2800\u2800'])
      expect(
        expectProblem(await org.post('/products', { name, sku: 'N' }), 'VALIDATION_FAILED').errors,
      ).to.deep.equal([{ path: 'name', code: 'EMPTY', message: 'must not be empty' }], JSON.stringify(name));
    for (const gtin of ['00000000', '00000000000000'])
      expect(
        expectProblem(await org.post('/products', { name: 'x', sku: 'N', gtin }), 'VALIDATION_FAILED')
          .errors![0],
      ).to.include({ path: 'gtin', code: 'NOT_A_GTIN' });
    // A joiner between signs is part of them.
    const family = '👩\u200d👧';
    expect((await org.post('/products', { name: family, sku: 'N' }).expect(201)).body.name).to.equal(family);
  });

  for (const field of ['orgId', 'org_id', 'id', 'status', 'createdAt', 'archivedAt', 'riskScore']) {
    it(`does not let a caller assign ${field}`, async () => {
      const product = await org.createProduct();
      const before = await dumpTable(api.database, 'products');
      const create = await org.post('/products', { name: 'x', sku: `new-${field}`, [field]: null });
      const change = await org.patch(`/products/${product.id}`, { name: 'x', [field]: null });
      for (const response of [create, change]) {
        expect(expectProblem(response, 'VALIDATION_FAILED').errors).to.deep.equal([
          { path: field, code: 'UNKNOWN_FIELD', message: 'is not a known field' },
        ]);
      }
      expect(await dumpTable(api.database, 'products')).to.equal(before);
    });
  }

  it('filters by SKU and GTIN', async () => {
    await org.createProduct({ sku: 'F-1', gtin: '96385074' });
    await org.createProduct({ sku: 'F-2' });
    const skus = async (query: string) =>
      (await org.get(`/products?${query}`).expect(200)).body.data.map((one: { sku: string }) => one.sku);
    expect(await skus('sku=F-2')).to.deep.equal(['F-2']);
    expect(await skus('gtin=00000096385074')).to.deep.equal(['F-1']);
    // A wildcard of SQL is a character like any other.
    expect(await skus('sku=F-%25')).to.deep.equal([]);
  });
});
