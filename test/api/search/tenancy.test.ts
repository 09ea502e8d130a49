import { expect } from 'chai';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';
import { createResources, type KnownIds } from '../../support/operations.ts';

const GTIN = '04012345123456';
const PREFIXES = ['prod', 'batch', 'unit', 'cons', 'rcl', 'rep', 'case', 'scan', 'job', 'whep'] as const;

/** What two organizations have may be called the same, GTINs and serials included. */
describe('searching beside an organization that has the same', () => {
  let api: TestApi;
  let orgs: TestOrganization[];
  let known: KnownIds[];
  const own: Set<string>[] = [];

  before(async () => {
    api = await createTestApi();
    orgs = [await api.createOrganization(), await api.createOrganization()];
    known = [await createResources(api, orgs[0]!), await createResources(api, orgs[1]!)];
    for (const [index, org] of orgs.entries()) {
      const { productId, batchId, units } = await org.mintUnits(2, {
        product: { name: 'Saffron', sku: 'SAF', gtin: GTIN },
        batch: { lot: 'SAF-1' },
        job: { serials: { source: 'sequential', prefix: 'SAF-S', first: 1, digits: 2 } },
      });
      const { body: consignment } = await org
        .post('/consignments', { reference: 'SAF-PO', units: { batchId } })
        .expect(201);
      own[index] = new Set([productId, batchId, ...units.map(({ id }) => id)]);
      own[index].add(consignment.id);
    }
  });
  after(() => api.close());

  const idsFor = async (q: string, org: TestOrganization): Promise<string[]> => {
    const { body } = await org.get(`/search?q=${encodeURIComponent(q)}`).expect(200);
    return body.data.map(({ id }: { id: string }) => id);
  };

  it('finds one’s own by a text, an element string and a link, and nothing of the other', async () => {
    const link = `https://id.example.com/01/${GTIN}`;
    const queries = ['saf', 'SAF-1', 'saf-s', 'SAF-PO', GTIN, link, `${link}/10/SAF-1`, `${link}/21/SAF-S01`];
    for (const q of [...queries, `(01)${GTIN}(10)SAF-1`])
      for (const [index, org] of orgs.entries()) {
        const found = await idsFor(q, org);
        expect(found.length, `${q} of ${index}`).to.be.greaterThan(0);
        for (const id of found) expect([...own[index]!], `${q} of ${index}`).to.include(id);
      }
  });

  it('finds whatever a public id names for its owner alone', async () => {
    for (const prefix of PREFIXES) {
      const id = known[0]![prefix]!;
      expect(await idsFor(id, orgs[0]!), prefix).to.deep.equal([id]);
      expect(await idsFor(id, orgs[1]!), prefix).to.deep.equal([]);
    }
  });
});
