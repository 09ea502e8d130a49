import { expect } from 'chai';
import { REPORT_REFUSALS } from '../../../api/counterfeit-reports/refusals.ts';
import { CATALOGUES } from '../../../api/verify/page/locales.ts';
import { FIELD_ERRORS } from '../../../shared/field-errors.ts';
import { createTestApi, type TestApi, type TestOrganization, type TestUnit } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { jpegWithPosition, smallPng } from '../../support/photos.ts';
import { expectProblem } from '../../support/problem.ts';

const HTML = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const PDF = Buffer.from('%PDF-1.7 ...............');
const HEIC = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic'), Buffer.alloc(20)]);

describe('a report that is refused', () => {
  let api: TestApi;
  let org: TestOrganization;
  let unit: TestUnit;
  let address = 1;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
    unit = (await org.mintUnits(1)).units[0]!;
  });
  after(() => api.close());

  /** As the page's form sends it, in its order. */
  function send(fields: Record<string, string>, photos: Buffer[] = [], to = `/v/${unit.token}/reports`) {
    const request = api
      .http()
      .post(to)
      .set('Accept', HTML)
      .set('X-Forwarded-For', `198.51.${(address += 1)}.7`);
    for (const [name, value] of Object.entries(fields)) request.field(name, value);
    for (const bytes of photos) request.attach('photos', bytes, 'photo.jpg');
    return request;
  }
  const typed = {
    lang: 'en',
    description: 'Blurred <b>print</b>\nand a crooked label',
    purchasedFrom: 'Stall "7"',
    contactEmail: 'ada@example.com',
  };
  const countOf = async () =>
    (await api.database.pool.query('select count(*)::int as n from counterfeit_reports')).rows[0].n as number;

  it('is shown again with what is wrong and all that was typed, under the organization’s name', async () => {
    const { status, text, headers } = await send(typed, [PDF]);
    expect(status).to.equal(422);
    expect(headers).to.include({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
    const { notSent, photosAgain, fields } = REPORT_REFUSALS.en;
    expect(text)
      .to.include(`<h1>${notSent}</h1>`)
      .and.to.include('role="alert"')
      .and.to.include(fields.NOT_A_PHOTO)
      .and.to.include(photosAgain)
      .and.to.include('>\nBlurred &lt;b&gt;print&lt;/b&gt;\nand a crooked label</textarea>')
      .and.to.include('value="Stall &quot;7&quot;"')
      .and.to.include('value="ada@example.com"')
      .and.to.include(`action="/v/${unit.token}/reports"`)
      .and.to.match(/<header>.*<bdi>Organization \d+<\/bdi>/s);
    expect(await countOf()).to.equal(0);
    await send(typed, [await smallPng()]).expect(201);
    expect(await countOf()).to.equal(1);
  });

  it('says in the language of the page what is wrong', async () => {
    const large = Buffer.concat([await jpegWithPosition(), Buffer.alloc(8 * 1024 * 1024)]);
    const six = await Promise.all(Array.from({ length: 6 }, smallPng));
    for (const [lang, refusals] of Object.entries(REPORT_REFUSALS)) {
      const { fields, largePhoto } = refusals;
      const filled = (sentence: string, maximum: number) =>
        sentence.replace('{maximum}', `<bdi>${maximum}</bdi>`);
      const cases: [form: Record<string, string>, photos: Buffer[], says: string, status: number][] = [
        [{ description: '   ' }, [], fields.EMPTY, 422],
        [{ purchasedFrom: 'x'.repeat(501) }, [], filled(fields.TOO_LONG, 500), 422],
        [{ contactEmail: 'ada@' }, [], fields.NOT_AN_EMAIL_ADDRESS, 422],
        [{}, six, filled(fields.TOO_MANY, 5), 422],
        [{}, [PDF], fields.NOT_A_PHOTO, 422],
        [{}, [HEIC], fields.HEIC_PHOTO, 422],
        [{}, [large], largePhoto.replace('{maximum}', '8'), 413],
      ];
      for (const [form, photos, says, expected] of cases) {
        const { status, text } = await send({ ...typed, lang, ...form }, photos);
        expect({ lang, says, status }).to.deep.equal({ lang, says, status: expected });
        expect(text).to.include(refusals.check).and.to.include(says);
        expect(text.includes(refusals.photosAgain), says).to.equal(photos.length > 0);
      }
    }
  });

  it('asks for its photos again also where they were good', async () => {
    const { text } = await send({ ...typed, description: ' ' }, [await smallPng()]).expect(422);
    expect(text).to.include(REPORT_REFUSALS.en.photosAgain);
  });

  it('counts a line break as one character, as its field does', async () => {
    const description = 'a line\n'.repeat(284);
    const sent = { ...typed, description: `${description.replaceAll('\n', '\r\n')}ends` };
    expect(sent.description.length).to.be.above(2000);
    await send(sent).expect(201);
    await api
      .http()
      .post(`/v/${unit.token}/reports`)
      .set('Accept', HTML)
      .type('form')
      .send({ ...sent, description: `${sent.description} too` })
      .expect(201);
    const { rows } = await api.database.pool.query<{ description: string }>(
      'select description from counterfeit_reports order by id desc limit 2',
    );
    expect(rows.map((row) => row.description)).to.deep.equal([
      `${description}ends too`,
      `${description}ends`,
    ]);
  });

  it('comes from fields that hold as much as is taken: a browser cuts off the rest of an address without a word', async () => {
    const { text } = await send({ ...typed, description: '' });
    for (const path of ['description', 'purchasedFrom', 'contactEmail']) {
      const maximum = Number(new RegExp(`name="${path}"[^>]*maxlength="(\\d+)"`).exec(text)![1]);
      const sent = { description: 'Blurred', [path]: 'x'.repeat(maximum + 1) };
      const { errors } = expectProblem(
        await api.http().post(`/v/${unit.token}/reports`).send(sent),
        'VALIDATION_FAILED',
      );
      expect(errors![0]).to.deep.include({ path, code: 'TOO_LONG', params: { maximum } });
    }
  });

  it('is shown again, without blame, where a day’s reports are full', async () => {
    const other = (await org.mintUnits(1)).units[0]!;
    const to = `/v/${other.token}/reports`;
    await Promise.all(Array.from({ length: 50 }, () => send(typed, [], to).expect(201)));
    for (const [lang, { notSent, tooManyToday, photosAgain }] of Object.entries(REPORT_REFUSALS)) {
      const { text, headers } = await send({ ...typed, lang }, [await smallPng()], to).expect(429);
      expect(headers).to.include({ 'retry-after': '86400', 'content-language': lang });
      expect(text)
        .to.include(`<h1>${notSent}</h1>`)
        .and.to.include(tooManyToday)
        .and.to.include(photosAgain)
        .and.to.include('and a crooked label</textarea>')
        .and.to.match(/<header>.*<bdi>Organization \d+<\/bdi>/s);
    }
    api.clock.advance(86_400_000 + 1);
    await send(typed, [], to).expect(201);
  });

  it('keeps what was typed while the service is away, and waits for nothing more', async () => {
    const { db } = api.deps;
    // Photos that were refused before are discarded behind the answer.
    await eventually('an intake without anything', async () => {
      const { rowCount } = await api.database.pool.query('select from storage_intake');
      return rowCount === 0;
    });
    const { query, connect } = db;
    const away = () => Promise.reject(Object.assign(new Error('shutting down'), { code: '57P01' }));
    let lookUps = 0;
    db.query = (() => {
      lookUps += 1;
      return away();
    }) as typeof db.query;
    db.connect = away as typeof db.connect;
    const { status, text, headers } = await api
      .http()
      .post(`/v/${unit.token}/reports`)
      .set('Accept', HTML)
      .type('form')
      .send({ ...typed, lang: 'de' });
    Object.assign(db, { query, connect });
    expect({ status, lookUps }).to.deep.equal({ status: 503, lookUps: 0 });
    expect(headers['retry-after']).to.equal('5');
    expect(text)
      .to.include(`<h1>${REPORT_REFUSALS.de.notSent}</h1>`)
      .and.to.include(CATALOGUES.de.problems.away.text)
      .and.to.include('and a crooked label</textarea>');
  });

  it('goes where it came from: to a GS1 link, or without a code under the service’s name', async () => {
    const { rows } = await api.database.pool.query<{ gtin: string }>(
      `update products set gtin = '09506000134352' where org_id = $1 returning gtin`,
      [org.uuid],
    );
    const link = `/01/${rows[0]!.gtin}/21/${unit.serial}/reports`;
    const byLink = await send({ ...typed, description: ' ' }, [], link).expect(422);
    expect(byLink.text).to.include(`action="${link}"`);
    const withoutCode = await send({ ...typed, description: ' ' }, [], '/counterfeit-reports').expect(422);
    expect(withoutCode.text)
      .to.include('action="/counterfeit-reports"')
      .and.to.match(/<header>.*<bdi>Touchstone<\/bdi>/s);
  });

  it('stays a problem document for programs', async () => {
    const answer = await send({ ...typed, description: ' ' }).set('Accept', '*/*');
    expectProblem(answer, 'VALIDATION_FAILED');
  });

  it('is shown under the service’s name where the organization cannot be looked up', async () => {
    const { db } = api.deps;
    const query = db.query.bind(db);
    db.query = (() => Promise.reject(new Error('no'))) as typeof db.query;
    const { status, text } = await api
      .http()
      .post(`/v/${unit.token}/reports`)
      .set('Accept', HTML)
      .type('form')
      .send({ ...typed, description: ' ' });
    db.query = query;
    expect(status).to.equal(422);
    expect(text)
      .to.include(REPORT_REFUSALS.en.fields.EMPTY)
      .and.to.match(/<header>.*<bdi>Touchstone<\/bdi>/s);
  });

  it('has the parameters of its codes, and no other, in every language', () => {
    for (const [lang, { fields, largePhoto }] of Object.entries(REPORT_REFUSALS)) {
      expect(largePhoto, lang).to.include('{maximum}');
      for (const [code, sentence] of Object.entries(fields)) {
        const known = FIELD_ERRORS[code as keyof typeof FIELD_ERRORS];
        const params: readonly string[] = 'params' in known ? known.params : [];
        const named = [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
        expect(params, `${lang} ${code}`).to.include.members(named);
      }
    }
  });
});
