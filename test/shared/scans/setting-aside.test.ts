import { expect } from 'chai';
import { scoreWaitingScans } from '../../../shared/scans/scoring.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';
import { ADDRESSES } from '../../support/places.ts';

describe('a unit that the rules cannot judge', () => {
  let api: TestApi;

  before(async () => {
    api = await createTestApi();
  });
  after(() => api.close());

  // The rules throw where the one is missing, and come to no number without the other.
  for (const part of ['recent', 'lastAt'])
    it(`takes nobody’s answer with it but its own visitors’: a profile without ${part}`, async () => {
      const [org, other] = [await api.createOrganization(), await api.createOrganization()];
      const [bad] = (await org.mintUnits(1)).units;
      const { units: good } = await other.mintUnits(40);
      await api.verify(bad!.token, ADDRESSES.DE).expect(200);
      while ((await scoreWaitingScans(api.workerDeps, 200)).units > 0);
      await api.verify(bad!.token, ADDRESSES.JP).expect(200);
      // As a mistake of ours, or a profile of another release, would make it.
      await api.database.pool.query(
        'update unit_risk_profiles set profile = profile - $2 where unit_id = $1',
        [bad!.uuid, part],
      );
      const ask = async (token: string, i: number) => (await api.verify(token, `198.51.100.${i}`)).status;
      const [ofGood, ofBad] = await Promise.all([
        Promise.all(good.map(({ token }, i) => ask(token, i))),
        Promise.all([200, 201, 202].map((i) => ask(bad!.token, i))),
      ]);
      expect(ofGood).to.deep.equal(good.map(() => 200));
      expect(ofBad).to.deep.equal([500, 500, 500]);
    });
});
