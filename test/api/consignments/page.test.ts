import { expect } from 'chai';
import { CONSIGNMENT_MESSAGES } from '../../../api/consignments/page/messages.ts';
import { REFUSALS } from '../../../api/consignments/page/refusals.ts';
import { LOCALES } from '../../../api/verify/page/locales.ts';
import { FIELD_ERRORS } from '../../../shared/field-errors.ts';
import { createTestApi, type TestApi, type TestOrganization, type TestUnit } from '../../support/api.ts';
import { runAllBulkJobs } from '../../support/bulk-jobs.ts';
import { expectProblem } from '../../support/problem.ts';

describe('the distributor’s page', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
  });
  after(() => api.close());

  const dispatched = async (fields: object = {}, options: object = {}, product: object = {}) => {
    const { units } = await org.mintUnits(2, { product: { name: '<b>Oil</b>', ...product } });
    const list = { ...fields, units: { unitIds: units.map(({ id }) => id) } };
    const { id } = (await org.post('/consignments', list).expect(201)).body;
    await runAllBulkJobs(api);
    const { body } = await org.post(`/consignments/${id}/dispatch`, options).expect(200);
    return { id: id as string, path: new URL(body.receiveUrl).pathname, units: units as TestUnit[] };
  };
  const page = (path: string, language = 'en') =>
    api.http().get(path).set('Accept', 'text/html').set('Accept-Language', language);
  const submit = (path: string, form: object) =>
    api.http().post(`${path}/receive`).set('Accept', 'text/html').type('form').send(form);

  it('shows the consignment in the visitor’s language, under a strict policy, everything escaped', async () => {
    const { path } = await dispatched({ reference: '"><script>alert(1)</script>' });
    const { text, headers } = await page(path, 'fr-CH').expect(200);
    expect(text).to.include('<html lang="fr"').and.to.include(CONSIGNMENT_MESSAGES.fr.form);
    expect(text).not.to.include('<script>alert').and.not.to.include('<b>Oil</b>');
    expect(headers['content-security-policy'])
      .to.match(/^default-src 'none'/)
      .and.not.to.include('unsafe');
    expect(headers).to.include({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  });

  it('keeps the kinds of an organization’s documents apart from the direction of the page', async () => {
    const references = [{ type: 'Invoice (2)', value: 'R-7 (b)' }];
    const { path } = await dispatched({ references });
    const { text } = await page(path, 'ar').expect(200);
    expect(text).to.match(/<dt><bdi>Invoice \(2\)<\/bdi><\/dt>\s*<dd><bdi>R-7 \(b\)<\/bdi><\/dd>/);
  });

  it('names the purchase order that the dashboard asks for in the visitor’s language', async () => {
    const { path } = await dispatched({ references: [{ type: 'purchase order', value: '4711' }] });
    const orderIn = async (language: string) =>
      /<dt><bdi>([^<]*)<\/bdi><\/dt>\s*<dd><bdi>4711</.exec(
        (await page(path, language).expect(200)).text,
      )![1];
    const named = await Promise.all(LOCALES.map(orderIn));
    expect(named).to.include.members(['Purchase order', 'Bestellung', '注文番号', 'أمر الشراء']);
    expect(named).to.not.include('purchase order').and.to.not.include(undefined);
  });

  it('sets the number behind a product’s name as the language writes it', async () => {
    const { path } = await dispatched();
    const contents = async (language: string) =>
      /<li><bdi>[^<]*<\/bdi>(.*?)<\/li>/.exec((await page(path, language).expect(200)).text)![1];
    const seen = await Promise.all(['en', 'fr', 'ja', 'zh'].map(contents));
    expect(seen).to.deep.equal([': 2', '\u00a0: 2', '：2', '：2']);
  });

  it('has its words in every language, with the same placeholders', async () => {
    const placeholders = (text: string) => text.match(/\{\w+\}/g) ?? [];
    for (const locale of LOCALES)
      for (const [name, text] of Object.entries(CONSIGNMENT_MESSAGES[locale]))
        expect(placeholders(text), `${locale} ${name}`).to.deep.equal(
          placeholders((CONSIGNMENT_MESSAGES.en as unknown as Record<string, string>)[name]!),
        );
  });

  it('leads a browser’s window from the receipt to the link’s page, and shows a mistake where it was made', async () => {
    const { path } = await dispatched();
    const send = (form: object) => submit(path, form).set('Sec-Fetch-Mode', 'navigate');
    await send({ lang: 'fr', receivedCount: 'many' }).expect(422);
    const { headers } = await send({ lang: 'fr', receivedCount: '2', name: 'Ada' }).expect(303);
    expect(headers).to.include({ location: `${path}?lang=fr`, 'cache-control': 'no-store' });
    const { text } = await page(headers['location']!).expect(200);
    expect(text).to.include('<html lang="fr"').and.to.include(CONSIGNMENT_MESSAGES.fr.doneTitle);
    // Confirmed a second time, by another tab.
    await send({ lang: 'fr', receivedCount: '1', name: 'Bo' }).expect(409);
  });

  it('says of each field that may stay empty, and of no other, that it is optional, in every language', () => {
    const isOptional = /[（(][^（()）]+[)）]$/;
    for (const locale of LOCALES) {
      const { counted, missing, damaged, name, note } = CONSIGNMENT_MESSAGES[locale];
      for (const label of [counted, missing, damaged, note]) expect(label, locale).to.match(isOptional);
      expect(name, locale).not.to.match(isOptional);
    }
  });

  it('takes the form without a script, once, and keeps what was told', async () => {
    const { id, path, units } = await dispatched();
    const form = {
      lang: 'de',
      receivedCount: '1',
      missing: `${units[0]!.serial}\r\n`,
      damaged: '',
      name: 'Ada',
      note: 'Ok',
    };
    const send = () => submit(path, form);
    const { text } = await send().expect(200);
    expect(text).to.include(CONSIGNMENT_MESSAGES.de.doneTitle).and.not.to.include('<form');
    expect(text).to.include('<dt>Anmerkung</dt>').and.not.to.include(CONSIGNMENT_MESSAGES.de.note);
    const { receipt, status } = (await org.get(`/consignments/${id}`)).body;
    expect({ status, ...receipt }).to.include({
      status: 'partially_received',
      missingCount: 1,
      name: 'Ada',
      note: 'Ok',
      through: 'link',
    });
    await send().expect(409);
    expect((await page(path).expect(200)).text).to.include(CONSIGNMENT_MESSAGES.en.doneTitle);
  });

  it('takes a thousand scanned addresses', async () => {
    const { id, path, units } = await dispatched();
    const missing = Array.from({ length: 1_000 }, (_, index) => units[index % units.length]!.verifyUrl);
    await submit(path, { missing: missing.join('\r\n'), name: 'Ada' }).expect(200);
    expect((await org.get(`/consignments/${id}`)).body.receipt).to.include({ missingCount: units.length });
  });

  it('answers a program that sends the form as it answers JSON', async () => {
    const { id, path, units } = await dispatched();
    const send = (form: object) => api.http().post(`${path}/receive`).type('form').send(form);
    const refused = await send({ missing: 'WRONG-1', name: 'Ada' }).expect(422);
    expect(refused.headers['content-type']).to.include('application/problem+json');
    expect(refused.body.errors.map(({ path }: { path: string }) => path)).to.deep.equal(['missing.0']);
    expect((await org.get(`/consignments/${id}`)).body.status).to.equal('dispatched');
    const { body } = await send({ missing: units[0]!.serial, name: 'Ada' }).expect(200);
    expect(body.receipt).to.include({ missingCount: 1, receivedCount: 1 });
    const again = await send({ name: 'Ada' }).set('Accept', 'application/json').expect(409);
    expect(again.body.code).to.equal('INVALID_TRANSITION');
  });

  it('tells the count as it was told, above what was sent too', async () => {
    const { id, path, units } = await dispatched();
    const form = { lang: 'fr', receivedCount: '400', missing: units[0]!.serial, name: 'Ada' };
    const { text } = await submit(path, form).expect(200);
    const counted = (words: string) => new RegExp(`<dt>${words}</dt>\\s*<dd>400</dd>`);
    expect(text).to.match(counted(CONSIGNMENT_MESSAGES.fr.wasCounted));
    for (const locale of LOCALES)
      expect((await page(`${path}?lang=${locale}`).expect(200)).text, locale).to.match(
        counted(CONSIGNMENT_MESSAGES[locale].wasCounted),
      );
    const seen = (await api.http().get(path).set('Accept', 'application/json').expect(200)).body;
    expect(seen.receipt).to.include({ receivedCount: 1, missingCount: 1, counted: 400 });
    expect((await org.get(`/consignments/${id}`)).body.receipt).to.include({ hasDiscrepancy: true });
    // Who counted nothing is told nothing of a count.
    const other = await dispatched();
    await submit(other.path, { name: 'Ada' }).expect(200);
    expect((await page(other.path).expect(200)).text).not.to.include(CONSIGNMENT_MESSAGES.en.wasCounted);
  });

  it('takes digits and separators as Japanese, Chinese and Arabic keyboards write them', async () => {
    for (const [receivedCount, between] of [
      ['２', '、'],
      ['２', '，'],
      [' ２　', '；'],
      ['2', '　'],
      ['٢', '، '],
      ['۲', '؛'],
    ] as const) {
      const { id, path, units } = await dispatched();
      const [pattern] = /(?<=pattern=")[^"]+/.exec((await page(path).expect(200)).text)!;
      expect(receivedCount.trim()).to.match(new RegExp(`^(?:${pattern})$`, 'v'));
      const damaged = units.map(({ serial }) => serial).join(between);
      await submit(path, { receivedCount, damaged, name: 'Ada' }).expect(200);
      const { receipt } = (await org.get(`/consignments/${id}`)).body;
      expect(receipt, between).to.include({ counted: 2, damagedCount: 2, missingCount: 0 });
    }
    const { path } = await dispatched();
    const { text } = await submit(path, { lang: 'ja', receivedCount: '２個', name: 'Ada' }).expect(422);
    expect(text).to.include(REFUSALS.ja.NOT_A_NUMBER).and.include('value="２個"');
  });

  it('takes what stands below a GS1 symbol, with the spaces that are printed in it', async () => {
    const gtin = '04012345123456';
    const { id, path, units } = await dispatched({}, {}, { gtin });
    const damaged = units.map(({ serial }) => `(01) ${gtin} (21) ${serial}`).join(' ');
    await submit(path, { damaged, name: 'Ada' }).expect(200);
    expect((await org.get(`/consignments/${id}`)).body.receipt).to.include({
      damagedCount: 2,
      missingCount: 0,
    });
  });

  it('knows a serial that was typed in lower case, and takes an exact one before it', async () => {
    const batch = await org.createBatch({ quantity: 3 });
    const own = 'serial\nAB-1\nab-1\nCD-2\n';
    await org.post(`/batches/${batch.id}/serials`).set('Content-Type', 'text/csv').send(own).expect(200);
    await api.runJob((await org.startJob(batch.id)).id);
    const { id } = (await org.post('/consignments', { units: { batchId: batch.id } }).expect(201)).body;
    await runAllBulkJobs(api);
    const { receiveUrl } = (await org.post(`/consignments/${id}/dispatch`, {}).expect(200)).body;
    const { pathname } = new URL(receiveUrl);
    const fields = (await page(pathname).expect(200)).text.match(
      /<textarea\s+name="(missing|damaged)"[^>]*>/g,
    );
    expect(fields).to.have.length(2);
    for (const field of fields!) expect(field).to.include('autocapitalize="none"');
    // One unit in two spellings is one unit.
    const form = { missing: 'ab-1 cd-2 CD-2', name: 'Ada' };
    await submit(pathname, form).expect(200);
    const missing = (await org.get(`/consignments/${id}/units?condition=missing`).expect(200)).body.data;
    expect(missing.map(({ serial }: any) => serial).sort()).to.deep.equal(['CD-2', 'ab-1']);
    expect((await org.get(`/consignments/${id}`)).body.receipt.missingCount).to.equal(2);
  });

  it('shows a mistake with all that was typed, and records nothing', async () => {
    const { id, path } = await dispatched();
    const form = { missing: 'WRONG-1', name: 'Ada <i>', receivedCount: 'two' };
    const { text } = await submit(path, form).expect(422);
    expect(text).to.include('WRONG-1').and.to.include('Ada &lt;i&gt;').and.to.include('role="alert"');
    const { check, title } = CONSIGNMENT_MESSAGES.en;
    expect(text).to.include(`<title>${check} · ${title} · `);
    expect((await org.get(`/consignments/${id}`)).body.status).to.equal('dispatched');
  });

  it('takes as many characters as its fields do, a line break as one', async () => {
    const { path } = await dispatched();
    // As many units as may be named, of long addresses.
    const lines = Array.from({ length: 1000 }, (_, line) => `WRONG-${String(line).padStart(93, '0')}`);
    const missing = lines.join('\n');
    expect(missing.length).to.equal(99_999);
    const send = (typed: string) => submit(path, { missing: typed, name: 'Ada' }).expect(422);
    const { text } = await send(lines.join('\r\n'));
    expect(text).to.include(CONSIGNMENT_MESSAGES.en.form).and.to.include(`${missing}</textarea>`);
    // No browser sends more.
    expect((await send(`${missing}99`)).text).not.to.include('</textarea>');
  });

  it('opens with the parameters that others add to a link', async () => {
    const { path } = await dispatched();
    const { text } = await page(`${path}?utm_source=mail&lang=fr`).expect(200);
    expect(text).to.include('<html lang="fr"');
  });

  it('says in the language of the page what is wrong', async () => {
    const { path } = await dispatched();
    for (const [lang, refusals] of Object.entries(REFUSALS)) {
      const send = (form: Record<string, string>) => submit(path, { lang, name: 'Ada', ...form }).expect(422);
      const strange = (await send({ missing: 'WRONG-1' })).text;
      expect(strange).to.include(refusals.NOT_IN_CONSIGNMENT.replace('{unit}', '<bdi>WRONG-1</bdi>'));
      const nameless = (await send({ name: ' ', receivedCount: 'two' })).text;
      expect(nameless).to.include(refusals.EMPTY).and.to.include(refusals.NOT_A_NUMBER);
      const long = (await send({ name: 'x'.repeat(201) })).text;
      expect(long).to.include(refusals.TOO_LONG.replace('{maximum}', '<bdi>200</bdi>'));
    }
  });

  it('has the parameters of its codes, and no other, in every language', () => {
    for (const [lang, refusals] of Object.entries(REFUSALS))
      for (const [code, sentence] of Object.entries(refusals)) {
        const known = FIELD_ERRORS[code as keyof typeof FIELD_ERRORS];
        const params: readonly string[] = 'params' in known ? known.params : [];
        const named = [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
        expect(named, `${lang} ${code}`).to.deep.equal([...params]);
      }
  });

  it('speaks JSON to programs', async () => {
    const { path } = await dispatched({ reference: 'R-9' });
    const seen = (await api.http().get(path).set('Accept', 'application/json').expect(200)).body;
    expect(seen).to.deep.include({ status: 'dispatched', reference: 'R-9', unitCount: 2, receipt: null });
    expect(seen.contents).to.deep.equal([{ name: '<b>Oil</b>', units: 2 }]);
    for (const nameless of [{}, { receivedCount: 25 }]) {
      const refused = await api.http().post(`${path}/receive`).send(nameless);
      expectProblem(refused, 'VALIDATION_FAILED');
      expect(refused.body.errors).to.deep.equal([{ path: 'name', code: 'REQUIRED', message: 'is required' }]);
    }
    // As the form has its lists: a program is told what is wrong with its JSON, and not with a form.
    const textual = { receivedCount: 2, missing: 'S-1', damaged: 'S-2', name: 'Ada' };
    const refused = expectProblem(
      await api.http().post(`${path}/receive`).send(textual),
      'VALIDATION_FAILED',
    );
    expect(refused.errors!.map((error) => [error.path, error.code])).to.deep.equal([
      ['missing', 'WRONG_TYPE'],
      ['damaged', 'WRONG_TYPE'],
    ]);
    const { body } = await api.http().post(`${path}/receive`).send({ name: 'Ada' }).expect(200);
    expect(body).to.deep.include({ status: 'received' });
    expectProblem(await api.http().post(`${path}/receive`).send({ name: 'Ada' }), 'INVALID_TRANSITION');
  });

  it('is gone when the link is unknown, revoked, renewed or expired, or the consignment called off, and tells none from another', async () => {
    const { id, path } = await dispatched({}, { linkDays: 1 });
    const renewed = (await org.post(`/consignments/${id}/renew-link`, { linkDays: 1 }).expect(200)).body;
    const newPath = new URL(renewed.receiveUrl).pathname;
    const gone = await page(path).expect(404);
    expect((await page('/c/nonsense').expect(404)).text).to.equal(gone.text);
    await page(newPath).expect(200);
    api.clock.advance(86_400_000);
    expect((await page(newPath).expect(404)).text).to.equal(gone.text);
    expectProblem(await api.http().post(`${newPath}/receive`).send({ name: 'Ada' }), 'NOT_FOUND');
    const last = (await org.post(`/consignments/${id}/renew-link`).expect(200)).body.receiveUrl;
    await org.post(`/consignments/${id}/revoke-link`).expect(200);
    await page(new URL(last).pathname).expect(404);
    const calledOff = await dispatched();
    await org.post(`/consignments/${calledOff.id}/cancel`).expect(200);
    expect((await page(calledOff.path).expect(404)).text).to.equal(gone.text);
  });

  it('warns of a recalled consignment and takes no receipt for it', async () => {
    const { id, path } = await dispatched();
    await org.post(`/consignments/${id}/recall`).expect(200);
    expect((await page(path).expect(200)).text)
      .to.include(CONSIGNMENT_MESSAGES.en.recalledTitle)
      .and.not.to.include('<form');
    expectProblem(await api.http().post(`${path}/receive`).send({ name: 'Ada' }), 'INVALID_TRANSITION');
  });

  it('keeps the link out of the log and of the database', async () => {
    const { path } = await dispatched();
    await page(path).expect(200);
    const token = path.slice(3);
    expect(api.logs.join('\n')).not.to.include(token);
    const { rows } = await api.database.pool.query(
      "select (select string_agg(c::text, ' ') from consignments c) || (select string_agg(a::text, ' ') from audit_log a) as dump",
    );
    expect(rows[0].dump).to.be.a('string').and.not.to.include(token);
  });
});
