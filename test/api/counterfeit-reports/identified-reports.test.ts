import { expect } from 'chai';
import { encodeId } from '../../../shared/ids.ts';
import { createTestApi, type TestApi, type TestOrganization, type TestUnit } from '../../support/api.ts';
import { expectProblem } from '../../support/problem.ts';

describe('a report of which somebody finds out what it is about', () => {
  let api: TestApi;
  let org: TestOrganization;
  let unit: TestUnit;
  let second: TestUnit;
  let productId: string;
  let batchId: string;
  let otherProduct: string;
  let keyId: string;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
    const minted = await org.mintUnits(2, { batch: { lot: 'L7' } });
    [unit, second] = minted.units as [TestUnit, TestUnit];
    ({ productId, batchId } = minted);
    otherProduct = (await org.mintUnits(1)).productId;
    const { rows } = await api.database.pool.query('select id from api_keys where org_id = $1', [org.uuid]);
    keyId = encodeId('key', rows[0].id);
  });
  after(() => api.close());

  let reporters = 0;
  const post = (path: string) =>
    api
      .http()
      .post(path)
      .set('X-Forwarded-For', `198.51.${(reporters += 1)}.7`);
  /** What a consumer tells who has no code. */
  const told = async (): Promise<string> => {
    const config = api.deps.config as { REPORT_INBOX_ORG: string | null };
    config.REPORT_INBOX_ORG = org.uuid;
    try {
      const { body } = await post('/counterfeit-reports').send({ description: 'Looks odd' }).expect(201);
      return body.reportId;
    } finally {
      config.REPORT_INBOX_ORG = null;
    }
  };
  const scanned = async (of: TestUnit): Promise<string> =>
    (await post(`/v/${of.token}/reports`).send({ description: 'Blurred' })).body.reportId;
  const change = (id: string, body: object) => org.patch(`/counterfeit-reports/${id}`, body);
  const changed = async (id: string, body: object) => (await change(id, body).expect(200)).body;
  const refused = async (id: string, body: object) =>
    expectProblem(await change(id, body), 'VALIDATION_FAILED').errors!.map(({ path, code }: any) => [
      path,
      code,
    ]);
  const about = ({ productUnitId, productId, batchId, serial, lot, identifiedBy }: any) => ({
    productUnitId,
    productId,
    batchId,
    serial,
    lot,
    identifiedBy,
  });
  const NOTHING = {
    productUnitId: null,
    productId: null,
    batchId: null,
    serial: null,
    lot: null,
    identifiedBy: null,
  };
  const ofUnit = (one: TestUnit) => ({
    productUnitId: one.id,
    productId,
    batchId,
    serial: one.serial,
    lot: 'L7',
    identifiedBy: keyId,
  });

  it('is the unit’s from then on: in lists, in the search, in its life, and with its scans', async () => {
    const id = await told();
    expect(about((await org.get(`/counterfeit-reports/${id}`).expect(200)).body)).to.deep.equal(NOTHING);
    const body = await changed(id, { productUnitId: unit.id });
    expect(about(body)).to.deep.equal(ofUnit(unit));
    expect(body).to.include({ status: 'open', scansUrl: `/api/v1/scans?unitId=${unit.id}` });
    for (const query of [
      `unitId=${unit.id}`,
      `productId=${productId}`,
      `batchId=${batchId}`,
      `q=${unit.serial}`,
    ]) {
      const { data } = (await org.get(`/counterfeit-reports?${query}`).expect(200)).body;
      expect(
        data.map((one: any) => one.id),
        query,
      ).to.include(id);
    }
    const { data } = (await org.get(`/product-units/${unit.id}/timeline`).expect(200)).body;
    expect(JSON.stringify(data)).to.include(id);
  });

  it('can be about a product alone, about another unit, and about none after all', async () => {
    const id = await told();
    const ofProduct = { ...NOTHING, productId, identifiedBy: keyId };
    expect(about(await changed(id, { productId }))).to.deep.equal(ofProduct);
    expect(about(await changed(id, { productUnitId: unit.id }))).to.deep.equal(ofUnit(unit));
    expect(about(await changed(id, { productUnitId: second.id, productId }))).to.deep.equal(ofUnit(second));
    expect(about(await changed(id, { productUnitId: null }))).to.deep.equal(ofProduct);
    expect(about(await changed(id, { productId: otherProduct }))).to.deep.equal({
      ...ofProduct,
      productId: otherProduct,
    });
    expect(about(await changed(id, { productId: null }))).to.deep.equal(NOTHING);
    await changed(id, { productUnitId: unit.id });
    expect(about(await changed(id, { productUnitId: null, productId: null }))).to.deep.equal(NOTHING);
  });

  it('is exported with whose word it is', async () => {
    const id = await told();
    await changed(id, { productUnitId: unit.id });
    const { text } = await org.get('/counterfeit-reports.csv').expect(200);
    const [heading, ...rows] = text.trim().split(/\r?\n/);
    expect(heading).to.match(/,identifiedBy$/);
    const row = rows.find((one) => one.startsWith(id));
    expect(row).to.include(`,${unit.id},${productId},${unit.serial},L7,`);
    expect(row!.endsWith(`,${keyId}`)).to.equal(true);
  });

  it('is what it is in the audit log, with who said so', async () => {
    const id = await told();
    await changed(id, { productUnitId: unit.id });
    const { rows } = await api.database.pool.query(
      'select action, before, after from audit_log where resource = $1 order by id desc limit 1',
      [id],
    );
    expect(rows[0]).to.include({ action: 'changeReport' });
    expect(rows[0].before).to.deep.include({ productUnitId: null, productId: null, identifiedBy: null });
    expect(rows[0].after).to.deep.include({ productUnitId: unit.id, productId, identifiedBy: keyId });
  });

  it('says as before who identified it where the same is said again', async () => {
    const id = await told();
    await changed(id, { productUnitId: unit.id });
    const key = await org.createKey('reports.write');
    const byOther = async (body: object) =>
      (
        await api
          .http()
          .patch(`/api/v1/counterfeit-reports/${id}`)
          .set('X-Api-Key', key)
          .send(body)
          .expect(200)
      ).body;
    expect(about(await byOther({ productUnitId: unit.id, productId }))).to.deep.equal(ofUnit(unit));
    const { identifiedBy } = await byOther({ productUnitId: second.id });
    expect(identifiedBy).to.match(/^key_/).and.not.equal(keyId);
  });

  it('keeps the unit whose code was scanned, which nobody’s word changes', async () => {
    const id = await scanned(unit);
    const own = { ...ofUnit(unit), identifiedBy: null };
    for (const body of [{ productUnitId: second.id }, { productUnitId: null }])
      expect(await refused(id, body)).to.deep.equal([['productUnitId', 'UNIT_OF_ITS_CODE']]);
    expect(await refused(id, { productId: otherProduct })).to.deep.equal([['productId', 'NOT_ITS_PRODUCT']]);
    expect(about(await changed(id, { productUnitId: unit.id, productId }))).to.deep.equal(own);
  });

  it('of one’s own is corrected where the wrong unit was named', async () => {
    const filed = { channel: 'inspection', description: 'No seal', productUnitId: unit.id };
    const { id } = (await org.post('/counterfeit-reports', filed).expect(201)).body;
    expect(about(await changed(id, { productUnitId: second.id }))).to.deep.equal(ofUnit(second));
  });

  it('is refused what the organization has not, and changes nothing', async () => {
    const id = await told();
    const other = await api.createOrganization();
    const minted = await other.mintUnits(1);
    const cases: [object, string, string][] = [
      [{ productUnitId: minted.units[0]!.id }, 'productUnitId', 'NO_SUCH_UNIT'],
      [{ productId: minted.productId }, 'productId', 'NO_SUCH_PRODUCT'],
      [{ productUnitId: unit.id, productId: otherProduct }, 'productId', 'NOT_ITS_PRODUCT'],
      [{ productUnitId: unit.id, productId: null }, 'productId', 'NOT_ITS_PRODUCT'],
    ];
    for (const [body, path, code] of cases)
      expect(await refused(id, { ...body, status: 'investigating' }), code).to.deep.equal([[path, code]]);
    const { body } = await org.get(`/counterfeit-reports/${id}`).expect(200);
    expect(about(body)).to.deep.equal(NOTHING);
    expect(body.status).to.equal('open');
    expectProblem(await other.patch(`/counterfeit-reports/${id}`, { productId: null }), 'NOT_FOUND');
  });

  it('opens the case of its unit where it is a counterfeit: decided with it, or before', async () => {
    const [first, late, right] = (await org.mintUnits(3)).units as [TestUnit, TestUnit, TestUnit];
    const decision = { status: 'confirmed', resolution: 'counterfeit' };
    const atOnce = await changed(await told(), { ...decision, productUnitId: first.id });
    expect(atOnce.riskCases.map(({ status }: any) => status)).to.deep.equal(['open']);
    const id = await told();
    expect((await changed(id, decision)).riskCases).to.deep.equal([]);
    const identified = await changed(id, { productUnitId: late.id });
    expect(identified).to.include(decision);
    expect(identified.riskCases).to.have.length(1);
    // The wrong one: its case is for people to decide, as of a report that is dismissed later.
    const corrected = await changed(id, { productUnitId: right.id });
    expect(corrected.riskCases).to.have.length(1);
    expect(corrected.riskCases[0].id).to.not.equal(identified.riskCases[0].id);
    const { body } = await org.get(`/risk-cases/${identified.riskCases[0].id}`).expect(200);
    expect(body.status).to.equal('open');
    const { rows } = await api.database.pool.query(
      `select count(*)::integer as opened from audit_log where org_id = $1 and action = 'openRiskCase'`,
      [org.uuid],
    );
    expect(rows[0].opened).to.equal(3);
  });

  it('leaves the room of strangers’ reports about the unit as it is', async () => {
    const { units } = await org.mintUnits(1);
    const ids = [];
    for (let index = 0; index < 3; index += 1) ids.push(await told());
    for (const id of ids) await changed(id, { productUnitId: units[0]!.id });
    await api.database.pool.query(
      `insert into counterfeit_reports (id, org_id, unit_id, product_id, batch_id, description, created_at, updated_at, channel)
       select gen_random_uuid(), org_id, unit_id, product_id, batch_id, description, created_at, updated_at, channel
         from counterfeit_reports, generate_series(1, 49) where id = (select id from counterfeit_reports where unit_id = $1 limit 1)`,
      [units[0]!.uuid],
    );
    await post(`/v/${units[0]!.token}/reports`).send({ description: 'The fiftieth' }).expect(201);
    expectProblem(
      await post(`/v/${units[0]!.token}/reports`).send({ description: 'One too many' }),
      'RATE_LIMITED',
    );
  });
});
