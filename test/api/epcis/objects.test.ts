import { expect } from 'chai';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';
import { runAllBulkJobs } from '../../support/bulk-jobs.ts';

const GTIN = '09506000134352';

describe('what EPCIS events say of their objects', () => {
  let api: TestApi;
  before(async () => {
    api = await createTestApi();
  });
  after(() => api.close());

  const eventsOf = async (org: TestOrganization, step: string) =>
    (await org.get(`/epcis/events?EQ_bizStep=${step}`).expect(200)).body.epcisBody.eventList as Record<
      string,
      any
    >[];

  for (const lot of ['Lös 7', '.', '..'])
    it(`is a batch by its own id where GS1 has no address for its lot: ${lot}`, async () => {
      const org = await api.createOrganization();
      const { batchId } = await org.mintUnits(1, { product: { gtin: GTIN }, batch: { lot } });
      await org.post('/recalls', { batchId }).expect(201);
      await org.post(`/batches/${batchId}/lift-recall`).expect(200);
      const quantityList = [{ epcClass: `https://verify.example.com/epcis/${batchId}`, quantity: 1 }];
      for (const step of ['holding', 'other'])
        expect((await eventsOf(org, step))[0]!.quantityList).to.deep.equal(quantityList);
      const [commissioning] = await eventsOf(org, 'commissioning');
      expect(commissioning!.ilmd).to.deep.equal({ 'cbvmda:lotNumber': lot });
    });

  for (const [receivedCount, damaged, disposition] of [
    [1, 0, 'mismatch_quantity'],
    [2, 0, 'completeness_verified'],
    [3, 0, 'mismatch_quantity'],
    [null, 1, 'completeness_verified'],
  ] as const)
    it(`is ${disposition} where ${receivedCount ?? 'all'} of 2 units were counted and ${damaged} damaged`, async () => {
      const org = await api.createOrganization();
      const { units } = await org.mintUnits(2);
      const unitIds = units.map(({ id }) => id);
      const { id } = (await org.post('/consignments', { units: { unitIds } }).expect(201)).body;
      await runAllBulkJobs(api);
      await org.post(`/consignments/${id}/dispatch`, {}).expect(200);
      const receipt = { receivedCount, damaged: unitIds.slice(0, damaged) };
      await org.post(`/consignments/${id}/receive`, receipt).expect(200);
      const [receiving] = await eventsOf(org, 'receiving');
      expect(receiving!.persistentDisposition).to.deep.equal({ set: [disposition] });
    });
});
