import { expect } from 'chai';
import {
  addCodeHost,
  forgetCodeHost,
  parseCodeAddress,
  useCodeHost,
} from '../../../shared/code-hosts/service.ts';
import { confirmDomainByOperator } from '../../../shared/domains/service.ts';
import { blockOrganization } from '../../../shared/organizations/service.ts';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';
import { readSymbol } from '../../support/read-symbol.ts';

const BROWSER = { Accept: 'text/html', 'Accept-Language': 'en' };
const NOBODYS = 'SC54T471XW7X69JR5ZAQ9NMA';
const SERVICE = 'verify.example.com';

describe('codes under an address of the organization’s own', () => {
  let api: TestApi;
  let brand: TestOrganization;
  let other: TestOrganization;
  let serial = 100;
  before(async () => {
    api = await createTestApi();
    [brand, other] = [await api.createOrganization(), await api.createOrganization()];
    await api.database.pool.query(`update organizations set name = 'Olivaia' where id = $1`, [brand.uuid]);
    await lead(brand, 'https://id.olivaia.example');
    await lead(other, 'https://id.other.example');
  });
  after(() => api.close());

  /** The processes hear of it within seconds. */
  const heard = () => api.clock.advance(5_000);
  const lead = async (org: TestOrganization, url: string) => {
    const address = parseCodeAddress(url);
    await addCodeHost(api.deps, api.deps.db, org.uuid, address);
    await useCodeHost(api.deps, api.deps.db, org.uuid, address);
    heard();
  };
  const ask = (host: string, path: string, headers: Record<string, string> = {}) =>
    api
      .http()
      .get(path)
      .set({ Accept: 'application/json', ...headers, Host: host });
  /** Units of two organizations with one GTIN and one serial; the first is who registered it first. */
  const withOneGtin = async (gtin: string) => {
    const serials = { source: 'sequential', prefix: 'S', first: (serial += 1), digits: 4 };
    const [theirs, ours] = [
      await other.mintUnits(1, { product: { gtin, name: 'Theirs' }, job: { serials } }),
      await brand.mintUnits(1, { product: { gtin, name: 'Ours' }, job: { serials } }),
    ];
    return {
      theirs: theirs.units[0]!,
      ours: ours.units[0]!,
      link: `/01/${gtin}/21/${ours.units[0]!.serial}`,
    };
  };

  it('are those of that organization alone; another’s are nobody’s there, in the same shape, and make no scan', async () => {
    const [ours] = (await brand.mintUnits()).units;
    const [theirs] = (await other.mintUnits()).units;
    for (const [host, token] of [
      ['id.olivaia.example', ours!.token],
      ['ID.Olivaia.example.:443', ours!.token],
      [SERVICE, ours!.token],
      [SERVICE, theirs!.token],
      ['elsewhere.example', theirs!.token],
    ] as const) {
      const { body } = await ask(host, `/v/${token}`).expect(200);
      expect(body.result, host).to.equal('genuine');
    }
    const counted = () => api.database.pool.query('select unit_id from scans');
    const before = await counted();
    const { body: foreign } = await ask('id.olivaia.example', `/v/${theirs!.token}`).expect(404);
    const { body: unknown } = await ask('id.olivaia.example', `/v/${NOBODYS}`).expect(404);
    expect(foreign).to.deep.equal(unknown);
    const { text } = await ask('id.olivaia.example', `/v/${theirs!.token}`, BROWSER).expect(404);
    expect(text).to.include('Code not recognised').and.not.include('Theirs');
    const guess = (token: string) =>
      api
        .http()
        .post(`/v/${token}/hidden-code`)
        .set('Host', 'id.olivaia.example')
        .send({ hiddenCode: '0000-0000' });
    expect((await guess(theirs!.token)).body).to.deep.equal(unknown);
    expect((await counted()).rowCount).to.equal(before.rowCount);
    // Known there: its package has none.
    expect((await guess(ours!.token)).status).to.equal(409);
  });

  it('show that address as the one to compare, whatever else the request says', async () => {
    const [unit] = (await brand.mintUnits()).units;
    const shown = async (host: string, headers = {}) => {
      const { text } = await ask(host, `/v/${unit!.token}`, { ...BROWSER, ...headers }).expect(200);
      return /<span translate="no">(.*?)<\/span>/.exec(text)![1]!.replaceAll('<wbr />', '');
    };
    expect(await shown('id.olivaia.example')).to.equal('https://id.olivaia.example/');
    expect(await shown(SERVICE)).to.equal(`https://${SERVICE}/`);
    expect(await shown('imitation.example')).to.equal(`https://${SERVICE}/`);
    const forwarded = { 'X-Forwarded-Host': 'id.olivaia.example', Forwarded: 'host=id.olivaia.example' };
    expect(await shown('imitation.example', forwarded)).to.equal(`https://${SERVICE}/`);
  });

  it('of a GTIN that two organizations use are those of whose address it is: units, products, positions and reports', async () => {
    const gtin = '09506000134352';
    const { ours, theirs, link } = await withOneGtin(gtin);
    const nameAt = async (host: string, path: string) =>
      (await ask(host, path).expect(200)).body.product.name;
    for (const path of [link, `/01/${gtin}`]) {
      expect(await nameAt(SERVICE, path)).to.equal('Theirs');
      expect(await nameAt('id.other.example', path)).to.equal('Theirs');
      expect(await nameAt('id.olivaia.example', path)).to.equal('Ours');
    }
    const { text } = await ask('id.olivaia.example', link, BROWSER).expect(200);
    const nonce = /data-nonce="([^"]+)"/.exec(text)![1]!;
    const position = { nonce, lat: 43.77, lon: 11.25, accuracyM: 20 };
    await api.http().post(`${link}/position`).set('Host', 'id.olivaia.example').send(position).expect(204);
    const report = { description: 'The label is blurred' };
    const sent = await api.http().post(`${link}/reports`).set('Host', 'id.olivaia.example').send(report);
    expect(sent.status).to.equal(201);
    const { body } = await brand.get(`/counterfeit-reports/${sent.body.reportId}`).expect(200);
    expect(body.productUnitId).to.equal(ours.id).and.not.equal(theirs.id);
  });

  it('are found by linksets and the resolver’s description of that address', async () => {
    const gtin = '04012345123456';
    const { ours } = await withOneGtin(gtin);
    const path = `/01/${gtin}/21/${ours.serial}`;
    const { body, headers } = await ask('id.olivaia.example', `${path}?linkType=linkset`).buffer(true);
    const set = typeof body.linkset === 'object' ? body : JSON.parse(String(body));
    expect(set.linkset.map(({ anchor }: { anchor: string }) => anchor)).to.deep.equal([
      `https://id.olivaia.example${path}`,
      `https://id.olivaia.example/01/${gtin}`,
    ]);
    expect(headers['content-type']).to.include('linkset+json');
    const answer = await ask('id.olivaia.example', path).expect(200);
    expect(answer.headers['link']).to.include(`<https://id.olivaia.example${path}?linkType=linkset>`);
    const product = await ask('id.olivaia.example', `${path}?linkType=pip`).redirects(0).expect(307);
    expect(product.headers['location']).to.equal(`https://id.olivaia.example/01/${gtin}`);
    const resolver = await ask('id.olivaia.example', '/.well-known/gs1resolver').expect(200);
    expect(resolver.body).to.include({ name: 'Olivaia', resolverRoot: 'https://id.olivaia.example' });
    expect((await ask(SERVICE, '/.well-known/gs1resolver')).body.resolverRoot).to.equal(`https://${SERVICE}`);
  });

  it('are all that there is: neither the API nor the dashboard, but what a balancer asks and the pages need', async () => {
    const paths = [
      '/api/v1/products',
      '/app',
      '/sso/callback',
      '/sso/org_01999d2c7a507c3e9f7b000001',
      '/app/',
      '/docs',
      '/openapi.json',
      '/sign-up',
      '/account/forgot-password',
      '/c/x',
      '/ops/queues',
      '/health',
      '/vx',
    ];
    for (const path of paths) {
      const { body } = await ask('id.olivaia.example', path).set('X-Api-Key', brand.key).expect(404);
      expect(body, path).to.include({ code: 'NOT_FOUND', detail: 'no such path' });
    }
    await api.http().post('/api/v1/auth/sign-in').set('Host', 'id.olivaia.example').send({}).expect(404);
    await ask('id.olivaia.example', '/healthz').expect(200);
    for (const path of ['/v', '/app', '/mistyped']) {
      const page = await ask('id.olivaia.example', path, BROWSER).expect(404);
      expect(page.text, path).to.include('<bdi>Olivaia</bdi>').and.include('This page does not exist');
    }
    const { text } = await ask('id.olivaia.example', '/', BROWSER).expect(200);
    expect(text).to.include('https://<wbr />id<wbr />.olivaia<wbr />.example/').and.include('Olivaia');
    // What is not answered there is not led to either.
    expect(text).not.to.include('href="/app"');
    const style = /href="(\/assets\/[^"]+\.css)"/.exec(text)![1]!;
    await ask('id.olivaia.example', style).expect(200);
    await ask('id.olivaia.example', '/robots.txt').expect(200);
  });

  it('are told to a proxy that gets certificates for the hosts that lead here, and for no others', async () => {
    const isServed = async (domain: string) =>
      (await api.http().get('/healthz/host').query({ domain })).status === 200;
    for (const domain of [SERVICE, 'id.olivaia.example', 'ID.Other.example.'])
      expect(await isServed(domain), domain).to.equal(true);
    for (const domain of ['', 'olivaia.example', 'x.id.olivaia.example', 'id.new.example'])
      expect(await isServed(domain), domain).to.equal(false);
    await lead(await api.createOrganization(), 'https://id.new.example:8443');
    expect(await isServed('id.new.example'), 'a certificate is for all ports').to.equal(true);
    await api.http().get('/healthz/host').expect(422);
  });

  it('that are unknown have its brand, without a word on who it is, and their reports are its own', async () => {
    await confirmDomainByOperator(api.deps, api.deps.db, brand.uuid, 'olivaia.example');
    heard();
    for (const path of [`/v/${NOBODYS}`, '/01/04012345123456/21/NONE', '/01/04012345123450/21/NONE']) {
      const { text } = await ask('id.olivaia.example', path, BROWSER);
      expect(text, path).to.include('<bdi>Olivaia</bdi>').and.not.include('>olivaia.example</b>');
      expect(text).to.include('id<wbr />.olivaia');
    }
    const asForm = (description: string) =>
      api
        .http()
        .post(`/v/${NOBODYS}/reports`)
        .set({ ...BROWSER, Host: 'id.olivaia.example' })
        .type('form')
        .send({ description });
    for (const { text } of [
      await asForm('Nobody knows it').expect(201),
      await asForm('').expect(422),
      await ask('id.olivaia.example', `/v/${NOBODYS}/reports?filed`, BROWSER).expect(200),
    ])
      expect(text).to.include('<bdi>Olivaia</bdi>').and.not.include('>olivaia.example</b>');
    const [theirs] = (await other.mintUnits()).units;
    for (const token of [NOBODYS, theirs!.token]) {
      const sent = await api
        .http()
        .post(`/v/${token}/reports`)
        .set('Host', 'id.olivaia.example')
        .send({ description: `It says that it is not known: ${token}` })
        .expect(201);
      const { body } = await brand.get(`/counterfeit-reports/${sent.body.reportId}`).expect(200);
      expect(body).to.include({ productUnitId: null });
      await other.get(`/counterfeit-reports/${sent.body.reportId}`).expect(404);
    }
  });

  it('are reported to it in words that the service, or another one, was told already', async () => {
    const tell = async (host: string) => {
      const report = { description: 'It smells of glue' };
      const sent = await api.http().post('/counterfeit-reports').set('Host', host).send(report).expect(201);
      return sent.body.reportId as string;
    };
    await tell(SERVICE);
    await tell('id.other.example');
    const id = await tell('id.olivaia.example');
    await brand.get(`/counterfeit-reports/${id}`).expect(200);
    expect(await tell('id.olivaia.example')).to.equal(id);
  });

  it('of one that is blocked are nobody’s, and no longer have its brand', async () => {
    const org = await api.createOrganization();
    const [unit] = (await org.mintUnits()).units;
    await api.database.pool.query(`update organizations set name = 'Impostor' where id = $1`, [org.uuid]);
    await lead(org, 'https://id.impostor.example');
    expect((await ask('id.impostor.example', `/v/${unit!.token}`, BROWSER)).text).to.include('Impostor');
    await blockOrganization(api.deps, api.deps.db, org.uuid, 'imitates somebody');
    heard();
    const { text } = await ask('id.impostor.example', `/v/${unit!.token}`, BROWSER).expect(404);
    expect(text).not.to.include('Impostor');
    const [ours] = (await brand.mintUnits()).units;
    await ask('id.impostor.example', `/v/${ours!.token}`).expect(404);
  });

  it('hold that address from the next job on; a job goes on with the one that it began with', async () => {
    const org = await api.createOrganization();
    const product = await org.createProduct({ gtin: '09506000134369' });
    const newJob = async () => {
      const batch = await org.createBatch({ productId: product.id });
      return org.startJob(batch.id, { symbology: 'gs1-digital-link', formats: ['png'] });
    };
    const addressesOf = async (job: { id: string }) => {
      await api.runJob(job.id);
      const { body } = await org.get(`/barcode-jobs/${job.id}`).expect(200);
      const { url } = body.artifacts.find(({ kind }: { kind: string }) => kind === 'codes');
      const { pathname, search } = new URL(url);
      const { text } = await api
        .http()
        .get(pathname + search)
        .buffer(true)
        .expect(200);
      return text;
    };
    const begun = await newJob();
    await lead(org, 'HTTPS://ID.LATER.EXAMPLE');
    const next = await newJob();
    await useCodeHost(api.deps, api.deps.db, org.uuid, null);
    heard();
    const before = await addressesOf(begun);
    expect(before)
      .to.include(`https://${SERVICE}/01/`)
      .and.not.match(/later\.example/i);
    const after = await addressesOf(next);
    expect(after).to.include('HTTPS://ID.LATER.EXAMPLE/01/').and.include('HTTPS://ID.LATER.EXAMPLE/V/');
    expect(after).not.to.match(/verify\.example/i);
    const { body } = await org.get('/product-units?limit=1').expect(200);
    expect(body.data[0].verifyUrl).to.equal(`HTTPS://VERIFY.EXAMPLE.COM/V/${body.data[0].token}`);
    // What is printed goes on being answered.
    await ask('id.later.example', `/v/${body.data[0].token}`).expect(200);
    await forgetCodeHost(api.deps, api.deps.db, org.uuid, 'https://id.later.example');
    heard();
    expect((await ask('id.later.example', '/.well-known/gs1resolver')).body.resolverRoot).to.equal(
      `https://${SERVICE}`,
    );
  });

  it('are refused where that address makes them too wide for their labels', async () => {
    const org = await api.createOrganization();
    const product = await org.createProduct();
    const batch = await org.createBatch({ productId: product.id });
    const sheet = { layout: 'letter-avery-5167', fields: ['serial'] };
    const job = { symbology: 'qr', errorCorrection: 'H', formats: ['pdf'], sheet };
    const part = (letter: string) => letter.repeat(60);
    await lead(org, `https://${part('a')}.${part('b')}.${part('c')}.example`);
    const { body } = await org.post(`/batches/${batch.id}/barcode-jobs`, job).expect(422);
    expect(body.errors[0]).to.include({ path: 'sheet.layout', code: 'MODULE_TOO_NARROW' });
    await useCodeHost(api.deps, api.deps.db, org.uuid, null);
    await org.post(`/batches/${batch.id}/barcode-jobs`, job).expect(202);
  });

  it('are drawn with it one by one and in previews, and listed with it', async () => {
    const [unit] = (await brand.mintUnits()).units;
    const address = `HTTPS://ID.OLIVAIA.EXAMPLE/V/${unit!.token}`;
    expect(unit!.verifyUrl).to.equal(address);
    const picture = await brand.get(`/product-units/${unit!.id}/barcode.png?scale=6`).responseType('blob');
    expect((await readSymbol(picture.body as Buffer))[0]!.text).to.equal(address);
    // The same request gives another picture once codes lead elsewhere.
    expect(picture.headers['cache-control']).to.equal('private, no-cache');
    await lead(brand, 'https://codes.olivaia.example');
    const again = await brand
      .get(`/product-units/${unit!.id}/barcode.png?scale=6`)
      .set('If-None-Match', picture.headers['etag']!)
      .responseType('blob')
      .expect(200);
    expect((await readSymbol(again.body as Buffer))[0]!.text).to.equal(
      `HTTPS://CODES.OLIVAIA.EXAMPLE/V/${unit!.token}`,
    );
    const preview = await brand.post('/barcodes/preview', { as: 'svg' }).expect(200);
    expect(decodeURIComponent(preview.headers['x-barcode-payload']!)).to.match(
      /^HTTPS:\/\/CODES\.OLIVAIA\.EXAMPLE\/V\//,
    );
    await lead(brand, 'https://id.olivaia.example');
  });
});
