import { expect } from 'chai';
import { withTransaction } from '../../shared/db.ts';
import { blockOrganization } from '../../shared/organizations/service.ts';
import { runAllBulkJobs } from '../support/bulk-jobs.ts';
import { createTestApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { createPeopleApi, type PeopleApi } from '../support/people-api.ts';

const GTIN = '09506000134352';

describe('an organization that the operator has blocked', () => {
  let api: TestApi;
  before(async () => {
    api = await createTestApi();
  });
  after(() => api.close());

  const block = (org: TestOrganization, reason: string | null = 'imitates Olivaia') =>
    withTransaction(api.deps.db, ({ db }) => blockOrganization(api.deps, db, org.uuid, reason));
  const countOf = async (table: string) =>
    (await api.database.pool.query<{ n: string }>(`select count(*) as n from ${table}`)).rows[0]!.n;

  it('has codes that are nobody’s, as if they had been made up, until the block is taken back', async () => {
    const org = await api.createOrganization();
    const { units } = await org.mintUnits();
    await api.verify(units[0]!.token).expect(200);
    const scans = await countOf('scans');
    await block(org);
    const { body: blocked } = await api.verify(units[0]!.token).expect(404);
    const { body: unknown } = await api.verify('SC54T471XW7X69JR5ZAQ9NMA').expect(404);
    expect({ ...blocked, scan: null }).to.deep.equal({ ...unknown, scan: null });
    const page = await api.http().get(`/v/${units[0]!.token}`).set('Accept', 'text/html').expect(404);
    expect(page.text).not.to.include('Organization');
    expect(await countOf('scans')).to.equal(scans);
    await block(org, null);
    await api.verify(units[0]!.token).expect(200);
  });

  it('takes no position from a page that was opened before, as a code that is nobody’s does not', async () => {
    const org = await api.createOrganization();
    const { token } = (await org.mintUnits()).units[0]!;
    const page = await api.http().get(`/v/${token}`).set('Accept', 'text/html').expect(200);
    const nonce = /data-nonce="([^"]+)"/.exec(page.text)![1];
    const position = { nonce, lat: 52.5, lon: 13.4, accuracyM: 30 };
    const send = () => api.http().post(`/v/${token}/position`).send(position);
    await block(org);
    await send().expect(403);
    await block(org, null);
    await send().expect(204);
  });

  it('leaves its GTINs and serials to whoever else has them', async () => {
    const [imitator, brand] = [await api.createOrganization(), await api.createOrganization()];
    const made = [
      await imitator.mintUnits(1, { product: { gtin: GTIN, name: 'Imitation' } }),
      await brand.mintUnits(1, { product: { gtin: GTIN, name: 'Olive oil' } }),
    ];
    const nameAt = async (path: string) =>
      (await api.http().get(path).set('Accept', 'application/json')).body.product.name as string | null;
    expect(await nameAt(`/01/${GTIN}`)).to.equal('Imitation');
    await block(imitator);
    expect(await nameAt(`/01/${GTIN}`)).to.equal('Olive oil');
    expect(await nameAt(`/01/${GTIN}/21/${made[0]!.units[0]!.serial}`)).to.equal(null);
    expect(await nameAt(`/01/${GTIN}/21/${made[1]!.units[0]!.serial}`)).to.equal('Olive oil');
  });

  it('has keys that are refused at the next request, and work again afterwards', async () => {
    const org = await api.createOrganization();
    await org.get('/products').expect(200);
    await block(org);
    await org.get('/products').expect(401);
    await org.post('/products', { name: 'Oil', sku: 'A' }).expect(401);
    await block(org, null);
    await org.get('/products').expect(200);
  });

  it('hears nothing of reports about its codes, which are as those about unknown ones', async () => {
    const org = await api.createOrganization();
    const { units } = await org.mintUnits();
    await block(org);
    await api
      .http()
      .post(`/v/${units[0]!.token}/reports`)
      .send({ description: 'It looks different' })
      .expect(201);
    const { rows } = await api.database.pool.query(
      'select org_id, unit_id from counterfeit_reports order by id desc limit 1',
    );
    expect(rows).to.deep.equal([{ org_id: null, unit_id: null }]);
  });

  it('has links of consignments that lead nowhere', async () => {
    const org = await api.createOrganization();
    const { units } = await org.mintUnits();
    const { body: draft } = await org
      .post('/consignments', { units: { unitIds: [units[0]!.id] } })
      .expect(201);
    await runAllBulkJobs(api);
    const { body: sent } = await org.post(`/consignments/${draft.id}/dispatch`).expect(200);
    const path = new URL(sent.receiveUrl as string).pathname;
    await api.http().get(path).expect(200);
    await block(org);
    await api.http().get(path).expect(404);
    await api.http().post(`${path}/receive`).send({ receivedCount: 1, name: 'Ada' }).expect(404);
  });

  it('is in the audit log once for each change, with the reason', async () => {
    const org = await api.createOrganization();
    expect(await block(org)).to.equal(true);
    expect(await block(org)).to.equal(false);
    expect(await block(org, null)).to.equal(true);
    expect(await block(org, null)).to.equal(false);
    const { rows } = await api.database.pool.query(
      'select action, actor_kind, after from audit_log where org_id = $1 order by id',
      [org.uuid],
    );
    expect(rows).to.deep.equal([
      { action: 'blockOrganization', actor_kind: 'operator', after: { reason: 'imitates Olivaia' } },
      { action: 'unblockOrganization', actor_kind: 'operator', after: { reason: null } },
    ]);
  });
});

describe('the people of an organization that the operator has blocked', () => {
  let api: PeopleApi;
  before(async () => {
    api = await createPeopleApi();
  });
  after(() => api.close());

  it('are signed out, and told why by nothing but the right password', async () => {
    const owner = await api.person('owner');
    const other = await api.person('owner');
    const set = (reason: string | null) =>
      withTransaction(api.deps.db, ({ db }) => blockOrganization(api.deps, db, owner.orgUuid, reason));
    await set('imitates Olivaia');
    await owner.get('/auth/me').expect(401);
    await api
      .http()
      .post('/api/v1/auth/refresh')
      .set('Cookie', owner.cookie)
      .set('Origin', 'https://verify.example.com')
      .expect(401);
    const refused = await api.signIn(owner.email).expect(403);
    expect(refused.body).to.include({ code: 'FORBIDDEN' });
    await api.signIn(owner.email, 'another password than that').expect(401);
    await other.get('/auth/me').expect(200);
    await set(null);
    await owner.get('/auth/me').expect(200);
    await api.signIn(owner.email).expect(200);
  });
});
