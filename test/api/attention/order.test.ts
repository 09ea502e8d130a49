import { expect } from 'chai';
import { decodeId, newUuid } from '../../../shared/ids.ts';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';

const DAY_MS = 86_400_000;

describe('the few of each kind that attention shows', () => {
  let api: TestApi;
  let org: TestOrganization;
  before(async () => {
    api = await createTestApi();
  });
  beforeEach(async () => {
    org = await api.createOrganization();
  });
  after(() => api.close());

  const attention = async () => (await org.get('/attention').expect(200)).body;
  const query = (sql: string, values: unknown[]) => api.database.pool.query(sql, values);

  it('are cases that people opened and nobody took up, then those with the highest scores', async () => {
    const { units, productId, batchId } = await org.mintUnits(7);
    const open = (
      { id, serial }: { id: string; serial: string },
      score: number,
      status: string,
      scans: number,
    ) =>
      query(
        `insert into risk_cases (id, org_id, unit_id, product_id, batch_id, status, suspicious_scans, max_score, signals,
                                 first_scan_id, last_scan_id, opened_by, opened_at, updated_at)
         select $1, $2, $3, $4, $5, $6, $7::integer, $8, '{}', scan, scan, case when $7 = 0 then $9 end, $10, $10
           from (select case when $7 > 0 then gen_random_uuid() end) as made (scan)`,
        [
          newUuid(),
          org.uuid,
          decodeId('unit', id),
          decodeId('prod', productId),
          decodeId('batch', batchId),
          status,
          scans,
          score,
          `user_${serial}`,
          api.clock.now(),
        ],
      );
    const given = [
      [0, 'open', 0],
      [0, 'investigating', 0],
      [60, 'open', 1],
      [90, 'open', 1],
      [70, 'investigating', 1],
      [80, 'open', 1],
      [65, 'open', 1],
    ] as const;
    for (const [index, [score, status, scans]] of given.entries())
      await open(units[index]!, score, status, scans);
    const { cases } = await attention();
    expect(cases.count).to.equal(7);
    const serials = cases.top.map(({ serial }: { serial: string }) => serial);
    expect(serials).to.deep.equal([0, 3, 5, 4, 6].map((index) => units[index]!.serial));
  });

  it('are endpoints that are disabled before those that only fail, and none that was deleted', async () => {
    const states = ['half-open', 'disabled', 'closed', 'open', 'disabled'];
    const ids: string[] = [];
    for (const state of states) {
      const { id } = await org.createEndpoint();
      ids.push(id);
      await query(
        `update webhook_endpoints
            set circuit_state = $2, circuit = circuit || '{"failingSince": 1767225600000}',
                circuit_due_at = case when $2 in ('open', 'half-open') then $3::timestamptz end
          where id = $1`,
        [decodeId('whep', id), state, api.clock.now()],
      );
    }
    await org.delete(`/webhook-endpoints/${ids[4]}`).expect(204);
    const { endpoints } = await attention();
    expect(endpoints.count).to.equal(4);
    expect(endpoints.top.map(({ id }: { id: string }) => id)).to.deep.equal(
      [1, 3, 0, 2].map((index) => ids[index]),
    );
  });

  it('are consignments that left first', async () => {
    const daysAgo = [20, 60, 30, 15, 50, 40, 10];
    await query(
      `insert into consignments (id, org_id, reference, status, unit_count, created_at, dispatched_at)
       select uuidv7(), $1, 'C' || days, 'dispatched', 1, at, at
         from (select days, $2::timestamptz - make_interval(days => days) as at from unnest($3::integer[]) as days) as gone`,
      [org.uuid, api.clock.now(), daysAgo],
    );
    const { consignments } = await attention();
    expect(consignments.count).to.equal(6);
    expect(consignments.top.map(({ reference }: { reference: string }) => reference)).to.deep.equal([
      'C60',
      'C50',
      'C40',
      'C30',
      'C20',
    ]);
  });

  it('are no previews of recalls, which change nothing', async () => {
    await query(
      `insert into bulk_jobs (id, org_id, action, source, phase, due_at, created_at)
       select uuidv7(), $1, action, '{}', 'work', $2, $2 from unnest('{suspend,preview-recall}'::text[]) as action`,
      [org.uuid, new Date(api.clock.now().getTime() + DAY_MS)],
    );
    const { bulkJobs } = await attention();
    expect(bulkJobs.top.map(({ action }: { action: string }) => action)).to.deep.equal(['suspend']);
  });
});
