import { expect } from 'chai';
import { forgetExpiredKeys } from '../../shared/idempotency/service.ts';
import { countRows, createTestApi, dumpTable, type TestApi, type TestOrganization } from '../support/api.ts';
import { expectProblem } from '../support/problem.ts';

const DAY_MS = 24 * 3600 * 1000;

describe('Idempotency-Key', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
  });
  after(() => api.close());

  const create = (key: string, body: object = { name: 'x', sku: key }, as = org) =>
    as.post('/products', body).set('Idempotency-Key', key);

  it('gives the first response again, and does nothing again', async () => {
    const first = await create('replay').expect(201);
    expect(first.headers).not.to.have.property('idempotent-replayed');
    const before = await countRows(api.database);
    const again = await create('replay').expect(201);
    expect(again.body).to.deep.equal(first.body);
    expect(again.headers).to.include({
      location: first.headers['location'],
      'idempotent-replayed': 'true',
    });
    expect(again.headers['x-request-id']).not.to.equal(first.headers['x-request-id']);
    expect(await countRows(api.database)).to.deep.equal(before);
  });

  it('replays for every POST that creates', async () => {
    const product = await org.createProduct();
    const batch = await org.createBatch();
    const requests: [string, object][] = [
      ['/batches', { productId: product.id, quantity: 1 }],
      [`/batches/${batch.id}/barcode-jobs`, {}],
      ['/webhook-endpoints', { url: 'https://hooks.example.com/', events: ['*'] }],
      ['/risk-policies/simulate', { policy: {} }],
      ['/recall-previews', { batchId: batch.id }],
    ];
    for (const [path, body] of requests) {
      const first = await org.post(path, body).set('Idempotency-Key', `k-${path}`);
      const before = await countRows(api.database);
      const again = await org.post(path, body).set('Idempotency-Key', `k-${path}`);
      expect([again.status, again.body], path).to.deep.equal([first.status, first.body]);
      expect(again.headers['retry-after']).to.equal(first.headers['retry-after']);
      expect(await countRows(api.database)).to.deep.equal(before);
    }
  });

  it('keeps no secret in clear: the replayed one was encrypted', async () => {
    const body = { url: 'https://hooks.example.com/once', events: ['*'] };
    const first = await org.post('/webhook-endpoints', body).set('Idempotency-Key', 'secret').expect(201);
    const again = await org.post('/webhook-endpoints', body).set('Idempotency-Key', 'secret').expect(201);
    expect(again.body.secret)
      .to.equal(first.body.secret)
      .and.match(/^whsec_/);
    expect(await dumpTable(api.database, 'idempotency_keys')).not.to.match(/whsec_/);
  });

  it('refuses the key with another body, and with another path', async () => {
    await create('reused').expect(201);
    const before = await countRows(api.database);
    expectProblem(await create('reused', { name: 'y', sku: 'reused' }), 'IDEMPOTENCY_KEY_REUSED');
    const { id: productId } = await org.createProduct();
    expectProblem(
      await org.post('/batches', { productId, quantity: 1 }).set('Idempotency-Key', 'reused'),
      'IDEMPOTENCY_KEY_REUSED',
    );
    expect((await countRows(api.database))['batches']).to.equal(before['batches']);
  });

  it('takes a body whose fields come in another order for the same, and a list in another order for another', async () => {
    const body = { name: 'x', sku: 'order', markets: ['PT', 'DE'], attributes: { a: 1, b: { c: [], d: 2 } } };
    const first = await create('order', body).expect(201);
    const { name, sku, markets } = body;
    const again = await create('order', { attributes: { b: { d: 2, c: [] }, a: 1 }, markets, sku, name });
    expect([again.status, again.body]).to.deep.equal([201, first.body]);
    expect(again.headers['idempotent-replayed']).to.equal('true');
    expectProblem(await create('order', { ...body, markets: ['DE', 'PT'] }), 'IDEMPOTENCY_KEY_REUSED');
  });

  it('lets exactly one of many at once have an effect', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => create('storm')));
    const created = answers.filter(({ status }) => status === 201);
    expect(created.length).to.be.greaterThan(0);
    expect(new Set(created.map(({ body }) => body.id)).size).to.equal(1);
    expect(created.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).to.have.length(1);
    for (const answer of answers) if (answer.status !== 201) expectProblem(answer, 'CONFLICT');
  });

  it('answers CONFLICT while the first is still running', async () => {
    const blocker = await api.database.pool.connect();
    try {
      await blocker.query('begin');
      await blocker.query('lock table products in exclusive mode');
      const first = create('slow').then((answer) => answer);
      // The first one is at its work, which waits for the lock.
      for (let waiting = 0; waiting === 0;) {
        const { rows } = await api.database.pool.query(
          `select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and query like 'insert into products%' and datname = current_database()`,
        );
        waiting = rows[0].n;
      }
      expectProblem(await create('slow'), 'CONFLICT');
      await blocker.query('rollback');
      expect((await first).status).to.equal(201);
    } finally {
      blocker.release();
    }
    await create('slow').expect(201);
  });

  it('keeps no error: what was refused may be put right and sent again', async () => {
    expectProblem(await create('again', { name: '' }), 'VALIDATION_FAILED');
    await org.createProduct({ sku: 'occupied' });
    expectProblem(await create('again', { name: 'x', sku: 'occupied' }), 'CONFLICT');
    await create('again', { name: 'x', sku: 'again' }).expect(201);
  });

  it('forgets after 24 hours, not before, and the sweep removes the row', async () => {
    const { body } = await create('aging', { name: 'x', sku: 'aging' }).expect(201);
    api.clock.advance(DAY_MS - 1);
    expect((await create('aging', { name: 'x', sku: 'aging' }).expect(201)).body.id).to.equal(body.id);
    await forgetExpiredKeys(api.deps, api.deps.db);
    expect(await dumpTable(api.database, 'idempotency_keys')).to.include('aging');
    api.clock.advance(1);
    const { body: second } = await create('aging', { name: 'x', sku: 'aging-2' }).expect(201);
    expect(second.id).not.to.equal(body.id);
    // Nothing of the response that was kept before is left, and the day begins anew.
    api.clock.advance(DAY_MS - 1);
    const again = await create('aging', { name: 'x', sku: 'aging-2' }).expect(201);
    expect(again.body).to.deep.equal(second);
    api.clock.advance(1);
    expect(await forgetExpiredKeys(api.deps, api.deps.db)).to.be.greaterThan(0);
    expect(await dumpTable(api.database, 'idempotency_keys')).to.equal('');
  });

  it('tells organizations apart', async () => {
    const stranger = await api.createOrganization();
    const mine = await create('common').expect(201);
    const theirs = await create('common', { name: 'z', sku: 'common' }, stranger).expect(201);
    expect(theirs.body.id).not.to.equal(mine.body.id);
  });

  it('takes 1 to 255 characters', async () => {
    await create('k'.repeat(255), { name: 'x', sku: 'long' }).expect(201);
    for (const key of ['', 'k'.repeat(256)]) {
      const { errors } = expectProblem(await create(key, { name: 'x', sku: 'no' }), 'VALIDATION_FAILED');
      expect(errors![0]!.path).to.equal('headers.idempotency-key');
    }
  });

  it('runs an identical request without the header again', async () => {
    const { id: productId } = await org.createProduct();
    const [a, b] = [
      await org.post('/batches', { productId, quantity: 1 }),
      await org.post('/batches', { productId, quantity: 1 }),
    ];
    expect(a.body.id).not.to.equal(b.body.id);
  });
});
