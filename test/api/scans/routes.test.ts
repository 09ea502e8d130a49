import { expect } from 'chai';
import { createTestApi, type TestApi, type TestOrganization, type TestUnit } from '../../support/api.ts';
import { ADDRESSES } from '../../support/places.ts';
import { expectProblem } from '../../support/problem.ts';

describe('scans', () => {
  let api: TestApi;
  let org: TestOrganization;
  let unit: TestUnit;
  let productId: string;
  let batchId: string;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
    const minted = await org.mintUnits(2, { product: { markets: ['DE'] } });
    ({ productId, batchId } = minted);
    unit = minted.units[0]!;
    await api.verify(unit.token, ADDRESSES.DE).expect(200);
    await api.score();
    await api.verify(minted.units[1]!.token, ADDRESSES.JP).expect(200);
  });
  after(() => api.close());

  it('shows a scan with its place and its risk, without address and browser of the visitor', async () => {
    const { body } = await org.get(`/scans?unitId=${unit.id}`).expect(200);
    const [scan] = body.data;
    expect(body.data).to.have.length(1);
    expect(scan).to.deep.include({
      productUnitId: unit.id,
      productId,
      batchId,
      at: api.clock.now().toISOString(),
      result: 'genuine',
      assessment: 'final',
      country: 'DE',
    });
    expect(scan.place).to.include({ source: 'ip-fixed', accuracyKm: 16 });
    expect(scan.risk).to.include({ level: 'none', score: 0 });
    expect(JSON.stringify(body)).not.to.include(ADDRESSES.DE);
    expect((await org.get(`/scans/${scan.id}`).expect(200)).body).to.deep.equal(scan);
  });

  it('shows a scan that is not scored yet as preliminary', async () => {
    const { body } = await org.get('/scans?country=JP').expect(200);
    expect(body.data.map((one: { assessment: string }) => one.assessment)).to.deep.equal(['preliminary']);
    expect(body.data[0].result).to.equal('diverted');
  });

  it('filters by product, batch, result and country', async () => {
    const count = async (query: string) => (await org.get(`/scans?${query}`).expect(200)).body.data.length;
    expect(await count(`productId=${productId}`)).to.equal(2);
    expect(await count(`batchId=${batchId}&result=genuine`)).to.equal(1);
    expect(await count('country=BR')).to.equal(0);
    expectProblem(await org.get('/scans?country=XX'), 'VALIDATION_FAILED');
    expectProblem(await org.get('/scans?result=unknown'), 'VALIDATION_FAILED');
  });

  it('shows another organization nothing, whatever it filters by', async () => {
    const stranger = await api.createOrganization();
    for (const query of ['', `?unitId=${unit.id}`, `?productId=${productId}`, `?batchId=${batchId}`]) {
      expect((await stranger.get(`/scans${query}`).expect(200)).body.data).to.deep.equal([]);
    }
    const [scan] = (await org.get('/scans')).body.data;
    expectProblem(await stranger.get(`/scans/${scan.id}`), 'NOT_FOUND');
  });
});
