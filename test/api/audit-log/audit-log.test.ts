import { expect } from 'chai';
import { createPeopleApi, PASSWORD, type PeopleApi } from '../../support/people-api.ts';

describe('The audit log', () => {
  let api: PeopleApi;
  before(async () => {
    api = await createPeopleApi();
  });
  after(() => api.close());

  it('says who did what to which resource, from where, with the changed fields before and after', async () => {
    const owner = await api.person('owner');
    const viewer = await api.person('viewer', owner.orgUuid);
    const response = await owner
      .patch(`/users/${viewer.userId}`, { role: 'analyst' })
      .set('X-Forwarded-For', '203.0.113.5')
      .set('User-Agent', 'browser')
      .expect(200);
    const { body } = await owner.get('/audit-log?action=updateUser').expect(200);
    expect(body.data).to.have.length(1);
    expect(body.data[0]).to.deep.include({
      action: 'updateUser',
      actor: { kind: 'user', id: owner.userId, name: owner.email },
      resource: viewer.userId,
      ip: '203.0.113.5',
      userAgent: 'browser',
      requestId: response.headers['x-request-id'],
      at: api.clock.now().toISOString(),
      before: { role: 'viewer' },
      after: { role: 'analyst' },
    });
  });

  it('records what keys do too, without the secrets that they are shown', async () => {
    const owner = await api.person('owner');
    const { body: key } = await owner
      .post('/api-keys', { name: 'ERP', scopes: ['products.write', 'webhooks.write'] })
      .expect(201);
    const asKey = (method: 'post' | 'patch', path: string) => {
      const http = api.http();
      return http[method](`/api/v1${path}`).set('X-Api-Key', key.secret as string);
    };
    const { body: product } = await asKey('post', '/products').send({ name: 'Oil', sku: 'A' }).expect(201);
    await asKey('patch', `/products/${product.id}`).send({ name: 'Olive oil' }).expect(200);
    const { body: endpoint } = await asKey('post', '/webhook-endpoints')
      .send({ url: 'https://hooks.example.com/', events: ['*'] })
      .expect(201);
    const { body, text } = await owner.get(`/audit-log?actor=${key.id}`).expect(200);
    expect(body.data.map(({ action, resource }: Record<string, string>) => [action, resource])).to.deep.equal(
      [
        ['createWebhookEndpoint', endpoint.id],
        ['updateProduct', product.id],
        ['createProduct', product.id],
      ],
    );
    expect(body.data[1]).to.deep.include({ before: { name: 'Oil' }, after: { name: 'Olive oil' } });
    expect(body.data[0].actor).to.deep.equal({ kind: 'key', id: key.id, name: 'ERP' });
    expect(text).not.to.include(endpoint.secret);
    expect((await owner.get('/audit-log').expect(200)).text).not.to.include(key.secret);
  });

  it('has an entry for every operation that changes something, and none for one that failed', async () => {
    const owner = await api.person('owner');
    await owner.post('/products', { name: 'x', sku: 'same' }).expect(201);
    await owner.post('/products', { name: 'x', sku: 'same' }).expect(409);
    await owner.post('/auth/change-password', {
      currentPassword: PASSWORD,
      newPassword: 'another stone of gold',
    });
    await owner.patch('/organization', { timeZone: 'Europe/Lisbon' }).expect(200);
    const { body } = await owner.get('/audit-log').expect(200);
    expect(body.data.map(({ action }: { action: string }) => action)).to.deep.equal([
      'updateOrganization',
      'changePassword',
      'createProduct',
      'signIn',
    ]);
    expect(body.data[0]).to.deep.include({
      before: { timeZone: 'UTC' },
      after: { timeZone: 'Europe/Lisbon' },
    });
  });

  it('says which policy was changed, the organization’s or a product’s, and how it was before', async () => {
    const owner = await api.person('owner');
    const { body: product } = await owner.post('/products', { name: 'Oil', sku: 'A' }).expect(201);
    const ofProduct = `/risk-policies?productId=${product.id}`;
    const policy = { clone: { weight: 0.5 } };
    await owner.put('/risk-policies', { policy, alertCooldownMinutes: 30 }).expect(200);
    await owner.put(ofProduct, { policy: { thresholds: { suspicious: 70 } } }).expect(200);
    await owner.put(ofProduct, { policy }).expect(200);
    await owner.put(ofProduct, { policy: { clone: { weight: -1 } } }).expect(422);
    const { body } = await owner.get('/audit-log?action=putRiskPolicy').expect(200);
    expect(
      body.data.map(({ resource, before, after }: Record<string, unknown>) => ({ resource, before, after })),
    ).to.deep.equal([
      {
        resource: product.id,
        before: { policy: { thresholds: { suspicious: 70 } } },
        after: { policy },
      },
      {
        resource: product.id,
        before: { policy: {} },
        after: { policy: { thresholds: { suspicious: 70 } } },
      },
      {
        resource: null,
        before: { policy: {}, alertCooldownMinutes: null },
        after: { policy, alertCooldownMinutes: 30 },
      },
    ]);
    expect((await owner.get(`/audit-log?resource=${product.id}`)).body.data).to.have.length(3);
  });

  it('has in each entry its own change alone, where two are made at the same time', async () => {
    const owner = await api.person('owner');
    const { body: product } = await owner.post('/products', { name: '0', sku: 'A' }).expect(201);
    for (const round of ['1', '2', '3']) {
      const [one, other] = await Promise.all([
        owner.patch(`/products/${product.id}`, { name: round }),
        owner.patch(`/products/${product.id}`, { description: round }),
      ]);
      expect([one.status, other.status]).to.deep.equal([200, 200]);
    }
    const { body } = await owner.get(`/audit-log?resource=${product.id}&action=updateProduct`).expect(200);
    const changed = body.data.map(({ after }: { after: object }) => Object.keys(after).join());
    expect(changed.filter((names: string) => names === 'name')).to.have.length(3);
    expect(changed.filter((names: string) => names === 'description')).to.have.length(3);
  });

  it('commits with the change or not at all', async () => {
    const owner = await api.person('owner');
    await api.database.pool.query(
      `alter table audit_log add constraint broken check (action <> 'createProduct') not valid`,
    );
    try {
      await owner.post('/products', { name: 'x', sku: 'lost' }).expect(500);
    } finally {
      await api.database.pool.query('alter table audit_log drop constraint broken');
    }
    expect((await owner.get('/products')).body.data).to.deep.equal([]);
  });

  it('can only be added to', async () => {
    await api.person();
    for (const statement of [
      'update audit_log set action = $$x$$',
      'delete from audit_log',
      'truncate audit_log',
    ]) {
      const error = await api.database.pool.query(statement).then(
        () => null,
        (reason: Error) => reason,
      );
      expect(error?.message, statement).to.equal('the audit log is append-only');
    }
  });

  it('is read by filters, in pages, within the organization', async () => {
    const owner = await api.person('owner');
    for (let i = 0; i < 3; i++) {
      api.clock.advance(10);
      await owner.post('/products', { name: 'x', sku: `p${i}` }).expect(201);
    }
    const from = new Date(api.clock.now().getTime() - 10_000).toISOString();
    const count = async (query: string) =>
      (await owner.get(`/audit-log?${query}`).expect(200)).body.data.length;
    expect(await count('action=createProduct')).to.equal(3);
    expect(await count(`action=createProduct&from=${from}`)).to.equal(2);
    expect(await count(`action=createProduct&to=${from}`)).to.equal(1);
    const page = (await owner.get('/audit-log?limit=2').expect(200)).body;
    const rest = (await owner.get(`/audit-log?limit=2&cursor=${page.nextCursor}`).expect(200)).body;
    expect(page.data.length + rest.data.length).to.equal(4);
    const stranger = await api.person('owner');
    expect((await stranger.get(`/audit-log?actor=${owner.userId}`)).body.data).to.deep.equal([]);
    await owner.get('/audit-log?from=yesterday').expect(422);
  });

  it('is exported as CSV in which no cell is a formula', async () => {
    const owner = await api.person('owner');
    await owner.patch('/organization', { name: '=HYPERLINK("https://evil.example")' }).expect(200);
    await owner.patch('/auth/me', { name: '+1' }).set('User-Agent', '=1+1').expect(200);
    const { headers, text } = await owner.get('/audit-log/export?action=updateMe').expect(200);
    expect(headers['content-type']).to.equal('text/csv; charset=utf-8');
    expect(headers['content-disposition']).to.include('audit-log.csv');
    const [head, row] = text.trim().split('\n');
    expect(head).to.equal(
      'id,at,actorKind,actorId,actorName,action,resource,ip,userAgent,requestId,before,after',
    );
    expect(row).to.include("'=1+1").and.to.include(owner.email);
    expect(row).not.to.match(/(^|,)[=+@-]/);
  });

  it('is answered with a problem where it cannot be read, and not with an empty file', async () => {
    const owner = await api.person('owner');
    await api.database.pool.query('alter table audit_log rename to audit_log_away');
    try {
      const answer = await owner.get('/audit-log/export').expect(500);
      expect(answer.headers['content-type']).to.include('application/problem+json');
      expect(answer.headers).not.to.have.property('content-disposition');
      expect(answer.body.requestId).to.equal(answer.headers['x-request-id']);
    } finally {
      await api.database.pool.query('alter table audit_log_away rename to audit_log');
    }
    await owner.get('/audit-log/export').expect(200);
  });

  it('is for those who manage, and for no key', async () => {
    const owner = await api.person('owner');
    for (const role of ['analyst', 'viewer'] as const) {
      const person = await api.person(role, owner.orgUuid);
      await person.get('/audit-log').expect(403);
      await person.get('/audit-log/export').expect(403);
    }
  });
});

