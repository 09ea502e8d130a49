import { expect } from 'chai';
import {
  KEPT_DAYS,
  LINES_PER_MINUTE,
  forgetOldRequestErrors,
} from '../../../shared/request-errors/service.ts';
import { encodeId, newUuid } from '../../../shared/ids.ts';
import { createPeopleApi, type PeopleApi, type Person } from '../../support/people-api.ts';

describe('GET /api/v1/request-errors', () => {
  let api: PeopleApi;
  let owner: Person;
  let key: { id: string; secret: string };
  before(async () => {
    api = await createPeopleApi();
    owner = await api.person('owner');
    const { body } = await owner.post('/api-keys', { name: 'ERP', scopes: ['products.read'] }).expect(201);
    key = body;
  });
  after(() => api.close());

  const list = async (query = '', who = owner) =>
    (await who.get(`/request-errors${query}`).expect(200)).body.data as Record<string, any>[];
  const withKey = (path: string) =>
    api.http().get(path).set('X-Api-Key', key.secret).set('X-Forwarded-For', '198.51.100.77');

  it('tells what was refused: the pattern, the code, the key and its network, and no more', async () => {
    const id = encodeId('prod', newUuid());
    const { headers } = await withKey(`/api/v1/products/${id}`).expect(404);
    await withKey('/api/v1/products?limit=canary').expect(422);
    await withKey('/api/v1/products').expect(200);
    await owner.post('/products', { name: 'canary-in-a-body' }).expect(422);
    const [body, query, missing] = await list();
    expect(missing).to.deep.equal({
      at: api.clock.now().toISOString(),
      method: 'GET',
      route: '/api/v1/products/:id',
      status: 404,
      code: 'NOT_FOUND',
      detail: 'no such product',
      paths: [],
      requestId: headers['x-request-id'],
      actor: { kind: 'key', id: key.id, name: 'ERP' },
      network: '198.51.100.0',
    });
    expect(query).to.deep.include({
      status: 422,
      code: 'VALIDATION_FAILED',
      route: '/api/v1/products',
      detail: null,
      paths: ['query.limit'],
    });
    expect(body!['paths']).to.deep.equal(['sku']);
    expect(body!['actor']).to.include({ kind: 'user', id: owner.userId });
    const { rows } = await api.database.pool.query('select request_errors::text as line from request_errors');
    for (const { line } of rows) expect(line).to.not.match(/canary|198\.51\.100\.77|ak_live/);
  });

  it('filters by code, status, key and request', async () => {
    expect(await list('?code=NOT_FOUND')).to.have.length(1);
    expect(await list('?status=422')).to.have.length(2);
    expect(await list(`?keyId=${key.id}`)).to.have.length(2);
    const [first] = await list();
    expect(await list(`?requestId=${first!['requestId']}`)).to.have.length(1);
  });

  it('is for those who manage keys, and of their own organization alone', async () => {
    const stranger = await api.person('owner');
    expect(await list('', stranger)).to.deep.equal([]);
    const analyst = await api.person('analyst', owner.orgUuid);
    await analyst.get('/request-errors').expect(403);
    await withKey('/api/v1/request-errors').expect(401);
  });

  it('keeps a bounded number of lines a minute, and does not hear of strangers', async () => {
    api.clock.advance(120);
    const before = (await list('?limit=200')).length;
    for (let n = 0; n < LINES_PER_MINUTE + 20; n += 20)
      await Promise.all(Array.from({ length: 20 }, () => withKey('/api/v1/nothing').expect(404)));
    await api.http().get('/api/v1/products').set('X-Api-Key', 'ak_live_wrong').expect(401);
    expect((await list('?limit=200')).length).to.equal(before + LINES_PER_MINUTE);
    api.clock.advance(60);
    await withKey('/api/v1/nothing').expect(404);
    expect((await list('?limit=200')).length).to.equal(before + LINES_PER_MINUTE + 1);
  });

  it('answers though the lines cannot be written', async () => {
    await api.database.pool.query('alter table request_errors rename to request_errors_away');
    api.clock.advance(60);
    await withKey('/api/v1/nothing').expect(404);
    await api.deps.requestErrors.flush();
    await api.database.pool.query('alter table request_errors_away rename to request_errors');
    expect(api.logs.some((line) => line.includes('requests in error not logged'))).to.equal(true);
  });

  it('forgets them after two weeks', async () => {
    const now = new Date();
    const at = (days: number) => ({ now: () => new Date(now.getTime() + days * 86_400_000) });
    expect(await forgetOldRequestErrors({ db: api.deps.db, clock: at(KEPT_DAYS - 1) })).to.equal(0);
    expect(await forgetOldRequestErrors({ db: api.deps.db, clock: at(KEPT_DAYS + 1) })).to.be.greaterThan(60);
    expect(await list()).to.deep.equal([]);
  });
});
