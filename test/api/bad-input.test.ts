import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { z } from 'zod';
import type { Operation } from '../../api/operation.ts';
import { encodeId, newUuid } from '../../shared/ids.ts';
import type { ErrorCode } from '../../shared/errors.ts';
import { countRows, createTestApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { createResources, pathOf, KEYED, rawRequest, titleOf, type KnownIds } from '../support/operations.ts';
import { expectProblem } from '../support/problem.ts';

const json = { 'content-type': 'application/json' };
const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);
const bomb = gzipSync(Buffer.alloc(20_000_000, 0x20), { level: 9 });

interface BadBody {
  name: string;
  body: string | Uint8Array;
  headers?: Record<string, string>;
  codes: ErrorCode[];
}

const BAD_BODIES: BadBody[] = [
  { name: 'half a document', body: '{"name": ', codes: ['MALFORMED_JSON'] },
  { name: 'another language', body: '<xml/>', codes: ['MALFORMED_JSON'] },
  { name: 'two documents', body: '{}{}', codes: ['MALFORMED_JSON'] },
  { name: 'a number', body: '1', codes: ['VALIDATION_FAILED'] },
  { name: 'a text', body: '"x"', codes: ['VALIDATION_FAILED'] },
  { name: 'null', body: 'null', codes: ['VALIDATION_FAILED'] },
  { name: 'a list of something', body: '[{}]', codes: ['VALIDATION_FAILED'] },
  { name: 'an unknown field', body: '{"noSuchField": 1}', codes: ['VALIDATION_FAILED'] },
  { name: '__proto__', body: '{"__proto__": {"name": "x", "admin": true}}', codes: ['VALIDATION_FAILED'] },
  { name: 'constructor', body: '{"constructor": {"prototype": {"x": 1}}}', codes: ['VALIDATION_FAILED'] },
  { name: 'a NUL', body: '{"name": "a\\u0000b"}', codes: ['VALIDATION_FAILED'] },
  { name: 'a NUL in a name', body: '{"a\\u0000b": 1}', codes: ['VALIDATION_FAILED'] },
  { name: 'a lone surrogate', body: '{"name": "\\ud800"}', codes: ['VALIDATION_FAILED'] },
  {
    name: '50,000 levels of lists',
    body: `{"attributes": ${nested('[', ']', 50_000)}}`,
    codes: ['VALIDATION_FAILED'],
  },
  {
    name: '40,000 levels of objects',
    body: `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`,
    codes: ['VALIDATION_FAILED'],
  },
  { name: 'too many bytes', body: `{"name": "${'x'.repeat(300_000)}"}`, codes: ['PAYLOAD_TOO_LARGE'] },
  { name: 'a gzip bomb', body: bomb, headers: { 'content-encoding': 'gzip' }, codes: ['PAYLOAD_TOO_LARGE'] },
  {
    name: 'broken gzip',
    body: Buffer.from('nonsense'),
    headers: { 'content-encoding': 'gzip' },
    codes: ['BAD_REQUEST'],
  },
  {
    name: 'an unknown encoding',
    body: '{}',
    headers: { 'content-encoding': 'lzma' },
    codes: ['UNSUPPORTED_MEDIA_TYPE'],
  },
  {
    name: 'text/plain',
    body: '{}',
    headers: { 'content-type': 'text/plain' },
    codes: ['UNSUPPORTED_MEDIA_TYPE'],
  },
  {
    name: 'a form',
    body: 'name=x',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    codes: ['UNSUPPORTED_MEDIA_TYPE'],
  },
  {
    name: 'a charset of old',
    body: '{}',
    headers: { 'content-type': 'application/json; charset=latin1' },
    codes: ['UNSUPPORTED_MEDIA_TYPE'],
  },
  {
    name: 'no content type',
    body: Buffer.from('{}'),
    headers: { 'content-type': '' },
    codes: ['UNSUPPORTED_MEDIA_TYPE'],
  },
];

const BAD_QUERIES = [
  'limit=0',
  'limit=201',
  'limit=-1',
  'limit=1.5',
  'limit=abc',
  'limit=',
  'limit=1e99',
  'limit=99999999999999999999',
  'limit=1&limit=2',
  'cursor=',
  'cursor=garbage',
  `cursor=${'A'.repeat(5000)}`,
  'cursor=../../etc',
  'cursor=%00',
  `cursor=${Buffer.from("0' or 1=1 --").toString('base64url')}`,
  'noSuchParameter=1',
  '__proto__=1',
  'limit[gt]=1',
];

/** In place of an id of this kind. */
const badIds = (prefix: string): string[] => [
  'x',
  `${prefix}_`,
  newUuid(),
  encodeId(prefix === 'prod' ? 'batch' : 'prod', newUuid()),
  `${prefix}_${'8'.repeat(26)}`,
  `${prefix}_${'0'.repeat(27)}`,
  `${prefix}_${'u'.repeat(26)}`,
  encodeId('prod', newUuid()).replace('prod', prefix).toUpperCase(),
  '%00',
  '%F0%9F%98%80',
  "'%20or%201=1--",
  `${prefix}_${'0'.repeat(5000)}`,
  'constructor',
  '0',
  '-1',
];

const LISTS = KEYED.filter(
  ({ method, query }) => method === 'get' && query instanceof z.ZodObject && 'limit' in query.shape,
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
  for (const operation of KEYED.filter(({ method, upload }) => method !== 'get' && upload === undefined)) {
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

  it('is never a 500 in a path that is no UTF-8', async () => {
    const answer = await rawRequest(api, 'get', '/api/v1/products/%ff%fe', { key: org.key });
    expectProblem(answer, 'BAD_REQUEST');
    expect((await rawRequest(api, 'get', '/v/%ff')).status).to.equal(400);
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
