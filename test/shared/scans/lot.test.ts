import { expect } from 'chai';
import { scoreWaitingScans } from '../../../shared/scans/scoring.ts';
import { createTestApi, type TestApi, type TestOrganization, type TestUnit } from '../../support/api.ts';
import { ADDRESSES } from '../../support/places.ts';

describe('a batch’s sightings', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
  });
  after(() => api.close());

  const mint = (quantity: number) => org.mintUnits(quantity, { product: { markets: ['DE'] } });
  /** @returns the answer, which the final verdict must bear out */
  const scan = async (unit: TestUnit, from: string): Promise<string> => {
    api.clock.advance(60_000);
    const { body } = await api.verify(unit.token, from).expect(200);
    await api.score();
    expect((await org.get(`/scans/${body.scanId}`)).body.result).to.equal(body.result);
    return body.result;
  };
  const sightings = async (batchId: string) =>
    (
      await api.database.pool.query(
        `select s.units, s.outside from batch_sightings s join product_units u on u.batch_id = s.batch_id
          where u.id = $1`,
        [batchId],
      )
    ).rows[0];

  it('leave the first unit abroad a diversion, while nothing is known of the others', async () => {
    const { units } = await mint(2);
    expect(await scan(units[0]!, ADDRESSES.BR)).to.equal('diverted');
    expect(await scan(units[1]!, ADDRESSES.BR)).to.equal('diverted');
    expect(await sightings(units[0]!.uuid)).to.deep.equal({ units: 2, outside: { BR: 2 } });
  });

  it('take a lone visitor abroad for a VPN or a customer, where the others were seen at home', async () => {
    const { units } = await mint(5);
    for (const unit of units.slice(0, 4)) expect(await scan(unit, ADDRESSES.DE)).to.equal('genuine');
    expect(await scan(units[4]!, ADDRESSES.BR)).to.equal('genuine');
    const { body } = await org.get(`/scans?unitId=${units[4]!.id}`);
    const { body: stored } = await org.get(`/scans/${body.data[0].id}`);
    expect(stored.risk.signals[0]).to.include({ type: 'diversion', counted: false, reason: 'lot-inside' });
    expect(stored.risk.signals[0].lot).to.deep.equal({ among: 'lot', units: 4, sameCountry: 0 });
  });

  it('are the organization’s alone: who holds one unit learns of no other, whatever the verdict', async () => {
    const { units, batchId } = await mint(5);
    for (const unit of units.slice(0, 4)) await scan(unit, ADDRESSES.DE);
    await org.post('/recalls', { batchId }).expect(201);
    api.clock.advance(60_000);
    const { body } = await api.verify(units[4]!.token, ADDRESSES.BR).expect(200);
    expect(body.result).to.equal('recalled');
    const [told] = body.risk.signals;
    expect(told).to.include({ type: 'diversion', country: 'BR', reason: 'lot-inside' });
    expect(told).not.to.have.property('lot');
    await api.score();
    const { body: stored } = await org.get(`/scans/${body.scanId}`);
    expect(stored.risk.signals[0].lot).to.deep.equal({ among: 'lot', units: 4, sameCountry: 0 });
  });

  it('tell a part of the batch that was sold in one country', async () => {
    const { units } = await mint(9);
    for (const unit of units.slice(0, 4)) await scan(unit, ADDRESSES.DE);
    const abroad = [];
    for (const unit of units.slice(4)) abroad.push(await scan(unit, ADDRESSES.BR));
    expect(abroad[0]).to.equal('genuine');
    expect(abroad.slice(-2)).to.deep.equal(['diverted', 'diverted']);
  });

  it('count each unit once, whoever scores and however often it is scanned', async () => {
    const { units } = await mint(6);
    for (let round = 0; round < 3; round++) {
      const from = round === 0 ? ADDRESSES.DE : ADDRESSES.JP;
      await Promise.all(units.map(({ token }) => api.verify(token, from).expect(200)));
      await Promise.all([1, 2, 3].map(() => scoreWaitingScans(api.workerDeps, 2)));
      await api.score();
    }
    expect(await sightings(units[0]!.uuid)).to.deep.equal({ units: 6, outside: {} });
  });

  it('keep a unit where it was counted, also where a scan that comes late was before', async () => {
    const { units } = await mint(1);
    const [{ uuid, token }] = units as [TestUnit];
    const seenIn = async () =>
      (
        await api.database.pool.query<{ in: string }>(
          `select profile->'seenIn' as in from unit_risk_profiles where unit_id = $1`,
          [uuid],
        )
      ).rows[0]!.in;
    for (const [ip, minutes] of [
      [ADDRESSES.DE, 60],
      [ADDRESSES.BR, -30],
    ] as const) {
      api.clock.advance(minutes * 60_000);
      await api.verify(token, ip).expect(200);
      await api.score();
      expect(await seenIn()).to.equal(null);
      expect(await sightings(uuid)).to.deep.equal({ units: 1, outside: {} });
    }
  });
});
