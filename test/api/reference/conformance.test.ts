import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { OPERATIONS } from '../../../api/operations.ts';
import { packageRoot } from '../../../shared/package-root.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';
import { tellStory } from '../../support/api-story.ts';
import { createDocumentClient, type DocumentClient } from '../../support/document-client.ts';
import { examplesOf } from '../../support/recorded-examples.ts';

describe('the API and its OpenAPI document', () => {
  let api: TestApi;
  let client: DocumentClient;

  before(async () => {
    api = await createTestApi();
    client = createDocumentClient(() => {
      const { port } = api.server.address() as { port: number };
      return `http://127.0.0.1:${port}`;
    });
  });
  after(() => api.close());

  it('agree on every operation: request, status, headers and body', async () => {
    await tellStory(api, client);
    expect(client.problems).to.deep.equal([]);
    const called = new Set(client.calls.map(({ operation }) => operation.operationId));
    const left = OPERATIONS.map(({ operationId }) => operationId).filter((id) => !called.has(id));
    expect(left, 'operations that the story leaves out').to.deep.equal([]);
    if (process.env['UPDATE_DOCS'] === '1') {
      const file = path.join(packageRoot, 'api', 'reference', 'examples.json');
      writeFileSync(file, `${JSON.stringify(examplesOf(client.calls), null, 2)}\n`);
    }
  }).timeout(30_000);
});
