import { expect } from 'chai';
import { ALL_SCOPES } from '../../../shared/api-keys/scopes.ts';
import { generateApiKeySecret, isWellFormedSecret } from '../../../shared/api-keys/secret.ts';
import { createPeopleApi, type PeopleApi, type Person } from '../../support/people-api.ts';
import { expectProblem } from '../../support/problem.ts';
import { randomBytes } from 'node:crypto';

describe('API keys', () => {
  let api: PeopleApi;
  before(async () => {
    api = await createPeopleApi();
  });
  after(() => api.close());

  const create = async (person: Person, fields: object = {}) =>
    (await person.post('/api-keys', { name: 'ERP', scopes: ['products.read'], ...fields }).expect(201))
      .body as {
      id: string;
      secret: string;
      lastFour: string;
    } & Record<string, unknown>;
  const products = (key: string, from = '198.51.100.7') =>
    api.http().get('/api/v1/products').set('X-Api-Key', key).set('X-Forwarded-For', from);

  it('are shown in full once, at creation', async () => {
    const person = await api.person('administrator');
    const key = await create(person);
    expect(key.secret).to.match(/^ak_live_[0-9A-Za-z]{36}$/);
    expect(key).to.include({ prefix: 'ak_live_', lastFour: key.secret.slice(-4), createdBy: person.userId });
    await products(key.secret).expect(200);
    await api.http().get('/api/v1/products').set('Authorization', `Bearer ${key.secret}`).expect(200);

    const read = await person.get(`/api-keys/${key.id}`).expect(200);
    const list = await person.get('/api-keys').expect(200);
    for (const text of [read.text, list.text]) {
      expect(text).to.include(key.lastFour);
      expect(text).not.to.include(key.secret.slice(8, 30));
    }
    const log = await person.get('/audit-log').expect(200);
    expect(log.text).not.to.include(key.secret.slice(8, 30));
    expect(api.logs.join('')).not.to.include(key.secret.slice(8, 30));
    const { rows } = await api.database.pool.query<{ dump: string }>(
      `select concat((select string_agg(s::text, ' ') from api_key_secrets s), (select string_agg(k::text, ' ') from api_keys k)) as dump`,
    );
    expect(rows[0]!.dump).not.to.include(key.secret.slice(8, 30));
  });

  it('have 178 random bits and a checksum that refuses a typo before the database is asked', async () => {
    const secret = generateApiKeySecret(randomBytes);
    expect(Math.log2(62 ** 30)).to.be.greaterThan(160);
    expect(isWellFormedSecret(secret)).to.equal(true);
    const original = api.deps.db.query;
    let queries = 0;
    const counted = function (this: unknown, ...args: unknown[]) {
      queries += 1;
      return (original as (...args: unknown[]) => unknown).apply(this, args);
    };
    api.deps.db.query = counted as typeof original;
    try {
      const typo = `${secret.slice(0, 20)}${secret[20] === 'a' ? 'b' : 'a'}${secret.slice(21)}`;
      for (const bad of [typo, secret.toLowerCase(), 'ak_live_', `${secret}x`, 'x'.repeat(44)])
        await products(bad).expect(401);
      expect(queries).to.equal(0);
      await products(secret).expect(401);
      expect(queries).to.equal(1);
    } finally {
      api.deps.db.query = original;
    }
  });

  it('cost one query to authenticate, however many requests come at once', async () => {
    const person = await api.person();
    const { secret } = await create(person, { scopes: ['scans.read'] });
    await products(secret).expect(403);
    const original = api.deps.db.query;
    let queries = 0;
    const counted = function (this: unknown, ...args: unknown[]) {
      queries += 1;
      return (original as (...args: unknown[]) => unknown).apply(this, args);
    };
    api.deps.db.query = counted as typeof original;
    try {
      await products(secret).expect(403);
      expect(queries).to.equal(1);
    } finally {
      api.deps.db.query = original;
    }
  });

  it('are managed by a signed-in administrator alone, never by a key', async () => {
    const owner = await api.person('owner');
    const { id, secret } = await create(owner, { scopes: ALL_SCOPES });
    const operations: [method: 'get' | 'post', path: string][] = [
      ['get', '/api-keys'],
      ['post', '/api-keys'],
      ['get', `/api-keys/${id}`],
      ['post', `/api-keys/${id}/rotate`],
      ['post', `/api-keys/${id}/revoke`],
    ];
    for (const [method, path] of operations) {
      for (const header of [{ 'X-Api-Key': secret }, { Authorization: `Bearer ${secret}` }])
        await api.http()[method](`/api/v1${path}`).set(header).expect(401);
      for (const role of ['analyst', 'viewer'] as const) {
        const person = await api.person(role, owner.orgUuid);
        await person[method](path).expect(403);
      }
    }
    await products(secret).expect(200);
  });

  it('get no unknown scope, and none that the creator’s role lacks', async () => {
    const person = await api.person('administrator');
    const unknown = await person.post('/api-keys', { name: 'x', scopes: ['products.read', 'everything'] });
    expect(unknown.status).to.equal(422);
    expect(unknown.body.errors[0].path).to.equal('scopes.1');
    await person.post('/api-keys', { name: 'x', scopes: [] }).expect(422);
    await person.post('/api-keys', { name: 'x', scopes: ['products.read'], orgId: person.orgId }).expect(422);
  });

  it('are told everything that is wrong with them at once', async () => {
    const person = await api.person();
    const body = {
      name: 'x',
      scopes: ['all'],
      allowedCidrs: ['10.0.0.0/8', 'here'],
      expiresAt: '2020-01-01T00:00:00Z',
    };
    const { errors } = expectProblem(await person.post('/api-keys', body), 'VALIDATION_FAILED');
    expect(errors!.map(({ path, code }) => [path, code])).to.deep.equal([
      ['scopes.0', 'NOT_A_SCOPE'],
      ['allowedCidrs.1', 'NOT_A_NETWORK'],
      ['expiresAt', 'NOT_IN_FUTURE'],
    ]);
  });

  it('stop working when they expire', async () => {
    const person = await api.person();
    const at = new Date(api.clock.now().getTime() + 60_000).toISOString();
    const { secret } = await create(person, { expiresAt: at });
    await products(secret).expect(200);
    api.clock.advance(60);
    await products(secret).expect(401);
    await (
      await api.person()
    )
      .post('/api-keys', { name: 'x', scopes: ['products.read'], expiresAt: at })
      .expect(422);
  });

  it('expire at an instant with any offset, with a colon or, as Python writes it, without', async () => {
    const person = await api.person();
    const taken = async (given: string) => (await create(person, { expiresAt: given })).expiresAt;
    expect(await taken('2098-01-01T00:00:00.000000+0530')).to.equal('2097-12-31T18:30:00.000Z');
    expect(await taken('2098-01-01T00:00:00-00:30')).to.equal('2098-01-01T00:30:00.000Z');
    for (const expiresAt of ['2098-01-01T00:00:00+530', '2098-01-01T00:00:00', '2098-01-01-0000']) {
      const answer = await person.post('/api-keys', { name: 'x', scopes: ['products.read'], expiresAt });
      expect(expectProblem(answer, 'VALIDATION_FAILED').errors![0]).to.include({ code: 'NOT_A_TIME' });
    }
  });

  it('expire in a year of four digits, whatever the offset', async () => {
    const person = await api.person();
    for (const expiresAt of ['9999-12-31T23:59:59-01:00', '0000-01-01T00:00:00+01:00']) {
      const answer = await person.post('/api-keys', { name: 'x', scopes: ['products.read'], expiresAt });
      const [error] = expectProblem(answer, 'VALIDATION_FAILED').errors!;
      expect(error, expiresAt).to.include({ path: 'expiresAt', code: 'NOT_A_TIME' });
    }
    const { expiresAt } = await create(person, { expiresAt: '9999-12-31T23:59:59Z' });
    expect(expiresAt).to.equal('9999-12-31T23:59:59.000Z');
  });

  it('work from the allowed addresses alone', async () => {
    const person = await api.person();
    const { secret } = await create(person, {
      allowedCidrs: ['203.0.113.0/24', '2001:db8::/32', '192.0.2.5'],
    });
    for (const from of ['203.0.113.9', '::ffff:203.0.113.9', '2001:db8::1', '192.0.2.5'])
      await products(secret, from).expect(200);
    for (const from of ['203.0.114.9', '2001:db9::1', '192.0.2.6', '127.0.0.1'])
      await products(secret, from).expect(401);
    for (const bad of ['203.0.113.0/33', 'example.com', '1.2.3', '', '010.0.0.0/8', '0x7f.1/8', '1/8'])
      await person
        .post('/api-keys', { name: 'x', scopes: ['products.read'], allowedCidrs: [bad] })
        .expect(422);
  });

  it('take an IPv4 address for the same one where it is written as IPv6', async () => {
    const person = await api.person();
    const key = await create(person, { allowedCidrs: ['::ffff:192.0.2.5', '::ffff:203.0.113.0/120'] });
    expect(key['allowedCidrs']).to.deep.equal(['192.0.2.5/32', '203.0.113.0/24']);
    for (const from of ['192.0.2.5', '::ffff:192.0.2.5', '203.0.113.9'])
      await products(key.secret, from).expect(200);
    await products(key.secret, '192.0.2.6').expect(401);
  });

  it('note when they were used, to five minutes and not at each request', async () => {
    const person = await api.person();
    const { id, secret } = await create(person);
    const lastUsedAt = async () =>
      (await person.get(`/api-keys/${id}`).expect(200)).body.lastUsedAt as string;
    expect(await lastUsedAt()).to.equal(null);
    await products(secret).expect(200);
    const first = await lastUsedAt();
    expect(first).to.equal(api.clock.now().toISOString());
    const { rows: before } = await api.database.pool.query<{ xmin: string }>(
      'select max(xmin::text) as xmin from api_keys',
    );
    api.clock.advance(299);
    for (let i = 0; i < 5; i++) await products(secret).expect(200);
    const { rows: after } = await api.database.pool.query<{ xmin: string }>(
      'select max(xmin::text) as xmin from api_keys',
    );
    expect(after).to.deep.equal(before);
    expect(await lastUsedAt()).to.equal(first);
    api.clock.advance(2);
    await products(secret).expect(200);
    expect(await lastUsedAt()).to.equal(api.clock.now().toISOString());
  });

  it('of another organization are not there', async () => {
    const [owner, stranger] = [await api.person(), await api.person()];
    const { id, secret } = await create(owner);
    await stranger.get(`/api-keys/${id}`).expect(404);
    await stranger.post(`/api-keys/${id}/rotate`).expect(404);
    await stranger.post(`/api-keys/${id}/revoke`).expect(404);
    await products(secret).expect(200);
    const found = async (who: typeof owner, q: string) =>
      (await who.get(`/api-keys?q=${q}`).expect(200)).body.data.map((key: { id: string }) => key.id);
    const { body } = await owner.get(`/api-keys/${id}`).expect(200);
    expect(await found(owner, body.name.slice(1).toUpperCase())).to.include(id);
    expect(await found(owner, 'nothing-like-it')).to.deep.equal([]);
    expect(await found(stranger, body.name)).to.deep.equal([]);
  });

  it('are refused in the query string and never logged', async () => {
    const person = await api.person();
    const { secret } = await create(person);
    for (const query of [`api_key=${secret}`, `key=${secret}`, `x-api-key=${secret}`])
      await api
        .http()
        .get(`/api/v1/products?${query}`)
        .set('Referer', `https://x.example/?k=${secret}`)
        .expect(401);
    expect(api.logs.join('')).not.to.include(secret.slice(8, 30));
  });

  it('may be created twice with one Idempotency-Key, and are one', async () => {
    const person = await api.person();
    const send = () =>
      person
        .post('/api-keys', { name: 'Once', scopes: ['products.read'] })
        .set('Idempotency-Key', 'k-1')
        .expect(201);
    const [first, second] = [await send(), await send()];
    expect(second.body).to.deep.equal(first.body);
    expect((await person.get('/api-keys')).body.data).to.have.length(1);
  });
});

