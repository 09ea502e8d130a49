import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { expect } from 'chai';
import { decodeId } from '../../../shared/ids.ts';
import { packageRoot } from '../../../shared/package-root.ts';
import { createTestApi, type TestApi, type TestOrganization, type TestUnit } from '../../support/api.ts';
import { runAllBulkJobs } from '../../support/bulk-jobs.ts';
import { ADDRESSES } from '../../support/places.ts';
import { expectProblem } from '../../support/problem.ts';

const GTIN = '09506000134352';
const SSCC = '106141412345678908';
const ORIGIN = { name: 'Mill', address: 'Way 1', country: 'IT' };

describe('EPCIS events', () => {
  let api: TestApi;
  let org: TestOrganization;
  let units: TestUnit[];
  let others: TestUnit[];
  let ids: Record<'batch' | 'product' | 'consignment' | 'bare', string>;

  const ajv = new Ajv({ strict: false, allErrors: true });
  (formats as unknown as (ajv: Ajv) => void)(ajv);
  const schema = readFileSync(path.join(packageRoot, 'test/fixtures/epcis-2.0.schema.json'), 'utf8');
  const isEpcis = ajv.compile(JSON.parse(schema) as object);

  const dispatch = async (fields: object, list: readonly TestUnit[], by = org) => {
    const consignment = { ...fields, units: { unitIds: list.map(({ id }) => id) } };
    const { id } = (await by.post('/consignments', consignment).expect(201)).body;
    await runAllBulkJobs(api);
    await by.post(`/consignments/${id}/dispatch`, {}).expect(200);
    return id as string;
  };

  before(async () => {
    api = await createTestApi();
    // Another's unit of the same GTIN and serial came before, and its consignment with the same SSCC comes after.
    const twin = await api.createOrganization();
    const twins = await twin.mintUnits(3, {
      product: { gtin: GTIN },
      job: { serials: { source: 'sequential', prefix: 'A/', first: 1, digits: 3 } },
    });
    org = await api.createOrganization();
    const withGtin = await org.mintUnits(3, {
      product: { gtin: GTIN },
      batch: { lot: 'L/1', expiresOn: '2030-01-31' },
      job: { serials: { source: 'sequential', prefix: 'A/', first: 1, digits: 3 } },
    });
    const without = await org.mintUnits(2, { job: { activate: false } });
    units = withGtin.units;
    others = without.units;
    api.clock.advance(60_000);
    // Everything at one instant: only id and kind are left to order by.
    const consignment = await dispatch(
      {
        sscc: SSCC,
        expectedMarkets: ['DE'],
        origin: ORIGIN,
        destination: { name: 'Shop', address: null, country: 'DE' },
        references: [{ type: 'PO', value: 'PO 7' }],
      },
      units,
    );
    await dispatch({ sscc: SSCC, origin: ORIGIN }, twins.units, twin);
    const receipt = { missing: [units[2]!.serial] };
    await org.post(`/consignments/${consignment}/receive`, receipt).expect(200);
    const bare = await dispatch({ origin: ORIGIN }, [others[0]!]);
    await org.post(`/consignments/${bare}/recall`, {}).expect(200);
    await api.verify(units[0]!.token, ADDRESSES.JP).expect(200);
    await api.score();
    await org.post(`/product-units/${others[1]!.id}/void`).expect(200);
    await org.post(`/product-units/${units[1]!.id}/recall`, {}).expect(200);
    await org.post(`/product-units/${units[1]!.id}/lift-recall`).expect(200);
    for (const target of [{ batchId: withGtin.batchId }, { productId: without.productId }])
      await org.post('/recalls', target).expect(201);
    ids = { batch: withGtin.batchId, product: without.productId, consignment, bare };
  });
  after(() => api.close());

  const page = async (query = '') => {
    const { body, headers } = await org.get(`/epcis/events?${query}`).expect(200);
    expect(isEpcis(body), JSON.stringify(isEpcis.errors?.slice(0, 3))).to.equal(true);
    return {
      events: body.epcisBody.eventList as Record<string, any>[],
      link: headers.link as string | undefined,
    };
  };
  const ofStep = async (step: string) => (await page(`EQ_bizStep=${step}&perPage=100`)).events;
  const epc = (unit: TestUnit) => `https://id.gs1.org/01/${GTIN}/21/${encodeURIComponent(unit.serial)}`;
  const own = (id: string) => `https://verify.example.com/epcis/${id}`;

  it('are valid by the published JSON schema, which refuses what is not', async () => {
    const { body, headers } = await org.get('/epcis/events?perPage=200').expect(200);
    expect(isEpcis(body)).to.equal(true);
    expect(headers['gs1-epcis-version']).to.equal('2.0.0');
    expect(body['@context']).to.deep.equal([
      'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld',
    ]);
    const [event] = body.epcisBody.eventList;
    for (const wrong of [
      { ...event, bizStep: 'scanning' },
      { ...event, eventTimeZoneOffset: 'Z' },
      { ...event, action: 'LOOK' },
      { ...event, epcList: ['no uri'] },
      { ...event, persistentDisposition: {} },
    ])
      expect(isEpcis({ ...body, epcisBody: { eventList: [wrong] } }), JSON.stringify(wrong)).to.equal(false);
  });

  it('commission each unit, by its Digital Link or by a private URI', async () => {
    const events = await ofStep('commissioning');
    expect(events).to.have.length(5);
    const first = events.find(({ epcList }) => epcList[0] === epc(units[0]!))!;
    expect(first).to.deep.include({
      type: 'ObjectEvent',
      action: 'ADD',
      bizStep: 'commissioning',
      disposition: 'active',
      readPoint: { id: own(org.id) },
      ilmd: { 'cbvmda:lotNumber': 'L/1', 'cbvmda:itemExpirationDate': '2030-01-31' },
    });
    expect(events.flatMap(({ epcList }) => epcList)).to.include(own(others[0]!.id));
  });

  it('ship and receive a consignment by its SSCC, with its units, from place to place', async () => {
    const shippings = await ofStep('https://ref.gs1.org/cbv/BizStep-shipping');
    const shipping = shippings.find(({ epcList }) => epcList[0] === `https://id.gs1.org/00/${SSCC}`)!;
    const [receiving] = await ofStep('receiving');
    expect(shipping).to.deep.include({ action: 'OBSERVE', disposition: 'in_transit' });
    expect(shipping).not.to.have.property('bizLocation');
    expect(shipping.epcList.slice(1).sort()).to.deep.equal(units.map(epc).sort());
    expect(shipping.bizTransactionList).to.deep.equal([
      { type: 'po', bizTransaction: own('document/PO/PO%207') },
    ]);
    expect(receiving!.epcList.slice(1).sort()).to.deep.equal(units.slice(0, 2).map(epc).sort());
    expect(receiving).to.deep.include({
      disposition: 'in_progress',
      persistentDisposition: { set: ['mismatch_quantity'] },
      bizLocation: receiving!.readPoint,
    });
    const [{ source }] = shipping.sourceList;
    expect(receiving!.readPoint.id).to.equal(shipping.destinationList[0].destination);
    const other = shippings.find(({ epcList }) => epcList[0] === own(ids.bare))!;
    expect(other.sourceList[0].source).to.equal(source).and.equal(other.readPoint.id);
    expect(other.epcList).to.deep.equal([own(ids.bare), own(others[0]!.id)]);
  });

  it('observe a scan about where it was, and no better', async () => {
    const [scan] = await ofStep('inspecting');
    expect(scan!.epcList).to.deep.equal([epc(units[0]!)]);
    expect(scan!.disposition).to.equal('non_conformant');
    const [, lat, lon] = /^geo:(-?\d+\.5),(-?\d+\.5);u=79000$/.exec(scan!.readPoint.id)!;
    expect([Number(lat), Number(lon)]).to.deep.equal([35.5, 139.5]);
    expect(scan).not.to.have.property('bizLocation');
  });

  it('decommission a voided unit', async () => {
    const events = await ofStep('decommissioning');
    expect(
      events.map(({ action, disposition, epcList }) => ({ action, disposition, epcList })),
    ).to.deep.equal([{ action: 'DELETE', disposition: 'inactive', epcList: [own(others[1]!.id)] }]);
  });

  it('set and unset the recall of a unit, a batch, a product and a consignment', async () => {
    const recalls = await ofStep('holding');
    const objects = recalls.map(({ epcList, quantityList }) => epcList ?? quantityList);
    expect(objects).to.have.deep.members([
      [epc(units[1]!)],
      [{ epcClass: `https://id.gs1.org/01/${GTIN}/10/L%2F1`, quantity: 3 }],
      [{ epcClass: own(ids.product) }],
      [own(ids.bare)],
    ]);
    for (const recall of recalls) expect(recall.persistentDisposition).to.deep.equal({ set: ['recalled'] });
    const [lifted] = await ofStep('other');
    expect(lifted).to.deep.include({
      epcList: [epc(units[1]!)],
      persistentDisposition: { unset: ['recalled'] },
    });
    expect(recalls.map(({ eventID }) => eventID)).to.not.include(lifted!.eventID);
  });

  it('come in one order, each on one page whatever its size, with the same ids each time', async () => {
    const all = (await page('perPage=200')).events.map(({ eventID }) => eventID as string);
    expect(new Set(all).size)
      .to.equal(all.length)
      .and.equal(5 + 2 + 1 + 1 + 1 + 4 + 1);
    for (const perPage of [1, 2, 3, 7]) {
      const found: string[] = [];
      let query: string | null = `perPage=${perPage}`;
      while (query !== null) {
        const { events, link } = await page(query);
        found.push(...events.map(({ eventID }) => eventID as string));
        query = /^<\/api\/v1\/epcis\/events\?(.+)>; rel="next"$/.exec(link ?? '')?.[1] ?? null;
        expect(events.length).to.equal(query === null ? all.length % perPage || perPage : perPage);
      }
      expect(found, `perPage=${perPage}`).to.deep.equal(all);
    }
    const times = (await page('perPage=200')).events.map(({ eventTime }) => eventTime as string);
    expect(times).to.deep.equal([...times].sort().reverse());
  });

  it('are filtered by time, type and object', async () => {
    const now = api.clock.now().toISOString();
    expect(
      (await page(`GE_eventTime=${now}&LT_eventTime=2026-06-02T00:00:00Z&perPage=200`)).events,
    ).to.have.length(10);
    expect((await page(`LT_eventTime=${now}`)).events).to.deep.equal([]);
    expect((await page('eventType=AggregationEvent')).events).to.deep.equal([]);
    expect((await page('eventType=AggregationEvent|ObjectEvent&perPage=3')).events).to.have.length(3);
    const stepsOf = async (uri: string) =>
      (await page(`MATCH_epc=${encodeURIComponent(uri)}`)).events.map(({ bizStep, epcList }) => {
        expect(epcList).to.include(uri);
        return bizStep as string;
      });
    expect((await stepsOf(epc(units[0]!))).sort()).to.deep.equal([
      'commissioning',
      'inspecting',
      'receiving',
      'shipping',
    ]);
    expect((await stepsOf(epc(units[2]!))).sort()).to.deep.equal(['commissioning', 'shipping']);
    expect((await stepsOf(`https://id.gs1.org/00/${SSCC}`)).sort()).to.deep.equal(['receiving', 'shipping']);
    expect((await stepsOf(own(others[1]!.id))).sort()).to.deep.equal(['commissioning', 'decommissioning']);
    expect(await stepsOf('urn:epc:id:sgtin:1.2.3')).to.deep.equal([]);
    for (const serial of ['A%00', 'A%', '%ED%A0%80'])
      expect(await stepsOf(`https://id.gs1.org/01/${GTIN}/21/${serial}`), serial).to.deep.equal([]);
  });

  it('void the shipping of a consignment that is called off under way, and tell nothing of a draft', async () => {
    const other = await api.createOrganization();
    const { units: two } = await other.mintUnits(2);
    const id = await dispatch({ origin: ORIGIN }, two, other);
    api.clock.advance(1_000);
    const { body } = await other.post(`/consignments/${id}/cancel`).expect(200);
    expect(body.cancelledAt).to.equal(api.clock.now().toISOString());
    const draft = (await other.post('/consignments', {}).expect(201)).body;
    expect((await other.post(`/consignments/${draft.id}/cancel`).expect(200)).body.dispatchedAt).to.equal(
      null,
    );

    const read = async (query: string) => {
      const events = (await other.get(`/epcis/events?${query}`).expect(200)).body.epcisBody.eventList;
      return events as Record<string, any>[];
    };
    const events = await read('EQ_bizStep=void_shipping');
    expect(events).to.have.length(1);
    expect(events[0]).to.deep.include({
      action: 'OBSERVE',
      disposition: 'in_progress',
      eventTime: body.cancelledAt,
      epcList: [own(id), ...two.map((unit) => own(unit.id)).sort()],
    });
    expect(events[0]).not.to.have.property('bizLocation');
    const ofUnit = await read(
      `EQ_bizStep=void_shipping,shipping&MATCH_epc=${encodeURIComponent(own(two[0]!.id))}`,
    );
    expect(ofUnit.map(({ bizStep }) => bizStep)).to.deep.equal(['void_shipping', 'shipping']);
  });

  it('give no type to a document of a kind that only JavaScript knows', async () => {
    const other = await api.createOrganization();
    const { units: one } = await other.mintUnits(1);
    const types = ['__proto__', 'constructor', 'Delivery note'];
    await dispatch({ references: types.map((type) => ({ type, value: '1' })) }, one, other);
    const { body } = await other.get('/epcis/events?EQ_bizStep=shipping').expect(200);
    expect(isEpcis(body), JSON.stringify(isEpcis.errors?.slice(0, 3))).to.equal(true);
    expect(body.epcisBody.eventList[0].bizTransactionList).to.deep.equal([
      { bizTransaction: own('document/__proto__/1') },
      { bizTransaction: own('document/constructor/1') },
      { type: 'desadv', bizTransaction: own('document/Delivery%20note/1') },
    ]);
  });

  it('tell of a planned recall when it has begun, and nothing of one that was lifted before', async () => {
    const planner = await api.createOrganization();
    const { batchId, productId } = await planner.mintUnits(1);
    const stepsAndTimes = async () => {
      const { body } = await planner.get('/epcis/events?perPage=200').expect(200);
      return body.epcisBody.eventList
        .filter(({ bizStep }: { bizStep: string }) => bizStep !== 'commissioning')
        .map(({ bizStep, eventTime }: Record<string, string>) => [bizStep, eventTime]);
    };
    const startsAt = '2099-01-01T00:00:00.000Z';
    const kept = (await planner.post('/recalls', { batchId, startsAt }).expect(201)).body;
    const calledOff = (await planner.post('/recalls', { productId, startsAt }).expect(201)).body;
    await planner.post(`/recalls/${calledOff.id}/lift`).expect(200);
    expect(await stepsAndTimes()).to.deep.equal([]);
    const begun = new Date(api.clock.now().getTime() + 60_000).toISOString();
    await api.database.pool.query('update recalls set starts_at = $2 where id = $1', [
      decodeId('rcl', kept.id),
      begun,
    ]);
    expect(await stepsAndTimes()).to.deep.equal([['holding', begun]]);
    api.clock.advance(120_000);
    await planner.post(`/recalls/${kept.id}/lift`).expect(200);
    expect(await stepsAndTimes()).to.deep.equal([
      ['other', api.clock.now().toISOString()],
      ['holding', begun],
    ]);
  });

  it('are found by an address in capitals, as they were written where PUBLIC_URL has them', async () => {
    const found = (uri: string) => page(`MATCH_epc=${encodeURIComponent(uri)}`);
    const uri = own(ids.bare);
    const { events } = await found(uri);
    expect(events).not.to.deep.equal([]);
    const inCapitals = uri.replace('https://verify.example.com', 'HTTPS://VERIFY.EXAMPLE.COM');
    expect((await found(inCapitals)).events).to.deep.equal(events);
  });

  it('refuse what the interface does not have', async () => {
    const last = Buffer.from(`lifted 0 ${'f'.repeat(8)}-ffff-ffff-ffff-${'f'.repeat(12)}`).toString(
      'base64url',
    );
    const tokens = ['x', last].map((token) => `nextPageToken=${token}`);
    for (const query of [...tokens, 'perPage=0', 'GE_eventTime=now', 'EQ_disposition=active'])
      expectProblem(await org.get(`/epcis/events?${query}`), 'VALIDATION_FAILED');
  });

  it('refuse times that end before they begin, and have none of a moment', async () => {
    const [earlier, later] = ['2026-06-01T00:00:00Z', '2026-06-02T00:00:00Z'];
    const refused = await org.get(`/epcis/events?GE_eventTime=${later}&LT_eventTime=${earlier}`);
    expect(expectProblem(refused, 'VALIDATION_FAILED').errors).to.deep.equal([
      {
        path: 'query.LT_eventTime',
        code: 'ENDS_BEFORE_START',
        message: 'must not be before GE_eventTime',
        params: { start: 'GE_eventTime', end: 'LT_eventTime' },
      },
    ]);
    expect((await page(`GE_eventTime=${earlier}&LT_eventTime=${earlier}`)).events).to.deep.equal([]);
  });

  it('are the organization’s own, and for keys with the scope', async () => {
    const stranger = await api.createOrganization();
    for (const query of [
      '',
      `MATCH_epc=${encodeURIComponent(epc(units[0]!))}`,
      `MATCH_epc=${own(ids.bare)}`,
    ]) {
      const { body } = await stranger.get(`/epcis/events?${query}`).expect(200);
      expect(body.epcisBody.eventList).to.deep.equal([]);
    }
    const key = await org.createKey('scans.read');
    expectProblem(await api.http().get('/api/v1/epcis/events').set('X-Api-Key', key), 'INSUFFICIENT_SCOPE');
  });
});
