import { expect } from 'chai';
import { CATALOGUES } from '../../../api/verify/page/locales.ts';
import { CRAWLERS, PREVIEW_FETCHERS, PREVIEW_FETCHERS_FIRST } from '../../../api/verify/quiet.ts';
import { encodeId } from '../../../shared/ids.ts';
import type { Verification } from '../../../shared/scans/verification.ts';
import { startStand, type MintedUnit, type Stand } from '../../support/verification-stand.ts';

const HTML = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1';

describe('GET /v/{token}', () => {
  let stand: Stand;
  let unit: MintedUnit;

  before(async () => {
    stand = await startStand();
  });
  after(() => stand?.close());
  beforeEach(async () => {
    stand.resetClock();
    unit = await stand.mintUnit();
  });

  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(stand.origin + path, { method, headers: { 'user-agent': PHONE, ...headers } });
  const verify = (headers: Record<string, string> = {}, method = 'GET') =>
    get(`/v/${unit.token}`, headers, method);
  const countOf = async () =>
    (
      await stand.database.pool.query<{ n: number }>(
        'select count(*)::int as n from scans where unit_id = $1',
        [unit.unitId],
      )
    ).rows[0]!.n;
  const cookieOf = (response: Response) => response.headers.get('set-cookie')!.split(';')[0]!;

  it('gives a browser the page and everything else JSON', async () => {
    const page = await verify({ accept: HTML });
    expect(page.status).to.equal(200);
    expect(page.headers.get('content-type')).to.equal('text/html; charset=utf-8');
    const text = await page.text();
    expect(text).to.include('Genuine code').and.to.include('<bdi>Olivaia</bdi>');
    for (const accept of ['application/json', '*/*', 'image/png', 'application/json, text/html;q=0.9']) {
      const response = await verify({ accept });
      expect(response.headers.get('content-type'), accept).to.match(/^application\/json/);
      expect(await response.json()).to.include({ result: 'genuine', assessment: 'preliminary' });
    }
    const upper = await get(`/V/${unit.token.toLowerCase()}`, { accept: 'application/json' });
    expect(upper.status).to.equal(200);
  });

  it('tells a stranger who scans a used package nowhere that nothing speaks against its code', async () => {
    const consumed = await stand.call(
      'POST',
      `/api/v1/product-units/${encodeId('unit', unit.unitId)}/consume`,
      {},
    );
    expect(consumed.status).to.equal(200);
    stand.advance(120_000);
    const json = await verify({ accept: 'application/json', 'x-forwarded-for': '198.51.100.7' });
    const told = (await json.json()) as Verification;
    const message = 'This code was issued by the brand for this product.';
    expect(told).to.include({ result: 'genuine', message });
    expect(told.risk).to.have.property('level', 'medium');
    expect(told.risk.signals[0]).to.include({ type: 'clone', reason: 'consumed' });
    const page = await (await verify({ accept: HTML, 'x-forwarded-for': '198.51.100.8' })).text();
    const { lead, leadMedium } = CATALOGUES.en.verdicts.genuine;
    const said = (sentence: string) => page.includes(sentence.replace('{brand}', '<bdi>Olivaia</bdi>'));
    expect(said(leadMedium)).to.equal(true);
    expect(said(lead)).to.equal(false);
  });

  it('sends the page with its own strict policy, which nothing overrides', async () => {
    const { headers } = await verify({ accept: HTML });
    const policy = headers.get('content-security-policy')!;
    expect(policy).to.include("script-src 'self'").and.to.include("frame-ancestors 'none'");
    expect(policy).not.to.match(/unsafe|\*/);
    expect(headers.get('cache-control')).to.equal('no-store');
    expect(headers.get('vary')).to.include('Accept-Language');
    expect(headers.get('x-content-type-options')).to.equal('nosniff');
  });

  it('serves the files that the page names, for ever', async () => {
    const text = await (await verify({ accept: HTML })).text();
    const files = [...text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map((match) => match[1]!);
    expect(files).to.have.length(3);
    for (const file of files) {
      const response = await get(file);
      expect(response.status).to.equal(200);
      expect(response.headers.get('cache-control')).to.include('immutable');
    }
  });

  it('has its icon also where a browser looks for one that no page names', async () => {
    const response = await get('/favicon.ico');
    expect(response.status).to.equal(200);
    expect(response.headers.get('content-type')).to.equal('image/svg+xml');
    expect(await response.text()).to.match(/^<svg /);
  });

  it('speaks the visitor’s language, or the one asked for', async () => {
    const arabic = await (await verify({ accept: HTML, 'accept-language': 'ar-EG,en;q=0.5' })).text();
    expect(arabic).to.include('<html lang="ar" dir="rtl">');
    const german = await get(`/v/${unit.token}?lang=de&utm_source=shop`, { accept: HTML });
    expect(german.headers.get('content-language')).to.equal('de');
  });

  it('answers an unknown and a forged code alike: 404, same shape, no scan, no cookie', async () => {
    const forged = `${unit.token.slice(0, -1)}${unit.token.endsWith('0') ? '1' : '0'}`;
    const shapes: string[][] = [];
    for (const path of [`/v/${forged}`, '/v/hello', '/v/%00']) {
      const response = await get(path, { accept: 'application/json' });
      expect(response.status).to.equal(404);
      const body = (await response.json()) as { result: string };
      expect(body.result).to.equal('unknown');
      shapes.push(Object.keys(body));
    }
    const genuine = (await (await verify()).json()) as object;
    expect(shapes).to.deep.equal([Object.keys(genuine), Object.keys(genuine), Object.keys(genuine)]);
    const page = await get(`/v/${forged}`, { accept: HTML });
    expect(page.status).to.equal(404);
    expect(page.headers.get('set-cookie')).to.equal(null);
    expect(await page.text()).to.include('Code not recognised');
  });

  it('offers a report, for an unknown code too', async () => {
    const unknown = await (await get('/v/hello', { accept: HTML })).text();
    expect(unknown).to.include('action="/v/hello/reports"');
    const evil = await (await get('/v/%22onload=x', { accept: HTML })).text();
    expect(evil).to.include('action="/v/%22onload%3Dx/reports"');
    const known = await (await verify({ accept: HTML })).text();
    expect(known).to.match(/action="\/v\/\w+\/reports"/);
  });

  describe('without a scan', () => {
    const quiet: [string, Record<string, string>, string?][] = [
      ['HEAD', {}, 'HEAD'],
      ['a prefetch', { 'sec-purpose': 'prefetch' }],
      ['a prerender', { 'sec-purpose': 'prefetch;prerender' }],
      ['an older browser’s prefetch', { purpose: 'prefetch' }],
      ['Firefox’s prefetch', { 'x-moz': 'prefetch' }],
      ['an image', { 'sec-fetch-dest': 'image', 'sec-fetch-site': 'cross-site' }],
      ['a style', { 'sec-fetch-dest': 'style', 'sec-fetch-site': 'same-origin' }],
      ['a frame', { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'cross-site' }],
      // The client's own header says that its mode is `cors`.
      ['another site’s script', { 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'cross-site' }],
      ...PREVIEW_FETCHERS_FIRST.map((name): [string, Record<string, string>] => [
        name,
        { 'user-agent': `${name}2.23` },
      ]),
      ...[...PREVIEW_FETCHERS, ...CRAWLERS].map((name): [string, Record<string, string>] => [
        name,
        { 'user-agent': `Mozilla/5.0 (compatible; ${name}/1.0)` },
      ]),
    ];
    it('answers HEAD, prefetches and previews of links', async () => {
      for (const [name, headers, method] of quiet) {
        for (const accept of [HTML, 'application/json']) {
          const response = await verify({ accept, ...headers }, method);
          expect(response.status, name).to.equal(200);
          expect(response.headers.get('set-cookie'), name).to.equal(null);
          const text = await response.text();
          expect(text, name).to.match(
            method === 'HEAD' ? /^$/ : accept === HTML ? /Genuine code/ : /"scanId":null/,
          );
        }
      }
      expect(await countOf()).to.equal(0);
      expect((await (await verify()).json()) as object).to.have.nested.property('scan.count', 1);
    });
  });

  it('takes the browsers within chat and photo apps for people', async () => {
    const inApp = [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Snapchat/13.3.0.44 (like Safari/8617.1.17, panda)',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/21E236 Safari Line/14.3.0',
      'Mozilla/5.0 (Linux; Android 14; SM-S911B) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/122.0 Mobile Safari/537.36 Viber/21.9',
      'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/122.0 Mobile Safari/537.36 Telegram-Android/10.9.1',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 Mobile/21E236 [FBAN/FBIOS;FBAV/453.0.0.39;FBDV/iPhone15,2]',
      'Mozilla/5.0 (Linux; Android 13; SM-A536B) AppleWebKit/537.36 Chrome/121.0 Mobile Safari/537.36 Instagram 320.0.0.34.109 Android',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 [Pinterest/iOS]',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 KAKAOTALK 10.7.0',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 MicroMessenger/8.0.47',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 [LinkedInApp]/9.29',
    ];
    for (const agent of inApp) {
      const body = (await (await verify({ 'user-agent': agent })).json()) as { scanId: string | null };
      expect(body.scanId, agent).to.match(/^scan_/);
    }
  });

  it('tells how many people are behind the checks, so that reloads make a code no worn-out one', async () => {
    for (let time = 0; time < 4; time += 1) await verify();
    const { scan } = (await (await verify({ 'x-forwarded-for': '203.0.113.7' })).json()) as {
      scan: Record<string, unknown>;
    };
    expect(scan).to.include({ count: 5, visitors: 2 });
    const page = await (await verify({ accept: HTML })).text();
    expect(page)
      .to.match(/Checked 6 times/)
      .and.match(/Different visitors<\/dt>\s*<dd>2</);
  });

  it('tells nobody of signals beside which nothing unusual is known, and the organization of each', async () => {
    const own = await stand.mintUnit();
    const look = async (from: string) =>
      (await (await get(`/v/${own.token}`, { 'x-forwarded-for': from })).json()) as {
        message: string;
        risk: { level: string; signals: unknown[] };
      };
    await look('198.51.7.7');
    stand.advance(40 * 60_000);
    const told = await look('203.0.7.7');
    expect(told.message).to.include('nothing unusual');
    expect(told.risk.signals).to.deep.equal([]);
    await stand.score();
    const { rows } = await stand.database.pool.query(
      'select signals from scans where unit_id = $1 order by id desc limit 1',
      [own.unitId],
    );
    expect(rows[0].signals[0]).to.include({ type: 'impossible_travel', minutes: 40 });
  });

  it('asks crawlers to leave printed codes alone', async () => {
    const response = await get('/robots.txt');
    expect(response.status).to.equal(200);
    expect(await response.text())
      .to.match(/^User-agent: \*\n/)
      .and.include('\nDisallow: /v/\n');
  });

  describe('within a visit', () => {
    it('counts a refresh, a step back and another language as the same scan', async () => {
      const first = await verify({ accept: HTML });
      const cookie = cookieOf(first);
      expect(first.headers.get('set-cookie')).to.match(/^visit=[\w-]{22}; Path=\/; HttpOnly; SameSite=Lax$/);
      const ids: string[] = [];
      for (let i = 0; i < 3; i++) {
        stand.advance(60_000);
        await verify({ accept: HTML, cookie });
        const body = (await (await verify({ accept: 'application/json', cookie })).json()) as {
          scanId: string;
          scan: { count: number };
        };
        expect(body.scan.count).to.equal(1);
        ids.push(body.scanId);
      }
      expect(new Set(ids).size).to.equal(1);
      expect(await countOf()).to.equal(1);
    });

    it('shows the final verdict of that scan, and a recall that came since', async () => {
      const cookie = cookieOf(await verify({ accept: HTML }));
      await stand.score();
      const again = async () =>
        (await (await verify({ accept: 'application/json', cookie })).json()) as Record<string, unknown>;
      expect(await again()).to.include({ assessment: 'final', result: 'genuine' });
      await stand.database.pool.query(
        `insert into recalls (id, org_id, scope, target_id, starts_at, created_at)
         select gen_random_uuid(), org_id, 'unit', id, now(), now() from product_units where id = $1`,
        [unit.unitId],
      );
      expect(await again()).to.include({ result: 'recalled' });
    });

    it('makes a new scan when the time is over, for another code, and for a cookie that is none of ours', async () => {
      const cookie = cookieOf(await verify({ accept: HTML }));
      // Ids are of the real time: further than this test may lag behind its clock.
      stand.advance(660_000);
      await verify({ accept: HTML, cookie });
      expect(await countOf()).to.equal(2);
      await verify({ accept: HTML, cookie: 'visit=short' });
      expect(await countOf()).to.equal(3);
      unit = await stand.mintUnit();
      await verify({ accept: HTML, cookie });
      expect(await countOf()).to.equal(1);
    });

    it('lets JSON clients without cookies simply scan again, and gives them none', async () => {
      const response = await verify({ accept: 'application/json' });
      expect(response.headers.get('set-cookie')).to.equal(null);
      await verify({ accept: 'application/json' });
      expect(await countOf()).to.equal(2);
    });

    it('stores no cookie, only a hash of it', async () => {
      const [, value] = cookieOf(await verify({ accept: HTML })).split('=');
      const { rows } = await stand.database.pool.query<{ session_id: string }>(
        'select session_id from scans where unit_id = $1',
        [unit.unitId],
      );
      expect(rows[0]!.session_id)
        .to.match(/^[\w-]{22}$/)
        .and.not.to.equal(value);
    });
  });

  it('takes the address from trusted hops alone', async () => {
    // One hop is trusted: the proxy's own entry, the last one, is the client; whatever stands before it is the client's word.
    await verify({ 'x-forwarded-for': '203.0.113.9, 198.51.100.7' });
    const { rows } = await stand.database.pool.query('select ip, country from scans where unit_id = $1', [
      unit.unitId,
    ]);
    expect(rows).to.deep.equal([{ ip: '198.51.100.7', country: 'DE' }]);
  });
});

describe('GET /v/{token} behind no proxy', () => {
  it('believes no X-Forwarded-For, and limits by the real address', async () => {
    const stand = await startStand({ TRUST_PROXY: '0', RATE_LIMIT_VERIFY_PER_MINUTE: '3' });
    try {
      const unit = await stand.mintUnit();
      const statuses: number[] = [];
      for (let i = 0; i < 5; i++) {
        const response = await fetch(`${stand.origin}/v/${unit.token}`, {
          headers: { 'x-forwarded-for': `198.51.100.${i}` },
        });
        statuses.push(response.status);
      }
      expect(statuses).to.deep.equal([200, 200, 200, 429, 429]);
      const { rows } = await stand.database.pool.query('select distinct host(ip) as ip, country from scans');
      expect(rows).to.deep.equal([{ ip: '127.0.0.1', country: null }]);
    } finally {
      await stand.close();
    }
  });
});