describe('Rate limits of credentials', () => {
  let api: PeopleApi;
  before(async () => {
    api = await createPeopleApi({ RATE_LIMIT_API_PER_MINUTE: '5' });
  });
  after(() => api.close());

  it('count each credential by itself, with RateLimit headers', async () => {
    const person = await api.person();
    const { body } = await person.post('/api-keys', { name: 'x', scopes: ['products.read'] }).expect(201);
    const products = () =>
      api
        .http()
        .get('/api/v1/products')
        .set('X-Api-Key', body.secret as string);
    for (let left = 4; left >= 0; left--) {
      const { headers } = await products().expect(200);
      expect(headers['ratelimit-policy']).to.equal('"api";q=5;w=60');
      expect(headers['ratelimit']).to.match(new RegExp(`^"api";r=${left};t=\\d+$`));
    }
    const refused = await products().expect(429);
    expect(refused.body.code).to.equal('RATE_LIMITED');
    expect(Number(refused.headers['retry-after'])).to.be.within(1, 60);
    expect(refused.headers['ratelimit']).to.match(/^"api";r=0;t=\d+$/);
    await person.get('/auth/me').expect(200);
  });
});

describe('With Redis away', () => {
  let api: PeopleApi;
  let person: Person;
  let secret: string;
  before(async () => {
    api = await createPeopleApi({ RATE_LIMIT_API_PER_MINUTE: '50' });
    person = await api.person();
    secret = (await person.post('/api-keys', { name: 'x', scopes: ['products.read'] }).expect(201)).body
      .secret;
    api.deps.redis.disconnect();
  });
  after(() => api.close());

  it('signing in is refused with 503, as guesses could not be counted', async () => {
    const refused = await api.signIn(person.email).expect(503);
    expect(refused.body.code).to.equal('UNAVAILABLE');
    expect(refused.headers['retry-after']).to.be.a('string');
  });

  it('keys and sessions go on, with a limit in each process', async () => {
    await person.get('/auth/me').expect(200);
    const answers: number[] = [];
    for (let i = 0; i < 52; i++)
      answers.push((await api.http().get('/api/v1/products').set('X-Api-Key', secret)).status);
    expect(answers.slice(0, 50).every((status) => status === 200)).to.equal(true);
    expect(answers.slice(50)).to.deep.equal([429, 429]);
    api.clock.advance(60);
    await api.http().get('/api/v1/products').set('X-Api-Key', secret).expect(200);
  });
});
