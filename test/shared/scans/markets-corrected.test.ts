import { expect } from 'chai';
import { createTestApi, type TestApi, type TestOrganization, type TestUnit } from '../../support/api.ts';
import { ADDRESSES } from '../../support/places.ts';

describe('a product whose markets are corrected', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi();
  });
  after(() => api.close());
  beforeEach(async () => {
    org = await api.createOrganization();
  });

  /** @returns the answer, which the final verdict must bear out, and what the organization is told of a diversion. */
  const scan = async (unit: TestUnit, from: string) => {
    api.clock.advance(5 * 86_400_000);
    const { body } = await api.verify(unit.token, from).expect(200);
    await api.score();
    const { body: stored } = await org.get(`/scans/${body.scanId}`);
    expect(stored.result).to.equal(body.result);
    const diversion = stored.risk.signals.find(({ type }: { type: string }) => type === 'diversion');
    return { result: body.result, diversion };
  };
  const correct = (productId: string, markets: string[]) =>
    org.patch(`/products/${productId}`, { markets }).expect(200);
  const other = (address: string) => address.replace(/\.\d+\.\d+$/, '.77.1');

  it('has its units’ visitors counted by the markets as they are', async () => {
    const { units, productId } = await org.mintUnits(1, { product: { markets: ['BR'] } });
    expect((await scan(units[0]!, ADDRESSES.DE)).result).to.equal('diverted');
    await correct(productId, ['BR', 'DE']);
    expect((await scan(units[0]!, other(ADDRESSES.DE))).result).to.equal('genuine');
    const abroad = await scan(units[0]!, ADDRESSES.JP);
    expect(abroad.diversion).to.include({ reason: 'seen-inside', visitorsInside: 2, visitorsOutside: 1 });
    expect(abroad.result).to.equal('genuine');
  });

  it('and those who came while it had none', async () => {
    const { units, productId } = await org.mintUnits(1, { product: { markets: ['DE'] } });
    expect((await scan(units[0]!, ADDRESSES.DE)).result).to.equal('genuine');
    await correct(productId, []);
    await scan(units[0]!, other(ADDRESSES.DE));
    await correct(productId, ['DE']);
    const { diversion } = await scan(units[0]!, ADDRESSES.JP);
    expect(diversion).to.include({ visitorsInside: 2, visitorsOutside: 1 });
  });

  it('has units that were seen where it is sold now speak for no lot gone astray', async () => {
    const { units, productId } = await org.mintUnits(12, { product: { markets: ['BR'] } });
    for (const unit of units.slice(0, 11)) await scan(unit, ADDRESSES.DE);
    await correct(productId, ['BR', 'DE']);
    const abroad = await scan(units[11]!, ADDRESSES.JP);
    expect(abroad.diversion).to.include({ reason: 'lot-inside' });
    expect(abroad.diversion.lot).to.deep.equal({ among: 'lot', units: 11, sameCountry: 0 });
    expect(abroad.result).to.equal('genuine');
  });
});
