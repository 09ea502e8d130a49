import { expect } from 'chai';
import { decodeId, encodeId, newUuid } from '../../../shared/ids.ts';
import { digitalLinkPath } from '../../../shared/gs1/digital-link.ts';
import { forgetOldContacts } from '../../../shared/counterfeit-reports/retention.ts';
import { createTestApi, type TestApi, type TestOrganization, type TestUnit } from '../../support/api.ts';
import { expectProblem } from '../../support/problem.ts';

const GTIN = '04012345123456';
const DAY_MS = 86_400_000;

describe('reports of one’s own', () => {
  let api: TestApi;
  let org: TestOrganization;
  let unit: TestUnit;
  let productId: string;
  let batchId: string;
  let keyId: string;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
    const minted = await org.mintUnits(2, { product: { gtin: GTIN }, batch: { lot: 'L1' } });
    unit = minted.units[0]!;
    ({ productId, batchId } = minted);
    const { rows } = await api.database.pool.query('select id from api_keys where org_id = $1', [org.uuid]);
    keyId = encodeId('key', rows[0].id);
  });
  after(() => api.close());

  const report = (fields: object = {}) => ({
    channel: 'inspection',
    description: 'The seal is glued, the print is blurred',
    ...fields,
  });
  const file = async (fields: object = {}) =>
    (await org.post('/counterfeit-reports', report(fields)).expect(201)).body;
  const refused = async (fields: object) =>
    expectProblem(await org.post('/counterfeit-reports', report(fields)), 'VALIDATION_FAILED').errors!.map(
      ({ path, code }: any) => [path, code],
    );
  const today = (days = 0) => new Date(api.clock.now().getTime() + days * DAY_MS).toISOString().slice(0, 10);

  it('are kept with all that was found, and with who filed them', async () => {
    const person = newUuid();
    await api.database.pool.query(
      `insert into users (id, org_id, email, password_digest, role) values ($1, $2, 'eva@example.com', 'x', 'analyst')`,
      [person, org.uuid],
    );
    const assigneeId = encodeId('user', person);
    const given = {
      channel: 'test_purchase',
      purchasedFrom: 'https://market.example/offers/4711',
      price: '19 EUR',
      brand: 'Oliveira',
      country: 'PT',
      foundOn: today(-3),
      contactName: 'Rui',
      contactEmail: 'rui@example.com',
    };
    const response = await org.post('/counterfeit-reports', report({ ...given, assigneeId }));
    const { body, headers } = response;
    expect(response.status).to.equal(201);
    expect(headers.location).to.equal(`/api/v1/counterfeit-reports/${body.id}`);
    const { contactName: name, contactEmail: email, ...kept } = given;
    expect((await org.get(`/counterfeit-reports/${body.id}`).expect(200)).body).to.deep.include({
      ...kept,
      contact: { name, email },
      filedBy: keyId,
      assigneeId,
      status: 'open',
      resolution: null,
      productUnitId: null,
      language: null,
      scanId: null,
      repetitions: 0,
      photos: [],
    });
  });

  it('name their unit by its id, or by what a scanner reads off its code', async () => {
    const codes = [
      { productUnitId: unit.id },
      { code: unit.token },
      { code: `${api.deps.config.PUBLIC_URL}/v/${unit.token.toLowerCase()}` },
      { code: `https://id.elsewhere.example${digitalLinkPath({ gtin: GTIN, serial: unit.serial })}` },
      { code: `(01)${GTIN}(21)${unit.serial}` },
      { code: unit.token, productId },
    ];
    for (const named of codes)
      expect(await file(named), JSON.stringify(named)).to.deep.include({
        productUnitId: unit.id,
        productId,
        batchId,
        serial: unit.serial,
        lot: 'L1',
        code: (named as { code?: string }).code ?? null,
      });
  });

  it('keep a code that names no unit of the organization as it stands on the fake, with the product that it imitates', async () => {
    const other = await api.createOrganization();
    const [theirs] = (await other.mintUnits(1)).units;
    for (const code of [
      theirs!.token,
      'FAKE-0001',
      // A search finds units by the beginning of a serial; what stands on a fake names none.
      unit.serial.slice(0, 5),
      `(01)${GTIN}(21)NOBODYS`,
      `https://fake.example/v/${unit.token}x`,
    ])
      expect(await file({ code, productId })).to.deep.include({
        code,
        productId,
        productUnitId: null,
        serial: null,
      });
    expect((await other.get('/counterfeit-reports').expect(200)).body.data).to.deep.equal([]);
  });

  it('are refused where they name what the organization has not, each field with its reason', async () => {
    const other = await api.createOrganization();
    const theirs = await other.mintUnits(1);
    const before = (await org.get('/counterfeit-reports?limit=200')).body.data.length;
    const nobody = encodeId('user', newUuid());
    const otherProduct = (await org.createProduct()).id;
    for (const [fields, path, code] of [
      [{ channel: 'consumer' }, 'channel', 'UNKNOWN_CHOICE'],
      [{ channel: undefined }, 'channel', 'REQUIRED'],
      [{ description: ' ' }, 'description', 'EMPTY'],
      [{ productUnitId: theirs.units[0]!.id }, 'productUnitId', 'NO_SUCH_UNIT'],
      [{ productId: theirs.productId }, 'productId', 'NO_SUCH_PRODUCT'],
      [{ code: 'FAKE', productId: theirs.productId }, 'productId', 'NO_SUCH_PRODUCT'],
      [{ productUnitId: unit.id, productId: otherProduct }, 'productId', 'NOT_ITS_PRODUCT'],
      [{ code: unit.token, productId: otherProduct }, 'productId', 'NOT_ITS_PRODUCT'],
      [{ code: unit.token, productUnitId: unit.id }, '', 'AT_MOST_ONE_OF'],
      [{ assigneeId: nobody }, 'assigneeId', 'NO_SUCH_USER'],
      [{ foundOn: today(2) }, 'foundOn', 'NOT_IN_PAST'],
      [{ foundOn: '2026-02-30' }, 'foundOn', 'NOT_A_DAY'],
      [{ country: 'XX' }, 'country', 'NOT_A_COUNTRY'],
      [{ resolution: 'fake' }, 'resolution', 'UNKNOWN_CHOICE'],
      [{ orgId: other.id }, 'orgId', 'UNKNOWN_FIELD'],
      [{ filedBy: nobody }, 'filedBy', 'UNKNOWN_FIELD'],
      [{ status: 'confirmed' }, 'status', 'UNKNOWN_FIELD'],
    ] as [object, string, string][])
      expect(await refused(fields), JSON.stringify(fields)).to.deep.equal([[path, code]]);
    expect((await org.get('/counterfeit-reports?limit=200')).body.data).to.have.length(before);
  });

  it('take the day that it already is somewhere in the world', async () => {
    api.clock.set(`${today(1)}T09:00:00Z`);
    const nextDay = today(1);
    expect(await refused({ foundOn: nextDay })).to.deep.equal([['foundOn', 'NOT_IN_PAST']]);
    api.clock.advance(3_600_000);
    expect(await file({ foundOn: nextDay })).to.include({ foundOn: nextDay });
  });

  it('are no report of a consumer: no event is sent, and none of the caps on strangers counts them', async () => {
    const [counted] = (await org.mintUnits(1)).units;
    const events = async () => (await org.get('/events?type=counterfeit_report.created&limit=200')).body.data;
    const before = (await events()).length;
    for (let n = 0; n < 51; n += 1) await file({ productUnitId: counted!.id });
    expect(await events()).to.have.length(before);
    await api.http().post(`/v/${counted!.token}/reports`).send({ description: 'Odd' }).expect(201);
    expect(await events()).to.have.length(before + 1);
  });

  it('with a resolution are closed at once, and as a counterfeit open a case of the unit', async () => {
    const [copied, fine] = (await org.mintUnits(2)).units;
    const confirmed = await file({ productUnitId: copied!.id, resolution: 'counterfeit' });
    expect(confirmed).to.deep.include({ status: 'confirmed', resolution: 'counterfeit' });
    expect(confirmed.closedAt).to.equal(confirmed.createdAt);
    expect(confirmed.riskCases.map(({ status }: any) => status)).to.deep.equal(['open']);
    const { body: riskCase } = await org.get(`/risk-cases/${confirmed.riskCases[0].id}`).expect(200);
    expect(riskCase).to.include({ openedBy: keyId, reportId: confirmed.id });
    const { rows } = await api.database.pool.query(
      `select action, resource from audit_log where org_id = $1 order by id desc limit 2`,
      [org.uuid],
    );
    expect(rows).to.have.deep.members([
      { action: 'createReport', resource: confirmed.id },
      { action: 'openRiskCase', resource: riskCase.id },
    ]);

    expect(await file({ productUnitId: fine!.id, resolution: 'genuine' })).to.deep.include({
      status: 'dismissed',
      resolution: 'genuine',
      riskCases: [],
    });
  });

  it('are filed once for one Idempotency-Key', async () => {
    const send = () =>
      org.post('/counterfeit-reports', report({ description: 'Once' })).set('Idempotency-Key', 'find-1');
    const [first, again] = [await send().expect(201), await send().expect(201)];
    expect(again.body.id).to.equal(first.body.id);
    const { data } = (await org.get('/counterfeit-reports?q=Once').expect(200)).body;
    expect(data).to.have.length(1);
  });

  it('are listed and exported by how they came to be known', async () => {
    const { id } = await file({ channel: 'authority', foundOn: today(-1) });
    const { data } = (await org.get('/counterfeit-reports?channel=authority').expect(200)).body;
    expect(data.map((row: any) => row.id)).to.deep.equal([id]);
    const { text } = await org.get('/counterfeit-reports.csv?channel=authority').expect(200);
    const [heading, row, rest] = text.trim().split(/\r?\n/);
    expect(heading).to.match(/,closedAt,channel,filedBy,foundOn,identifiedBy$/);
    expect(row).to.match(new RegExp(`,authority,${keyId},${today(-1)},$`));
    expect(rest).to.equal(undefined);
    const consumers = (await org.get('/counterfeit-reports?channel=consumer').expect(200)).body.data;
    expect(consumers.every((one: any) => one.channel === 'consumer' && one.filedBy === null)).to.equal(true);
  });

  it('stand in the life of the unit, as what they are', async () => {
    const [found] = (await org.mintUnits(1)).units;
    const { id } = await file({ channel: 'partner', code: found!.token });
    const { data } = (await org.get(`/product-units/${found!.id}/timeline?type=reported`).expect(200)).body;
    expect(data.map(({ reportId, channel }: any) => [reportId, channel])).to.deep.equal([[id, 'partner']]);
  });

  it('need the right to write reports', async () => {
    const reader = await org.createKey('reports.read', 'scans.write', 'products.write');
    const sent = await api.http().post('/api/v1/counterfeit-reports').set('X-Api-Key', reader).send(report());
    expectProblem(sent, 'INSUFFICIENT_SCOPE');
  });

  it('forget whoever told of it in time, as a consumer’s does', async () => {
    const { id } = await file({ contactName: 'Rui', resolution: 'genuine', purchasedFrom: 'Mr Silva' });
    const { rows } = await api.database.pool.query(
      'select created_at from counterfeit_reports where id = $1',
      [decodeId('rep', id)],
    );
    const later = { now: () => new Date(rows[0].created_at.getTime() + 31 * DAY_MS) };
    await forgetOldContacts({ db: api.database.pool, clock: later as typeof api.clock }, 30);
    const kept = (await org.get(`/counterfeit-reports/${id}`).expect(200)).body;
    expect(kept.contact).to.equal(null);
    expect(kept.contactErasedAt).to.equal(later.now().toISOString());
    const { rows: entries } = await api.database.pool.query(
      'select after from audit_log where org_id = $1 and resource = $2',
      [org.uuid, id],
    );
    expect(entries[0].after).to.deep.include({ resolution: 'genuine', channel: 'inspection' });
    expect(JSON.stringify(entries), 'the log, of which nothing can be taken').not.to.match(/Rui|Silva|seal/);
  });
});
