import { expect } from 'chai';
import { countScans, rollUp } from '../../../shared/analytics/service.ts';
import { decodeId } from '../../../shared/ids.ts';
import { expectProblem } from '../../support/problem.ts';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';

describe('the range of figures', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
    const product = await org.createProduct();
    const scan = {
      orgId: decodeId('org', org.id)!,
      productId: decodeId('prod', product.id)!,
      result: 'genuine',
      country: 'DE',
      lat: 52.5,
      lon: 13.4,
    };
    const times = ['12:59:59', '13:16:00', '13:30:52', '13:37:43', '13:46:00'];
    await countScans(
      api.deps.db,
      times.map((time) => ({ ...scan, at: new Date(`2026-03-10T${time}Z`) })),
    );
    await rollUp(api.deps.db);
  });
  after(() => api.close());

  const sum = (points: { scans: number }[]) => points.reduce((total, { scans }) => total + scans, 0);

  for (const [from, to, counted, scans] of [
    ['13:29:00', '13:31:00', ['13:15:00', '13:45:00'], 3],
    ['13:31:00', '13:36:00', ['13:30:00', '13:45:00'], 2],
    // As `to` a caller gives the time that it is, in which the last quarter has just begun.
    ['12:59:59.999', '13:45:00.001', ['12:45:00', '14:00:00'], 5],
    ['13:15:00', '13:45:00', ['13:15:00', '13:45:00'], 3],
  ] as const)
    it(`is that of the quarters of an hour that ${from} to ${to} touches, and is told`, async () => {
      const day = '2026-03-10T';
      const read = async (path: string) =>
        (await org.get(`/analytics/${path}from=${day}${from}Z&to=${day}${to}Z`).expect(200)).body;
      const told = { from: `${day}${counted[0]}.000Z`, to: `${day}${counted[1]}.000Z` };
      expect(await read('summary?')).to.deep.include({ ...told, scans });
      expect(await read('funnel?')).to.deep.include(told);
      const map = await read('map?');
      expect(map).to.deep.include(told);
      expect(sum(map.data)).to.equal(scans);
      for (const by of ['result', 'country', 'product'])
        for (const interval of ['hour', 'day']) {
          const timeseries = await read(`timeseries?by=${by}&interval=${interval}&`);
          expect(timeseries).to.deep.include(told);
          expect(timeseries.series.map(({ points }: any) => sum(points))).to.deep.equal([scans]);
        }
      const cells = await read('map?by=cell&');
      expect(cells).to.deep.include({ from: `${day}00:00:00.000Z`, to: '2026-03-11T00:00:00.000Z' });
      expect(sum(cells.data)).to.equal(5);
    });

  it('may be as many days as it may, also where the clocks go back in them, and no more', async () => {
    const read = (interval: string, from: string, to: string) =>
      org.get('/analytics/timeseries').query({ from, to, interval, timeZone: 'Europe/Berlin' });
    // Berlin's October, and days from its summer to its winter.
    await read('hour', '2026-10-01T00:00:00+02:00', '2026-11-01T00:00:00+01:00').expect(200);
    await read('day', '2024-08-23T00:00:00+02:00', '2026-11-01T00:00:00+01:00').expect(200);
    await read('week', '2016-09-14T00:00:00+02:00', '2026-11-01T00:00:00+01:00').expect(200);
    for (const [interval, from] of [
      ['hour', '2026-09-30'],
      ['day', '2024-08-22'],
      ['week', '2016-09-13'],
    ] as const)
      expectProblem(
        await read(interval, `${from}T00:00:00+02:00`, '2026-11-01T00:00:00+01:00'),
        'VALIDATION_FAILED',
      );
  });

  it('ends where the calendar of four digits does', async () => {
    for (const range of [
      'from=2026-01-01T00:00:00Z&to=9999-12-31T23:59:59Z',
      'from=0000-01-01T00:00:00Z&to=2027-01-01T00:00:00Z',
    ])
      for (const path of ['summary?', 'funnel?', 'map?', 'map?by=cell&'])
        await org.get(`/analytics/${path}${range}`).expect(200);
    const last = 'from=9999-12-31T10:00:00Z&to=9999-12-31T23:59:59Z';
    const { body } = await org.get(`/analytics/timeseries?${last}`).expect(200);
    expect(body).to.deep.include({ to: '9999-12-31T00:00:00.000Z', series: [] });
  });

  it('begins no earlier than the year 1, whatever the time zone', async () => {
    for (const timeZone of ['Europe/Paris', 'America/New_York', 'Asia/Kathmandu'])
      for (const interval of ['hour', 'day', 'week'])
        for (const from of ['0001-01-01', '0000-12-30'])
          await org
            .get('/analytics/timeseries')
            .query({ from: `${from}T00:00:00Z`, to: '0001-01-03T00:00:00Z', timeZone, interval })
            .expect(200);
  });
});
