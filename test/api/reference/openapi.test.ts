import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { errorCodesOf } from '../../../api/reference/errors.ts';
import { openApiDocument } from '../../../api/reference/openapi.ts';
import { OPERATIONS } from '../../../api/operations.ts';
import { ALL_SCOPES } from '../../../shared/api-keys/scopes.ts';
import { ERROR_CATALOGUE } from '../../../shared/errors.ts';
import { EVENT_CATALOGUE } from '../../../shared/events/catalogue.ts';
import { packageRoot } from '../../../shared/package-root.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';
import { makeScratch } from '../../support/scratch.ts';

import { checkOf, DOCUMENT, DOCUMENTED, resolve } from '../../support/openapi-document.ts';

type Json = Record<string, any>;

/** Every `$ref` of a document. */
function refsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    key === '$ref' && typeof child === 'string' ? [child] : refsOf(child),
  );
}

/** The values of an enumeration, also within a list or beside null. */
function valuesOf(schema: Json): string[] {
  if (Array.isArray(schema['enum'])) return (schema['enum'] as string[]).filter((value) => value !== null);
  const inner = [
    ...((schema['anyOf'] ?? []) as Json[]),
    ...(schema['items'] ? [schema['items'] as Json] : []),
  ];
  return inner.flatMap(valuesOf);
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
        expect((resolve(response as Json) as Json)['description'])
          .to.be.a('string')
          .and.not.equal('');
      }
      if (operation.access.kind === 'public') expect(described['security']).to.deep.equal([]);
      else expect(described['security']).not.to.deep.equal([]);
    }
  });

  it('says what every property, parameter and component is, and what each value of a list means', () => {
    const unsaid: string[] = [];
    const walk = (schema: Json, where: string) => {
      for (const [name, property] of Object.entries((schema['properties'] ?? {}) as Json)) {
        const at = `${where}.${name}`;
        const { description } = { ...resolve(property as Json), ...(property as Json) } as Json;
        if (typeof description !== 'string') unsaid.push(at);
        const values = valuesOf(property as Json);
        for (const value of values.length > 1 ? values : [])
          if (!String(description).includes(`\`${value}\`: `)) unsaid.push(`${at}: ${value}`);
        walk(property as Json, at);
      }
      for (const key of ['anyOf', 'oneOf', 'allOf'])
        for (const inner of (schema[key] ?? []) as Json[]) walk(inner, where);
      for (const key of ['items', 'additionalProperties'])
        if (typeof schema[key] === 'object') walk(schema[key] as Json, where);
    };
    for (const [name, schema] of Object.entries(DOCUMENT['components'].schemas as Json)) {
      if (!(schema as Json)['description']) unsaid.push(name);
      walk(schema as Json, name);
    }
    for (const { operationId, parameters } of DOCUMENTED)
      for (const { name, ...parameter } of parameters ?? [])
        if (!(parameter as Json)['description']) unsaid.push(`${operationId}: ${name}`);
    for (const { name, description } of DOCUMENT['tags'] as Json[])
      if (!description) unsaid.push(`tag ${name}`);
    expect(unsaid).to.deep.equal([]);
  });

  it('has an example of every JSON body and answer, and each fits its schema', () => {
    const wrong: string[] = [];
    const look = (content: Json | undefined, where: string, isNeeded: boolean) => {
      let found = 0;
      for (const { schema, example, examples } of Object.values(content ?? {}) as Json[]) {
        const given: unknown[] = Object.values((examples ?? {}) as Json).map(({ value }) => value as unknown);
        if (example !== undefined) given.push(example);
        found += given.length;
        for (const one of given)
          wrong.push(...checkOf(schema as Json)(one).map((what) => `${where}: ${what}`));
      }
      if (isNeeded && found === 0 && 'application/json' in (content ?? {}))
        wrong.push(`${where}: no example`);
    };
    for (const { operationId, requestBody, responses } of DOCUMENTED) {
      look(requestBody?.content, `${operationId}, request`, requestBody?.required === true);
      for (const [status, response] of Object.entries(responses))
        look(resolve(response).content, `${operationId}, ${status}`, status.startsWith('2'));
    }
    for (const [type, { post }] of Object.entries(DOCUMENT['webhooks'] as Json))
      look(post.requestBody.content, type, true);
    expect(wrong).to.deep.equal([]);
  });

  it('is found faultless by Redocly’s recommended rules', async () => {
    const scratch = makeScratch();
    try {
      const file = path.join(scratch.folder, 'openapi.json');
      writeFileSync(file, JSON.stringify(DOCUMENT));
      const cli = path.join(packageRoot, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js');
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [cli, 'lint', file, '--extends=recommended', '--format=json'],
        // Nothing is to be told to anybody, nor asked for.
        {
          env: {
            PATH: process.env['PATH'],
            REDOCLY_TELEMETRY: 'off',
            REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
          },
        },
      ).catch((error: { stdout: string }) => error);
      const { totals, problems } = JSON.parse(stdout) as { totals: Json; problems: Json[] };
      expect(totals, JSON.stringify(problems, null, 2)).to.include({ errors: 0, warnings: 0 });
    } finally {
      scratch.remove();
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

  it('calls no number of HTTP a state', () => {
    const { response } = DOCUMENT['components'].schemas.Delivery.properties;
    expect(response.properties.status.description).to.equal('The HTTP status');
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
