import { expect } from 'chai';
import { encodeId, newUuid } from '../../../shared/ids.ts';
import { startStand, type MintedUnit, type Stand } from '../../support/verification-stand.ts';

const GTIN = '09506000134352';
const UNUSED = '04012345123456';
const JSON_KEYS = ['message', 'organization', 'product', 'lot', 'recall'];

describe('GS1 Digital Links of products and lots', () => {
  let stand: Stand;
  let unit: MintedUnit;

  before(async () => {
    stand = await startStand();
    unit = await stand.mintUnit({ gtin: GTIN, serial: 'S-1', lot: 'L/7' });
  });
  after(() => stand?.close());

  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(stand.origin + path, { method, headers });
  const read = async (path: string) => (await (await get(path)).json()) as Record<string, any>;
  const countScans = async () =>
    (await stand.database.pool.query('select count(*)::int as n from scans')).rows[0].n as number;
  const recall = async (target: object, text: object) => {
    const { status, body } = await stand.call('POST', '/api/v1/recalls', { ...target, ...text });
    expect(status, JSON.stringify(body)).to.equal(201);
    return body.id as string;
  };
  const batchOf = async (productId: string) => {
    const { rows } = await stand.database.pool.query('select id from batches where product_id = $1', [
      productId,
    ]);
    return rows[0].id as string;
  };

  const LEVELS = [
    `/01/${GTIN}`,
    `/01/${GTIN}/`,
    `/01/9506000134352`,
    `/01/${GTIN}/22/V1`,
    `/01/${GTIN}/10/L%2F7`,
    `/01/${GTIN}/22/V1/10/L%2F7?17=281231&utm_source=shelf`,
  ];

  it('tells what the code names, no verdict and nothing of a unit, and makes no scan', async () => {
    const before = await countScans();
    for (const path of LEVELS) {
      const response = await get(path);
      expect(response.status, path).to.equal(200);
      expect(response.headers.get('cache-control')).to.equal('no-store');
      expect(response.headers.get('vary')).to.include('Accept');
      const body = (await response.json()) as Record<string, unknown>;
      expect(Object.keys(body)).to.deep.equal(JSON_KEYS);
      expect(body.product).to.deep.equal({
        name: 'Olive Oil',
        brand: 'Olivaia',
        imageUrl: null,
        gtin: GTIN,
      });
      expect(body).to.deep.include({ lot: null, recall: null });
      expect(body.message).to.include('does not show whether a piece is genuine');
    }
    expect(await countScans()).to.equal(before);
  });

  it('answers a browser with a page in its language, without a cookie, a script or a scan', async () => {
    const before = await countScans();
    const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'accept-language': 'de' };
    for (const path of LEVELS) {
      const response = await get(path, headers);
      expect(response.status, path).to.equal(200);
      expect(response.headers.get('content-security-policy')).to.include("default-src 'none'");
      expect(response.headers.get('set-cookie')).to.equal(null);
      expect(response.headers.get('content-language')).to.equal('de');
      const page = await response.text();
      expect(page).to.include('<h1>Dieser Code bezeichnet nur das Produkt</h1>').and.to.include('Olive Oil');
      expect(page)
        .to.include('noindex')
        .and.not.match(/<script|Echter Code|S-1|L\/7/);
    }
    expect(await (await get(`/01/${GTIN}?lang=ja`, headers)).text()).to.include('lang="ja"');
    expect(await countScans()).to.equal(before);
  });

  it('answers an unknown GTIN as an unknown code, in JSON and as a page', async () => {
    const { scan: _, ...unknown } = await read('/v/NOSUCHCODE');
    for (const path of [`/01/${UNUSED}`, `/01/${UNUSED}/10/L1`, `/01/${UNUSED}/22/V/10/L1`]) {
      const response = await get(path);
      expect(response.status, path).to.equal(404);
      const { scan, ...body } = (await response.json()) as Record<string, any>;
      expect(body).to.deep.equal(unknown);
      expect(scan).to.include({ count: 0, firstScannedAt: null });
      const page = await get(path, { accept: 'text/html' });
      expect(page.status, path).to.equal(404);
      expect(await page.text())
        .to.include('Code not recognised')
        .and.to.include('/counterfeit-reports');
      expect((await get(`${path}?linkType=linkset`)).status).to.equal(404);
    }
  });

  it('answers a lot that nobody has as it answers one that there is', async () => {
    const known = await get(`/01/${GTIN}/10/L%2F7`);
    const invented = await get(`/01/${GTIN}/10/L8`);
    expect(invented.status).to.equal(known.status);
    expect(await invented.text()).to.equal(await known.text());
    const page = async (lot: string) => (await get(`/01/${GTIN}/10/${lot}`, { accept: 'text/html' })).text();
    expect(await page('L8')).to.equal(await page('L%2F7'));
  });

  it('answers HEAD with the headers alone', async () => {
    for (const accept of ['*/*', 'text/html', 'application/linkset+json']) {
      const [head, full] = [
        await get(`/01/${GTIN}`, { accept }, 'HEAD'),
        await get(`/01/${GTIN}`, { accept }),
      ];
      expect(head.status).to.equal(200);
      for (const name of ['content-type', 'link', 'vary', 'cache-control'])
        expect(head.headers.get(name), `${name} for ${accept}`).to.equal(full.headers.get(name));
      expect(await head.text()).to.equal('');
    }
    expect((await get(`/01/${UNUSED}`, { accept: 'text/html' }, 'HEAD')).status).to.equal(404);
  });

  it('gives the linkset of the level that was asked for, and passes the query on', async () => {
    for (const [path, accept] of [
      [`/01/${GTIN}`, 'application/linkset+json'],
      [`/01/${GTIN}/10/L%2F7`, 'application/linkset+json'],
      [`/01/${GTIN}/22/V1/10/L%2F7`, '*/*'],
    ] as const) {
      const query = accept === '*/*' ? '?linkType=linkset&17=281231' : '?17=281231';
      const response = await get(path + query, { accept });
      expect(response.headers.get('content-type')).to.include('application/linkset+json');
      expect(response.headers.get('link')).to.include('linkset-context');
      // The same address gives the page: no cache between may give one for the other.
      expect(response.headers.get('vary')).to.equal('Accept');
      expect(response.headers.get('cache-control')).to.equal('no-store');
      const { linkset } = (await response.json()) as { linkset: Record<string, any>[] };
      const target = { href: `http://localhost:3000${path}?17=281231`, title: 'Product information' };
      expect(linkset[0]).to.include({
        anchor: `http://localhost:3000${path}`,
        itemDescription: 'Olive Oil',
      });
      for (const type of ['defaultLink', 'pip'])
        expect(linkset[0]![`https://gs1.org/voc/${type}`][0]).to.deep.include(target);
      expect(linkset[0]).not.to.have.property('https://gs1.org/voc/verificationService');
      expect((await get(path)).headers.get('link')).to.equal(
        `<http://localhost:3000${path}?linkType=linkset>; rel="linkset"; type="application/linkset+json"; title="Linkset"`,
      );
    }
  });

  it('answers the serial of a third party, which is no unit’s here, as the product', async () => {
    const path = `/01/${GTIN}/235/${'T-1'.padEnd(28, '0')}`;
    const before = await countScans();
    expect(await read(path)).to.deep.equal(await read(`/01/${GTIN}`));
    const page = await get(path, { accept: 'text/html' });
    expect(await page.text()).to.equal(await (await get(`/01/${GTIN}`, { accept: 'text/html' })).text());
    expect(await countScans()).to.equal(before);
    const { linkset } = await read(`${path}?linkType=linkset`);
    expect(linkset.map(({ anchor }: { anchor: string }) => anchor)).to.deep.equal(
      [path, `/01/${GTIN}`].map((anchor) => `http://localhost:3000${anchor}`),
    );
    expect((await get(`/01/${UNUSED}/235/T-1`)).status).to.equal(404);
    for (const wrong of [`/235/${'T'.repeat(29)}`, '/235/T/21/S-1', '/10/L/235/T', '/235', '/235/a%20b'])
      expect((await get(`/01/${GTIN}${wrong}`)).status, wrong).to.equal(400);
  });

  it('has a product page and no verification service', async () => {
    for (const type of ['', 'gs1:defaultLink', 'gs1:pip', 'https://gs1.org/voc/pip'])
      expect((await get(`/01/${GTIN}?linkType=${type}`)).status, type).to.equal(200);
    for (const type of ['gs1:verificationService', 'gs1:recipeInfo', 'nonsense'])
      expect((await get(`/01/${GTIN}?linkType=${type}`)).status, type).to.equal(404);
  });

  it('refuses bad syntax with 400, and other methods with 405', async () => {
    for (const path of [
      '/01/09506000134353',
      '/01/x',
      '/01/%ff',
      `/01/${GTIN}/10`,
      `/01/${GTIN}/10/`,
      `/01/${GTIN}/10/%C3%A4`,
      `/01/${GTIN}/10/${'L'.repeat(21)}`,
      `/01/${GTIN}/10/L/22/V`,
      `/01/${GTIN}/11/281231`,
    ]) {
      const response = await get(path);
      expect([path, response.status]).to.deep.equal([path, 400]);
      expect(response.headers.get('access-control-allow-origin')).to.equal('*');
    }
    expect((await get(`/01/${GTIN}`, {}, 'POST')).status).to.equal(405);
  });

  it('may be read by scanners of any origin, counts against the same limit and takes a preflight', async () => {
    const response = await get(`/01/${GTIN}/10/L1`, { origin: 'https://scanner.example' });
    expect(response.headers.get('access-control-allow-origin')).to.equal('*');
    expect(response.headers.get('cross-origin-resource-policy')).to.equal('cross-origin');
    expect(response.headers.get('ratelimit')).to.include('"verify"');
    expect((await get(`/01/${GTIN}`, { origin: 'https://scanner.example' }, 'OPTIONS')).status).to.equal(204);
  });

  it('tells the recall of a lot under that lot alone, also under the lot’s former name', async () => {
    const { productId } = await stand.mintUnit({ gtin: '04006381333931', lot: 'L-OLD' });
    const batchId = await batchOf(productId);
    await stand.database.pool.query(
      `update batches set lot = 'L-NEW', former_lots = '{L-OLD}' where id = $1`,
      [batchId],
    );
    const messages = { en: 'The cap may break.', de: 'Der Deckel kann brechen.' };
    const made = await recall(
      { batchId: encodeId('batch', batchId) },
      { messages, contact: 'care@olivaia.example' },
    );
    for (const lot of ['L-NEW', 'L-OLD']) {
      const body = await read(`/01/04006381333931/22/V/10/${lot}`);
      expect(body).to.deep.include({ lot, recall: { messages, contact: 'care@olivaia.example' } });
      expect(body.message).to.include('recalled').and.to.include('does not show whether');
    }
    const headers = { accept: 'text/html', 'accept-language': 'de' };
    const page = await (await get('/01/04006381333931/10/L-OLD', headers)).text();
    expect(page)
      .to.include('verdict recalled')
      .and.to.include('Der Deckel kann brechen.')
      .and.to.include('L-OLD')
      .and.to.include('Dieser Code bezeichnet nur das Produkt');
    for (const path of ['/01/04006381333931', '/01/04006381333931/10/L-ELSE'])
      expect(await read(path)).to.deep.include({ lot: null, recall: null });

    expect((await stand.call('POST', `/api/v1/recalls/${made}/lift`)).status).to.equal(200);
    expect(await read('/01/04006381333931/10/L-NEW')).to.deep.include({ lot: null, recall: null });
  });

  it('tells the recall of a product at each level, and confirms no lot by it', async () => {
    const { productId } = await stand.mintUnit({ gtin: '05901234123457', lot: 'L1' });
    await recall({ productId: encodeId('prod', productId) }, { messages: { en: 'Bring it back.' } });
    for (const path of ['', '/10/L1', '/10/L2', '/22/V'])
      expect(await read(`/01/05901234123457${path}`)).to.deep.include({
        lot: null,
        recall: { messages: { en: 'Bring it back.' }, contact: null },
      });
  });

  it('tells the recall of a lot before that of its product, though it came later', async () => {
    const gtin = '04012345678901';
    const { productId, unitId } = await stand.mintUnit({ gtin, lot: 'L1' });
    await recall({ productId: encodeId('prod', productId) }, { messages: { en: 'Bring it back.' } });
    const { body } = await stand.call('GET', `/api/v1/product-units/${encodeId('unit', unitId)}`);
    stand.advance(1000);
    await recall({ batchId: body.batchId }, { messages: { en: 'L1 leaks: do not open it.' } });
    expect(await read(`/01/${gtin}/10/L1`)).to.deep.include({
      lot: 'L1',
      recall: { messages: { en: 'L1 leaks: do not open it.' }, contact: null },
    });
    expect((await read(`/01/${gtin}/10/L2`)).recall.messages).to.deep.equal({ en: 'Bring it back.' });
  });

  it('tells of the product that was registered first, whoever else uses its GTIN', async () => {
    const other = newUuid();
    const [productId, batchId] = [newUuid(), newUuid()];
    const { pool } = stand.database;
    await pool.query('insert into organizations (id, name) values ($1, $2)', [other, 'Imitator']);
    await pool.query('insert into products (id, org_id, name, sku, gtin) values ($1, $2, $3, $3, $4)', [
      productId,
      other,
      'Copied Oil',
      GTIN,
    ]);
    await pool.query(
      `insert into batches (id, org_id, product_id, quantity, lot) values ($1, $2, $3, 1, 'L9')`,
      [batchId, other, productId],
    );
    await pool.query(
      `insert into recalls (id, org_id, scope, target_id, starts_at, created_at)
       values ($1, $2, 'product', $3, now(), now()), ($4, $2, 'batch', $5, now(), now())`,
      [newUuid(), other, productId, newUuid(), batchId],
    );
    for (const path of [`/01/${GTIN}`, `/01/${GTIN}/10/L9`]) {
      expect(await read(path)).to.deep.include({ lot: null, recall: null });
      const page = await (await get(path, { accept: 'text/html' })).text();
      expect(page)
        .to.include('Olivaia')
        .and.not.match(/Imitator|Copied/);
    }
  });

  it('is no page about the unit of another organization that has the GTIN', async () => {
    const gtin = '07612345678900';
    const first = newUuid();
    const { pool } = stand.database;
    await pool.query('insert into organizations (id, name) values ($1, $2)', [first, 'Maker']);
    await pool.query('insert into products (id, org_id, name, sku, gtin) values ($1, $2, $3, $3, $4)', [
      newUuid(),
      first,
      'Oil',
      gtin,
    ]);
    await stand.mintUnit({ gtin, serial: 'S-1' });
    const { linkset } = await read(`/01/${gtin}/21/S-1?linkType=linkset`);
    expect(linkset.map(({ anchor }: { anchor: string }) => anchor)).to.deep.equal([
      `http://localhost:3000/01/${gtin}/21/S-1`,
    ]);
    expect((await get(`/01/${gtin}/21/S-1?linkType=gs1:pip`)).status).to.equal(404);
  });

  it('counts the recall of a further product of the organization that has the GTIN too', async () => {
    const gtin = '00012345678905';
    await stand.mintUnit({ gtin, lot: 'A' });
    const { productId } = await stand.mintUnit({ gtin, lot: 'B' });
    await recall(
      { batchId: encodeId('batch', await batchOf(productId)) },
      { messages: { en: 'Lot B leaks.' } },
    );
    expect((await read(`/01/${gtin}/10/B`)).recall.messages).to.deep.equal({ en: 'Lot B leaks.' });
    expect((await read(`/01/${gtin}/10/A`)).recall).to.equal(null);
  });

  it('tells of a current product rather than of an archived one that the same organization gave its GTIN', async () => {
    const gtin = '00012345678912';
    const { productId: first } = await stand.mintUnit({ gtin });
    const { productId: successor } = await stand.mintUnit({ gtin });
    const { pool } = stand.database;
    await pool.query(`update products set name = 'Successor' where id = $1`, [successor]);
    expect((await read(`/01/${gtin}`)).product.name).to.equal('Olive Oil');
    await pool.query('update products set archived_at = now() where id = $1', [first]);
    expect((await read(`/01/${gtin}`)).product.name).to.equal('Successor');
    await pool.query('update products set archived_at = now() where id = $1', [successor]);
    expect((await read(`/01/${gtin}`)).product.name).to.equal('Olive Oil');
  });

  it('goes on telling of an archived product, as of its units', async () => {
    await stand.database.pool.query('update products set archived_at = now() where id = $1', [
      unit.productId,
    ]);
    expect((await get(`/01/${GTIN}`)).status).to.equal(200);
    expect((await get(`/01/${GTIN}/21/S-1`)).status).to.equal(200);
  });
});
