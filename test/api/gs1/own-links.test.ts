import { expect } from 'chai';
import { encodeId, newUuid } from '../../../shared/ids.ts';
import { startStand, type MintedUnit, type Stand } from '../../support/verification-stand.ts';

const GTIN = '09506000134352';
const VOCABULARY = 'https://gs1.org/voc/';

describe('an organization’s own links about a product', () => {
  let stand: Stand;
  let unit: MintedUnit;
  let path: string;

  before(async () => {
    stand = await startStand();
    unit = await stand.mintUnit({ gtin: GTIN, serial: 'S-1', lot: 'L7' });
    path = `/api/v1/products/${encodeId('prod', unit.productId)}`;
  });
  after(() => stand?.close());

  const guide = (language: string | null, title = 'Guide') => ({
    linkType: 'gs1:instructions',
    url: `https://olivaia.example/guide?of=${language}#top`,
    title,
    language,
  });
  const passport = {
    linkType: 'gs1:dpp',
    url: 'https://olivaia.example/passport',
    title: 'Passport',
    language: null,
  };
  const set = async (links: object[]) => {
    const { status, body } = await stand.call('PATCH', path, { links });
    expect(status, JSON.stringify(body)).to.equal(200);
    return body.links as object[];
  };
  const get = (address: string, headers: Record<string, string> = {}) =>
    fetch(stand.origin + address, { headers, redirect: 'manual' });
  const target = async (address: string, headers: Record<string, string> = {}) => {
    const response = await get(address, headers);
    return [response.status, response.headers.get('location')];
  };
  const countScans = async () =>
    (await stand.database.pool.query('select count(*)::int as n from scans')).rows[0].n as number;
  const LEVELS = ['', '/10/L7', '/21/S-1', '/10/L7/21/S-1'].map((below) => `/01/${GTIN}${below}`);

  it('are kept as they were sent, and all at once', async () => {
    const links = [guide('en'), guide('de', 'Anleitung'), passport];
    expect(await set(links)).to.deep.equal(links);
    expect((await stand.call('GET', path)).body.links).to.deep.equal(links);
    const { body } = await stand.call('PATCH', path, { name: 'Olive Oil' });
    expect(body.links).to.deep.equal(links);
    const overtaken = await stand.call('PATCH', path, { links: [], expected: { links: [passport] } });
    expect(overtaken.status).to.equal(409);
    expect((await stand.call('PATCH', path, { links: [], expected: { links } })).status).to.equal(200);
  });

  it('are refused where a type is not one, is answered here or there twice, or the address is no web address', async () => {
    const refusedAt = async (links: object[]) => {
      const { status, body } = await stand.call('PATCH', path, { links });
      expect(status).to.equal(422);
      return (body.errors as { path: string; code: string }[]).map((one) => `${one.path} ${one.code}`);
    };
    for (const linkType of [
      'instructions',
      'gs1:',
      'gs1:defaultLink',
      'gs1:verificationService',
      'gs1:linkset',
      'x:y',
    ])
      expect(await refusedAt([{ ...passport, linkType }])).to.deep.equal([
        'links.0.linkType NOT_A_LINK_TYPE',
      ]);
    expect(await refusedAt([guide('en'), guide('de'), guide('en')])).to.deep.equal([
      'links.2.linkType REPEATED',
    ]);
    expect(await refusedAt([{ ...passport, url: 'javascript:alert(1)' }])).to.deep.equal([
      'links.0.url NOT_A_WEB_ADDRESS',
    ]);
    expect(await refusedAt([{ ...passport, url: 'https://olivaia.example@evil.example/' }])).to.deep.equal([
      'links.0.url URL_CREDENTIALS',
    ]);
    const many = Array.from({ length: 31 }, (_, index) => ({ ...passport, linkType: `gs1:type${index}` }));
    expect(await refusedAt(many)).to.deep.equal(['links TOO_MANY']);
  });

  it('are led to from each level, in the visitor’s language, with the query, and without a scan', async () => {
    await set([guide('en'), guide('de'), passport]);
    const before = await countScans();
    const asked = 'linkType=gs1:instructions';
    for (const level of LEVELS) {
      expect(await target(`${level}?${asked}`, { 'accept-language': 'de-AT,en;q=0.5' })).to.deep.equal([
        307,
        'https://olivaia.example/guide?of=de#top',
      ]);
      expect(await target(`${level}?17=281231&${asked}`, { 'accept-language': 'fi' })).to.deep.equal([
        307,
        'https://olivaia.example/guide?of=en&17=281231#top',
      ]);
      expect(await target(`${level}?linkType=https://ref.gs1.org/voc/dpp`)).to.deep.equal([
        307,
        'https://olivaia.example/passport',
      ]);
      expect((await target(`${level}?linkType=gs1:recipeInfo`))[0]).to.equal(404);
      const { headers } = await get(`${level}?${asked}`);
      expect(headers.get('vary')).to.include('Accept-Language');
    }
    expect((await target(`/01/${GTIN}/21/S-2?${asked}`))[0]).to.equal(404);
    expect(await countScans()).to.equal(before);
  });

  it('stand in the linkset of the product, below that of the unit and its lot', async () => {
    await set([guide('en'), guide('de', 'Anleitung'), passport]);
    const response = await get(`${LEVELS[3]}?linkType=linkset&17=281231`);
    const { linkset } = (await response.json()) as { linkset: Record<string, any>[] };
    expect(linkset.map((level) => `${VOCABULARY}instructions` in level)).to.deep.equal([false, false, true]);
    expect(linkset[2]![`${VOCABULARY}instructions`]).to.deep.equal([
      { href: 'https://olivaia.example/guide?of=en&17=281231#top', title: 'Guide', hreflang: ['en'] },
      { href: 'https://olivaia.example/guide?of=de&17=281231#top', title: 'Anleitung', hreflang: ['de'] },
    ]);
    expect(linkset[2]![`${VOCABULARY}dpp`]).to.deep.equal([
      { href: 'https://olivaia.example/passport?17=281231', title: 'Passport' },
    ]);
    const [page, ...more] = linkset[2]![`${VOCABULARY}pip`];
    expect(more).to.deep.equal([]);
    expect(page).to.include({ type: 'text/html' });
    expect(page.hreflang).to.include.members(['en', 'de', 'ar']);
  });

  it('take the place of the service’s page as the product’s, and never of what a scan shows', async () => {
    const own = { ...passport, linkType: 'gs1:pip', url: 'https://olivaia.example/oil' };
    await set([own]);
    for (const level of LEVELS) {
      expect(await target(`${level}?linkType=gs1:pip`)).to.deep.equal([307, own.url]);
      expect((await get(level)).status).to.equal(200);
    }
    const response = await get(`${LEVELS[1]}?linkType=linkset`);
    const { linkset } = (await response.json()) as { linkset: Record<string, any>[] };
    const pages = linkset.map((level) => level[`${VOCABULARY}pip`]);
    expect(pages).to.deep.equal([undefined, [{ href: own.url, title: 'Passport' }]]);
    expect(linkset[1]![`${VOCABULARY}defaultLink`][0].href).to.equal(`http://localhost:3000${LEVELS[0]}`);
  });

  it('are on the consumers’ page, one of each type in their language, without those for programs', async () => {
    await set([guide('en'), guide('de', 'Anleitung <1>'), passport, { ...passport, linkType: 'gs1:epcis' }]);
    for (const address of [`/v/${unit.token}`, LEVELS[0]!, LEVELS[2]!]) {
      const page = await (await get(address, { accept: 'text/html', 'accept-language': 'de' })).text();
      expect(page.match(/<li><a href="https:\/\/olivaia[^]*?<\/li>/g), address).to.deep.equal([
        '<li><a href="https://olivaia.example/guide?of=de#top" rel="noreferrer" lang="de" hreflang="de" dir="ltr">Anleitung &lt;1&gt;</a></li>',
        '<li><a href="https://olivaia.example/passport" rel="noreferrer" dir="auto">Passport</a></li>',
      ]);
    }
    const verification = (await (await get(`/v/${unit.token}`)).json()) as { product: object };
    expect(Object.keys(verification.product)).to.deep.equal(['name', 'brand', 'imageUrl', 'gtin']);
  });

  it('are those of the unit’s own product where another organization had the GTIN first', async () => {
    const gtin = '07612345678900';
    const { pool } = stand.database;
    const first = newUuid();
    await pool.query('insert into organizations (id, name) values ($1, $2)', [first, 'Maker']);
    const theirs = { ...passport, url: 'https://maker.example/passport' };
    await pool.query(
      `insert into products (id, org_id, name, sku, gtin, links) values ($1, $2, 'Oil', 'Oil', $3, $4)`,
      [newUuid(), first, gtin, JSON.stringify([theirs])],
    );
    const { productId } = await stand.mintUnit({ gtin, serial: 'S-1' });
    const dpp = 'linkType=gs1:dpp';
    expect((await target(`/01/${gtin}/21/S-1?${dpp}`))[0]).to.equal(404);
    const own = { ...passport, linkType: 'gs1:pip', url: 'https://olivaia.example/oil' };
    await stand.call('PATCH', `/api/v1/products/${encodeId('prod', productId)}`, { links: [own, passport] });
    expect(await target(`/01/${gtin}/21/S-1?${dpp}`)).to.deep.equal([307, passport.url]);
    expect(await target(`/01/${gtin}/21/S-1?linkType=gs1:pip`)).to.deep.equal([307, own.url]);
    expect(await target(`/01/${gtin}?${dpp}`)).to.deep.equal([307, theirs.url]);
    const response = await get(`/01/${gtin}/21/S-1?linkType=linkset`);
    const { linkset } = (await response.json()) as { linkset: Record<string, any>[] };
    expect(linkset.map((level) => level[`${VOCABULARY}dpp`])).to.deep.equal([
      [{ href: passport.url, title: 'Passport' }],
    ]);
  });

  it('are on the page of a unit without a GTIN, and on none of a code that is nobody’s', async () => {
    const { token, productId } = await stand.mintUnit();
    await stand.call('PATCH', `/api/v1/products/${encodeId('prod', productId)}`, { links: [passport] });
    const page = async (address: string) => (await get(address, { accept: 'text/html' })).text();
    expect(await page(`/v/${token}`)).to.include(`href="${passport.url}"`);
    expect(await page('/v/UNKNOWN')).not.to.include(passport.url);
  });

  it('are led to by HEAD as by GET', async () => {
    await set([passport]);
    const address = `${stand.origin}${LEVELS[0]}?linkType=gs1:dpp`;
    const { status, headers } = await fetch(address, { method: 'HEAD', redirect: 'manual' });
    expect([status, headers.get('location')]).to.deep.equal([307, passport.url]);
    expect(headers.get('cache-control')).to.equal('no-store');
  });
});
