import { expect } from 'chai';
import { rollUp } from '../../../shared/analytics/service.ts';
import { createTestApi, type TestApi, type TestOrganization, type TestUnit } from '../../support/api.ts';
import { runAllBulkJobs, runBulkJob } from '../../support/bulk-jobs.ts';
import { ADDRESSES } from '../../support/places.ts';
import { expectProblem } from '../../support/problem.ts';

const SSCC = '106141412345678908';
const YEAR = 'from=2026-01-01T00:00:00Z&to=2027-01-01T00:00:00Z';

describe('consignments', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
  });
  after(() => api.close());

  const events = async (type: string) =>
    (await org.get(`/events?type=${type}&limit=200`).expect(200)).body.data as any[];

  /** A draft with these units in it. */
  const draftOf = async (units: TestUnit[], fields: object = {}) => {
    const { body } = await org
      .post('/consignments', { ...fields, units: { unitIds: units.map(({ id }) => id) } })
      .expect(201);
    await runAllBulkJobs(api);
    return body.id as string;
  };
  const dispatched = async (units: TestUnit[], fields: object = {}, options: object = {}) => {
    const id = await draftOf(units, fields);
    const { body } = await org.post(`/consignments/${id}/dispatch`, options).expect(200);
    return { id, path: new URL(body.receiveUrl).pathname };
  };

  it('keeps a draft with its parties, markets, references and SSCC', async () => {
    const fields = {
      reference: 'PO-1',
      sscc: SSCC,
      origin: { name: 'Mill', address: 'Kalamata', country: 'GR' },
      destination: { name: 'Nordhandel', address: null, country: 'DE' },
      expectedMarkets: ['DE', 'AT'],
      references: [{ type: 'invoice', value: '4711' }],
    };
    const { body, headers } = await org.post('/consignments', fields).expect(201);
    expect(headers['location']).to.equal(`/api/v1/consignments/${body.id}`);
    expect(body).to.deep.include({ ...fields, status: 'draft', unitCount: 0, receipt: null, recall: null });
    expect((await org.get(`/consignments/${body.id}`).expect(200)).body).to.deep.equal(body);
    expect((await org.get(`/consignments?sscc=${SSCC}`).expect(200)).body.data[0].id).to.equal(body.id);
    expectProblem(await org.post('/consignments', { sscc: SSCC }), 'CONFLICT');
  });

  it('refuses an SSCC with a wrong check digit, and fields it does not know', async () => {
    expectProblem(await org.post('/consignments', { sscc: '106141412345678907' }), 'VALIDATION_FAILED');
    expectProblem(await org.post('/consignments', { orgId: 'x', status: 'received' }), 'VALIDATION_FAILED');
  });

  it('holds a unit in at most one open consignment, however many ask at once', async () => {
    const { units } = await org.mintUnits(4);
    const drafts = await Promise.all(
      [1, 2, 3].map(async () => {
        const { id } = (await org.post('/consignments', {}).expect(201)).body;
        const list = { unitIds: units.map((unit) => unit.id) };
        return (await org.post(`/consignments/${id}/units`, list).expect(202)).body.id as string;
      }),
    );
    const jobs = await Promise.all(drafts.map((job) => runBulkJob(api, org, job)));
    await runAllBulkJobs(api);
    const done = await Promise.all(jobs.map(async ({ id }) => (await org.get(`/bulk-jobs/${id}`)).body));
    expect(done.filter((job) => job.status === 'completed')).to.have.length.at.most(1);
    for (const job of done.filter((job) => job.status === 'failed'))
      expect(job.problems[0].message).to.match(/^is in the open consignment cons_/);
    const { rows } = await api.database.pool.query(
      'select unit_id from consignment_units where held group by 1 having count(*) > 1',
    );
    expect(rows).to.deep.equal([]);
  });

  it('frees the units of a received consignment for the next one', async () => {
    const { units } = await org.mintUnits(1);
    const first = await dispatched(units);
    const { id } = (await org.post('/consignments', {}).expect(201)).body;
    const add = () => org.post(`/consignments/${id}/units`, { unitIds: [units[0]!.id] }).expect(202);
    expect(await runBulkJob(api, org, (await add()).body.id)).to.include({ status: 'failed', refused: 1 });
    await org.post(`/consignments/${first.id}/receive`).expect(200);
    expect(await runBulkJob(api, org, (await add()).body.id)).to.include({ status: 'completed', changed: 1 });
    const again = { status: 'completed', changed: 0, unchanged: 1 };
    expect(await runBulkJob(api, org, (await add()).body.id), 'is in it already').to.include(again);
  });

  it('frees the units of one that arrived in part as well, and notes of each what it arrived as there', async () => {
    const { units } = await org.mintUnits(2);
    const ids = units.map((unit) => unit.id);
    const first = await dispatched(units);
    await org.post(`/consignments/${first.id}/receive`, { missing: [ids[0]] }).expect(200);
    const second = await dispatched(units);
    await org.post(`/consignments/${second.id}/receive`, { damaged: ids }).expect(200);
    const conditions = async (id: string) =>
      (await org.get(`/consignments/${id}/units`).expect(200)).body.data.map((unit: any) => unit.condition);
    expect(await conditions(first.id), 'newest first').to.deep.equal([null, 'missing']);
    expect(await conditions(second.id)).to.deep.equal(['damaged', 'damaged']);
  });

  it('refuses to dispatch an empty draft, and one whose list is still being added', async () => {
    const { id } = (await org.post('/consignments', {}).expect(201)).body;
    expectProblem(await org.post(`/consignments/${id}/dispatch`), 'CONFLICT');
    const { units } = await org.mintUnits(1);
    const list = { unitIds: [units[0]!.id] };
    await org.post(`/consignments/${id}/units`, list).expect(202);
    expectProblem(await org.post(`/consignments/${id}/dispatch`), 'CONFLICT');
    expectProblem(await org.post(`/consignments/${id}/units`, list), 'CONFLICT');
    await runAllBulkJobs(api);
    await org.post(`/consignments/${id}/dispatch`).expect(200);
    expectProblem(await org.post(`/consignments/${id}/units`, list), 'CONFLICT');
  });

  it('activates the minted units at dispatch where asked, and shows the link once', async () => {
    const { units, productId } = await org.mintUnits(2, { job: { activate: false } });
    await org.post(`/product-units/${units[0]!.id}/activate`).expect(200);
    await org.post(`/product-units/${units[0]!.id}/suspend`).expect(200);
    const id = await draftOf(units);
    const { body } = await org.post(`/consignments/${id}/dispatch`, { activateUnits: true }).expect(200);
    expect(body).to.include({ status: 'dispatched' });
    expect(body.receiveUrl).to.match(/^https:\/\/verify\.example\.com\/c\/[\w-]{27}$/);
    const { rows: audited } = await api.database.pool.query(
      `select after->>'activationJobId' as job from audit_log where action = 'dispatchConsignment' and resource = $1`,
      [id],
    );
    expect(audited).to.deep.equal([{ job: body.activationJobId }]);
    await runBulkJob(api, org, body.activationJobId);
    await rollUp(api.database.pool);
    expect((await org.get(`/analytics/funnel?productId=${productId}&${YEAR}`)).body.activated).to.equal(2);
    expect((await org.get(`/product-units/${units[0]!.id}`)).body.status).to.equal('suspended');
    expect((await org.get(`/product-units/${units[1]!.id}`)).body.status).to.equal('active');
    const again = (await org.post(`/consignments/${id}/dispatch`).expect(200)).body;
    expect(again).to.include({ status: 'dispatched', receiveUrl: null });
    expect(JSON.stringify((await org.get(`/consignments/${id}`)).body)).not.to.include('/c/');
  });

  it('activates at dispatch only with the scope that every activation needs', async () => {
    const { units } = await org.mintUnits(1, { job: { activate: false } });
    const id = await draftOf(units);
    const dispatchAs = async (key: string, body: object) =>
      api.http().post(`/api/v1/consignments/${id}/dispatch`).set('X-Api-Key', key).send(body);
    const key = await org.createKey('consignments.read', 'consignments.write');
    const refused = await dispatchAs(key, { activateUnits: true });
    expectProblem(refused, 'INSUFFICIENT_SCOPE');
    expect(refused.body.detail).to.include('"product_units.write"');
    expect((await org.get(`/consignments/${id}`)).body.status).to.equal('draft');
    const { status, body } = await dispatchAs(key, { activateUnits: false });
    expect([status, body.activationJobId]).to.deep.equal([200, null]);
    const other = await draftOf((await org.mintUnits(1, { job: { activate: false } })).units);
    const both = await org.createKey('consignments.write', 'product_units.write');
    await api
      .http()
      .post(`/api/v1/consignments/${other}/dispatch`)
      .set('X-Api-Key', both)
      .send({ activateUnits: true })
      .expect(200);
  });

  it('records a receipt with its discrepancies, and tells it once', async () => {
    const { units } = await org.mintUnits(4);
    const { id } = await dispatched(units, { reference: 'R-1' });
    const receipt = {
      missing: [units[0]!.serial],
      damaged: [units[1]!.id],
      receivedCount: 3,
      name: 'Ada',
      note: 'Wet boxes',
    };
    const { body } = await org.post(`/consignments/${id}/receive`, receipt).expect(200);
    expect(body.status).to.equal('partially_received');
    expect(body.receipt).to.deep.include({
      receivedCount: 3,
      missingCount: 1,
      damagedCount: 1,
      counted: 3,
      hasDiscrepancy: true,
      name: 'Ada',
      note: 'Wet boxes',
      through: 'key',
    });
    const missing = (await org.get(`/consignments/${id}/units?condition=missing`)).body.data;
    expect(missing.map((unit: any) => unit.id)).to.deep.equal([units[0]!.id]);
    expectProblem(await org.post(`/consignments/${id}/receive`, receipt), 'INVALID_TRANSITION');
    const told = (await events('consignment.received')).filter((event) => event.data.consignmentId === id);
    expect(told.map((event) => event.data)).to.deep.equal([
      {
        consignmentId: id,
        reference: 'R-1',
        sscc: null,
        distributor: null,
        unitCount: 4,
        status: 'partially_received',
        receivedCount: 3,
        missingCount: 1,
        damagedCount: 1,
        counted: body.receipt.counted,
        receivedAt: body.receipt.receivedAt,
      },
    ]);
  });

  it('is told of units by what a scanner reads off their codes', async () => {
    const gtin = '04012345123456';
    const { units } = await org.mintUnits(6, { product: { gtin }, batch: { lot: 'H7' } });
    const [first, second, third, fourth, fifth, left] = units;
    const { id } = await dispatched([first!, second!, third!, fourth!, fifth!]);
    const linkOf = ({ serial }: { serial: string }) => `https://id.example.com/01/${gtin}/10/H7/21/${serial}`;
    const receive = (receipt: object) => org.post(`/consignments/${id}/receive`, receipt);
    const strange = [
      left!.token,
      linkOf(left!),
      // Another product's.
      `(01)04006381333931(21)${first!.serial}`,
      // Of a lot that it never was of.
      `(01)${gtin}(10)H8(21)${first!.serial}`,
    ];
    const refused = expectProblem(await receive({ missing: strange }), 'VALIDATION_FAILED');
    expect(refused['errors']).to.deep.equal(
      strange.map((unit, index) => ({
        path: `missing.${index}`,
        code: 'NOT_IN_CONSIGNMENT',
        message: `${unit} is not in this consignment`,
        params: { unit },
      })),
    );
    const twice = await receive({ missing: [first!.token], damaged: [linkOf(first!)] });
    expect(expectProblem(twice, 'VALIDATION_FAILED')['errors']).to.deep.include({
      path: 'damaged',
      code: 'MISSING_AND_DAMAGED',
      message: `${first!.serial} cannot be missing and damaged at once`,
      params: { serial: first!.serial },
    });
    const missing = [first!.verifyUrl, first!.token.toLowerCase(), first!.serial, linkOf(second!)];
    const damaged = [`]d201${gtin}10H7\u001d21${third!.serial}`, `]C0${fourth!.serial}`];
    const { body } = await receive({ missing, damaged }).expect(200);
    expect(body.receipt).to.include({ missingCount: 2, damagedCount: 2, receivedCount: 3 });
    const named = async (condition: string) =>
      (await org.get(`/consignments/${id}/units?condition=${condition}`)).body.data.map(
        (unit: any) => unit.id,
      );
    expect(await named('missing')).to.have.members([first!.id, second!.id]);
    expect(await named('damaged')).to.have.members([third!.id, fourth!.id]);
  });

  it('is received once, however many confirm at once', async () => {
    const { units } = await org.mintUnits(1);
    const { id, path } = await dispatched(units);
    const answers = await Promise.all([
      ...[1, 2, 3].map(() => org.post(`/consignments/${id}/receive`)),
      ...[1, 2, 3].map(() => api.http().post(`${path}/receive`).send({ name: 'Ada' })),
    ]);
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).to.deep.equal([
      200, 409, 409, 409, 409, 409,
    ]);
    const told = (await events('consignment.received')).filter((event) => event.data.consignmentId === id);
    expect(told).to.have.length(1);
  });

  it('refuses a receipt that names strange units or the same one twice over', async () => {
    const { units } = await org.mintUnits(1);
    const { id } = await dispatched(units);
    const serial = units[0]!.serial;
    for (const receipt of [
      { missing: ['NOT-HERE'] },
      { missing: [serial], damaged: [serial] },
      { receivedCount: -1 },
    ])
      expectProblem(await org.post(`/consignments/${id}/receive`, receipt), 'VALIDATION_FAILED');
    expect((await org.get(`/consignments/${id}`)).body.status).to.equal('dispatched');
  });

  it('says where a strange unit is named, in the list as it was sent', async () => {
    const { units } = await org.mintUnits(1);
    const { id } = await dispatched(units);
    const { serial } = units[0]!;
    const answer = await org.post(`/consignments/${id}/receive`, { missing: [serial, serial, 'X', 'X'] });
    expect(answer.body.errors.map(({ path }: { path: string }) => path)).to.deep.equal(['missing.2']);
  });

  it('takes a count below the consignment’s for missing units', async () => {
    const { units } = await org.mintUnits(3);
    const { id } = await dispatched(units);
    const receive = (receipt: object) => org.post(`/consignments/${id}/receive`, receipt);
    const [{ serial }] = units as [TestUnit];
    const none = expectProblem(await receive({ receivedCount: 0, damaged: [serial] }), 'VALIDATION_FAILED');
    expect(none['errors']).to.have.nested.property('[0].code', 'MORE_DAMAGED_THAN_ARRIVED');
    const { body } = await receive({ receivedCount: 1, missing: [serial] }).expect(200);
    expect(body.receipt, 'one more than is named').to.include({ receivedCount: 1, missingCount: 2 });
    expect(body.status).to.equal('partially_received');
  });

  it('hides another organization’s consignment on every path', async () => {
    const { units } = await org.mintUnits(1);
    const id = await draftOf(units);
    const other = await api.createOrganization();
    expectProblem(await other.get(`/consignments/${id}`), 'NOT_FOUND');
    expectProblem(await other.get(`/consignments/${id}/units`), 'NOT_FOUND');
    for (const verb of [
      'dispatch',
      'receive',
      'recall',
      'lift-recall',
      'cancel',
      'renew-link',
      'revoke-link',
    ])
      expectProblem(await other.post(`/consignments/${id}/${verb}`), 'NOT_FOUND');
    const list = { unitIds: [units[0]!.id] };
    expectProblem(await other.post(`/consignments/${id}/units`, list), 'NOT_FOUND');
    const { batchId } = await org.mintUnits(1);
    expectProblem(await other.post('/consignments', { units: { batchId } }), 'VALIDATION_FAILED');
  });

  describe('in scans', () => {
    it('calls a scan outside the consignment’s expected markets a diversion', async () => {
      const { units } = await org.mintUnits(1, { product: { markets: ['DE', 'JP'] } });
      const { id } = await dispatched(units, { expectedMarkets: ['DE'] });
      await org.post(`/consignments/${id}/receive`).expect(200);
      expect((await api.verify(units[0]!.token, ADDRESSES.JP)).body.result).to.equal('diverted');
      await api.score();
      const told = (await events('product.diverted')).find(
        (event) => event.data.productUnitId === units[0]!.id,
      );
      expect(told.data.markets).to.deep.equal(['DE']);
    });

    it('sees a signal in a scan of a draft’s unit, none from dispatch on, and one again for what did not arrive', async () => {
      const { units } = await org.mintUnits(2);
      const reasons = async ({ token }: TestUnit) => {
        const { body } = await api.verify(token, ADDRESSES.DE).expect(200);
        return body.risk.signals.map((signal: { type: string; reason: string }) => [
          signal.type,
          signal.reason,
        ]);
      };
      const id = await draftOf(units);
      // Who previews its link holds none.
      const preview = await api.verify(units[0]!.token, ADDRESSES.DE).set('User-Agent', 'WhatsApp/2.23');
      expect(preview.body.risk).to.deep.equal({ level: 'none', signals: [] });
      expect(await reasons(units[0]!)).to.deep.equal([['clone', 'not-shipped']]);
      await org.post(`/consignments/${id}/dispatch`).expect(200);
      // Nobody may ever confirm it.
      for (const unit of units) expect(await reasons(unit)).to.deep.equal([]);
      await org.post(`/consignments/${id}/receive`, { missing: [units[0]!.serial] }).expect(200);
      expect(await reasons(units[0]!)).to.deep.equal([['clone', 'not-shipped']]);
      expect(await reasons(units[1]!)).to.deep.equal([]);
    });
  });
});
