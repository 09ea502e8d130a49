import { request as httpRequest } from 'node:http';
import { expect } from 'chai';
import { z } from 'zod';
import { OPERATIONS } from '../../api/operations.ts';
import type { Operation } from '../../api/operation.ts';
import { countRows, createTestApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { BAD_BODIES, BAD_QUERIES, badIds } from '../support/bad-input.ts';
import { createResources, pathOf, KEYED, rawRequest, titleOf, type KnownIds } from '../support/operations.ts';
import { expectProblem } from '../support/problem.ts';

const json = { 'content-type': 'application/json' };

const LISTS = KEYED.filter(
  ({ method, query }) => method === 'get' && query instanceof z.ZodObject && 'limit' in query.shape,
);

const READS = OPERATIONS.filter(
  ({ method, access, operationId }) =>
    method === 'get' && ['scope', 'public'].includes(access.kind) && operationId !== 'watchBarcodeJob',
);

describe('bad input', () => {
  let api: TestApi;
  let org: TestOrganization;
  let mine: KnownIds;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
    mine = await createResources(api, org);
  });
  after(() => api.close());

  const withKey = (headers: Record<string, string> = {}) => ({
    key: org.key,
    headers: { ...json, ...headers },
  });

  // An upload takes no JSON object; its own test has what it refuses.
  for (const operation of KEYED.filter(
    ({ method, readBody }) => method !== 'get' && readBody !== 'handler',
  )) {
    it(`is refused as a body of ${titleOf(operation)}, and changes nothing`, async () => {
      const before = await countRows(api.database);
      const path = pathOf(operation, mine);
      const answers = await Promise.all(
        BAD_BODIES.map(({ body, headers }) =>
          rawRequest(api, operation.method, path, { ...withKey(headers), body }),
        ),
      );
      for (const [index, { name, codes }] of BAD_BODIES.entries()) {
        const answer = answers[index]!;
        expect(codes, `${name}: ${answer.text.slice(0, 300)}`).to.include(answer.body?.code);
        expectProblem(answer, answer.body.code);
      }
      expect(await countRows(api.database)).to.deep.equal(before);
    });
  }

  for (const operation of KEYED.filter(({ ids }) => ids !== undefined)) {
    it(`is not found as an id of ${titleOf(operation)}`, async () => {
      for (const [name, prefix] of Object.entries(operation.ids!)) {
        const answers = await Promise.all(
          badIds(prefix).map((bad) => {
            const known = { ...operation, path: operation.path.replace(`{${name}}`, bad) } as Operation;
            return rawRequest(api, operation.method, pathOf(known, mine), { key: org.key });
          }),
        );
        for (const answer of answers) expectProblem(answer, 'NOT_FOUND');
      }
    });
  }

  for (const operation of LISTS) {
    it(`is refused as a query of ${titleOf(operation)}`, async () => {
      const path = pathOf(operation, mine);
      expect((await rawRequest(api, 'get', path, { key: org.key })).status).to.equal(200);
      const answers = await Promise.all(
        BAD_QUERIES.map((query) => rawRequest(api, 'get', `${path}?${query}`, { key: org.key })),
      );
      for (const [index, answer] of answers.entries()) {
        const { errors } = expectProblem(answer, 'VALIDATION_FAILED');
        expect(errors![0]!.path, BAD_QUERIES[index]).to.match(/^query/);
      }
    });
  }

  it('is refused where an operation takes no query at all', async () => {
    for (const operation of KEYED.filter(({ query }) => query === undefined)) {
      const answer = await rawRequest(api, operation.method, `${pathOf(operation, mine)}?x=1`, {
        key: org.key,
      });
      expectProblem(answer, 'VALIDATION_FAILED');
    }
  });

  it('is told as the body’s where no field of it is wrong', async () => {
    for (const [body, detail] of [
      ['', 'the body is required'],
      ['[]', 'the body must be an object'],
    ] as const) {
      const headers = { 'content-type': 'application/json' };
      const answer = await rawRequest(api, 'POST', '/api/v1/products', { key: org.key, headers, body });
      expect(expectProblem(answer, 'VALIDATION_FAILED').detail).to.equal(detail);
    }
  });

  it('is not what comes with a GET, which has no body', async () => {
    const { port } = api.server.address() as { port: number };
    const get = (path: string, type: string, body: string) =>
      new Promise<number>((resolve, reject) => {
        const headers = { 'x-api-key': org.key, 'content-type': type, 'content-length': body.length };
        const sent = httpRequest({ host: '127.0.0.1', port, path, headers }, (answer) => {
          answer.resume().on('end', () => resolve(answer.statusCode!));
        });
        sent.on('error', reject);
        sent.end(body);
      });
    for (const operation of READS) {
      const path = pathOf(operation, mine);
      const { status } = await rawRequest(api, 'get', path, { key: org.key });
      for (const [type, body] of [
        ['application/json', '{"a": 1}'],
        ['application/json', '{'],
        ['text/xml', '<a/>'],
      ] as const)
        expect(await get(path, type, body), `${titleOf(operation)} with ${body}`).to.equal(status);
    }
  });

  it('is not an If-None-Match of what has no ETag', async () => {
    // Without the latter `fetch` would ask for a new answer, whatever it has.
    const headers = { 'if-none-match': '*', 'cache-control': 'max-age=60' };
    for (const operation of READS.filter(({ responses }) => responses[304] === undefined)) {
      const path = pathOf(operation, mine);
      const { status } = await rawRequest(api, 'get', path, { key: org.key });
      const answer = await rawRequest(api, 'get', path, { key: org.key, headers });
      expect(answer.status, titleOf(operation)).to.equal(status);
    }
  });

  it('is never a 500 in a path that is no UTF-8', async () => {
    const answer = await rawRequest(api, 'get', '/api/v1/products/%ff%fe', { key: org.key });
    expectProblem(answer, 'BAD_REQUEST');
  });

  it('is an unknown code where it is no UTF-8 in the place of one, in the same shape', async () => {
    const unknown = await rawRequest(api, 'get', '/v/NOSUCHCODE');
    expect(unknown).to.deep.include({ status: 404 });
    for (const path of ['/v/%ff', '/V/%ff', '/v/%', '/v/%f', '/v/%C3%28?lang=de', '/v/abc%ffdef']) {
      const answer = await rawRequest(api, 'get', path);
      expect(answer.status, path).to.equal(404);
      const { message: _, ...rest } = answer.body;
      expect({ ...rest, message: unknown.body.message }, path).to.deep.equal(unknown.body);
    }
    const page = await api.http().get('/v/%C3%28?lang=de').set('Accept', 'text/html').expect(404);
    expect(page.headers['content-language']).to.equal('de');
  });

  it('is a GS1 Digital Link of bad syntax where it is no UTF-8 in one', async () => {
    const gtin = '/01/09506000134352';
    for (const path of [`${gtin}/21/%ff`, `${gtin}/21/a%E0%A4%A?lang=de`, `${gtin}/10/%ff/21/a`, '/01/%']) {
      expectProblem(await rawRequest(api, 'get', path), 'BAD_REQUEST');
    }
  });

  it('pollutes no prototype', () => {
    expect(({} as Record<string, unknown>)['admin']).to.equal(undefined);
  });

  it('takes what looks dangerous and is only text as it is', async () => {
    const texts = [
      "'; drop table products; --",
      '<script>alert(1)</script>',
      '%_\\',
      '=cmd|calc',
      '𝕌𝕟𝕚𝕔𝕠𝕕𝕖 🫒',
      '${7*7}',
      '../../x',
    ];
    for (const [index, name] of texts.entries()) {
      const { body } = await org
        .post('/products', { name, sku: `text-${index}`, attributes: { [name]: name } })
        .expect(201);
      expect((await org.get(`/products/${body.id}`)).body).to.deep.include({
        name,
        attributes: { [name]: name },
      });
    }
  });
});
