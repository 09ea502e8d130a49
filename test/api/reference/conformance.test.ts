import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { OPERATIONS } from '../../../api/operations.ts';
import { packageRoot } from '../../../shared/package-root.ts';
import { countRows, createTestApi, type TestApi } from '../../support/api.ts';
import { tellStory, type StoryEnd } from '../../support/api-story.ts';
import {
  createDocumentClient,
  problemsOf,
  sendRequest,
  type DocumentClient,
} from '../../support/document-client.ts';
import { spoiltRequest, validRequest, type FuzzedRequest } from '../../support/fuzz-requests.ts';
import { DOCUMENTED, type DocumentedOperation } from '../../support/openapi-document.ts';
import { examplesOf } from '../../support/recorded-examples.ts';

/** `FUZZ_SEED=… FUZZ_RUNS=… npx mocha test/api/reference/conformance.test.ts` looks elsewhere, and longer. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_122);
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 6);
/** Each takes 3 s, and a minute on a machine with twenty times as much to do; the second and third need the end of the first. */
const LIMIT_MS = 300_000;

describe('the API and its OpenAPI document', () => {
  let api: TestApi;
  let client: DocumentClient;
  let end: StoryEnd;

  const origin = () => `http://127.0.0.1:${(api.server.address() as { port: number }).port}`;

  before(async () => {
    api = await createTestApi({ env: { RATE_LIMIT_API_PER_MINUTE: '1000000' } });
    client = createDocumentClient(origin);
  });
  after(() => api.close());

  it('agree on every operation: request, status, headers and body', async () => {
    end = await tellStory(api, client);
    expect(client.problems).to.deep.equal([]);
    const called = new Set(client.calls.map(({ operation }) => operation.operationId));
    const left = OPERATIONS.map(({ operationId }) => operationId).filter((id) => !called.has(id));
    expect(left, 'operations that the story leaves out').to.deep.equal([]);
    if (process.env['UPDATE_DOCS'] === '1') {
      const file = path.join(packageRoot, 'api', 'reference', 'examples.json');
      writeFileSync(file, `${JSON.stringify(examplesOf(client.calls), null, 2)}\n`);
    }
  }).timeout(LIMIT_MS);

  /** @throws with the seed, and the smallest request that fails */
  async function attack(
    operation: DocumentedOperation,
    requests: fc.Arbitrary<FuzzedRequest>,
    mayChange: boolean,
  ): Promise<void> {
    const property = fc.asyncProperty(requests, async ({ path: target, isInvalid, ...init }) => {
      if (!isInvalid && !mayChange) return;
      const answer = await sendRequest(origin(), operation, target, init);
      const shown = `${answer.status} ${answer.bytes.toString('latin1').slice(0, 300)}`;
      expect(answer.status, shown).to.be.lessThan(500);
      if (isInvalid) expect(answer.status, `refused: ${shown}`).to.be.within(400, 499);
      expect(problemsOf(answer), shown).to.deep.equal([]);
    });
    await fc
      .assert(property, { seed: SEED, numRuns: RUNS, interruptAfterTimeLimit: 10_000 })
      .catch((error: Error) => {
        error.message = `${operation.method.toUpperCase()} ${operation.path}: ${error.message}`;
        throw error;
      });
  }

  it('agree on what is no valid request: refused as documented, never a 5xx, and nothing changes', async () => {
    const before = await countRows(api.database);
    for (const operation of DOCUMENTED) {
      const requests = spoiltRequest(operation, end);
      if (requests !== null) await attack(operation, requests, false);
    }
    expect(await countRows(api.database)).to.deep.equal(before);
  }).timeout(Math.max(LIMIT_MS, 10_000 * RUNS));

  it('agree on whatever the document allows: a documented answer, never a 5xx', async () => {
    for (const operation of DOCUMENTED) await attack(operation, validRequest(operation, end), true);
  }).timeout(Math.max(LIMIT_MS, 10_000 * RUNS));
});
