import { expect } from 'chai';
import { encodeId } from '../../../shared/ids.ts';
import { decodeId } from '../../../shared/ids.ts';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';
import { expectProblem } from '../../support/problem.ts';
import { seedScans, type SeededScan } from '../../support/scans.ts';

const COUNTRIES = ['DE', 'JP', null];
const RESULTS = ['genuine', 'suspicious', 'diverted', 'expired'];
const LEVELS = ['none', 'low', 'medium', 'high'];
const START = Date.UTC(2026, 3, 1);

describe('lists of scans', () => {
  let api: TestApi;
  let org: TestOrganization;
  const seeded: (SeededScan & { id: string })[] = [];

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
    const minted = [await org.mintUnits(2), await org.mintUnits(1)];
    const units = minted.flatMap(({ productId, batchId, units: all }) =>
      all.map(({ uuid }) => ({
        unitId: uuid,
        productId: decodeId('prod', productId)!,
        batchId: decodeId('batch', batchId)!,
      })),
    );
    // In an order of their own, so that time and id disagree; three at the same instant, so that time alone is no cursor.
    const scans = Array.from({ length: 240 }, (_, index): SeededScan => ({
      ...units[index % 3]!,
      orgId: org.uuid,
      at: new Date(START + Math.floor(((index * 7919) % 240) / 3) * 60_000),
      country: COUNTRIES[index % 5 === 0 ? 1 : index % 3]!,
      result: RESULTS[index % 4]!,
      riskLevel: LEVELS[(index >> 2) % 4]!,
    }));
    const ids = await seedScans(api.database, scans);
    seeded.push(...scans.map((scan, index) => ({ ...scan, id: ids[index]! })));
  });
  after(() => api.close());

  const everyPage = async (query: string, limit = 17): Promise<string[]> => {
    const found: string[] = [];
    for (let cursor = ''; ;) {
      const { body } = await org.get(`/scans?limit=${limit}&${query}${cursor}`).expect(200);
      found.push(...body.data.map((scan: { id: string }) => scan.id));
      if (body.nextCursor === null) return found;
      cursor = `&cursor=${body.nextCursor}`;
    }
  };
  const newestFirst = (a: SeededScan & { id: string }, b: SeededScan & { id: string }) =>
    b.at.getTime() - a.at.getTime() || (a.id < b.id ? 1 : -1);
  const expected = (matches: (scan: SeededScan) => boolean): string[] =>
    seeded
      .filter(matches)
      .sort(newestFirst)
      .map(({ id }) => encodeId('scan', id));

  it('come newest first, each scan on one page, however many share an instant', async () => {
    expect(await everyPage('')).to.deep.equal(expected(() => true));
  });

  const filters: [string, () => string, (scan: SeededScan) => boolean][] = [
    [
      'product',
      () => `productId=${encodeId('prod', seeded[2]!.productId)}`,
      (s) => s.productId === seeded[2]!.productId,
    ],
    [
      'batch',
      () => `batchId=${encodeId('batch', seeded[0]!.batchId)}`,
      (s) => s.batchId === seeded[0]!.batchId,
    ],
    ['country', () => 'country=JP', (s) => s.country === 'JP'],
    ['result', () => 'result=suspicious', (s) => s.result === 'suspicious'],
    ['the most common result', () => 'result=genuine', (s) => s.result === 'genuine'],
    ['risk level', () => 'riskLevel=medium', (s) => s.riskLevel === 'medium'],
    [
      'time, the beginning included and the end not',
      () => 'from=2026-04-01T00:10:00Z&to=2026-04-01T02:20:00%2B02:00',
      ({ at }) => at.getTime() >= START + 600_000 && at.getTime() < START + 1_200_000,
    ],
    [
      'time, with the plus of an offset that nobody encoded',
      () => 'from=2026-04-01T02:10:00+02:00&to=2026-04-01T02:20:00.000+0200',
      ({ at }) => at.getTime() >= START + 600_000 && at.getTime() < START + 1_200_000,
    ],
    [
      'several at once',
      () => 'country=DE&result=diverted&riskLevel=high&from=2026-04-01T00:00:00Z',
      (s) => s.country === 'DE' && s.result === 'diverted' && s.riskLevel === 'high',
    ],
  ];
  for (const [name, query, matches] of filters) {
    it(`are filtered by ${name}`, async () => {
      const wanted = expected(matches);
      expect(await everyPage(query(), 4)).to.deep.equal(wanted);
      if (name !== 'several at once') expect(wanted.length).to.be.greaterThan(4);
    });
  }

  it('are filtered by unit, together with the others', async () => {
    const { unitId } = seeded[1]!;
    const found = await everyPage(`unitId=${encodeId('unit', unitId)}&result=suspicious`, 5);
    const wanted = expected((scan) => scan.unitId === unitId && scan.result === 'suspicious');
    expect([...found].sort()).to.deep.equal([...wanted].sort());
    expect(wanted.length).to.be.greaterThan(5);
  });

  it('refuse what is no instant and no level', async () => {
    for (const query of ['from=yesterday', 'to=2026-04-01', 'riskLevel=extreme'])
      expectProblem(await org.get(`/scans?${query}`), 'VALIDATION_FAILED');
  });

  // With hardly any rows a plan proves nothing unless the other ways are closed: then each filter must have an index of its
  // own that gives the list's order, or the plan shows a sort.
  const INDEXES: [string, string, unknown][] = [
    ['scans_newest', 'true', null],
    ['scans_newest', "at >= '2026-04-01' and at < '2026-04-02'", null],
    ['scans_of_product', 'product_id = $2', 'productId'],
    ['scans_of_batch', 'batch_id = $2', 'batchId'],
    ['scans_by_country', "country = 'JP'", null],
    ['scans_by_result', "result = 'suspicious'", null],
    ['scans_by_risk', "risk_level = 'high'", null],
    ['scans_internal', 'is_internal = true', null],
  ];
  for (const [index, condition, value] of INDEXES) {
    it(`read no more than a page with ${condition.replaceAll(/ = .*/g, '')}: ${index}`, async () => {
      const client = await api.database.pool.connect();
      try {
        await client.query(
          'begin; set local enable_seqscan = off; set local enable_bitmapscan = off; set local enable_sort = off',
        );
        const values = value === null ? [org.uuid] : [org.uuid, seeded[0]![value as 'batchId']];
        const { rows } = await client.query<{ 'QUERY PLAN': string }>(
          `explain select id from scans where org_id = $1 and ${condition} order by at desc, id desc limit 50`,
          values,
        );
        const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
        expect(plan)
          .to.match(INDEX_NAMES[index]!)
          .and.not.to.include('Sort Key: scans.at DESC, scans.id DESC\n  ->  Sort');
        expect(plan).to.not.match(/^\s*->\s+(Incremental )?Sort\b/m);
      } finally {
        await client.query('rollback');
        client.release();
      }
    });
  }
});

// What Postgres calls them on a month's partition.
const INDEX_NAMES: Record<string, RegExp> = {
  scans_newest: /org_id_at_id_idx\b/,
  scans_of_product: /org_id_product_id_at_id_idx/,
  scans_of_batch: /batch_id_at_id_idx/,
  scans_by_country: /org_id_country_at_id_idx/,
  scans_by_result: /org_id_result_at_id_idx/,
  scans_by_risk: /org_id_risk_level_at_id_idx/,
  // The second with these columns.
  scans_internal: /org_id_at_id_idx1/,
};
