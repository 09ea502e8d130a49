import { expect } from 'chai';
import { createTestApi, type TestApi, type TestOrganization, type TestUnit } from '../../support/api.ts';
import { expectProblem } from '../../support/problem.ts';

/** More than are read at a time. */
const CASES = 1_203;

describe('cases as CSV', () => {
  let api: TestApi;
  let org: TestOrganization;
  let unit: TestUnit;
  let caseId: string;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
    const minted = await org.mintUnits(2, {
      product: { name: '=HYPERLINK("x")', sku: 'OIL-1' },
      batch: { lot: 'L-2026;@A1' },
    });
    unit = minted.units[0]!;
    const opened = await org
      .post('/risk-cases', { productUnitId: unit.id, note: 'A secret of ours' })
      .expect(201);
    caseId = opened.body.id;
  });
  after(() => api.close());

  const lines = async (query = '') =>
    (await org.get(`/risk-cases.csv${query}`).expect(200)).text.trimEnd().split('\n');

  it('have what people call the unit, no formulas and no notes', async () => {
    const { text, headers } = await org.get('/risk-cases.csv').expect(200);
    expect(headers['content-type']).to.equal('text/csv; charset=utf-8');
    expect(headers['content-disposition']).to.equal('attachment; filename="risk-cases.csv"');
    expect(headers['cache-control']).to.equal('private, no-store');
    expect(text).not.to.include('A secret of ours');
    const [heading, row] = text.trimEnd().split('\n');
    expect(heading).to.equal(
      'id,openedAt,status,closingReason,closedAt,assigneeId,serial,lot,product,sku,signals,productUnitId,productId,batchId,suspiciousScans,maxScore,firstScanId,lastScanId,openedBy,reportId,updatedAt',
    );
    expect(row).to.match(new RegExp(`^${caseId},2[^,]+Z,open,,,,${unit.serial},`));
    expect(row).to.include(`,L-2026;'@A1,"'=HYPERLINK(""x"")",OIL-1,,${unit.id},`);
  });

  it('are those that the list would show', async () => {
    expect(await lines('?status=open')).to.have.length(2);
    expect(await lines(`?q=${unit.serial}`)).to.have.length(2);
    expect(await lines('?status=dismissed')).to.have.length(1);
    expect(await lines('?q=ANOTHER')).to.have.length(1);
    const refused = expectProblem(await org.get('/risk-cases.csv?status=gone'), 'VALIDATION_FAILED');
    expect(refused['errors']).to.have.length(1);
  });

  it('are each there once, newest first, however many', async () => {
    await api.database.pool.query(
      `insert into risk_cases (id, org_id, unit_id, product_id, batch_id, status, closing_reason, suspicious_scans, max_score,
                               signals, first_scan_id, last_scan_id, opened_at, updated_at, closed_at)
       select uuidv7(), org_id, unit_id, product_id, batch_id, 'dismissed', 'resold', 2, 80, '{clone,impossible_travel}', uuidv7(), uuidv7(),
              now(), now(), now()
         from risk_cases, generate_series(1, $1) where org_id = $2`,
      [CASES, org.uuid],
    );
    const [, ...rows] = await lines('?status=dismissed');
    const ids = rows.map((row) => row.split(',')[0]!);
    expect(ids).to.have.length(CASES);
    expect(ids).to.deep.equal([...new Set(ids)].sort().reverse());
    expect(rows[0]).to.include(',dismissed,resold,').and.include(',clone impossible_travel,');
  });

  it('end before their end where a later page cannot be read, and the log says why', async () => {
    const { db } = api.deps;
    const query = db.query.bind(db) as (text: unknown, values?: unknown[]) => Promise<unknown>;
    let pages = 0;
    db.query = ((text: unknown, values?: unknown[]) =>
      String(text).includes('from risk_cases') && ++pages === 2
        ? Promise.reject(new Error('the second page is gone'))
        : query(text, values)) as typeof db.query;
    api.logs.length = 0;
    const failure: unknown = await org
      .get('/risk-cases.csv')
      .then(
        () => null,
        (error: unknown) => error,
      )
      .finally(() => (db.query = query as typeof db.query));
    expect(failure).to.be.an('error').with.property('message', 'aborted');
    const lines = api.logs.map((line) => JSON.parse(line) as Record<string, unknown>);
    const told = lines.find(({ msg }) => msg === 'request failed');
    expect(told?.['err']).to.include({ message: 'the second page is gone' });
    expect(told?.['requestId']).to.equal(lines.find(({ msg }) => msg === 'request')?.['requestId']);
  });

  it('are nobody else’s, nor a key’s that may not read scans', async () => {
    const other = await api.createOrganization();
    expect((await other.get('/risk-cases.csv').expect(200)).text.trimEnd().split('\n')).to.have.length(1);
    const key = await org.createKey('reports.read');
    expectProblem(await api.http().get('/api/v1/risk-cases.csv').set('X-Api-Key', key), 'INSUFFICIENT_SCOPE');
  });
});
