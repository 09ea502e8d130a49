import { expect } from 'chai';
import { createPeopleApi, type PeopleApi, type Person } from '../../support/people-api.ts';

describe('Rotating an API key', () => {
  let api: PeopleApi;
  before(async () => {
    api = await createPeopleApi({ RATE_LIMIT_API_PER_MINUTE: '1000000' });
  });
  after(() => api.close());

  const products = (key: string) => api.http().get('/api/v1/products').set('X-Api-Key', key);
  const create = async (person: Person) =>
    (await person.post('/api-keys', { name: 'ERP', scopes: ['products.read'] }).expect(201)).body as {
      id: string;
      secret: string;
    };

  it('gives a new secret of the same key, and the old one a day', async () => {
    const person = await api.person();
    const { id, secret } = await create(person);
    const { body } = await person.post(`/api-keys/${id}/rotate`).expect(200);
    expect(body.id).to.equal(id);
    expect(body.secret).not.to.equal(secret);
    expect(body.lastFour).to.equal(body.secret.slice(-4));
    expect(new Date(body.previousSecretExpiresAt).getTime() - api.clock.now().getTime()).to.equal(86_400_000);
    await products(secret).expect(200);
    await products(body.secret).expect(200);
    api.clock.advance(86_399);
    await products(secret).expect(200);
    api.clock.advance(1);
    await products(secret).expect(401);
    await products(body.secret).expect(200);
    const later = (await api.signIn(person.email).expect(200)).body.accessToken as string;
    const read = async (path: string) =>
      (await api.http().get(`/api/v1${path}`).set('Authorization', `Bearer ${later}`).expect(200)).body;
    const key = await read(`/api-keys/${id}`);
    expect(key.previousSecretExpiresAt).to.equal(null);
    expect((await read('/api-keys')).data).to.deep.equal([key]);
  });

  it('takes a grace period from none to seven days', async () => {
    const person = await api.person();
    const { id, secret } = await create(person);
    for (const graceSeconds of [-1, 604_801, 1.5, '60'])
      await person.post(`/api-keys/${id}/rotate`, { graceSeconds }).expect(422);
    await person.post(`/api-keys/${id}/rotate`, { graceSeconds: 604_800 }).expect(200);
    await products(secret).expect(200);
    await person.post(`/api-keys/${id}/rotate`, { graceSeconds: 0 }).expect(200);
    await products(secret).expect(401);
  });

  it('lets no older secret work for longer than it was given', async () => {
    const person = await api.person();
    const { id, secret } = await create(person);
    const second = (await person.post(`/api-keys/${id}/rotate`, { graceSeconds: 60 }).expect(200)).body;
    const third = (await person.post(`/api-keys/${id}/rotate`, { graceSeconds: 3600 }).expect(200)).body;
    api.clock.advance(60);
    await products(secret).expect(401);
    await products(second.secret).expect(200);
    api.clock.advance(3540);
    await products(second.secret).expect(401);
    await products(third.secret).expect(200);
  });

  it('is refused for a revoked key', async () => {
    const person = await api.person();
    const { id } = await create(person);
    await person.post(`/api-keys/${id}/revoke`).expect(200);
    const { body } = await person.post(`/api-keys/${id}/rotate`).expect(409);
    expect(body.code).to.equal('INVALID_TRANSITION');
  });

  it('is refused for a key that has expired, whose new secret would be, too', async () => {
    const person = await api.person();
    const expiresAt = new Date(api.clock.now().getTime() + 60_000);
    const { body: key } = await person
      .post('/api-keys', { name: 'ERP', scopes: ['products.read'], expiresAt })
      .expect(201);
    api.clock.advance(59);
    await person.post(`/api-keys/${key.id}/rotate`).expect(200);
    api.clock.advance(1);
    const { body } = await person.post(`/api-keys/${key.id}/rotate`).expect(409);
    expect(body).to.include({ code: 'INVALID_TRANSITION', from: 'expired' });
  });

  it('under load costs not one request', async () => {
    const person = await api.person();
    const { id, secret } = await create(person);
    let current = secret;
    const stop = new AbortController();
    const statuses = new Map<number, number>();
    const client = async () => {
      while (!stop.signal.aborted) {
        const { status } = await products(current);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    const load = Array.from({ length: 8 }, client);
    for (let rotation = 0; rotation < 10; rotation++) {
      const { body } = await person.post(`/api-keys/${id}/rotate`, { graceSeconds: 60 }).expect(200);
      // Clients learn of the new secret only now: until here they have sent the old one.
      await products(current).expect(200);
      current = body.secret as string;
    }
    stop.abort();
    await Promise.all(load);
    expect([...statuses.keys()]).to.deep.equal([200]);
    expect(statuses.get(200)).to.be.greaterThan(50);
  });

  it('is followed by a revocation that ends both secrets with the next request', async () => {
    const person = await api.person();
    const { id, secret } = await create(person);
    const { body } = await person.post(`/api-keys/${id}/rotate`).expect(200);
    for (const key of [secret, body.secret as string]) await products(key).expect(200);
    await person.post(`/api-keys/${id}/revoke`).expect(200);
    for (const key of [secret, body.secret as string]) await products(key).expect(401);
    const read = async () => (await person.get(`/api-keys/${id}`).expect(200)).body;
    const revoked = await read();
    expect(revoked.previousSecretExpiresAt).to.equal(null);
    const listed = (await person.get('/api-keys').expect(200)).body.data;
    expect(listed.find((key: { id: string }) => key.id === id)).to.deep.equal(revoked);
    api.clock.advance(60);
    await person.post(`/api-keys/${id}/revoke`).expect(200);
    expect(await read()).to.deep.equal(revoked);
  });
});