describe('Organization settings', () => {
  let api: PeopleApi;
  before(async () => {
    api = await createPeopleApi();
  });
  after(() => api.close());

  it('are changed one by one and read by everybody in the organization', async () => {
    const owner = await api.person('owner');
    const viewer = await api.person('viewer', owner.orgUuid);
    await owner
      .patch('/organization', {
        name: 'Oliveira',
        brand: {
          logoUrl: 'https://oliveira.example/logo.png',
          color: '#AABBCC',
          support: 'help@oliveira.example',
        },
        retention: { scansDays: 365 },
        securityContact: 'security@oliveira.example',
      })
      .expect(200);
    await owner
      .patch('/organization', { brand: { message: 'Thank you' }, timeZone: 'Asia/Tokyo' })
      .expect(200);
    const { body } = await viewer.get('/organization').expect(200);
    expect(body).to.deep.include({
      id: owner.orgId,
      name: 'Oliveira',
      brand: {
        logoUrl: 'https://oliveira.example/logo.png',
        color: '#aabbcc',
        support: 'help@oliveira.example',
        message: 'Thank you',
        messages: {},
      },
      timeZone: 'Asia/Tokyo',
      retention: { scansDays: 365, eventsDays: 90 },
      securityContact: 'security@oliveira.example',
    });
    await viewer.patch('/organization', { name: 'Mine' }).expect(403);
  });

  it('keep nothing longer than the installation, and say how long that is', async () => {
    const owner = await api.person('owner');
    const { body } = await owner
      .patch('/organization', { retention: { scansDays: 731, eventsDays: 91 } })
      .expect(422);
    expect(body.errors).to.deep.equal([
      {
        path: 'retention.scansDays',
        code: 'TOO_LARGE',
        message: 'must be at most 730: this installation keeps no longer',
        params: { maximum: 730 },
      },
      {
        path: 'retention.eventsDays',
        code: 'TOO_LARGE',
        message: 'must be at most 90: this installation keeps no longer',
        params: { maximum: 90 },
      },
    ]);
    await owner.patch('/organization', { retention: { scansDays: 730, eventsDays: 90 } }).expect(200);
    // As after the installation's own was lowered.
    await api.database.pool.query('update organizations set scan_retention_days = 3650 where id = $1', [
      owner.orgUuid,
    ]);
    const { body: shown } = await owner.get('/organization').expect(200);
    expect(shown.retention).to.deep.equal({ scansDays: 730, eventsDays: 90 });
  });

  it('refuse what would be dangerous or wrong', async () => {
    const owner = await api.person('owner');
    for (const body of [
      { brand: { logoUrl: 'javascript:alert(1)' } },
      { brand: { logoUrl: 'data:image/svg+xml,x' } },
      { brand: { color: 'red' } },
      { brand: { support: 'javascript:alert(1)' } },
      { timeZone: 'Mars/Olympus' },
      { retention: { scansDays: 1 } },
      { id: 'org_x' },
      { orgId: 'org_x' },
      {},
      { retention: {} },
      { brand: {}, retention: {} },
    ])
      await owner.patch('/organization', body).expect(422);
    await owner.patch('/organization', { timeZone: 'Asia/Tokyo', retention: {} }).expect(200);
  });
});
