import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { readSummary } from '../../shared/analytics/service.ts';
import { createOrganization } from '../../shared/organizations/service.ts';
import type { Sample } from '../../sample-data/deps.ts';
import { makeSampleData, type SampleReport } from '../../sample-data/generate.ts';
import type { PlannedScan } from '../../sample-data/journeys.ts';
import { playScans } from '../../sample-data/scanning.ts';
import { HOUR } from '../../sample-data/time.ts';
import { createTestApi, type TestApi } from '../support/api.ts';

// A Wednesday; the story's week-ends depend on it.
const END = new Date('2026-11-18T12:00:00Z');
const PASSWORD = 'sample of the sample';
const SCALE = Number(process.env['SAMPLE_SCALE'] ?? 0.08);

interface Made {
  api: TestApi;
  orgId: string;
  report: SampleReport;
}

async function make(): Promise<Made> {
  const api = await createTestApi({ env: { LOG_LEVEL: 'silent' } });
  try {
    return await makeIn(api);
  } catch (error) {
    await api.close();
    throw error;
  }
}

async function makeIn(api: TestApi): Promise<Made> {
  const now = { now: () => END };
  const owner = { name: 'Demo', email: 'owner@demo.example', password: PASSWORD };
  const { orgId } = await createOrganization({ clock: now }, api.deps.db, owner);
  const report = await makeSampleData({ deps: api.workerDeps, orgId, password: PASSWORD, now, scale: SCALE });
  return { api, orgId, report };
}

/** One row of figures, none of them an id. */
async function figuresOf({ api, orgId }: Made): Promise<Record<string, unknown>> {
  const { rows } = await api.database.pool.query<{ figures: Record<string, unknown> }>(
    `select json_build_object(
       'scans', (select json_object_agg(result, n) from (select result, count(*) as n from scans where org_id = $1 group by 1 order by 1) t),
       'countries', (select json_object_agg(country, n) from (select country, count(*) as n from scans where org_id = $1 group by 1 order by 1) t),
       'cases', (select json_object_agg(status, n) from (select status, count(*) as n from risk_cases where org_id = $1 group by 1 order by 1) t),
       'entered', (select json_object_agg(entered, n) from (select case when hidden_code_correct then 'correct' else 'wrong' end as entered, count(*) as n from scans where org_id = $1 and hidden_code_correct is not null group by 1 order by 1) t),
       'tapped', (select json_object_agg(nfc_tap, n) from (select nfc_tap, count(*) as n from scans where org_id = $1 and nfc_tap is not null group by 1 order by 1) t),
       'jobs', (select json_object_agg(status, n) from (select status, count(*) as n from barcode_jobs where org_id = $1 group by 1 order by 1) t),
       'consignments', (select json_object_agg(status, n) from (select status, count(*) as n from consignments where org_id = $1 group by 1 order by 1) t),
       'reports', (select json_object_agg(status, n) from (select status, count(*) as n from counterfeit_reports where org_id = $1 group by 1 order by 1) t),
       'photos', (select count(*) from counterfeit_report_photos p join counterfeit_reports r on r.id = p.report_id where p.state = 'ready'),
       'endpoints', (select json_agg(json_build_array(description, circuit->>'phase') order by description) from webhook_endpoints where org_id = $1),
       'units', (select json_object_agg(status, n) from (select status, count(*) as n from product_units where org_id = $1 group by 1 order by 1) t),
       'users', (select json_agg(role order by role) from users where org_id = $1),
       'keys', (select count(*) from api_keys where org_id = $1),
       'recalls', (select count(*) from recalls where org_id = $1),
       'audit', (select count(*) from audit_log where org_id = $1)) as figures`,
    [orgId],
  );
  return rows[0]!.figures;
}

