import { expect } from 'chai';
import { CATALOGUES, LOCALES } from '../../../api/verify/page/locales.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';
import { expectProblem } from '../../support/problem.ts';

const HTML = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const TOKEN = '7K3M9QXW2D5R8TBCNPH4VJ6Y';

describe('GET / for people', () => {
  let api: TestApi;
  before(async () => {
    api = await createTestApi();
  });
  after(() => api.close());

  const open = (query = '', headers: Record<string, string> = {}) =>
    api
      .http()
      .get(`/${query}`)
      .set({ Accept: HTML, ...headers });
  const typing = (code: string) => open(`?lang=de&code=${encodeURIComponent(code)}`);

  it('says in each language what the address is for', async () => {
    for (const lang of LOCALES) {
      const { text, headers } = await open('', { 'Accept-Language': lang }).expect(200);
      const { front, address } = CATALOGUES[lang];
      for (const words of [`<h1>${front.title}</h1>`, front.text, front.typed, front.brands, address.note])
        expect(text, lang).to.include(words);
      expect(text).to.include(`<html lang="${lang}"`).and.to.include('<a href="/app">');
      expect(text).to.not.include('role="alert"');
      expect(text).to.include('autocorrect="off"');
      expect(headers).to.include({ 'content-language': lang, vary: 'Accept, Accept-Language' });
      expect(headers['content-security-policy']).to.include("form-action 'self'");
    }
  });

  it('leads from what was typed to what is known of it', async () => {
    const unit = '/01/09506000134352/10/A%2F7/21/x1';
    for (const [code, path] of [
      [TOKEN, `/v/${TOKEN}`],
      [` ${TOKEN.toLowerCase()} `, `/v/${TOKEN}`],
      ['7K3M-9QXW-2D5R-8TBC-NPH4-VJ6Y', `/v/${TOKEN}`],
      ['７Ｋ３Ｍ９ＱＸＷ２Ｄ５Ｒ８ＴＢＣＮＰＨ４ＶＪ６Ｙ', `/v/${TOKEN}`],
      // As telephones correct them, and texts that are copied have them.
      ['7K3M–9QXW—2D5R‐8TBC−NPH4 - VJ6Y', `/v/${TOKEN}`],
      [`\u200e7K3M\u00ad9QXW2D5R\u200b8TBCNPH4VJ6Y\u200f`, `/v/${TOKEN}`],
      ['\u2068(01)09506000134352(10)A/7(21)x1\u2069', unit],
      [`HTTPS://VERIFY.EXAMPLE.COM/V/${TOKEN}/?lang=fr#top`, `/v/${TOKEN}`],
      [`verify.example.com/v/${TOKEN}.`, `/v/${TOKEN}`],
      ['(01) 09506000134352 (10) A/7 (21) x1', unit],
      [`https://elsewhere.example/odd${unit}?17=271231`, unit],
      ['https://verify.example.com/01/9506000134352', '/01/09506000134352'],
    ] as const) {
      const { headers } = await typing(code).expect(303);
      expect(headers['location'], code).to.equal(`${path}?lang=de`);
      expect(headers['cache-control']).to.equal('no-store');
    }
    const org = await api.createOrganization();
    const { units } = await org.mintUnits(1);
    const { headers } = await typing(units[0]!.token).expect(303);
    const { text } = await api.http().get(headers['location']!).set('Accept', HTML).expect(200);
    expect(text).to.include(CATALOGUES.de.verdicts.genuine.title);
  });

  it('shows what is no code again, and says what one looks like', async () => {
    const odd = [
      'SN-000123',
      '<b>"x"</b>',
      '//evil.example',
      TOKEN.slice(1),
      `${TOKEN}0`,
      'U'.repeat(24),
      '.',
    ];
    for (const code of odd) {
      const { text } = await typing(code).expect(422);
      expect(text, code).to.include(CATALOGUES.de.front.incomplete).and.to.include('aria-invalid="true"');
      expect(text).to.not.include('<b>"x"');
    }
    const { text } = await typing('SN-000123');
    expect(text).to.include('value="SN-000123"').and.to.include('aria-describedby="wrong"');
    // In another language it is still there.
    const { text: odder } = await typing('<b>&"x"');
    expect(odder).to.include('href="?code=%3Cb%3E%26%22x%22&amp;lang=ar"');
    // Sent empty, or twice, it is nobody's code.
    for (const query of ['?code=', '?code=%20', '?code=a&code=b'])
      expect((await open(query).expect(200)).text).to.not.include('role="alert"');
    expect((await typing('x'.repeat(4_000)).expect(422)).text.length).to.be.below(12_000);
  });

  it('is no address for programs', async () => {
    for (const accept of ['*/*', 'application/json'])
      expectProblem(await api.http().get('/').set('Accept', accept), 'NOT_FOUND');
    await api.http().post('/').set('Accept', HTML).expect(404);
  });
});
