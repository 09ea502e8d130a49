import { expect } from 'chai';
import { checkDueDomains } from '../../../shared/domains/check.ts';
import { confirmDomainByOperator, nameDomain, type DomainRow } from '../../../shared/domains/service.ts';
import { withTransaction } from '../../../shared/db.ts';
import { createTestApi, type TestApi, type TestOrganization, type TestUnit } from '../../support/api.ts';

const GTIN = '09506000134352';
const BROWSER = { Accept: 'text/html', 'Accept-Language': 'en' };
const UNCHECKED = 'Name not confirmed';

describe('whose code it is', () => {
  let api: TestApi;
  before(async () => {
    api = await createTestApi();
  });
  after(() => api.close());

  const page = (path: string, of = api) => of.http().get(path).set(BROWSER);
  const named = async (of: TestApi = api) => {
    const org = await of.createOrganization();
    const { units } = await org.mintUnits();
    return { org, unit: units[0]! };
  };
  const domainOf = async ({ org, unit }: { org: TestOrganization; unit: TestUnit }) => {
    const { body } = await api.verify(unit.token).expect(200);
    expect(body.organization).to.have.all.keys('name', 'domain');
    return { ...body.organization, uuid: org.uuid } as { name: string; domain: string | null };
  };
  const name = (org: TestOrganization, domain: string): Promise<DomainRow> =>
    withTransaction(api.deps.db, (uow) => nameDomain(api.deps, uow, org.uuid, domain));
  const look = (records: readonly string[]) =>
    checkDueDomains({ ...api.workerDeps, lookUpTxt: async () => ({ records }), leaseSeconds: 60 });

  it('is said with the name alone, and that nobody has checked it, until a domain was confirmed', async () => {
    const one = await named();
    expect(await domainOf(one)).to.include({ domain: null });
    const before = await page(`/v/${one.unit.token}`).expect(200);
    expect(before.text).to.include(UNCHECKED).and.include('Nobody has checked that');

    const { record } = await name(one.org, 'mueller.example');
    expect(await domainOf(one), 'a claim is no proof').to.include({ domain: null });
    await look([record]);
    expect(await domainOf(one)).to.include({ domain: 'mueller.example' });
    const after = await page(`/v/${one.unit.token}`).expect(200);
    expect(after.text).not.to.include(UNCHECKED);
    expect(after.text).to.match(/Confirmed: <b[^>]*>mueller\.example<\/b>/);

    await api.database.pool.query('delete from organization_domains where org_id = $1', [one.org.uuid]);
    expect(await domainOf(one)).to.include({ domain: null });
  });

  it('is said of one organization and not of another, which may have the same name', async () => {
    const [brand, imitator] = [await named(), await named()];
    await confirmDomainByOperator(api.deps, api.deps.db, brand.org.uuid, 'brand.example');
    await api.database.pool.query('update organizations set name = $1 where id = any($2)', [
      'Brand',
      [brand.org.uuid, imitator.org.uuid],
    ]);
    expect(await domainOf(brand)).to.include({ name: 'Brand', domain: 'brand.example' });
    expect(await domainOf(imitator)).to.include({ name: 'Brand', domain: null });
    expect((await page(`/v/${imitator.unit.token}`)).text).to.include(UNCHECKED);
  });

  it('is told in letters that nobody can take for others, on the page, and as the DNS has it, in JSON', async () => {
    const [german, cyrillic] = [await named(), await named()];
    await confirmDomainByOperator(api.deps, api.deps.db, german.org.uuid, 'müller.example');
    await confirmDomainByOperator(api.deps, api.deps.db, cyrillic.org.uuid, 'rоlex.example');
    expect(await domainOf(german)).to.include({ domain: 'xn--mller-kva.example' });
    expect((await page(`/v/${german.unit.token}`)).text).to.include('>müller.example</b>');
    expect((await page(`/v/${cyrillic.unit.token}`)).text).to.include('>xn--rlex-55d.example</b>');
  });

  it('is said by codes of products, and on what answers a report', async () => {
    const org = await api.createOrganization();
    const { units } = await org.mintUnits(1, { product: { gtin: GTIN } });
    const link = `/01/${GTIN}`;
    expect((await page(link)).text).to.include(UNCHECKED);
    await confirmDomainByOperator(api.deps, api.deps.db, org.uuid, 'oil.example');
    const { body } = await api.http().get(link).set('Accept', 'application/json').expect(200);
    expect(body.organization).to.include({ domain: 'oil.example' });
    expect((await page(link)).text).to.include('>oil.example</b>');
    const thanks = await api
      .http()
      .post(`/v/${units[0]!.token}/reports`)
      .set(BROWSER)
      .type('form')
      .send({ description: 'It looks different', lang: 'en' })
      .expect(201);
    expect(thanks.text).to.include('>oil.example</b>');
  });

  it('is not asked of an unknown code, in the same shape', async () => {
    const { body } = await api.verify('SC54T471XW7X69JR5ZAQ9NMA').expect(404);
    expect(body.organization).to.deep.equal({ name: null, domain: null });
    const unknown = await page('/v/SC54T471XW7X69JR5ZAQ9NMA').expect(404);
    expect(unknown.text).not.to.include(UNCHECKED).and.not.to.include('Who is behind this code?');
  });

  it('needs no proof where the operator makes all organizations', async () => {
    const closed = await createTestApi({ env: { SIGN_UP: 'closed' } });
    try {
      const { org, unit } = await named(closed);
      const before = await page(`/v/${unit.token}`, closed).expect(200);
      expect(before.text).not.to.include(UNCHECKED).and.not.to.include('Who is behind this code?');
      await confirmDomainByOperator(closed.deps, closed.deps.db, org.uuid, 'brand.example');
      expect((await page(`/v/${unit.token}`, closed)).text).to.include('>brand.example</b>');
    } finally {
      await closed.close();
    }
  });
});
