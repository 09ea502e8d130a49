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

  const consign = async (org: TestOrganization, unitIds: string[], fields = {}): Promise<string> => {
    const { id } = (await org.post('/consignments', { ...fields, units: { unitIds } }).expect(201)).body;
    await runAllBulkJobs(api);
    await org.post(`/consignments/${id}/dispatch`, {}).expect(200);
    return id;
  };
  const own = (id: string) => `https://verify.example.com/epcis/${id}`;
  const stepsOf = async (org: TestOrganization, query: string) => {
    const { body } = await org.get(`/epcis/events?perPage=200&${query}`).expect(200);
    return body.epcisBody.eventList.map(({ bizStep }: { bizStep: string }) => bizStep) as string[];
  };

  it('receive a unit that arrived damaged', async () => {
    const org = await api.createOrganization();
    const { units } = await org.mintUnits(2);
    const id = await consign(
      org,
      units.map((unit) => unit.id),
    );
    await org.post(`/consignments/${id}/receive`, { damaged: [units[0]!.id] }).expect(200);
    const [receiving] = await eventsOf(org, 'receiving');
    expect(receiving!.epcList).to.include(own(units[0]!.id));
    expect(await stepsOf(org, `MATCH_epc=${own(units[0]!.id)}`)).to.include('receiving');
  });

  it('tell of a large consignment without its units, which are not found by it either', async () => {
    const org = await api.createOrganization();
    const { units } = await org.mintUnits(1);
    const id = await consign(org, [units[0]!.id]);
    await api.database.pool.query('update consignments set unit_count = 1001 where org_id = $1', [org.uuid]);
    const [shipping] = await eventsOf(org, 'shipping');
    expect(shipping!.epcList).to.deep.equal([own(id)]);
    expect(await stepsOf(org, `MATCH_epc=${own(units[0]!.id)}`)).to.deep.equal(['commissioning']);
  });

  it('are those at or after a time, of every step', async () => {
    const org = await api.createOrganization();
    const { units } = await org.mintUnits(4);
    const minted = api.clock.now().getTime();
    api.clock.advance(60_000);
    const [first, second] = [await consign(org, [units[0]!.id]), await consign(org, [units[1]!.id])];
    await org.post(`/consignments/${first}/receive`, {}).expect(200);
    await org.post(`/consignments/${second}/cancel`).expect(200);
    await api.verify(units[2]!.token).expect(200);
    await org.post(`/product-units/${units[2]!.id}/recall`, {}).expect(200);
    await org.post(`/product-units/${units[2]!.id}/lift-recall`).expect(200);
    const asleep = await org.mintUnits(1, { job: { activate: false } });
    await org.post(`/product-units/${asleep.units[0]!.id}/void`).expect(200);
    const now = api.clock.now().getTime();
    const since = async (at: number) => {
      const steps = await stepsOf(org, `GE_eventTime=${new Date(at).toISOString()}`);
      return steps.filter((step) => step !== 'commissioning').sort();
    };
    const all = ['decommissioning', 'holding', 'inspecting', 'other', 'receiving', 'shipping', 'shipping'];
    expect(await since(minted)).to.deep.equal([...all, 'void_shipping']);
    expect(await since(now)).to.deep.equal([...all, 'void_shipping']);
    expect(await since(now + 1)).to.deep.equal([]);
  });

  it('are those of every consignment of an SSCC, which is used again once the one before is called off', async () => {
    const org = await api.createOrganization();
    const { units } = await org.mintUnits(1);
    const sscc = '106141412345678908';
    const first = await consign(org, [units[0]!.id], { sscc });
    await org.post(`/consignments/${first}/cancel`).expect(200);
    const steps = ['shipping', 'void_shipping'];
    const ofSscc = async () => (await stepsOf(org, `MATCH_epc=https://id.gs1.org/00/${sscc}`)).sort();
    expect(await ofSscc()).to.deep.equal(steps);
    await consign(org, [units[0]!.id], { sscc });
    expect(await ofSscc()).to.deep.equal(['shipping', ...steps]);
  });

  it('go on to the last page where only one kind of them is left', async () => {
    const org = await api.createOrganization();
    await org.mintUnits(2);
    const { headers } = await org.get('/epcis/events?perPage=1').expect(200);
    const [, query] = /events\?(.+)>; rel="next"$/.exec(headers.link ?? '')!;
    const last = await org.get(`/epcis/events?${query}`).expect(200);
    expect(last.body.epcisBody.eventList).to.have.length(1);
    expect(last.headers).to.not.have.property('link');
  });
});
