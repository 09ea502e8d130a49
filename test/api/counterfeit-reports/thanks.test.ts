/** What a browser's window sees after its form was sent: a page that may be loaded again. */
import { expect } from 'chai';
import { CATALOGUES } from '../../../api/verify/page/locales.ts';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';
import { expectProblem } from '../../support/problem.ts';

const HTML = 'text/html,application/xhtml+xml,*/*;q=0.8';
const NAVIGATION = { Accept: HTML, 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };
const GTIN = '09506000134352';

describe('api/counterfeit-reports: the thanks', () => {
  let api: TestApi;
  let org: TestOrganization;
  let pages: string[];

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
    await api.database.pool.query(`update organizations set name = 'Olivaia' where id = $1`, [org.uuid]);
    const { units } = await org.mintUnits(1, { product: { gtin: GTIN }, batch: { lot: 'L-1' } });
    const { token, serial } = units[0]!;
    const link = `/01/${GTIN}/21/${encodeURIComponent(serial)}`;
    pages = [`/v/${token}`, link, link.replace('/21/', '/10/L-1/21/')];
  });

  after(() => api.close());

  const send = (path: string, form: object = {}) =>
    api
      .http()
      .post(path)
      .set(NAVIGATION)
      .type('form')
      .send({ lang: 'de', description: 'Seltsam', ...form });
  const open = (path: string) => api.http().get(path).set(NAVIGATION);
  const count = async () =>
    (await api.database.pool.query<{ count: string }>('select count(*) from counterfeit_reports')).rows[0]!
      .count;

  it('come by an address of their own, under the brand of the code, and in any language', async () => {
    for (const page of pages) {
      const { headers, text } = await send(`${page}/reports`).expect(303);
      expect(headers).to.include({
        location: `${page}/reports?filed&lang=de`,
        'cache-control': 'no-store',
      });
      expect(text).to.equal('');
      const filed = await count();
      const { text: thanks } = await open(headers['location']!).expect(200);
      expect(thanks).to.include(CATALOGUES.de.report.thanksTitle).and.to.include('<bdi>Olivaia</bdi>');
      expect(thanks).to.include('href="?filed&amp;lang=fr"');
      const { text: french } = await open(`${page}/reports?filed&lang=fr`).expect(200);
      expect(french).to.include(CATALOGUES.fr.report.thanksTitle).and.to.include('<html lang="fr"');
      expect(await count()).to.equal(filed);
    }
  });

  it('are the service’s own for what is no code, and lead nowhere else', async () => {
    for (const page of [`/v/${'0'.repeat(24)}/reports`, '/counterfeit-reports']) {
      const { headers } = await send(page).expect(303);
      const { text } = await open(headers['location']!).expect(200);
      expect(text).to.include(CATALOGUES.de.report.thanksTitle).and.to.not.include('Olivaia');
    }
    // A link that was misread has a form as well.
    for (const page of ['/01/9/21/x/reports', '/01/a/10/b/21/c/reports'])
      await open(`${page}?filed`).expect(200);
    // For programs there is nothing to read there.
    for (const page of [`${pages[0]}/reports?filed`, '/counterfeit-reports?filed'])
      expectProblem(await api.http().get(page).set('Accept', '*/*'), 'METHOD_NOT_ALLOWED');
  });

  it('come for what only a program fills in, too, which files nothing', async () => {
    const before = await count();
    await send(`${pages[0]}/reports`, { website: 'https://spam.example' }).expect(303);
    expect(await count()).to.equal(before);
  });

  it('are no redirection for a form that no window has sent, nor where something is wrong', async () => {
    const form = { lang: 'de', description: 'Seltsam' };
    const { text } = await api
      .http()
      .post(`${pages[0]}/reports`)
      .set('Accept', HTML)
      .type('form')
      .send(form)
      .expect(201);
    expect(text).to.include(CATALOGUES.de.report.thanksTitle);
    await send(`${pages[0]}/reports`, { description: '' }).expect(422);
  });
});
