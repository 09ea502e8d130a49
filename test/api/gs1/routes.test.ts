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
    for (const path of [
      `/01/${GTIN}/21/S-1`,
      `/01/${GTIN}/21/S-1/`,
      `${link}?linkType=`,
      link,
      `/01/9506000134352/22/V1/10/L%2F7/21/S-1?17=281231`,
    ]) {
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
    expect(await page.text()).to.include('Genuine code');
  });

  const post = (path: string, body: object) =>
    fetch(stand.origin + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  for (const [path, below] of [
    [`/01/${GTIN}/21/S-1`, `/01/${GTIN}/21/S-1`],
    [link, link],
    [`/01/9506000134352/22/V1/10/L%2F7/21/S-1`, link],
  ] as const) {
    it(`offers on the page of ${path} what the token’s page offers: position and report`, async () => {
      const visitor = { accept: 'text/html', 'x-forwarded-for': '100.20.1.7' };
      const page = await (await get(path, visitor)).text();
      const action = /data-action="([^"]+)"/.exec(page)?.[1];
      const nonce = /data-nonce="([^"]+)"/.exec(page)![1]!;
      expect(action).to.equal(`${below}/position`);
      expect(page).not.to.include(unit.token);
      const position = { nonce, lat: 49.119, lon: 6.176, accuracyM: 20 };
      expect((await post(action!.replace('S-1', 'S-2'), position)).status).to.equal(403);
      expect((await post(action!, position)).status).to.equal(204);
      expect((await post(action!, position)).status).to.equal(409);
      const { rows } = await stand.database.pool.query(
        'select country, place_source from scans where unit_id = $1 order by id desc limit 1',
        [unit.unitId],
      );
      expect(rows).to.deep.equal([{ country: 'FR', place_source: 'gps' }]);

      const report = /<form method="post" action="([^"]+)"/.exec(page)![1]!;
      expect(report).to.equal(`${below}/reports`);
      expect((await post(report, { description: `The seal was broken at ${path}.` })).status).to.equal(201);
      const reports = await stand.database.pool.query(
        'select unit_id, description from counterfeit_reports order by id desc limit 1',
      );
      expect(reports.rows).to.deep.equal([
        { unit_id: unit.unitId, description: `The seal was broken at ${path}.` },
      ]);
    });
  }

  it('answers an unknown serial or another lot as an unknown code', async () => {
    for (const path of [`/01/${GTIN}/21/S-2`, `/01/${GTIN}/10/L8/21/S-1`, '/01/00000000000000/21/S-1']) {
      const response = await get(path);
      expect(response.status, path).to.equal(404);
      expect((await response.json()) as object).to.include({ result: 'unknown' });
    }
  });

  it('finds a unit under the former name of its lot, which is printed on it', async () => {
    const gtin = '05901234123457';
    const relabelled = await stand.mintUnit({ gtin, serial: 'S-1', lot: 'L-OLD' });
    await stand.database.pool.query(
      `update batches set lot = 'L-NEW', former_lots = '{L-OLD}' where product_id = $1`,
      [relabelled.productId],
    );
    for (const lot of ['L-OLD', 'L-NEW']) {
      const response = await get(`/01/${gtin}/10/${lot}/21/S-1`);
      expect((await response.json()) as object, lot).to.include({ result: 'genuine' });
    }
  });

  it('answers for the product that was registered first where two have the GTIN and the serial', async () => {
    const gtin = '07612345678900';
    await stand.mintUnit({ gtin, serial: 'S-1' });
    await stand.mintUnit({ gtin, serial: 'S-1', status: 'minted' });
    const response = await get(`/01/${gtin}/21/S-1`);
    expect((await response.json()) as object).to.include({ result: 'genuine' });
  });

  it('refuses bad syntax with 400', async () => {
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
  });

  it('gives the linkset without a scan, and passes the query on', async () => {
    const count = async () =>
      (await stand.database.pool.query('select count(*)::int as n from scans')).rows[0].n as number;
    const before = await count();
    for (const [path, accept] of [
      [`${link}?linkType=linkset&17=281231`, '*/*'],
      [`${link}?17=281231`, 'application/linkset+json'],
      [`${link}?17=281231`, 'application/linkset+json; charset=utf-8'],
      [
        `${link}?17=281231`,
        'application/linkset+json;profile="https://a.example/b, c;q=0";q=0.9, text/html;q=0.5',
      ],
    ] as const) {
      const response = await get(path, { accept });
      // To the letter: RFC 9264 gives the type no charset, and GS1's own test suite takes nothing else.
      expect(response.headers.get('content-type')).to.equal('application/linkset+json');
      const { linkset } = (await response.json()) as { linkset: [Record<string, any>] };
      expect(linkset[0].anchor).to.equal(`http://localhost:3000${link}`);
      expect(linkset[0]['https://gs1.org/voc/defaultLink'][0].href).to.equal(
        `http://localhost:3000${link}?17=281231`,
      );
    }
    expect(await count()).to.equal(before);
    expect((await get(`/01/${GTIN}/21/S-2?linkType=linkset`)).status).to.equal(404);
  });

  it('gives the linkset to whoever prefers it, however it is written, and to nobody else', async () => {
    const typeFor = async (accept: string) =>
      (await get(link, { accept })).headers.get('content-type')?.split(';')[0];
    expect(await typeFor('Application/Linkset+JSON')).to.equal('application/linkset+json');
    expect(await typeFor('application/linkset+json, application/json;q=0.5')).to.equal(
      'application/linkset+json',
    );
    expect(await typeFor('text/html, application/linkset+json;q=0.1')).to.equal('text/html');
    expect(await typeFor('application/json, application/linkset+json;q=0.5')).to.equal('application/json');
    expect(await typeFor('application/linkset+json;q=0, text/html')).to.equal('text/html');
    expect(await typeFor('application/linkset+json;profile="x";q=0.1, text/html')).to.equal('text/html');
  });

  it('has its context in the linkset itself where JSON-LD is asked for', async () => {
    const ask = (accept: string) => get(`${link}?linkType=linkset`, { accept });
    const plain = await ask('application/json, application/ld+json;q=0.5');
    for (const { headers } of [plain, await ask('application/linkset+json, application/ld+json;q=0.5')])
      expect(headers.get('content-type')).to.equal('application/linkset+json');
    for (const accept of [
      'application/ld+json',
      'application/ld+json;profile="a,b", application/json;q=0.9',
    ]) {
      const response = await ask(accept);
      expect(response.headers.get('content-type'), accept).to.equal('application/ld+json');
      // A processor of JSON-LD has to pass over a context in the header of what is JSON-LD.
      expect(response.headers.get('link')).to.equal(null);
      const { '@context': context, ...body } = (await response.json()) as Record<string, unknown>;
      expect(plain.headers.get('link')).to.include(
        `<${String(context)}>; rel="http://www.w3.org/ns/json-ld#context"`,
      );
      expect(body).to.deep.equal(await (await ask('*/*')).json());
    }
  });

  it('lets no cache keep an error, nor take one for another’s', async () => {
    for (const path of [`${link}?linkType=gs1:nonsense`, '/01/04006381333931?linkType=linkset']) {
      const { status, headers } = await get(path);
      expect([status, headers.get('cache-control'), headers.get('vary')]).to.deep.equal([
        404,
        'no-store',
        'Accept',
      ]);
    }
  });

  it('lists the product’s page at each level above the unit, and leads to it without a scan', async () => {
    const before = (await stand.database.pool.query('select count(*)::int as n from scans')).rows[0].n;
    const { linkset } = (await (await get(`${link}?linkType=linkset&17=281231`)).json()) as {
      linkset: Record<string, any>[];
    };
    const lotLink = `http://localhost:3000/01/${GTIN}/10/L%2F7`;
    const productLink = `http://localhost:3000/01/${GTIN}`;
    expect(linkset.map(({ anchor }) => anchor)).to.deep.equal([
      `http://localhost:3000${link}`,
      lotLink,
      productLink,
    ]);
    for (const [at, coarser] of [lotLink, productLink].entries())
      expect(linkset[at + 1]!['https://gs1.org/voc/pip'][0].href).to.equal(`${coarser}?17=281231`);
    for (const { 'https://gs1.org/voc/defaultLink': targets } of linkset)
      expect(targets.map(Object.keys)).to.deep.equal([['href', 'title']]);
    const way = await fetch(`${stand.origin}${link}?linkType=gs1:pip&17=281231`, { redirect: 'manual' });
    expect([way.status, way.headers.get('location')]).to.deep.equal([307, `${lotLink}?17=281231`]);
    expect(way.headers.get('link')).to.include(
      `<http://localhost:3000${link}?linkType=linkset>; rel="linkset"`,
    );
    const after = (await stand.database.pool.query('select count(*)::int as n from scans')).rows[0].n;
    expect(after).to.equal(before);
  });

  it('lists each level from the finest link to the GTIN’s', async () => {
    const linksOf = async (path: string) => {
      const { linkset } = (await (await get(`${path}?linkType=linkset`)).json()) as {
        linkset: Record<string, any>[];
      };
      for (const { description, itemDescription } of linkset)
        expect([description, itemDescription]).to.deep.equal(['Olive Oil', 'Olive Oil']);
      return linkset.map(({ anchor }) => anchor.replace('http://localhost:3000', '') as string);
    };
    const levels = ['/22/V1/10/L%2F7/21/S-1', '/22/V1/10/L%2F7', '/22/V1', ''].map(
      (below) => `/01/${GTIN}${below}`,
    );
    for (const [at, path] of levels.entries()) expect(await linksOf(path)).to.deep.equal(levels.slice(at));
  });

  it('follows a link type that there is, and answers 404 for one that there is not', async () => {
    expect((await get(`${link}?linkType=gs1:verificationService`)).status).to.equal(200);
    expect((await get(`/01/${GTIN}/21/S-2?linkType=gs1:pip`)).status).to.equal(404);
    for (const type of ['gs1:recipeInfo', 'nonsense'])
      expect((await get(`${link}?linkType=${type}`)).status, type).to.equal(404);
  });

  it('takes a link type by each of its addresses, however often it is said', async () => {
    const type = 'verificationService';
    for (const asked of [
      ...['https://ref.gs1.org/voc/', 'https://gs1.org/voc/', 'https://www.gs1.org/voc/'].map(
        (at) => at + type,
      ),
      `gs1:${type}&linkType=https://ref.gs1.org/voc/${type}`,
    ])
      expect((await get(`${link}?linkType=${asked}`)).status, asked).to.equal(200);
  });

  it('answers 404 for what is no one link type, and ignores what is no language', async () => {
    for (const asked of ['linkset&linkType=gs1:pip', '%00', 'x'.repeat(201)])
      for (const path of [link, `/01/${GTIN}`])
        expect((await get(`${path}?linkType=${asked}`)).status, asked).to.equal(404);
    for (const lang of ['%00', '%FF', 'xx', 'de&lang=fr'])
      for (const path of [link, `/01/${GTIN}`, '/.well-known/gs1resolver'])
        expect((await get(`${path}?lang=${lang}`)).status, lang).to.equal(200);
  });

  it('gives a browser the page whichever charset it names, and a program JSON', async () => {
    const typeFor = async (path: string, accept: string) =>
      (await get(path, { accept })).headers.get('content-type');
    for (const path of [link, `/01/${GTIN}`, `/v/${unit.token}`]) {
      expect(await typeFor(path, 'text/html;charset=utf-8')).to.equal('text/html; charset=utf-8');
      expect(await typeFor(path, 'text/html; charset="UTF-8", */*;q=0.1')).to.equal(
        'text/html; charset=utf-8',
      );
      expect(await typeFor(path, 'application/json;charset=utf-8, text/html;q=0.9')).to.equal(
        'application/json; charset=utf-8',
      );
    }
  });

  it('may be read by scanners of any origin, and describes itself', async () => {
    const preflight = await get(link, { origin: 'https://scanner.example' }, 'OPTIONS');
    expect(preflight.status).to.equal(204);
    expect(preflight.headers.get('access-control-allow-methods')).to.include('GET');
    expect(preflight.headers.get('access-control-allow-headers')).to.equal('Accept, Accept-Language');
    const response = await get('/.well-known/gs1resolver', { origin: 'https://scanner.example' });
    expect(response.headers.get('access-control-allow-origin')).to.equal('*');
    expect((await response.json()) as object).to.deep.include({ supportedPrimaryKeys: ['01'] });
    const exposed = response.headers.get('access-control-expose-headers')!.toLowerCase().split(', ');
    expect(exposed).to.include.members(['content-language', 'link', 'ratelimit', 'ratelimit-policy']);
  });

  it('tells scanners of any origin that they ask too much, and counts no preflight', async () => {
    const limited = await startStand({ RATE_LIMIT_VERIFY_PER_MINUTE: '1' });
    try {
      const ask = (path: string, method = 'GET') => fetch(limited.origin + path, { method });
      for (let count = 0; count < 3; count += 1)
        expect((await ask(`/01/${GTIN}`, 'OPTIONS')).status).to.equal(204);
      expect((await ask(`/01/${GTIN}`)).status).to.equal(404);
      for (const path of [`/01/${GTIN}`, `/01/${GTIN}/21/S-1`]) {
        const refused = await ask(path);
        expect(refused.status).to.equal(429);
        expect(refused.headers.get('access-control-allow-origin')).to.equal('*');
        expect(refused.headers.get('access-control-expose-headers')).to.include('RateLimit');
      }
      expect((await ask(`/01/${GTIN}`, 'OPTIONS')).status).to.equal(204);
    } finally {
      await limited.close();
    }
  });
});
