/** What test/api/bad-input.test.ts and tenancy.test.ts hold for operations with a key, for those of signed-in people. */
import { expect } from 'chai';
import type { Operation } from '../../api/operation.ts';
import { PERMISSIONS } from '../../shared/access/roles.ts';
import { countRows, dumpTable } from '../support/api.ts';
import { BAD_BODIES, BAD_QUERIES, badIds } from '../support/bad-input.ts';
import { pathOf, PROTECTED, rawRequest, titleOf, type KnownIds } from '../support/operations.ts';
import { createPeopleApi, type PeopleApi, type Person } from '../support/people-api.ts';
import { expectProblem } from '../support/problem.ts';

const SESSION = PROTECTED.filter(({ access }) => access.kind === 'session');
const WITH_ID = SESSION.filter(({ ids }) => ids !== undefined);

const TABLES = [
  'users',
  'sessions',
  'api_keys',
  'api_key_secrets',
  'invitations',
  'organizations',
  'audit_log',
];

/** Bodies that pass the validation of operations on a resource. */
const BODIES: Record<string, object> = {
  updateUser: { role: 'viewer' },
  rotateApiKey: { graceSeconds: 0 },
};

describe('operations of signed-in people', () => {
  let api: PeopleApi;
  let owner: Person;
  let stranger: Person;
  let theirs: KnownIds;

  before(async () => {
    api = await createPeopleApi();
    owner = await api.person();
    stranger = await api.person();
    const colleague = await api.person('viewer', owner.orgUuid);
    const key = await owner.post('/api-keys', { name: 'ERP', scopes: ['products.read'] }).expect(201);
    const invited = await owner
      .post('/invitations', { email: 'new@example.com', role: 'viewer' })
      .expect(201);
    const sessions = await owner.get('/auth/sessions').expect(200);
    theirs = {
      user: colleague.userId,
      key: key.body.id as string,
      inv: invited.body.id as string,
      sess: sessions.body.data[0].id as string,
    };
  });
  after(() => api.close());

  const send = (
    operation: Operation,
    path: string,
    person: Person,
    extra: { headers?: Record<string, string>; body?: string | Uint8Array } = {},
  ) =>
    rawRequest(api, operation.method, path, {
      ...extra,
      headers: {
        Authorization: `Bearer ${person.token}`,
        ...(extra.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...extra.headers,
      },
    });

  it('are all that there is below these permissions', () => {
    expect(SESSION.length).to.be.greaterThan(20);
    for (const { access } of SESSION)
      expect(PERMISSIONS).to.have.property(access.kind === 'session' ? access.permission : '');
    // A resource of a kind that this file does not make would be tested with an id that nothing has.
    const prefixes = new Set(WITH_ID.flatMap(({ ids }) => Object.values(ids!)));
    expect([...prefixes].sort()).to.deep.equal(Object.keys(theirs).sort());
  });

  for (const operation of SESSION.filter(
    ({ method, readBody }) => method !== 'get' && readBody === undefined,
  )) {
    it(`refuse a bad body: ${titleOf(operation)}`, async () => {
      const before = await countRows(api.database);
      const path = pathOf(operation, theirs);
      for (const { name, body, headers, codes } of BAD_BODIES) {
        const answer = await send(operation, path, owner, { body, ...(headers ? { headers } : {}) });
        expect(codes, `${name}: ${answer.text.slice(0, 300)}`).to.include(answer.body?.code);
        expectProblem(answer, answer.body.code);
      }
      expect(await countRows(api.database)).to.deep.equal(before);
    });
  }

  for (const operation of WITH_ID) {
    it(`do not find a bad id: ${titleOf(operation)}`, async () => {
      for (const [name, prefix] of Object.entries(operation.ids!)) {
        for (const bad of badIds(prefix)) {
          const known = { ...operation, path: operation.path.replace(`{${name}}`, bad) } as Operation;
          expectProblem(await send(operation, pathOf(known, theirs), owner), 'NOT_FOUND');
        }
      }
    });

    it(`do not reach into another organization: ${titleOf(operation)}`, async () => {
      const dump = () => Promise.all(TABLES.map((table) => dumpTable(api.database, table)));
      const before = await dump();
      const body = BODIES[operation.operationId];
      const extra = body === undefined ? {} : { body: JSON.stringify(body) };
      const foreign = await send(operation, pathOf(operation, theirs), stranger, extra);
      expectProblem(foreign, 'NOT_FOUND');
      expect(await dump()).to.deep.equal(before);
      const nobodys = await send(operation, pathOf(operation), stranger, extra);
      expect({ ...foreign.body, requestId: '' }).to.deep.equal({ ...nobodys.body, requestId: '' });
    });
  }

  for (const operation of SESSION.filter(({ method, query }) => method === 'get' && query !== undefined)) {
    it(`refuse a bad query: ${titleOf(operation)}`, async () => {
      // An export goes to the end: it has filters, but no pages.
      const isList = !operation.path.endsWith('/export');
      const queries = isList ? BAD_QUERIES : ['noSuchParameter=1', 'from=yesterday', '__proto__=1'];
      for (const query of queries) {
        const answer = await send(operation, `${pathOf(operation, theirs)}?${query}`, owner);
        const { errors } = expectProblem(answer, 'VALIDATION_FAILED');
        expect(errors![0]!.path, query).to.match(/^query/);
      }
    });
  }

  it('list nothing of another organization', async () => {
    await owner.put('/organization/domain', { name: 'mine.example' }).expect(200);
    await stranger.put('/organization/domain', { name: 'other.example' }).expect(200);
    const mine = [owner.orgId, ...Object.values(theirs), owner.userId, 'mine.example'];
    for (const operation of SESSION.filter(({ method, ids }) => method === 'get' && ids === undefined)) {
      const { status, text } = await send(operation, operation.path, stranger);
      expect(status, titleOf(operation)).to.equal(200);
      for (const id of mine) expect(text, titleOf(operation)).not.to.include(id);
    }
  });
});
