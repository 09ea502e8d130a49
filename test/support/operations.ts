/** Requests for any operation, made from its declaration: for tests over all of them. */
import type { Operation } from '../../api/operation.ts';
import { OPERATIONS } from '../../api/operations.ts';
import { encodeId, newUuid, type IdPrefix } from '../../shared/ids.ts';
import type { TestApi, TestOrganization } from './api.ts';
import { ADDRESSES } from './places.ts';

/** Everything of an organization, which is not open to the world; what is the operator's has tests of its own. */
export const PROTECTED = OPERATIONS.filter(
  ({ access }) => access.kind === 'scope' || access.kind === 'session',
);

/** Those that take an API key, as opposed to a signed-in person's session. */
export const KEYED = OPERATIONS.filter(({ access }) => access.kind === 'scope');

export const titleOf = ({ method, path }: Operation): string => `${method.toUpperCase()} ${path}`;

/** Public ids by prefix; kinds that are not named get an id that nothing has. */
export type KnownIds = Partial<Record<IdPrefix, string>>;

export function pathOf(operation: Operation, known: KnownIds = {}): string {
  return operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const prefix = operation.ids?.[name];
    return prefix === undefined ? 'x' : (known[prefix] ?? encodeId(prefix, newUuid()));
  });
}

/** One resource of each kind that the API of the organization can make. */
export async function createResources(
  api: TestApi,
  org: TestOrganization,
): Promise<
  Required<
    Pick<
      KnownIds,
      | 'prod'
      | 'batch'
      | 'unit'
      | 'job'
      | 'scan'
      | 'whep'
      | 'evt'
      | 'cons'
      | 'bulk'
      | 'rcl'
      | 'rep'
      | 'exp'
      | 'uexp'
      | 'sim'
      | 'case'
    >
  >
> {
  const endpoint = await org.createEndpoint();
  const { productId, batchId, jobId, units } = await org.mintUnits();
  const scan = await api.verify(units[0]!.token).expect(200);
  await api.score();
  const consignment = await org.post('/consignments', { units: { unitIds: [units[0]!.id] } }).expect(201);
  const bulk = await org.get('/bulk-jobs').expect(200);
  const recall = await org.post('/recalls', { batchId }).expect(201);
  const report = await api
    .http()
    .post(`/v/${units[0]!.token}/reports`)
    .send({ description: 'Odd' })
    .expect(201);
  const events = await org.get('/events').expect(200);
  const scanExport = await org.post('/scan-exports', {}).expect(202);
  const unitExport = await org.post('/unit-exports', {}).expect(202);
  const simulation = await org.post('/risk-policies/simulate', { policy: {} }).expect(202);
  const [copied] = (await org.mintUnits(1)).units;
  for (const from of [ADDRESSES.DE, ADDRESSES.JP]) {
    api.clock.advance(1_000);
    await api.verify(copied!.token, from).expect(200);
  }
  await api.score();
  const cases = await org.get('/risk-cases').expect(200);
  return {
    prod: productId,
    batch: batchId,
    unit: units[0]!.id,
    job: jobId,
    scan: scan.body.scanId,
    whep: endpoint.id,
    evt: events.body.data[0].id,
    cons: consignment.body.id,
    bulk: bulk.body.data[0].id,
    rcl: recall.body.id,
    rep: report.body.reportId,
    exp: scanExport.body.id,
    uexp: unitExport.body.id,
    sim: simulation.body.id,
    case: cases.body.data[0].id,
  };
}

function onePhoto(): FormData {
  const form = new FormData();
  const png = new Uint8Array([
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52,
  ]);
  form.set('photos', new Blob([png]), 'a.png');
  return form;
}

/** A body that passes the validation of the operations that reach for a resource. */
export const VALID_BODIES: Record<string, object> = {
  addReportPhotos: onePhoto(),
  updateProduct: { name: 'Changed by a stranger' },
  correctBatch: { lot: 'STRANGE' },
  consumeUnit: {},
  correctConsignment: { reference: 'By a stranger' },
  correctRecall: { reason: 'By a stranger' },
  addConsignmentUnits: { batchId: encodeId('batch', newUuid()) },
  changeRiskCase: { note: 'By a stranger' },
  changeReport: { status: 'investigating' },
  addReportNote: { text: 'By a stranger' },
  recoverWebhookEndpoint: { since: '2026-11-01T00:00:00.000Z' },
  updateWebhookEndpoint: { description: 'Changed by a stranger' },
};

export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: any;
  text: string;
}

/** A request byte for byte, whatever a client library would make of it. */
export async function rawRequest(
  api: Pick<TestApi, 'server'>,
  method: string,
  path: string,
  {
    key,
    headers = {},
    body,
  }: { key?: string; headers?: Record<string, string>; body?: string | Uint8Array | FormData } = {},
): Promise<RawAnswer> {
  const { port } = api.server.address() as { port: number };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: method.toUpperCase(),
    headers: { ...(key === undefined ? {} : { 'X-Api-Key': key }), ...headers },
    ...(body === undefined ? {} : { body: body as string }),
  });
  const text = await response.text();
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    parsed = undefined;
  }
  return { status: response.status, headers: Object.fromEntries(response.headers), body: parsed, text };
}
