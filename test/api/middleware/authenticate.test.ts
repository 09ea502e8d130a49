import { expect } from 'chai';
import { OPERATIONS } from '../../../api/operations.ts';
import { generateApiKeySecret } from '../../../shared/api-keys/secret.ts';
import { createTestApi, dumpTable, type TestApi, type TestOrganization } from '../../support/api.ts';
import { expectProblem } from '../../support/problem.ts';

describe('authentication by API key', () => {
  let api: TestApi;
  let org: TestOrganization;
  let key: string;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
    await org.createProduct();
  });
  beforeEach(async () => {
    key = await org.createKey('products.read');
  });
  after(() => api.close());

  const ask = (headers: Record<string, string>, query = '') =>
    api.http().get(`/api/v1/products${query}`).set(headers);
  const refused = async (headers: Record<string, string>, query = '') => {
    const answer = await ask(headers, query);
    expect(answer.headers['www-authenticate']).to.equal('Bearer realm="touchstone"');
    return expectProblem(answer, 'UNAUTHENTICATED');
  };

  it('takes both header forms as the same', async () => {
    const one = await ask({ 'X-Api-Key': key }).expect(200);
    for (const headers of [
      { Authorization: `Bearer ${key}` },
      { authorization: `bearer ${key}` },
      { Authorization: `Bearer ${key}`, 'X-Api-Key': key },
    ]) {
      expect((await ask(headers).expect(200)).body).to.deep.equal(one.body);
    }
  });

  it('refuses two different credentials at once, also where both are good', async () => {
    const other = await org.createKey('products.read');
    await refused({ Authorization: `Bearer ${key}`, 'X-Api-Key': other });
    await refused({ Authorization: `Bearer ${key}`, 'X-Api-Key': '' });
  });

  it('refuses what is no credential', async () => {
    await refused({});
    await refused({ 'X-Api-Key': '' });
    await refused({ Authorization: key });
    await refused({ Authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` });
    await refused({ Authorization: 'Bearer' });
    await refused({ Authorization: `Bearer ${key} ${key}` });
    await refused({ 'X-Api-Key': `${key}, ${key}` });
    await refused({ Cookie: `key=${key}` });
  });

  it('takes no key from the query string, and does not even read beside one', async () => {
    for (const name of ['api_key', 'apiKey', 'key', 'access_token', 'X-Api-Key']) {
      await refused({}, `?${name}=${key}`);
      expectProblem(await ask({ 'X-Api-Key': key }, `?${name}=${key}`), 'VALIDATION_FAILED');
    }
    expect(api.logs.join('')).not.to.include(key);
  });

  it('refuses a damaged key without asking the database', async () => {
    const { db } = api.deps;
    const query = db.query.bind(db);
    let asked = 0;
    db.query = ((...parameters: Parameters<typeof query>) => {
      asked += 1;
      return query(...parameters);
    }) as typeof query;
    try {
      const flip = (at: number) => key.slice(0, at) + (key[at] === 'a' ? 'b' : 'a') + key.slice(at + 1);
      const damaged = [
        flip(10),
        flip(key.length - 1),
        key.slice(0, -1),
        `${key}0`,
        key.toUpperCase(),
        `ak_test_${key.slice(8)}`,
      ];
      for (const text of damaged) await refused({ 'X-Api-Key': text });
      expect(asked).to.equal(0);
      // A key that is well-formed but nobody's has to be looked up.
      await refused({ 'X-Api-Key': generateApiKeySecret(api.deps.random) });
      expect(asked).to.equal(1);
    } finally {
      db.query = query;
    }
  });

  it('refuses a key from the very request after its revocation', async () => {
    await ask({ 'X-Api-Key': key }).expect(200);
    await api.database.pool.query('update api_keys set revoked_at = now() where scopes = $1', [
      ['products.read'],
    ]);
    const answer = await refused({ 'X-Api-Key': key });
    // Revoked, expired and never issued look alike.
    const unknown = await refused({ 'X-Api-Key': generateApiKeySecret(api.deps.random) });
    expect(answer.detail).to.equal(unknown.detail);
  });

  it('refuses an expired key and an expired secret, at the very moment', async () => {
    const now = api.clock.now();
    const { pool } = api.database;
    for (const table of ['api_keys', 'api_key_secrets']) {
      const fresh = await org.createKey('products.read');
      const which = table === 'api_keys' ? 'id' : 'key_id';
      await pool.query(
        `update ${table} set expires_at = $1 where ${which} = (select k.id from api_keys k order by k.id desc limit 1)`,
        [new Date(now.getTime() + 1000)],
      );
      api.clock.set(new Date(now.getTime() + 999));
      await ask({ 'X-Api-Key': fresh }).expect(200);
      api.clock.set(new Date(now.getTime() + 1000));
      await refused({ 'X-Api-Key': fresh });
      api.clock.set(now);
    }
  });

  it('keeps digests, never a key', async () => {
    for (const table of ['api_keys', 'api_key_secrets']) {
      const dump = await dumpTable(api.database, table);
      expect(dump).not.to.include(key);
      expect(dump).not.to.include(key.slice(8, 30));
    }
  });

  it('reads no megabytes of a stranger', async () => {
    const write = OPERATIONS.find(({ operationId }) => operationId === 'createProduct')!;
    const answer = await api
      .http()
      .post(write.path)
      .set('Content-Type', 'application/json')
      .send('{'.repeat(100_000));
    // The credential comes first: the body, malformed and all, is never looked at.
    expectProblem(answer, 'UNAUTHENTICATED');
  });
});
