import { expect } from 'chai';
import { Client } from 'pg';
import { createTestApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { testServices } from '../support/services.ts';
import { startTunnel, type Tunnel } from '../support/tunnel.ts';
import { expectProblem } from '../support/problem.ts';

describe('with connections to Postgres that went silent', () => {
  let api: TestApi;
  let org: TestOrganization;
  let tunnel: Tunnel;

  before(async () => {
    tunnel = await startTunnel((await testServices()).databaseUrl);
    api = await createTestApi({ tunnelPort: tunnel.port, answerMs: 500, env: { DATABASE_POOL_MAX: '3' } });
    org = await api.createOrganization();
  });
  after(async () => {
    tunnel.mend();
    await api.close();
    await tunnel.close();
  });

  it('answers 503 to whoever had one, and everybody after that: none of them stays in the pool', async () => {
    const { units } = await org.mintUnits();
    const { token } = units[0]!;
    const all = () =>
      Promise.all([
        api.verify(token),
        org.get('/products'),
        org.post('/products', { name: 'x', sku: 'silent' }),
      ]);
    // So that each has a connection.
    const held = await Promise.all([1, 2, 3].map(() => api.deps.db.connect()));
    for (const client of held) client.release();
    tunnel.silence();
    for (const answer of await all()) expectProblem(answer, 'UNAVAILABLE');
    expect((await all()).map(({ status }) => status)).to.deep.equal([200, 200, 201]);
    expect(api.deps.db.totalCount).to.be.at.most(3);
    expect(api.deps.db.waitingCount).to.equal(0);
  });
});

describe('with a table that somebody else has locked', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi({ lockMs: 100, env: { DATABASE_POOL_MAX: '3' } });
    org = await api.createOrganization();
  });
  after(() => api.close());

  it('answers 503 to those who need it, and has connections for all others', async () => {
    const { token } = (await org.mintUnits()).units[0]!;
    const locker = await api.database.pool.connect();
    try {
      await locker.query('begin');
      await locker.query('lock table product_units, webhook_endpoints in access exclusive mode');
      const refused = await Promise.all([
        org.get('/webhook-endpoints'),
        org.post('/webhook-endpoints', { url: 'https://hooks.example.com/in', events: ['*'] }),
        api.verify(token),
      ]);
      for (const answer of refused) {
        expectProblem(answer, 'UNAVAILABLE');
        expect(answer.headers['retry-after']).to.equal('5');
      }
      await org.get('/products').expect(200);
      expect((await api.http().get('/readyz').expect(200)).body.postgres).to.equal('ok');
    } finally {
      await locker.query('rollback');
      locker.release();
    }
    expect((await org.get('/webhook-endpoints').expect(200)).body.data).to.deep.equal([]);
    expect((await api.verify(token).expect(200)).body.scan.count).to.equal(1);
  });
});

describe('with Postgres away', () => {
  let api: TestApi;
  let org: TestOrganization;
  let tunnel: Tunnel;

  before(async () => {
    tunnel = await startTunnel((await testServices()).databaseUrl);
    api = await createTestApi({ tunnelPort: tunnel.port, env: { DATABASE_POOL_MAX: '2' } });
    org = await api.createOrganization();
  });
  after(async () => {
    await api.close();
    await tunnel.close();
  });

  it('answers 503 fast everywhere, has no false success, and comes back by itself', async () => {
    const { units } = await org.mintUnits();
    tunnel.cut();
    const started = performance.now();
    const answers = [
      await org.get('/products'),
      await org.post('/products', { name: 'x', sku: 'never' }),
      await org.post('/products', { name: 'x', sku: 'never' }).set('Idempotency-Key', 'never'),
      await api.verify(units[0]!.token),
      await api.http().get('/api/v1/nothing').set('X-Api-Key', org.key),
    ];
    expect(performance.now() - started).to.be.lessThan(2_000);
    for (const answer of answers) {
      expectProblem(answer, 'UNAVAILABLE');
      expect(answer.headers['retry-after']).to.equal('5');
    }
    expect((await api.http().get('/readyz').expect(503)).body.postgres).to.equal('unreachable');
    await api.http().get('/healthz').expect(200);
    // A forged code needs no database to be refused.
    await api.verify('0'.repeat(24)).expect(404);
    tunnel.mend();
    const { body } = await org.get('/products?sku=never').expect(200);
    expect(body.data).to.deep.equal([]);
    expect((await api.verify(units[0]!.token).expect(200)).body.scan.count).to.equal(1);
    await org.post('/products', { name: 'x', sku: 'never' }).set('Idempotency-Key', 'never').expect(201);
  });

  it('answers 503 to a request whose connection is cut in the middle, and undoes what it did', async () => {
    const blocker = await api.database.pool.connect();
    try {
      await blocker.query('begin');
      await blocker.query('lock table products in exclusive mode');
      const request = org.post('/products', { name: 'x', sku: 'cut' }).then((answer) => answer);
      for (let waiting = 0; waiting === 0;) {
        const { rows } = await api.database.pool.query(
          `select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and query like 'insert into products%' and datname = current_database()`,
        );
        waiting = rows[0].n;
      }
      tunnel.cut();
      expectProblem(await request, 'UNAVAILABLE');
      tunnel.mend();
      await blocker.query('rollback');
    } finally {
      blocker.release();
    }
  });

  it('answers 503 while every connection of the process is busy for too long', async () => {
    const { db } = api.deps;
    const held = [await db.connect(), await db.connect()];
    try {
      expectProblem(await org.get('/products'), 'UNAVAILABLE');
    } finally {
      for (const client of held) client.release();
    }
    await org.get('/products').expect(200);
  });

  it('answers 503 while the database lets nobody in', async () => {
    const admin = new Client({ connectionString: (await testServices()).databaseUrl });
    await admin.connect();
    try {
      await admin.query(`alter database ${api.database.name} allow_connections false`);
      tunnel.cut();
      tunnel.mend();
      expectProblem(await org.get('/products'), 'UNAVAILABLE');
      await admin.query(`alter database ${api.database.name} allow_connections true`);
      await org.get('/products').expect(200);
    } finally {
      await admin.end();
    }
  });

  for (const [state, what] of [
    ['53300', 'has no connection left'],
    ['53100', 'has a full disk'],
    ['57P01', 'shuts down'],
    ['57P03', 'starts up'],
    ['08006', 'loses the connection'],
    ['25006', 'has become a read-only replica'],
    ['40P01', 'ends one of two requests that wait for each other'],
  ]) {
    it(`answers 503 when Postgres ${what}`, async () => {
      const { db } = api.deps;
      const query = db.query.bind(db);
      db.query = (() => Promise.reject(Object.assign(new Error('no'), { code: state }))) as typeof db.query;
      const answer = await org.get('/products');
      db.query = query;
      expectProblem(answer, 'UNAVAILABLE');
    });
  }
});
