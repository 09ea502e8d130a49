import { expect } from 'chai';
import type { FieldError } from '../../../shared/field-errors.ts';
import { createTestApi, dumpTable, type TestApi, type TestOrganization } from '../../support/api.ts';
import { whileHeld } from '../../support/held-row.ts';
import { expectProblem } from '../../support/problem.ts';

/** More than are read or written at a time. */
const LONG = 1_203;

describe('products as a table', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi();
  });
  beforeEach(async () => {
    org = await api.createOrganization();
  });
  after(() => api.close());

  interface Sending {
    dryRun?: boolean;
    type?: string;
    to?: TestOrganization;
  }

  const send = async (
    table: string | Buffer,
    { dryRun = false, type = 'text/csv', to = org }: Sending = {},
  ) =>
    to
      .post(`/products/import${dryRun ? '?dryRun=true' : ''}`)
      .set('Content-Type', type)
      .send(table);

  const imported = async (table: string, sending?: Sending) => {
    const { status, body } = await send(table, sending);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  };

  /** What is wrong, as `path CODE`. */
  const wrong = async (table: string | Buffer, sending?: Sending): Promise<string[]> => {
    const { errors } = expectProblem(await send(table, sending), 'VALIDATION_FAILED');
    return (errors as FieldError[]).map(({ path, code }) => `${path} ${code}`);
  };

  const productBySku = async (sku: string) =>
    (await org.get(`/products?sku=${sku}&archived=all`).expect(200)).body.data[0];

  it('creates the products whose SKU is new and changes the others, in what the table has', async () => {
    const old = await org.createProduct({
      sku: 'OLD',
      name: 'Old',
      brand: 'B',
      markets: ['DE'],
      gtin: '96385074',
    });
    const same = await org.createProduct({ sku: 'SAME', name: 'Same', brand: null, markets: ['JP'] });
    api.clock.advance(1_000);
    const body = await imported('sku,name,brand,markets\nNEW,New,,"PT ES"\nOLD,Older,,\nSAME,Same,,JP\n');
    const made = await productBySku('NEW');
    expect(body).to.deep.equal({
      dryRun: false,
      created: 1,
      updated: 1,
      unchanged: 1,
      changes: [
        {
          row: 2,
          id: made.id,
          sku: 'NEW',
          name: 'New',
          change: 'created',
          fields: ['sku', 'name', 'markets'],
        },
        {
          row: 3,
          id: old.id,
          sku: 'OLD',
          name: 'Older',
          change: 'updated',
          fields: ['name', 'brand', 'markets'],
        },
      ],
    });
    const now = api.clock.now().toISOString();
    expect(made).to.deep.include({ markets: ['PT', 'ES'], gtin: null, attributes: {}, createdAt: now });
    const older = { ...old, name: 'Older', brand: null, markets: [], updatedAt: now };
    expect(await productBySku('OLD')).to.deep.equal(older);
    expect(await productBySku('SAME')).to.deep.equal(same);
  });

  it('has the audit log tell each product that it changed, as it was and is', async () => {
    const old = await org.createProduct({ sku: 'OLD', name: 'Old' });
    await imported('sku,name\nOLD,Older\nNEW,New\n');
    await imported('sku,name\nOLD,Older\nNEW,New\n');
    await imported('sku,name\nOLD,Oldest\n', { dryRun: true });
    const made = await productBySku('NEW');
    const { rows } = await api.database.pool.query(
      `select actor_kind, resource, before, after from audit_log
        where action = 'importProducts' and resource = any ($1) order by id`,
      [[old.id, made.id]],
    );
    expect(rows).to.deep.equal([
      { actor_kind: 'key', resource: old.id, before: { name: 'Old' }, after: { name: 'Older' } },
      { actor_kind: 'key', resource: made.id, before: null, after: made },
    ]);
  });

  it('is exported as the list shows it, and comes back without a change', async () => {
    const texts = { name: '=SUM(1)', brand: 'A;=B', description: 'one\n-two\r\n"three"; +4', sku: '-1' };
    const links = [
      { linkType: 'gs1:pip', url: 'https://shop.example/a?b=1;c', title: 'Über, uns', language: null },
    ];
    await org.createProduct({ ...texts, attributes: { a: [1, null, ';=x'], 'ä"': true }, links });
    await org.createProduct({ sku: 'QUOTES', name: "'=x", brand: "''+y;'-z", description: "a\r'@b\n\"''=c" });
    await org.createProduct({ sku: 'PLAIN', name: 'Plain', gtin: '12345670', markets: ['DE', 'JP'] });
    const archived = await org.createProduct({ sku: 'ARCHIVED', name: 'Archived' });
    await org.post(`/products/${archived.id}/archive`).expect(200);
    const { text, headers } = await org.get('/products.csv?archived=all').expect(200);
    expect(headers['content-disposition']).to.equal('attachment; filename="products.csv"');
    const [heading, first] = text.split('\n');
    expect(heading).to.equal(
      'sku,name,gtin,brand,description,imageUrl,markets,attributes,links,id,archivedAt,createdAt,updatedAt',
    );
    expect(first).to.match(/^ARCHIVED,Archived,,,,,,,,prod_\w+,2\S+Z,2\S+Z,2\S+Z$/);
    expect(text).to.include('\nPLAIN,Plain,00000012345670,,,,DE JP,,,prod_').and.include(`,'=SUM(1),`);
    const before = await dumpTable(api.database, 'products');
    expect(await imported(text)).to.deep.include({ created: 0, updated: 0, unchanged: 4, changes: [] });
    expect(await dumpTable(api.database, 'products')).to.equal(before);
    const shown = (await org.get('/products.csv?q=plain').expect(200)).text;
    expect(shown.trimEnd().split('\n')).to.have.length(2);
    const other = await api.createOrganization();
    expect(await imported(text, { to: other })).to.deep.include({ created: 4 });
    const taken = (await other.get('/products?sku=-1').expect(200)).body.data[0];
    expect(taken).to.deep.include({ ...texts, links, attributes: { a: [1, null, ';=x'], 'ä"': true } });
  });

  it('says what would change, and changes nothing', async () => {
    await org.createProduct({ sku: 'OLD', name: 'Old' });
    const before = await dumpTable(api.database, 'products');
    const body = await imported('sku,name\nOLD,Older\nNEW,New\n', { dryRun: true });
    expect(body).to.deep.include({ dryRun: true, created: 1, updated: 1 });
    expect(body.changes[1]).to.deep.include({ id: null, sku: 'NEW', change: 'created' });
    expect(await dumpTable(api.database, 'products')).to.equal(before);
  });

  it('takes the last cells that Excel leaves out for empty ones', async () => {
    await org.createProduct({ sku: 'OLD', name: 'Old', brand: 'B', markets: ['DE'] });
    const body = await imported('sku,name,brand,markets\nOLD,Old\nNEW,New,N\n');
    expect(body).to.deep.include({ created: 1, updated: 1 });
    expect(await productBySku('OLD')).to.deep.include({ name: 'Old', brand: null, markets: [] });
    expect(await productBySku('NEW')).to.deep.include({ brand: 'N', markets: [] });
  });

  it('takes what spreadsheets write: their separators, line ends, headings and numbers', async () => {
    await imported('\uFEFFSKU;Name;Image URL\r\nS1;"Öl; 5 l";https://a.example/1.png\r\n\r\n;;\r\n');
    await imported('sku\tname\tmarkets\rS2\tTwo\tde, FR\r');
    await imported('sku,name,gtin\n S3 , Three ,6 14141 00003-6\nS4,Four,12345678905\nS5,Five,2345673\n');
    expect(await productBySku('S1')).to.include({ name: 'Öl; 5 l', imageUrl: 'https://a.example/1.png' });
    expect(await productBySku('S2')).to.deep.include({ name: 'Two', markets: ['DE', 'FR'] });
    expect(await productBySku('S3')).to.include({ name: 'Three', gtin: '00614141000036' });
    expect(await productBySku('S4')).to.include({ gtin: '00012345678905' });
    expect(await productBySku('S5')).to.include({ gtin: '00000002345673' });
  });

  it('takes a product a line in NDJSON, in which null empties a field', async () => {
    await org.createProduct({ sku: 'A', name: 'A', brand: 'B', gtin: '96385074', markets: ['DE'] });
    const lines = ['{"sku":"A","brand":null,"attributes":{"ml":500}}', '', '{"sku":"N","name":"New"}'];
    const body = await imported(lines.join('\r\n'), { type: 'application/x-ndjson' });
    expect(body.changes.map((one: { row: number }) => one.row)).to.deep.equal([1, 3]);
    expect(await productBySku('A')).to.deep.include({
      brand: null,
      attributes: { ml: 500 },
      markets: ['DE'],
      gtin: '00000096385074',
    });
    expect(
      await wrong('[]\n{"sku":\n{"sku":"x","colour":1}\n{"sku":"y","attributes":{"__proto__":1}}\n{}', {
        type: 'application/jsonl',
      }),
    ).to.deep.equal([
      'row.1 WRONG_TYPE',
      'row.2 WRONG_FORMAT',
      'row.3.colour UNKNOWN_FIELD',
      'row.4.attributes FORBIDDEN_KEY',
      'row.5.sku REQUIRED',
    ]);
  });

  it('finds unchanged what is sent again, with numbers too that are stored as others', async () => {
    await imported('{"sku":"N","name":"N","attributes":{"a":-0.0,"b":1e999,"c":1.0}}', {
      type: 'application/jsonl',
    });
    const again = '{"sku":"N","attributes":{"c":1,"b":1e999,"a":-0.0}}';
    expect(await imported(again, { type: 'application/jsonl' })).to.include({ updated: 0, unchanged: 1 });
    const other = '{"sku":"N","attributes":{"c":1,"b":null,"a":1}}';
    expect(await imported(other, { type: 'application/jsonl' })).to.include({ updated: 1 });
  });

  it('refuses the whole table for what is wrong in a row, and says in which column', async () => {
    await org.createProduct({ sku: 'OLD', name: 'Old' });
    const before = await dumpTable(api.database, 'products');
    const table = [
      'sku,name,gtin,markets,attributes',
      'OK,Right,,,',
      'A,,4.00638E+12,DE ZZ,{',
      'A,Again,4006381333932,DE ZZ,',
      'OK,Twice,,DE DE,[]',
      ',No SKU,,,',
      'SHORT,',
      'LONG,Six cells,,,,x',
      'OK,"A ""good"" one",,,',
      'B,"A "bad" one",,,',
    ];
    expect(await wrong(table.join('\n'))).to.deep.equal([
      'row.3.attributes WRONG_FORMAT',
      'row.4.gtin NOT_A_GTIN',
      'row.4.markets.1 NOT_A_COUNTRY',
      'row.5.markets REPEATED',
      'row.5.attributes WRONG_TYPE',
      'row.6.sku EMPTY',
      'row.7.name EMPTY',
      'row.8 TOO_MANY',
      'row.9.sku REPEATED',
      'row.10 WRONG_FORMAT',
    ]);
    expect(await wrong(`sku\n${Array.from({ length: 120 }, (_, n) => `N${n}`).join('\n')}`)).to.have.length(
      100,
    );
    expect(await wrong('sku\nNEW\nOLD\nNEWER')).to.deep.equal(['row.2.name REQUIRED', 'row.4.name REQUIRED']);
    expect(await dumpTable(api.database, 'products')).to.equal(before);
  });

  it('refuses what is no table of products, and one with columns that it does not know', async () => {
    expect(await wrong('')).to.deep.equal(['row.1.sku REQUIRED']);
    expect(await wrong('name\nx')).to.deep.equal(['row.1.sku REQUIRED']);
    expect(await wrong('sku,name\n')).to.deep.equal([' TOO_FEW']);
    expect(await wrong('sku,Nmae,SKU\nA,B,C')).to.deep.equal([
      'row.1.Nmae UNKNOWN_FIELD',
      'row.1.SKU REPEATED',
    ]);
    expect(await wrong(Buffer.from('sku,name\nA,\u00d6l', 'latin1'))).to.deep.equal([' NOT_UTF_8']);
    expect(await wrong('sku,name\nA,a\0b')).to.deep.equal(['row.2.name NUL_CHARACTER']);
    expectProblem(await send('{}', { type: 'application/json' }), 'UNSUPPORTED_MEDIA_TYPE');
    expectProblem(await org.post('/products/import?dryRun=yes'), 'VALIDATION_FAILED');
    const packed = org
      .post('/products/import')
      .set('Content-Type', 'text/csv')
      .set('Content-Encoding', 'gzip');
    expectProblem(await packed.send('sku,name\nA,B'), 'UNSUPPORTED_MEDIA_TYPE');
    expectProblem(await send(`sku,name\n${'x'.repeat(10 * 1024 * 1024)}`), 'PAYLOAD_TOO_LARGE');
    const skus = Array.from({ length: 10_001 }, (_, index) => `S${index},x`);
    expect(await wrong(`sku,name\n${skus.join('\n')}`)).to.deep.equal([' TOO_MANY']);
    expect(await wrong(`sku,name\n${skus.slice(0, 200).join('x\n,')}`)).to.have.length(100);
  });

  it('takes a long table in one piece', async () => {
    const table = `sku,name\n${Array.from({ length: LONG }, (_, index) => `S${index},Name`).join('\n')}`;
    const body = await imported(table);
    expect(body).to.deep.include({ created: LONG });
    expect(body.changes).to.have.length(100);
    expect((await org.get('/products?limit=1').expect(200)).body.data[0].sku).to.equal(`S${LONG - 1}`);
    expect(await imported(table, { dryRun: true })).to.deep.include({ unchanged: LONG });
  });

  it('keeps a GTIN that codes of units name', async () => {
    const { id } = await org.createProduct({ sku: 'PRINTED', gtin: '4006381333931' });
    await org.createProduct({ sku: 'FREE', gtin: '4006381333931' });
    const batch = await org.createBatch({ productId: id, quantity: 1 });
    await org.post(`/batches/${batch.id}/barcode-jobs`, { symbology: 'gs1-datamatrix' }).expect(202);
    const before = await dumpTable(api.database, 'products');
    for (const dryRun of [true, false]) {
      const refused = await send('sku,gtin\nFREE,96385074\nPRINTED,\n', { dryRun });
      expect(expectProblem(refused, 'CONFLICT').errors).to.deep.equal([
        { path: 'row.3.gtin', code: 'GTIN_PRINTED', message: 'is in codes that were made' },
      ]);
    }
    expect(await dumpTable(api.database, 'products')).to.equal(before);
    expect(await imported('sku,gtin\nFREE,96385074\nPRINTED,4006381333931\n')).to.deep.include({
      updated: 1,
      unchanged: 1,
    });
  });

  it('is taken once of two at the same time, and refused beside somebody who makes one of its products', async () => {
    const both = await Promise.all(['1', '2'].map(() => imported('sku,name\nA,A\nB,B\n')));
    expect(both.map(({ created, unchanged }) => [created, unchanged])).to.have.deep.members([
      [2, 0],
      [0, 2],
    ]);
    const nothing = { text: 'select 1', values: [] };
    await whileHeld(api.database.pool, nothing, async ({ holder, waiting, release }) => {
      await holder.query(
        `insert into products (id, org_id, name, sku) select uuidv7(), org_id, 'Faster', 'C' from products where sku = 'A' order by id desc limit 1`,
      );
      const late = send('sku,name\nA,Changed\nC,Slower\n').then((reply) => reply);
      await waiting(1);
      await release();
      expect(expectProblem(await late, 'CONFLICT').errors![0]).to.include({ path: 'sku', code: 'TAKEN' });
    });
    expect((await productBySku('A')).name).to.equal('A');
  });

  it('waits for the table before it, and for whoever changes one of its products, whose change stays', async () => {
    await org.createProduct({ sku: 'A', name: 'A' });
    const changed = {
      text: `update products set brand = 'Theirs' where org_id = $1`,
      values: [org.uuid],
    };
    await whileHeld(api.database.pool, changed, async ({ waiting, release }) => {
      const first = imported('sku,name\nNEW,New\nA,Ours\n');
      await waiting(1);
      const second = imported('sku,name\nNEW,New\n');
      await waiting(2);
      await release();
      expect(await first).to.include({ created: 1, updated: 1 });
      expect(await second).to.include({ unchanged: 1 });
    });
    expect(await productBySku('A')).to.include({ name: 'Ours', brand: 'Theirs' });
  });

  it('is no change of whoever changes a product at the same time, nor is theirs of the table', async () => {
    const { id } = await org.createProduct({ sku: 'A', name: 'A' });
    const held = { text: 'select 1 from products where org_id = $1 for update', values: [org.uuid] };
    const changes = [
      () => org.patch(`/products/${id}`, { name: 'Ours' }),
      () => org.post(`/products/${id}/archive`),
      () => org.post(`/products/${id}/unarchive`),
    ];
    for (const [round, change] of changes.entries())
      await whileHeld(api.database.pool, held, async ({ waiting, release }) => {
        const table = imported(`sku,brand\nA,Theirs ${round}\n`);
        await waiting(1);
        const changed = change().expect(200);
        const done = changed.then(() => {});
        await waiting(2);
        await release();
        await Promise.all([table, done]);
      });
    const { rows } = await api.database.pool.query(
      `select array(select jsonb_object_keys(after)) as names from audit_log
        where resource = $1 and action <> 'createProduct' order by id`,
      [id],
    );
    const table = ['brand'];
    expect(rows.map(({ names }) => names)).to.deep.equal([
      table,
      ['name'],
      table,
      ['archivedAt'],
      table,
      ['archivedAt'],
    ]);
  });

  it('needs products.write, and never touches another organization’s product of the same SKU', async () => {
    const other = await api.createOrganization();
    const theirs = await other.createProduct({ sku: 'SHARED', name: 'Theirs' });
    expect(await imported('sku,name\nSHARED,Ours\n')).to.deep.include({ created: 1 });
    expect((await other.get(`/products/${theirs.id}`).expect(200)).body).to.deep.equal(theirs);
    expect(await imported('sku,name\nSHARED,Ours 2\n')).to.deep.include({ updated: 1 });
    expect((await other.get(`/products/${theirs.id}`).expect(200)).body).to.deep.equal(theirs);
    expect((await other.get('/products.csv').expect(200)).text).not.to.include('Ours');
  });
});
