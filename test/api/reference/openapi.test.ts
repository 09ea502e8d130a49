import { expect } from 'chai';
import { errorCodesOf, openApiDocument } from '../../../api/reference/openapi.ts';
import { OPERATIONS } from '../../../api/operations.ts';
import { ALL_SCOPES } from '../../../shared/api-keys/scopes.ts';
import { ERROR_CATALOGUE } from '../../../shared/errors.ts';
import { EVENT_CATALOGUE } from '../../../shared/events/catalogue.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';

type Json = Record<string, any>;

/** Every `$ref` of a document. */
function refsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    key === '$ref' && typeof child === 'string' ? [child] : refsOf(child),
  );
}

describe('the OpenAPI document', () => {
  let api: TestApi;
  let document: Json;

  before(async () => {
    api = await createTestApi();
    document = (await api.http().get('/openapi.json').expect(200)).body as Json;
  });
  after(() => api.close());

  it('is the one that the command prints, for anybody to read', () => {
    expect(document).to.deep.equal(JSON.parse(JSON.stringify(openApiDocument('https://verify.example.com'))));
    expect(document['openapi']).to.match(/^3\.1\./);
    expect(document['servers']).to.deep.equal([{ url: 'https://verify.example.com' }]);
  });

  it('lists every operation and no other', () => {
    const listed = Object.entries(document['paths'] as Json).flatMap(([path, item]) =>
      Object.keys(item as Json).map((method) => `${method} ${path}`),
    );
    expect(listed.sort()).to.deep.equal(OPERATIONS.map(({ method, path }) => `${method} ${path}`).sort());
  });

  it('describes each: summary, parameters of the path, answers, credentials', () => {
    const tags = new Set((document['tags'] as Json[]).map(({ name }) => name as string));
    for (const operation of OPERATIONS) {
      const described = document['paths'][operation.path][operation.method] as Json;
      expect(described).to.include({ operationId: operation.operationId, summary: operation.summary });
      for (const tag of described['tags']) expect(tags.has(tag)).to.equal(true);
      const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const inPath = ((described['parameters'] ?? []) as Json[]).filter((one) => one['in'] === 'path');
      expect(inPath.map((one) => [one['name'], one['required']])).to.deep.equal(
        names.map((name) => [name, true]),
      );
      for (const status of Object.keys(operation.responses))
        expect(described['responses']).to.have.property(status);
      for (const code of errorCodesOf(operation)) {
        expect(described['responses']).to.have.property(String(ERROR_CATALOGUE[code].status));
      }
      for (const [status, response] of Object.entries(described['responses'] as Json)) {
        expect(status).to.match(/^[2-5]\d\d$/);
        expect((response as Json)['description'])
          .to.be.a('string')
          .and.not.equal('');
      }
      if (operation.access.kind === 'public') expect(described['security']).to.deep.equal([]);
      else expect(described['security']).not.to.deep.equal([]);
    }
  });

  it('refers to nothing that it does not hold', () => {
    const refs = refsOf(document);
    expect(refs.length).to.be.greaterThan(20);
    for (const ref of refs) {
      const target = ref
        .replace(/^#\//, '')
        .split('/')
        .reduce<unknown>((at, part) => (at as Json | undefined)?.[part], document);
      expect(target, ref).to.be.an('object');
    }
  });

  it('names every scope and every event', () => {
    for (const scope of ALL_SCOPES) expect(document['info'].description).to.include(`\`${scope}\``);
    expect(Object.keys(document['webhooks'] as Json)).to.deep.equal(Object.keys(EVENT_CATALOGUE));
  });

  it('has a reference that loads nothing from elsewhere', async () => {
    const page = await api.http().get('/docs').expect(200);
    expect(page.text).not.to.match(/(?:src|href)="(?:https?:)?\/\//);
    for (const [, path] of page.text.matchAll(/(?:src|href)="([^"]+)"/g))
      await api.http().get(path!).expect(200);
    expect(page.headers['content-security-policy'])
      .to.include("default-src 'none'")
      .and.not.include('unsafe');
    await api.http().get('/docs/assets/package.json').expect(404);
    await api.http().get('/docs/assets/..%2fpackage.json').expect(404);
  });
});
