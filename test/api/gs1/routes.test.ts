import { expect } from 'chai';
import { startStand, type MintedUnit, type Stand } from '../../support/verification-stand.ts';

const GTIN = '09506000134352';

describe('GS1 Digital Links', () => {
  let stand: Stand;
  let unit: MintedUnit;

  before(async () => {
    stand = await startStand();
    unit = await stand.mintUnit({ gtin: GTIN, serial: 'S-1', lot: 'L/7' });
  });
  after(() => stand?.close());

  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(stand.origin + path, { method, headers });
  const link = `/01/${GTIN}/10/L%2F7/21/S-1`;

  it('gives the same result as the token', async () => {
    const byToken = (await (await get(`/v/${unit.token}`)).json()) as Record<string, unknown>;
    for (const path of [`/01/${GTIN}/21/S-1`, link, `/01/9506000134352/22/V1/10/L%2F7/21/S-1?17=281231`]) {
      const response = await get(path);
      expect(response.status, path).to.equal(200);
      const body = (await response.json()) as Record<string, unknown>;
      expect(Object.keys(body)).to.deep.equal(Object.keys(byToken));
      expect(body.unit).to.deep.equal(byToken.unit);
      expect(body.scanId).to.match(/^scan_/);
      expect(response.headers.get('link')).to.include('rel="linkset"');
    }
    const page = await get(link, { accept: 'text/html' });
    expect(page.headers.get('content-type')).to.include('text/html');
    expect(await page.text())
      .to.include('Genuine code')
      .and.not.to.include('data-nonce');
  });

  it('answers an unknown serial or another lot as an unknown code', async () => {
    for (const path of [`/01/${GTIN}/21/S-2`, `/01/${GTIN}/10/L8/21/S-1`, '/01/00000000000000/21/S-1']) {
      const response = await get(path);
      expect(response.status, path).to.equal(404);
      expect((await response.json()) as object).to.include({ result: 'unknown' });
    }
  });

  it('refuses bad syntax with 400, and a link that names no unit with 404', async () => {
    const bad = [
      `/01/09506000134353/21/S-1`,
      `/01/${GTIN}/21`,
      `/01/${GTIN}/21/S-1/10/L`,
      `/01/${GTIN}/21/%C3%A4`,
      '/01/x',
    ];
    for (const path of bad) {
      const response = await get(path);
      expect([path, response.status]).to.deep.equal([path, 400]);
      expect(response.headers.get('access-control-allow-origin')).to.equal('*');
    }
    expect((await get(`/01/${GTIN}`)).status).to.equal(404);
  });

  it('gives the linkset without a scan, and passes the query on', async () => {
    const count = async () =>
      (await stand.database.pool.query('select count(*)::int as n from scans')).rows[0].n as number;
    const before = await count();
    for (const [path, accept] of [
      [`${link}?linkType=linkset&17=281231`, '*/*'],
      [`${link}?17=281231`, 'application/linkset+json'],
    ] as const) {
      const response = await get(path, { accept });
      expect(response.headers.get('content-type')).to.include('application/linkset+json');
      const { linkset } = (await response.json()) as { linkset: [Record<string, any>] };
      expect(linkset[0].anchor).to.equal(`http://localhost:3000${link}`);
      expect(linkset[0]['https://gs1.org/voc/defaultLink'][0].href).to.equal(
        `http://localhost:3000${link}?17=281231`,
      );
    }
    expect(await count()).to.equal(before);
    expect((await get(`/01/${GTIN}/21/S-2?linkType=linkset`)).status).to.equal(404);
  });

  it('follows a link type that there is, and answers 404 for one that there is not', async () => {
    expect((await get(`${link}?linkType=gs1:verificationService`)).status).to.equal(200);
    for (const type of ['gs1:pip', 'gs1:recipeInfo', 'nonsense'])
      expect((await get(`${link}?linkType=${type}`)).status, type).to.equal(404);
  });

  it('may be read by scanners of any origin, and describes itself', async () => {
    const preflight = await get(link, { origin: 'https://scanner.example' }, 'OPTIONS');
    expect(preflight.status).to.equal(204);
    expect(preflight.headers.get('access-control-allow-methods')).to.include('GET');
    const response = await get('/.well-known/gs1resolver', { origin: 'https://scanner.example' });
    expect(response.headers.get('access-control-allow-origin')).to.equal('*');
    expect((await response.json()) as object).to.deep.include({ supportedPrimaryKeys: ['01'] });
  });
});
