import { expect } from 'chai';
import { createTestApi, type TestApi } from '../../support/api.ts';

describe('health and readiness', () => {
  let api: TestApi;

  before(async () => {
    api = await createTestApi();
  });
  after(() => api.close());

  it('says that the process lives', async () => {
    expect((await api.http().get('/healthz').expect(200)).body).to.deep.equal({ status: 'ok' });
  });

  it('is not ready before its release was run, and is after it, whatever a later one did', async () => {
    const { pool } = api.database;
    const { rows } = await pool.query<{ name: string }>(
      'delete from knex_migrations where id = (select max(id) from knex_migrations) returning name',
    );
    const { body } = await api.http().get('/readyz').expect(503);
    expect(body).to.deep.equal({ status: 'unavailable', postgres: 'not migrated', redis: 'ok' });
    await pool.query('alter table knex_migrations rename to knex_none');
    expect((await api.http().get('/readyz').expect(503)).body).to.deep.equal(body);
    await pool.query('alter table knex_none rename to knex_migrations');
    await pool.query(
      `insert into knex_migrations (name, batch) values ($1, 1), ('29991231000000_later', 2)`,
      [rows[0]!.name],
    );
    await api.http().get('/readyz').expect(200);
  });

  it('is ready while Postgres and Redis answer', async () => {
    const { body } = await api.http().get('/readyz').expect(200);
    expect(body).to.deep.equal({ status: 'ready', postgres: 'ok', redis: 'ok' });
  });

  it('is not ready while one of them does not, and says which', async () => {
    const { db, redis } = api.deps;
    const ping = redis.ping.bind(redis);
    redis.ping = (() => Promise.reject(new Error('gone'))) as typeof redis.ping;
    const { body } = await api.http().get('/readyz').expect(503);
    redis.ping = ping;
    expect(body).to.deep.equal({ status: 'unavailable', postgres: 'ok', redis: 'unreachable' });
    const query = db.query.bind(db);
    db.query = (() => Promise.reject(new Error('gone'))) as typeof db.query;
    const without = await api.http().get('/readyz').expect(503);
    db.query = query;
    expect(without.body).to.deep.equal({ status: 'unavailable', postgres: 'unreachable', redis: 'ok' });
    // The process itself lives on.
    await api.http().get('/healthz').expect(200);
  });

  it('says nothing of the software behind it', async () => {
    const { headers } = await api.http().get('/healthz');
    expect(headers).not.to.have.any.keys('x-powered-by', 'server');
    expect(headers['x-content-type-options']).to.equal('nosniff');
    expect(headers['content-security-policy']).to.include("default-src 'none'");
    expect(headers['strict-transport-security']).to.equal('max-age=31536000');
  });
});
