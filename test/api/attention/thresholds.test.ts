import { expect } from 'chai';
import { decodeId, newUuid } from '../../../shared/ids.ts';
import { forgetOldSimulations } from '../../../shared/risk-simulations/housekeeping.ts';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';

const DAY_MS = 86_400_000;

describe('a threshold that decisions speak against', () => {
  let api: TestApi;
  let org: TestOrganization;
  before(async () => {
    api = await createTestApi();
  });
  beforeEach(async () => {
    org = await api.createOrganization();
  });
  after(() => api.close());

  const inDoubt = async (key = org.key) =>
    (await api.http().get('/api/v1/attention').set('X-Api-Key', key).expect(200)).body.thresholds?.top;
  const close = (
    status: 'confirmed' | 'dismissed',
    count: number,
    { productId = newUuid(), scans = 2 } = {},
  ) =>
    api.database.pool.query(
      `insert into risk_cases (id, org_id, unit_id, product_id, batch_id, status, closing_reason, suspicious_scans, max_score, signals,
                               first_scan_id, last_scan_id, opened_by, opened_at, updated_at, closed_at)
       select gen_random_uuid(), $1, gen_random_uuid(), $2, $2, $3, 'other', $4::integer, 70, '{}', scan, scan, 'key_x', $5, $5, $5
         from generate_series(1, $6::integer), (select case when $4 > 0 then gen_random_uuid() end) as made (scan)`,
      [org.uuid, productId, status, scans, api.clock.now(), count],
    );
  const putPolicy = (policy: object, query = '') =>
    api.http().put(`/api/v1/risk-policies${query}`).set('X-Api-Key', org.key).send({ policy }).expect(200);
  const simulate = async () =>
    (await org.post('/risk-policies/simulate', { policy: {} }).expect(202)).body.id;

  const finish = (id: string, status: 'completed' | 'failed') =>
    api.database.pool.query(
      'update risk_simulations set status = $2, finished_at = created_at where id = $1',
      [decodeId('sim', id), status],
    );
  const forget = (days: number) => forgetOldSimulations({ db: api.database.pool, clock: api.clock }, days);

  it('is told with the counts, to who may have another one tried', async () => {
    await close('confirmed', 24);
    await close('dismissed', 5);
    expect(await inDoubt()).to.deep.equal([]);
    await close('dismissed', 1);
    expect(await inDoubt()).to.deep.equal([{ confirmedCases: 24, dismissedCases: 6 }]);
    expect(await inDoubt(await org.createKey('scans.write'))).to.have.length(1);
    expect(await inDoubt(await org.createKey('scans.read'))).to.equal(undefined);
    expect(await inDoubt((await api.createOrganization()).key)).to.deep.equal([]);
    await close('confirmed', 30);
    expect(await inDoubt(), '54 of 60 were right').to.deep.equal([]);
    api.clock.advance(366 * DAY_MS);
    await close('confirmed', 30);
    expect(await inDoubt(), 'a year later').to.deep.equal([{ confirmedCases: 30, dismissedCases: 0 }]);
  });

  it('counts neither what people opened nor what a threshold of the product told', async () => {
    const { productId } = await org.mintUnits(1);
    await putPolicy({ clone: { weight: 0.9 } }, `?productId=${productId}`);
    await close('dismissed', 29, { productId: decodeId('prod', productId)! });
    await close('dismissed', 29, { scans: 0 });
    expect(await inDoubt()).to.deep.equal([]);
    await close('dismissed', 1);
    expect(await inDoubt()).to.deep.equal([{ confirmedCases: 0, dismissedCases: 30 }]);
    await putPolicy({ thresholds: { suspicious: 70 } }, `?productId=${productId}`);
    expect(await inDoubt()).to.deep.equal([]);
  });

  for (const [looked, look] of [
    ['a policy was tried', simulate],
    ['the policy was changed', () => putPolicy({ thresholds: { suspicious: 66 } })],
  ] as const)
    it(`is not told for a month after ${looked}, and then of what was decided since`, async () => {
      await close('dismissed', 40);
      api.clock.advance(1000);
      await look();
      expect(await inDoubt()).to.deep.equal([]);
      api.clock.advance(29 * DAY_MS);
      await close('dismissed', 30);
      expect(await inDoubt()).to.deep.equal([]);
      api.clock.advance(DAY_MS);
      expect(await inDoubt()).to.deep.equal([{ confirmedCases: 0, dismissedCases: 30 }]);
    });

  it('is told of what was decided since a policy was tried, also once that trial is deleted', async () => {
    await close('dismissed', 40);
    api.clock.advance(1000);
    await finish(await simulate(), 'completed');
    api.clock.advance(8 * DAY_MS);
    expect(await forget(7)).to.equal(1);
    expect(await inDoubt(), 'within the month').to.deep.equal([]);
    await org.post(`/risk-simulations/${await simulate()}/cancel`).expect(200);
    api.clock.advance(22 * DAY_MS);
    expect(await forget(7)).to.equal(1);
    expect(await inDoubt(), 'after it').to.deep.equal([]);
    await close('dismissed', 30);
    expect(await inDoubt()).to.deep.equal([{ confirmedCases: 0, dismissedCases: 30 }]);
  });

  it('is told whatever others decide, try and change meanwhile', async () => {
    const own = org;
    const { productId } = await own.mintUnits(1);
    await close('dismissed', 30, { productId: decodeId('prod', productId)! });
    org = await api.createOrganization();
    await close('confirmed', 30);
    api.clock.advance(1000);
    await simulate();
    await putPolicy({ thresholds: { suspicious: 66 } });
    const told = [{ confirmedCases: 0, dismissedCases: 30 }];
    expect(await inDoubt(own.key)).to.deep.equal(told);
  });

  it('is told where the comparison was stopped, failed, or was of one product alone', async () => {
    await close('dismissed', 30);
    api.clock.advance(1000);
    const id = await simulate();
    expect(await inDoubt()).to.deep.equal([]);
    await org.post(`/risk-simulations/${id}/cancel`).expect(200);
    expect(await inDoubt()).to.have.length(1);
    await finish(await simulate(), 'failed');
    expect(await inDoubt(), 'failed').to.have.length(1);
    api.clock.advance(2 * DAY_MS);
    await forget(1);
    expect(await inDoubt(), 'failed, and deleted').to.have.length(1);
    const { productId } = await org.mintUnits(1);
    await org.post('/risk-policies/simulate', { policy: {}, productId }).expect(202);
    expect(await inDoubt()).to.have.length(1);
  });
});
