import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { CANARY, createTestApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { rawRequest } from '../support/operations.ts';
import { expectProblem } from '../support/problem.ts';

describe('logs and request ids', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
  });
  beforeEach(() => {
    api.logs.length = 0;
  });
  after(() => api.close());

  const lines = () => api.logs.map((line) => JSON.parse(line) as Record<string, unknown>);

  it('puts one id into the header, the problem and the log', async () => {
    const answer = await org.get('/products/prod_x');
    const { requestId } = expectProblem(answer, 'NOT_FOUND');
    const [line] = lines();
    expect(line).to.include({
      requestId,
      method: 'GET',
      route: '/api/v1/products/:id',
      status: 404,
      orgId: org.id,
    });
    expect(line!['keyId']).to.match(/^key_/);
  });

  it('tells of a probe that goes wrong, and to whoever debugs alone of one that goes well', async () => {
    await api.http().get('/healthz').expect(200);
    await api.http().get('/readyz').expect(200);
    const { db } = api.deps;
    const query = db.query.bind(db);
    db.query = (() => Promise.reject(new Error('connect ECONNREFUSED'))) as typeof db.query;
    await api.http().get('/readyz').expect(503);
    db.query = query;
    const told = lines().map(({ level, route, status }) => ({ level, route, status }));
    expect(told).to.deep.equal([
      { level: 20, route: '/healthz', status: 200 },
      { level: 20, route: '/readyz', status: 200 },
      { level: 30, route: '/readyz', status: 503 },
    ]);
  });

  it('takes over a caller’s id where it is harmless, and makes one otherwise', async () => {
    const given = await org.get('/products').set('X-Request-Id', 'trace-1.A_b');
    expect(given.headers['x-request-id']).to.equal('trace-1.A_b');
    for (const bad of ['a b', 'x'.repeat(129), '<script>', '{"a":1}', '']) {
      const answer = await org.get('/products').set('X-Request-Id', bad);
      expect(answer.headers['x-request-id'], bad).to.match(/^[0-9a-f-]{36}$/);
    }
  });

  it('logs the error behind a 500 with the request’s id, and tells the caller nothing of it', async () => {
    const { db } = api.deps;
    const query = db.query.bind(db);
    db.query = (() => Promise.reject(new Error('relation "inner_secret" does not exist'))) as typeof db.query;
    const answer = await org.get('/products');
    db.query = query;
    const { requestId } = expectProblem(answer, 'INTERNAL');
    expect(answer.text).not.to.include('inner_secret');
    const error = lines().find(({ msg }) => msg === 'request failed');
    expect(error).to.include({ requestId });
    expect(JSON.stringify(error)).to.include('inner_secret');
  });

  it('tells a request whose caller is gone from one that was answered', async () => {
    await org.get('/products').expect(200);
    const { db } = api.deps;
    const query = db.query.bind(db);
    let goOn = () => undefined as void;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    const leaving = request({
      port: (api.server.address() as AddressInfo).port,
      path: '/api/v1/products',
      headers: { 'X-Api-Key': org.key },
    });
    leaving.on('error', () => undefined);
    db.query = (async (...parameters: Parameters<typeof query>) => {
      leaving.destroy();
      await held;
      return query(...parameters);
    }) as typeof query;
    try {
      leaving.end();
      await eventually('a line of each', () => lines().length === 2);
    } finally {
      db.query = query;
      goOn();
    }
    expect(lines().map(({ aborted }) => aborted)).to.deep.equal([undefined, true]);
  });

  it('lets no secret out into logs, answers, jobs or Redis', async () => {
    const { body: endpoint } = await org
      .post('/webhook-endpoints', { url: 'https://hooks.example.com/canary', events: ['*'] })
      .set('Idempotency-Key', 'canary')
      .expect(201);
    const { units, jobId } = await org.mintUnits();
    const [unit] = units;
    await api.verify(unit!.token).expect(200);
    await api.score();
    const { body: job } = await org.get(`/barcode-jobs/${jobId}`).expect(200);
    const manifest = job.artifacts.find(({ kind }: { kind: string }) => kind === 'manifest');
    const link = new URL(manifest.url as string);
    const { key } = org;
    const answers = [
      await rawRequest(api, 'get', `${link.pathname}${link.search}`),
      await rawRequest(api, 'get', `${link.pathname}${link.search}x`),
      await rawRequest(api, 'get', `/api/v1/products?api_key=${key}`, { key }),
      await rawRequest(api, 'get', `/api/v1/${key}`, { key }),
      await rawRequest(api, 'post', '/api/v1/products', {
        key,
        headers: { 'content-type': 'application/json' },
        body: `{"name": "${key}"`,
      }),
    ];
    const redis: string[] = [];
    for (const name of await api.redis.client.keys(`*${api.redis.prefix}*`)) {
      redis.push(name, (await api.redis.client.dumpBuffer(name))?.toString('latin1') ?? '');
    }
    const places: Record<string, string> = {
      logs: api.logs.join(''),
      answers: answers.map(({ text, headers }) => text + JSON.stringify(headers)).join(''),
      redis: redis.join('\n'),
    };
    expect(redis.length).to.be.greaterThan(0);
    const secrets: Record<string, string> = {
      key,
      'webhook secret': endpoint.secret,
      'printed code': unit!.token,
      'link signature': link.searchParams.get('signature')!,
      ...CANARY,
      'token key': api.deps.config.TOKEN_KEYS[0].bytes.toString('base64'),
      'box key': api.deps.config.SECRET_BOX_KEYS[0].bytes.toString('base64'),
    };
    for (const [where, text] of Object.entries(places)) {
      for (const [what, secret] of Object.entries(secrets)) {
        expect(text.includes(secret), `${what} in ${where}`).to.equal(false);
      }
    }
  });
});
