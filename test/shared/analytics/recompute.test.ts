import { expect } from 'chai';
import { rollUp } from '../../../shared/analytics/service.ts';
import { createTestApi, type TestApi, type TestOrganization, type TestUnit } from '../../support/api.ts';
import { ADDRESSES } from '../../support/places.ts';

/** Everything through the service's own doors, and then counted again from the raw tables. */
describe('the figures of real scans', () => {
  let api: TestApi;
  let org: TestOrganization;
  let units: TestUnit[];
  const range = 'from=2026-06-01T00:00:00Z&to=2026-06-08T00:00:00Z';

  before(async function () {
    this.timeout(60_000);
    api = await createTestApi();
    org = await api.createOrganization();
    const minted = [
      await org.mintUnits(3, { product: { name: 'Oil', markets: ['DE'] } }),
      await org.mintUnits(3, { product: { name: 'Wine' } }),
    ];
    const asleep = await org.mintUnits(2, { job: { activate: false } });
    units = minted.flatMap(({ units: all }) => all);
    await org.post(`/product-units/${asleep.units[0]!.id}/activate`).expect(200);
    await org.post(`/product-units/${units[5]!.id}/recall`, {}).expect(200);
    const addresses = Object.values(ADDRESSES);
    for (let step = 0; step < 18; step += 1) {
      api.clock.advance(6 * 3_600_000 + step * 60_000);
      await api.verify(units[step % units.length]!.token, addresses[step % addresses.length]!).expect(200);
      if (step % 5 === 4) await api.score();
      if (step % 9 === 8) await rollUp(api.deps.db);
    }
    // Late ones: days behind what is counted already.
    for (const day of ['02', '03', '04']) {
      api.clock.set(`2026-06-${day}T23:50:00Z`);
      await api.verify(units[0]!.token, addresses[Number(day) % addresses.length]!).expect(200);
      await api.verify(units[3]!.token, addresses[0]!).expect(200);
      await api.score();
    }
    await rollUp(api.deps.db);
  });
  after(() => api.close());

  const raw = async (columns: string): Promise<Record<string, number>> => {
    const { rows } = await api.database.pool.query<{ key: string; n: number }>(
      `select ${columns} as key, count(*)::int as n from scans
        where at >= '2026-06-01Z' and at < '2026-06-08Z' group by 1`,
    );
    expect(rows.length).to.be.greaterThan(0);
    return Object.fromEntries(rows.map(({ key, n }) => [key, n]));
  };
  const get = async (path: string) => (await org.get(`/analytics/${path}`).expect(200)).body;

  it('are those of the summary, with products by risk and with rates', async () => {
    const summary = await get(`summary?${range}`);
    const { rows } = await api.database.pool.query<Record<string, number>>(
      `select count(*)::int as scans, count(distinct unit_id)::int as first from scans
        where at >= '2026-06-01Z' and at < '2026-06-08Z'`,
    );
    const { scans, first } = rows[0]!;
    expect(summary.scans).to.equal(scans);
    expect(summary.byResult).to.deep.equal(await raw('result'));
    expect(summary.units).to.deep.equal({
      minted: 8,
      activated: 7,
      firstScanned: first,
      activationRate: 7 / 8,
      scanRate: first! / 7,
    });
    const risky = await api.database.pool.query(
      `select p.name, count(*)::int as scans, (count(*) filter (where result = 'suspicious'))::int as suspicious,
              (count(*) filter (where result = 'diverted'))::int as diverted
         from scans s join products p on p.id = s.product_id
        where at >= '2026-06-01Z' and at < '2026-06-08Z'
        group by p.id, p.name order by 3 + 4 desc`,
    );
    const top = (summary.topProducts as Record<string, unknown>[]).map(
      ({ name, scans: all, suspicious, diverted }) => ({
        name,
        scans: all,
        suspicious,
        diverted,
      }),
    );
    expect(top).to.have.deep.members(risky.rows);
    const risks = top.map(({ suspicious, diverted }) => Number(suspicious) + Number(diverted));
    expect(risks).to.deep.equal([...risks].sort((a, b) => b - a));
    expect(risks[0]).to.be.greaterThan(0);
  });

  for (const [by, column] of [
    ['result', 'result'],
    ['country', "coalesce(country, '')"],
    ['product', 'product_id'],
  ] as const)
    for (const interval of ['hour', 'day', 'week'])
      it(`are those of the series by ${by} and ${interval}, in Auckland`, async () => {
        const { series } = await get(
          `timeseries?${range}&interval=${interval}&by=${by}&timeZone=Pacific/Auckland`,
        );
        const shown = series.flatMap(({ points }: { points: { at: string; scans: number }[] }) =>
          points.map(({ at, scans }) => `${at} ${scans}`),
        );
        const { rows } = await api.database.pool.query<{ at: Date; n: number }>(
          `select date_trunc('${interval}', at, 'Pacific/Auckland') as at, ${column} as key, count(*)::int as n from scans
            where at >= '2026-06-01Z' and at < '2026-06-08Z' group by 1, 2`,
        );
        expect(shown.sort()).to.deep.equal(rows.map(({ at, n }) => `${at.toISOString()} ${n}`).sort());
      });

  it('are those of the map, by country and by cell', async () => {
    const countries = await get(`map?${range}&by=country`);
    expect(
      Object.fromEntries(
        countries.data.map(({ country, scans }: { country: string; scans: number }) => [
          country ?? '',
          scans,
        ]),
      ),
    ).to.deep.equal(await raw("coalesce(country, '')"));
    const cells = await get(`map?${range}&by=cell`);
    const shown = cells.data.map(
      ({ cell, scans }: { cell: { south: number; west: number } | null; scans: number }) =>
        `${cell === null ? null : `${cell.south} ${cell.west}`} ${scans}`,
    );
    const wanted = Object.entries(await raw("floor(lat) || ' ' || floor(lon)"));
    expect(shown.sort()).to.deep.equal(wanted.map(([key, n]) => `${key} ${n}`).sort());
  });

  it('put the first scan of a unit where the earliest is, also when that comes late', async () => {
    const { rows } = await api.database.pool.query<{ day: string; n: number }>(
      `select first::date::text as day, count(*)::int as n
         from (select min(at) at time zone 'UTC' as first from scans group by unit_id) as s group by 1 order by 1`,
    );
    expect(rows.map(({ day }) => day)).to.include('2026-06-02');
    for (const { day, n } of rows) {
      const next = new Date(Date.parse(day) + 24 * 3_600_000).toISOString();
      const funnel = await get(`funnel?from=${day}T00:00:00Z&to=${next}`);
      expect([day, funnel.firstScanned]).to.deep.equal([day, n]);
    }
  });

  it('are those of the funnel', async () => {
    expect(await get(`funnel?${range}`)).to.include({ minted: 8, activated: 7, firstScanned: 6 });
  });
});
