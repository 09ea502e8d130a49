import { expect } from 'chai';
import { readSummary } from '../../shared/analytics/service.ts';
import { encodeId } from '../../shared/ids.ts';
import { createOrganization } from '../../shared/organizations/service.ts';
import { makeSampleData, type SampleReport } from '../../sample-data/generate.ts';
import { createTestApi, type TestApi } from '../support/api.ts';

// A Wednesday; the story's week-ends depend on it.
const END = new Date('2026-11-18T12:00:00Z');
const PASSWORD = 'sample of the sample';
const SCALE = Number(process.env['SAMPLE_SCALE'] ?? 0.12);

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
    const { genuine, suspicious, diverted, recalled } = figures['scans'];
    const all = genuine + suspicious + diverted + recalled;
    expect(genuine / all).to.be.within(0.6, 0.95);
    expect(diverted / all).to.be.within(0.02, 0.25);
    expect(suspicious).to.be.greaterThan(5);
    expect(recalled).to.be.greaterThan(0);
  });
});
