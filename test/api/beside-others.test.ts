/** What an organization reads is the same whatever others have and do: lists, figures and single things, of keys and of people. */
import { expect } from 'chai';
import { hashPassword } from '../../shared/accounts/password.ts';
import { rollUp } from '../../shared/analytics/service.ts';
import { decodeId, newUuid } from '../../shared/ids.ts';
import { createTestApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { runAllBulkJobs } from '../support/bulk-jobs.ts';
import {
  createResources,
  pathOf,
  PROTECTED,
  rawRequest,
  titleOf,
  type KnownIds,
} from '../support/operations.ts';
import { PASSWORD } from '../support/people-api.ts';

const RANGE = 'from=2026-05-01T00:00:00Z&to=2026-07-01T00:00:00Z';

/** Where a query is needed. */
const QUERIES: Record<string, string> = {
  '/api/v1/search': 'q=olive',
  '/api/v1/analytics/summary': RANGE,
  '/api/v1/analytics/timeseries': `${RANGE}&interval=day&by=country`,
  '/api/v1/analytics/map': `${RANGE}&by=cell`,
  '/api/v1/analytics/funnel': RANGE,
};

describe('an organization beside another one', () => {
  let api: TestApi;
  before(async () => {
    api = await createTestApi();
  });
  after(() => api.close());

  // These have named no domain: test/api/organization.
  const READS = PROTECTED.filter(({ method, path }) => method === 'get' && !path.endsWith('/domain'));

  /** An owner of it, signed in. @returns the access token, and what can be asked for of people. */
  async function signIn(org: TestOrganization, email: string): Promise<{ token: string; ids: KnownIds }> {
    await api.database.pool.query(
      `insert into users (id, org_id, email, password_digest, role) values ($1, $2, $3, $4, 'owner')`,
      [newUuid(), org.uuid, email, await hashPassword(PASSWORD)],
    );
    const { body } = await api
      .http()
      .post('/api/v1/auth/sign-in')
      .send({ email, password: PASSWORD })
      .expect(200);
    const as = (method: 'get' | 'post', path: string) =>
      api.http()[method](`/api/v1${path}`).set('Authorization', `Bearer ${body.accessToken}`);
    const key = await as('post', '/api-keys')
      .send({ name: 'ERP', scopes: ['products.read'] })
      .expect(201);
    const invitation = await as('post', '/invitations')
      .send({ email: `new.${email}`, role: 'viewer' })
      .expect(201);
    const users = await as('get', '/users').expect(200);
    return {
      token: body.accessToken,
      ids: { key: key.body.id, inv: invitation.body.id, user: users.body.data[0].id },
    };
  }

  /** What waits for people, of every kind: see the overview. */
  async function leaveWaiting(org: TestOrganization, known: KnownIds): Promise<void> {
    const change = (table: string, set: string, id: string) =>
      api.database.pool.query(`update ${table} set ${set} where id = $1`, [id]);
    await change(
      'webhook_endpoints',
      `circuit = circuit || '{"failingSince": 1767225600000}'`,
      decodeId('whep', known.whep!)!,
    );
    await runAllBulkJobs(api);
    for (const isReceived of [true, false]) {
      const { units } = await org.mintUnits(2);
      const body = { units: { unitIds: units.map(({ id }) => id) } };
      const { id } = (await org.post('/consignments', body).expect(201)).body;
      await runAllBulkJobs(api);
      await org.post(`/consignments/${id}/dispatch`).expect(200);
      if (isReceived) await org.post(`/consignments/${id}/receive`, { receivedCount: 1 }).expect(200);
      else
        await change(
          'consignments',
          `dispatched_at = dispatched_at - interval '20 days'`,
          decodeId('cons', id)!,
        );
    }
    const { batchId } = await org.mintUnits(1);
    await org.startJob(batchId, {});
    const failed = await org.post('/product-units/bulk', { action: 'suspend', batchId }).expect(202);
    await change(
      'bulk_jobs',
      `status = 'failed', finished_at = created_at`,
      decodeId('bulk', failed.body.id)!,
    );
    const recovery = await org
      .post(`/webhook-endpoints/${known.whep}/recover`, {
        since: new Date(api.clock.now().getTime() - 60_000).toISOString(),
      })
      .expect(202);
    known.rcv = recovery.body.id;
  }

  async function readAll(token: string, known: KnownIds): Promise<Map<string, unknown>> {
    await rollUp(api.database.pool);
    const answers = new Map<string, unknown>();
    for (const operation of READS) {
      const query = QUERIES[operation.path];
      const path = query === undefined ? pathOf(operation, known) : `${operation.path}?${query}`;
      const { status, body, text } = await rawRequest(api, 'get', path, {
        headers: { Authorization: `Bearer ${token}` },
      });
      expect(status, `${titleOf(operation)}: ${text.slice(0, 200)}`).to.equal(200);
      answers.set(titleOf(operation), body ?? text);
    }
    return answers;
  }

  it('reads what it read before the other came', async () => {
    const own = await api.createOrganization();
    const { token, ids } = await signIn(own, 'own@example.com');
    const known: KnownIds = { ...(await createResources(api, own)), ...ids };
    await leaveWaiting(own, known);
    const before = await readAll(token, known);
    const at = api.clock.now();

    const other = await api.createOrganization();
    await signIn(other, 'other@example.com');
    await leaveWaiting(other, await createResources(api, other));
    api.clock.set(at);
    const after = await readAll(token, known);
    for (const [title, answer] of before) expect(after.get(title), title).to.deep.equal(answer);
  });
});
