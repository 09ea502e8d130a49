import { expect } from 'chai';
import type { Router } from 'express';
import { OPERATIONS } from '../../api/operations.ts';
import { HIDDEN_CODE_PAGES } from '../../api/hidden-codes/page.ts';
import { REPORT_FORMS } from '../../api/counterfeit-reports/form-pages.ts';
import { PAGE_ASSETS } from '../../api/verify/page/assets.ts';
import { ALL_SCOPES, type Scope } from '../../shared/api-keys/scopes.ts';
import { countRows, createTestApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { pathOf, PROTECTED, rawRequest, titleOf } from '../support/operations.ts';
import { expectProblem } from '../support/problem.ts';

/** Routes that are no operations. A new one is added here on purpose, with the reason why it is open to the world. */
const OTHER_ROUTES = [
  // The signed link is the credential.
  'get /artifacts/:jobId/:name',
  // The reference is public.
  'get /openapi.json',
  'get /docs',
  'get /docs/start.js',
  // The consumer's page; and its operation once more, ahead of the stack.
  ...Object.values(PAGE_ASSETS).map(({ path }) => `get ${path}`),
  'get /favicon.ico',
  'get /robots.txt',
  'get /v/:token',
  // Where its form is sent to, opened by a browser: thanks, or leads back to the code.
  ...REPORT_FORMS.map(({ path }) => `get ${path}`),
  // The same of a hidden code: the answer once more, by the visitor's cookie.
  ...HIDDEN_CODE_PAGES.map(({ path }) => `get ${path}`),
  // For people who open the service's own address.
  'get /',
  // The dashboard: static; what it calls has its own rules.
  'get /app',
  'get /app/{*path}',
  'get /app/assets/:name',
  // What the links in mails open leads there; the token is in the fragment.
  'get /account/verify-email',
  'get /account/reset-password',
  'get /account/accept-invitation',
  'get /account/forgot-password',
  // To an organization's provider and back: the cookie of the browser is the credential.
  'get /sso/callback',
  'get /sso/:organizationId',
];

/** `OPS_PUBLIC=false`: what is the operator's is not there at all. */
const MOUNTED = OPERATIONS.filter(({ access }) => access.kind !== 'operator');

interface Layer {
  route?: { path: string; methods: Record<string, boolean> };
  handle: Partial<Router>;
}

const routesOf = (stack: Layer[]): string[] =>
  stack.flatMap(({ route, handle }) =>
    route
      ? Object.keys(route.methods).map((method) => `${method} ${route.path}`)
      : routesOf((handle.stack ?? []) as unknown as Layer[]),
  );

describe('access', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi({ env: { OPS_PUBLIC: 'false' } });
    org = await api.createOrganization();
  });
  after(() => api.close());

  it('mounts no route but declared operations, and a few that are listed here', () => {
    const declared = MOUNTED.map(({ method, path }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`);
    const mounted = routesOf((api.app.express.router as unknown as { stack: Layer[] }).stack);
    const answering = mounted.filter((route) => !route.startsWith('_all '));
    expect(answering.sort()).to.deep.equal([...declared, ...OTHER_ROUTES].sort());
    // What answers every other method of a path that is known.
    const paths = new Set(declared.map((route) => route.split(' ')[1]));
    expect(mounted.filter((route) => route.startsWith('_all ')).sort()).to.deep.equal(
      [...paths].map((path) => `_all ${path}`).sort(),
    );
  });

  it('has every operation under /api/v1 behind a credential, but for those that give one', () => {
    for (const { access, path } of OPERATIONS) {
      if (path.startsWith('/api/') && !path.startsWith('/api/v1/auth/'))
        expect(access.kind, path).not.to.equal('public');
    }
  });

  it('tells operations apart', () => {
    expect(new Set(OPERATIONS.map(({ operationId }) => operationId)).size).to.equal(OPERATIONS.length);
    expect(new Set(OPERATIONS.map(titleOf)).size).to.equal(OPERATIONS.length);
  });

  it('refuses every protected operation without a credential, and changes nothing', async () => {
    const before = await countRows(api.database);
    for (const operation of PROTECTED) {
      const answer = await rawRequest(api, operation.method, pathOf(operation));
      expectProblem(answer, 'UNAUTHENTICATED');
      expect(answer.headers['www-authenticate']).to.equal('Bearer realm="touchstone"');
    }
    expect(await countRows(api.database)).to.deep.equal(before);
  });

  it('lets each scope through to its operations and to no others', async () => {
    for (const scope of ALL_SCOPES) {
      const key = await org.createKey(scope);
      const answers = await Promise.all(
        PROTECTED.map((operation) => rawRequest(api, operation.method, pathOf(operation), { key })),
      );
      for (const [index, operation] of PROTECTED.entries()) {
        const answer = answers[index]!;
        const what = `${scope} at ${titleOf(operation)}: ${answer.status} ${answer.text.slice(0, 200)}`;
        const { access } = operation;
        if (access.kind !== 'scope') {
          expect(answer.status, what).to.be.oneOf([401, 403]);
        } else if (access.anyOf.includes(scope)) {
          expect(answer.status, what).not.to.be.oneOf([401, 403, 500]);
        } else {
          const { detail } = expectProblem(answer, 'INSUFFICIENT_SCOPE');
          expect(detail).to.include(access.anyOf[0]);
        }
      }
    }
  }).timeout(120_000);

  it('looks at the scope before the resource and the body: a stranger to it learns nothing', async () => {
    const product = await org.createProduct();
    const key = await org.createKey('scans.read');
    for (const id of [product.id, 'prod_malformed', 'x']) {
      const path = `/api/v1/products/${id}`;
      expectProblem(await rawRequest(api, 'GET', path, { key }), 'INSUFFICIENT_SCOPE');
      const body = { key, headers: { 'content-type': 'application/json' }, body: '{' };
      expectProblem(await rawRequest(api, 'PATCH', path, body), 'INSUFFICIENT_SCOPE');
    }
  });

  it('needs one of several scopes where several are named', async () => {
    for (const scope of ['webhooks.read', 'webhooks.write'] satisfies Scope[]) {
      const key = await org.createKey(scope);
      expect((await rawRequest(api, 'GET', '/api/v1/webhook-endpoints', { key })).status).to.equal(200);
    }
  });

  it('answers other methods of a known path with 405 and Allow, after the credential', async () => {
    const paths = new Map<string, string[]>();
    for (const { method, path } of MOUNTED) paths.set(path, [...(paths.get(path) ?? []), method]);
    for (const [path, methods] of paths) {
      const operation = OPERATIONS.find((one) => one.path === path)!;
      const allow = [...methods, ...(methods.includes('get') ? ['head'] : []), 'options'].map((m) =>
        m.toUpperCase(),
      );
      for (const method of ['get', 'post', 'put', 'patch', 'delete'].filter((m) => !methods.includes(m))) {
        const answer = await rawRequest(api, method, pathOf(operation), { key: org.key });
        expectProblem(answer, 'METHOD_NOT_ALLOWED');
        expect(answer.headers['allow']!.split(', ')).to.have.members(allow);
        if (path.startsWith('/api/') && operation.access.kind !== 'public') {
          expectProblem(await rawRequest(api, method, pathOf(operation)), 'UNAUTHENTICATED');
        }
      }
      const options = await rawRequest(api, 'options', pathOf(operation), { key: org.key });
      expect([options.status, options.headers['allow']!.split(', ').length]).to.deep.equal([
        204,
        allow.length,
      ]);
    }
  });

  it('knows no other path: 404 as a problem, under /api/v1 after the credential', async () => {
    for (const path of [
      '/api/v1',
      '/api/v1/',
      '/api/v1/nothing',
      '/api/v1/products/a/b/c',
      '/api/v1/__proto__',
    ]) {
      expectProblem(await rawRequest(api, 'GET', path), 'UNAUTHENTICATED');
      expectProblem(await rawRequest(api, 'GET', path, { key: org.key }), 'NOT_FOUND');
    }
    for (const path of [
      '/',
      '/api',
      '/api/v2/products',
      '/metrics',
      '/.env',
      '/v',
      '/v/a/b',
      '/ops',
      '/ops/queues',
      '/ops/status',
    ]) {
      expectProblem(await rawRequest(api, 'GET', path), 'NOT_FOUND');
    }
  });
});
