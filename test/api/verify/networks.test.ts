import { expect } from 'chai';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';

describe('the network of a visitor', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
  });
  after(() => api.close());

  const visitors = {
    'ip-fixed': ['73.0.0.10', 16],
    'ip-mobile': ['100.191.100.50', 207],
    ip: ['79.192.0.10', 200],
  } as const;
  for (const [source, [address, radiusKm]] of Object.entries(visitors))
    it(`is kept with the scan as ${source} and a radius of ${radiusKm} km`, async () => {
      const { units } = await org.mintUnits();
      const { body } = await api.verify(units[0]!.token, address).expect(200);
      const { rows } = await api.database.pool.query(
        'select place_source, accuracy_km from scans where unit_id = (select id from product_units where serial = $1)',
        [units[0]!.serial],
      );
      expect(rows).to.deep.equal([{ place_source: source, accuracy_km: radiusKm }]);
      const { body: scan } = await org.get(`/scans/${body.scanId}`).expect(200);
      expect(scan.place).to.include({ source, accuracyKm: radiusKm });
    });
});
