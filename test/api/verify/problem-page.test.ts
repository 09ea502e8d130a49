import { expect } from 'chai';
import { REPORT_REFUSALS } from '../../../api/counterfeit-reports/refusals.ts';
import { CATALOGUES, LOCALES, type Locale } from '../../../api/verify/page/locales.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';
import { expectProblem } from '../../support/problem.ts';

const HTML = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
/** A link with a check digit that is wrong. */
const MISREAD = '/01/09506000134353/21/A1';

describe('errors on a visitor’s screen', () => {
  let api: TestApi;
  let address = 1;

  before(async () => {
    api = await createTestApi({
      env: { RATE_LIMIT_VERIFY_PER_MINUTE: '1', RATE_LIMIT_PUBLIC_PER_MINUTE: '1' },
    });
  });
  after(() => api.close());

  const anew = () => `198.51.${(address += 1)}.9`;
  const ask = (path: string, accept: string, from: string, method: 'get' | 'post' | 'head' = 'get') =>
    api.http()[method](path).set('Accept', accept).set('X-Forwarded-For', from);
  /** Asked for once too often. */
  async function refused(path: string, accept = HTML, method: 'get' | 'post' | 'head' = 'get') {
    const from = anew();
    await ask(path, accept, from, method);
    return ask(path, accept, from, method);
  }

  it('are a page in each language, with the status and the headers of the error', async () => {
    for (const lang of LOCALES) {
      const { status, text, headers } = await refused(`/v/${'0'.repeat(24)}?lang=${lang}`);
      const { wait, neutral, again } = CATALOGUES[lang].problems;
      expect(status, lang).to.equal(429);
      expect(text)
        .to.include(`<html lang="${lang}"`)
        .and.to.include(`<h1>${wait.title}</h1>`)
        .and.to.include(wait.text)
        .and.to.include(neutral)
        .and.to.include(`href="">${again}</a>`);
      expect(headers).to.include({
        'content-type': 'text/html; charset=utf-8',
        'content-language': lang,
        'cache-control': 'no-store',
        vary: 'Accept, Accept-Language',
      });
      expect(Number(headers['retry-after'])).to.be.within(1, 60);
      expect(headers['x-request-id']).to.match(/^[\w-]+$/);
      expect(headers['content-security-policy']).to.include("script-src 'self'");
    }
  });

  it('are a page at every address that people open', async () => {
    const unit = '/01/09506000134352/21/A1';
    for (const [path, isCheck] of [
      [unit, true],
      ['/01/09506000134352', true],
      [MISREAD, true],
      [`/V/${'0'.repeat(24)}`, true],
      ['/c/nothing', false],
    ] as const) {
      const { status, text } = await refused(path);
      const { wait, neutral } = CATALOGUES.en.problems;
      expect({ path, status }).to.deep.equal({ path, status: 429 });
      expect(text).to.include(wait.title).and.to.include('href="">');
      expect(text.includes(neutral), path).to.equal(isCheck);
    }
    for (const path of [`/v/${'0'.repeat(24)}/reports`, `${unit}/reports`, '/counterfeit-reports']) {
      const { status, text } = await refused(path, HTML, 'post');
      expect({ path, status }).to.deep.equal({ path, status: 429 });
      // A link would not send the report again, and none leads to another language of what was sent.
      expect(text)
        .to.include(CATALOGUES.en.problems.wait.title)
        .and.not.include(CATALOGUES.en.problems.neutral)
        .and.not.match(/href=""|\?lang=/);
    }
  });

  it('say of a hidden code, too, that they say nothing about the product', async () => {
    for (const path of [`/v/${'0'.repeat(24)}/hidden-code`, '/01/09506000134352/21/A1/hidden-code']) {
      const { status, text } = await refused(path, HTML, 'post');
      expect({ path, status }).to.deep.equal({ path, status: 429 });
      expect(text)
        .to.include(CATALOGUES.en.problems.neutral)
        .and.not.match(/href=""|\?lang=/);
    }
  });

  it('stay problem documents for programs', async () => {
    for (const accept of ['application/json', '*/*', 'application/json, text/html;q=0.5']) {
      expectProblem(await refused(`/v/${'0'.repeat(24)}`, accept), 'RATE_LIMITED');
      expectProblem(await refused('/counterfeit-reports', accept, 'post'), 'RATE_LIMITED');
      expectProblem(await ask(MISREAD, accept, anew()), 'BAD_REQUEST');
      expectProblem(await ask('/api/v1/nothing', HTML, anew()), 'UNAUTHENTICATED');
    }
  });

  it('say nothing but headers to HEAD', async () => {
    const { status, text, headers } = await refused(`/v/${'0'.repeat(24)}`, HTML, 'head');
    expect({ status, text }).to.deep.equal({ status: 429, text: undefined });
    expect(headers['content-type']).to.equal('text/html; charset=utf-8');
  });

  it('call a link that was misread a code that nobody knows, with the form for a report', async () => {
    const { status, text, headers } = await ask(`${MISREAD}?lang=fr`, HTML, anew());
    expect(status).to.equal(400);
    expect(text)
      .to.include(`<h1>${CATALOGUES.fr.verdicts.unknown.title}</h1>`)
      .and.to.include('action="/counterfeit-reports"');
    expect(headers['set-cookie']).to.equal(undefined);
  });

  it('say that there is no such page where there is none', async () => {
    for (const [path, expected, method] of [
      ['/v/', 404, 'get'],
      ['/v/a/b', 404, 'get'],
      ['/counterfeit-reports', 405, 'get'],
      ['/v/a/b', 404, 'post'],
      [`/v/${'0'.repeat(24)}`, 405, 'post'],
    ] as const) {
      const { status, text, headers } = await ask(path, HTML, anew(), method);
      expect({ path, status }).to.deep.equal({ path, status: expected });
      expect(text).to.include(CATALOGUES.en.problems.address.title).and.not.include('href="">');
      if (expected === 405) expect(headers.allow).to.include(method === 'get' ? 'POST' : 'GET');
    }
  });

  it('say that what was sent makes no sense, in the language of its form', async () => {
    for (const path of ['/counterfeit-reports', '/c/nothing/receive']) {
      const { status, text } = await ask(path, HTML, anew(), 'post')
        .type('form')
        .send({ lang: 'nl', x: ['1'] });
      // A report's own form says it itself.
      const title =
        path === '/c/nothing/receive' ? CATALOGUES.nl.problems.unread.title : REPORT_REFUSALS.nl.notSent;
      expect({ path, status }).to.deep.equal({ path, status: 422 });
      expect(text).to.include(`<h1>${title}</h1>`).and.to.include('<html lang="nl"');
    }
    const { status, text } = await ask('/counterfeit-reports', HTML, anew(), 'post')
      .type('text/plain')
      .send('x');
    expect(status).to.equal(415);
    expect(text).to.include(CATALOGUES.en.problems.unread.title);
  });

  it('lead back to the code from the address of its form, which a restored tab opens; programs hear 405', async () => {
    for (const page of [
      '/v/0123456789ABCDEFGHJKMNPQ',
      '/v/a%2F..%2Fb',
      '/01/09506000134352/21/A1',
      '/01/09506000134352/10/L%201/21/A1',
    ]) {
      const { status, headers } = await ask(`${page}/reports`, HTML, anew());
      expect({ status, location: headers.location }).to.deep.equal({ status: 303, location: page });
      expect(headers).to.include({ 'cache-control': 'no-store' }).and.not.have.property('set-cookie');
      const program = await ask(`${page}/reports`, '*/*', anew());
      expect(program.status).to.equal(405);
      expect(program.headers.allow).to.include('POST');
    }
  });

  it('tell what the service could not do, and never why', async () => {
    const { db } = api.deps;
    const query = db.query.bind(db);
    const failing: [error: Error, status: number, retry: string | undefined][] = [
      [Object.assign(new Error('shutting down'), { code: '57P01' }), 503, '5'],
      [new Error('a bug'), 500, undefined],
    ];
    for (const [error, expected, retry] of failing) {
      db.query = (() => Promise.reject(error)) as typeof db.query;
      const { status, text, headers } = await ask('/01/09506000134352/21/A1', HTML, anew());
      db.query = query;
      const { away, neutral } = CATALOGUES.en.problems;
      expect(status).to.equal(expected);
      expect(headers['retry-after']).to.equal(retry);
      expect(text).to.include(away.title).and.to.include(neutral).and.not.include(error.message);
    }
  });

  it('have titles that fit a phone', () => {
    for (const [lang, { problems }] of Object.entries(CATALOGUES) as [Locale, (typeof CATALOGUES)['en']][])
      for (const { title } of [problems.wait, problems.away, problems.address])
        expect(title.length, `${lang}: ${title}`).to.be.at.most(40);
  });
});