describe('sample data', function () {
  this.timeout(120_000);
  let first: Made;
  let figures: Record<string, any>;
  before(async () => {
    first = await make();
    figures = await figuresOf(first);
    if (process.env['SAMPLE_SHOW']) console.log(JSON.stringify(figures), first.report);
  });
  after(() => first.api.close());

  it('tells a believable story', () => {
    expect(figures['users']).to.deep.equal(['administrator', 'analyst', 'owner', 'viewer']);
    const { genuine, suspicious, diverted, recalled, suspended } = figures['scans'];
    const all = genuine + suspicious + diverted + recalled + suspended;
    expect(genuine / all).to.be.within(0.7, 0.95);
    // Of the dozen units of a batch that are seen at this scale, the first abroad are not told from travellers.
    expect(diverted / all).to.be.within(0.01, 0.2);
    // The copied codes are as busy at every scale.
    expect(suspicious / all).to.be.within(0.02, 0.25);
    expect(recalled).to.be.greaterThan(0);
    expect(Object.keys(figures['countries']).length).to.be.greaterThan(30);
    expect(figures['cases']).to.include({ confirmed: 1, dismissed: 1, investigating: 1 });
    expect(figures['cases'].open).to.be.greaterThan(1);
    expect(figures['entered'].correct).to.be.greaterThan(5);
    expect(figures['entered'].wrong).to.equal(13);
    expect(figures['tapped'].fresh).to.be.greaterThan(5);
    expect(figures['tapped'].replayed).to.equal(9);
    expect(figures['jobs']).to.deep.equal({ cancelled: 1, completed: 12, failed: 1 });
    expect(figures['consignments']).to.deep.equal({
      dispatched: 2,
      draft: 1,
      partially_received: 1,
      received: 3,
    });
    expect(figures['reports']).to.deep.equal({ confirmed: 1, investigating: 1, open: 4 });
    expect(figures['photos']).to.equal(3);
    expect(figures['endpoints']).to.deep.equal([
      ['Archive of the limited edition', 'closed'],
      ['ERP', 'open'],
    ]);
  });

  it('lies in the past, every row of it, and leaves nothing to work off', async () => {
    const { rows } = await first.api.database.pool.query<{ late: number; waiting: number; ids: number }>(
      `select (select count(*) from scans where at > $1)::int + (select count(*) from hidden_code_entries where at > $1)::int + (select count(*) from nfc_taps where at > $1)::int + (select count(*) from events where created_at > $1)::int
              + (select count(*) from audit_log where at > $1)::int as late,
              (select count(*) from scans where assessment = 'preliminary')::int
              + (select count(*) from analytics_deltas)::int
              + (select count(*) from barcode_jobs where status in ('queued', 'running'))::int as waiting,
              (select count(*) from scans where abs(extract(epoch from uuid_time(id) - at)) > 1)::int as ids`,
      [END],
    );
    expect(rows[0]).to.deep.equal({ late: 0, waiting: 0, ids: 0 });
  });

  it('makes each scan after whatever happened before it, so that nobody finds a recalled unit genuine', async () => {
    const order: string[] = [];
    const end = END.getTime();
    const scan = (hours: number) => ({ at: end + hours * HOUR, unit: { id: 'u', token: `${hours}` } });
    const played = {
      deps: first.api.workerDeps,
      end,
      time: { at: (_time: number, work: () => Promise<void>) => work() },
      verifier: {
        verify: async ({ token }: { token: string }) => {
          order.push(`scan at ${token}`);
          return { scan: null };
        },
      },
    } as unknown as Sample;
    const scans = [scan(-30), scan(-28), scan(-26), scan(-25)] as unknown as PlannedScan[];
    const recall = { at: end - 27 * HOUR, run: async () => void order.push('recall at -27') };
    await playScans(played, scans, [recall], () => Promise.resolve());
    expect(order).to.deep.equal([
      'scan at -30',
      'scan at -28',
      'recall at -27',
      'scan at -26',
      'scan at -25',
    ]);
  });

  it('has each act of a recall in the audit log', async () => {
    const { rows } = await first.api.database.pool.query<{ action: string }>(
      `select action from audit_log where action in ('createRecall', 'liftRecall') order by at`,
    );
    expect(rows.map(({ action }) => action)).to.deep.equal(['createRecall', 'liftRecall', 'createRecall']);
  });

  it('names what people did as the service names it, so that the audit log has words for it', async () => {
    const { rows } = await first.api.database.pool.query<{ action: string }>(
      'select distinct action from audit_log where org_id = $1',
      [first.orgId],
    );
    const { audit } = JSON.parse(readFileSync('dashboard/src/screens/settings/locales/en.json', 'utf8')) as {
      audit: { actions: Record<string, string> };
    };
    expect(rows.map(({ action }) => action)).to.include('startBarcodeJob');
    expect(rows.filter(({ action }) => !(action in audit.actions))).to.deep.equal([]);
  });

  it('is counted by roll-ups exactly as by its scans', async () => {
    const from = new Date(END.getTime() - 60 * 86_400_000);
    const summary = await readSummary(first.api.deps.db, { orgId: first.orgId, from, to: END });
    expect(summary.byResult).to.deep.equal(figures['scans']);
    const minted = Object.values<number>(figures['units']).reduce((sum, count) => sum + count, 0);
    expect(summary.units.minted).to.equal(minted);
  });

  it('is made once: an organization with products is left alone', async () => {
    const { api, orgId } = first;
    const options = { deps: api.workerDeps, orgId, password: PASSWORD, now: { now: () => END } };
    expect(await makeSampleData(options)).to.deep.equal({ did: 'nothing' });
    expect(await figuresOf(first)).to.deep.equal(figures);
  });

  it('is the same for everybody who begins at the same time', async () => {
    const second = await make();
    try {
      expect(await figuresOf(second)).to.deep.equal(figures);
      expect(second.report).to.deep.equal(first.report);
    } finally {
      await second.api.close();
    }
  });
});
