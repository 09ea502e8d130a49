import { expect } from 'chai';
import { createApiKey } from '../../shared/api-keys/service.ts';
import { ALL_SCOPES, SCOPES, type Scope } from '../../shared/api-keys/scopes.ts';
import { PERMISSIONS, ROLE_TABLE, ROLES, type Role } from '../../shared/access/roles.ts';
import { encodeId, newUuid } from '../../shared/ids.ts';
import type { Operation } from '../../api/operation.ts';
import { OPERATIONS } from '../../api/operations.ts';
import { openApiDocument } from '../../api/reference/openapi.ts';
import { createPeopleApi, type PeopleApi, type Person } from '../support/people-api.ts';

/** What needs no credential under /api/v1, as it gives or replaces one; another is put here on purpose. */
const PUBLIC = new Set([
  'signIn',
  'refreshSession',
  'signOut',
  'forgotPassword',
  'resetPassword',
  'acceptInvitation',
  'checkLink',
  'beginSingleSignOn',
  'finishSingleSignOn',
]);

const label = ({ method, path }: Operation): string => `${method.toUpperCase()} ${path}`;

const pathOf = ({ path, ids }: Operation): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const prefix = ids?.[name];
    return prefix === undefined ? 'nothing' : encodeId(prefix, newUuid());
  });

describe('Credentials × operations', () => {
  let api: PeopleApi;
  let people: Record<Role, Person>;
  const keys = new Map<Scope, string>();
  let allScopes: string;
  before(async () => {
    api = await createPeopleApi({ RATE_LIMIT_API_PER_MINUTE: '1000000' });
    const owner = await api.person('owner');
    people = { owner } as Record<Role, Person>;
    for (const role of ROLES.slice(1)) people[role] = await api.person(role, owner.orgUuid);
    const deps = { clock: api.clock, random: api.deps.random, pepper: api.deps.config.API_KEY_PEPPER };
    const create = async (scopes: Scope[]) =>
      (await createApiKey(deps, api.deps.db, owner.orgUuid, { name: 'matrix', scopes })).secret;
    for (const scope of ALL_SCOPES) keys.set(scope, await create([scope]));
    allScopes = await create(ALL_SCOPES);
  });
  after(() => api.close());

  const send = (operation: Operation, bearer?: string) => {
    const test = api.http()[operation.method](pathOf(operation));
    return bearer === undefined ? test : test.set('Authorization', `Bearer ${bearer}`);
  };

  /** What the middleware says about a credential; nothing it lets through is valid, so nothing is changed. */
  const outcome = async (operation: Operation, bearer?: string): Promise<'401' | '403' | 'through'> => {
    const { status, body } = await send(operation, bearer);
    const code = (body as { code?: string }).code;
    if (status === 401) return '401';
    return status === 403 && (code === 'FORBIDDEN' || code === 'INSUFFICIENT_SCOPE') ? '403' : 'through';
  };

  it('every mounted operation declares its credential, and the public ones are known', () => {
    for (const operation of OPERATIONS) {
      expect(operation.access?.kind, label(operation)).to.be.oneOf([
        'scope',
        'session',
        'operator',
        'public',
      ]);
      if (operation.access.kind === 'scope')
        for (const scope of operation.access.anyOf) expect(Object.hasOwn(SCOPES, scope)).to.equal(true);
      if (operation.access.kind === 'session')
        expect(Object.hasOwn(PERMISSIONS, operation.access.permission)).to.equal(true);
    }
    const open = OPERATIONS.filter(
      ({ access, path }) => access.kind === 'public' && path.startsWith('/api/'),
    );
    expect(open.filter(({ operationId }) => !PUBLIC.has(operationId)).map(label)).to.deep.equal([]);
  });

  it('the reference names the credential of each, and a role grants no scope that is not in the catalogue', () => {
    const { paths } = openApiDocument('https://x.example') as {
      paths: Record<string, Record<string, { security: object[] }>>;
    };
    for (const operation of OPERATIONS) {
      const { security } = paths[operation.path]![operation.method]!;
      const names = security.flatMap((each) => Object.keys(each));
      const expected = {
        public: [],
        operator: ['operator'],
        session: ['session'],
        scope: ['apiKey', 'bearer', 'session'],
      };
      expect(names, label(operation)).to.deep.equal(expected[operation.access.kind]);
    }
    for (const role of ROLES)
      for (const scope of ROLE_TABLE[role].scopes) expect(Object.hasOwn(SCOPES, scope)).to.equal(true);
  });

  // What is the operator’s has a test of its own: test/api/ops/status.test.ts.
  const guarded = OPERATIONS.filter(({ access }) => access.kind === 'scope' || access.kind === 'session');
  for (const operation of guarded) {
    const { access } = operation;
    it(`${label(operation)} is refused without a credential`, async () => {
      expect(await outcome(operation)).to.equal('401');
    });

    it(`${label(operation)} takes the keys that it says, and no other`, async () => {
      for (const [scope, key] of keys) {
        const expected = access.kind !== 'scope' ? '401' : access.anyOf.includes(scope) ? 'through' : '403';
        expect(await outcome(operation, key), scope).to.equal(expected);
      }
      expect(await outcome(operation, allScopes)).to.equal(access.kind === 'scope' ? 'through' : '401');
    });

    // These end the session that the other rows of the table need.
    const endsSession = ['signOutEverywhere', 'leaveOrganization'].includes(operation.operationId);
    it(`${label(operation)} takes the roles that the table says, and no other`, async () => {
      for (const role of ROLES) {
        const { scopes, permissions } = ROLE_TABLE[role];
        const isGranted =
          access.kind === 'scope'
            ? access.anyOf.some((scope) => scopes.has(scope))
            : access.kind === 'session' && permissions.has(access.permission);
        if (isGranted && endsSession) continue;
        expect(await outcome(operation, people[role].token), role).to.equal(isGranted ? 'through' : '403');
      }
    });
  }
});
