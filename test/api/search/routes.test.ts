import { expect } from 'chai';
import { listBatches } from '../../../shared/batches/repository.ts';
import { listConsignments } from '../../../shared/consignments/repository.ts';
import { listReports } from '../../../shared/counterfeit-reports/repository.ts';
import type { Db } from '../../../shared/db.ts';
import { listProducts } from '../../../shared/products/repository.ts';
import {
  searchBatches,
  searchConsignments,
  searchProducts,
  searchUnits,
} from '../../../shared/search/repository.ts';
import { listUnits } from '../../../shared/units/repository.ts';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';
import { runAllBulkJobs } from '../../support/bulk-jobs.ts';
import { createResources, type KnownIds } from '../../support/operations.ts';

describe('searching', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
  });
  after(() => api.close());

  const titles = async (q: string, as = org) => {
    const { body } = await as.get(`/search?q=${encodeURIComponent(q)}`).expect(200);
    return body.data.map(({ type, title }: { type: string; title: string }) => `${type} ${title}`);
  };
  const listed = async (path: string, q: string, as = org): Promise<Record<string, any>[]> =>
    (await as.get(`${path}?q=${encodeURIComponent(q)}`).expect(200)).body.data;

  describe('a list', () => {
    it('of products finds parts of names, SKUs, brands and GTINs, in either case', async () => {
      const product = await org.createProduct({
        name: 'Olive oil, extra virgin',
        sku: 'OO-500',
        brand: 'Olivaia',
        gtin: '04012345123456',
      });
      await org.createProduct({ name: 'Vinegar', sku: 'VIN-1' });
      for (const q of ['EXTRA', 'o-50', 'livai', '0401234', 'ex', 'o'])
        expect(
          (await listed('/products', q)).map(({ id }) => id),
          q,
        ).to.deep.equal([product.id]);
      expect(await listed('/products', 'xtraordinary')).to.deep.equal([]);
    });

    it('knows capitals of every script, and wide and composed letters, whatever the database’s locale', async () => {
      const names = ['Weinbrand BRÄND', 'Ελαιόλαδο ΚΡΉΤΗ', 'ＡＢＣ抹茶', 'Cafe\u0301 noir'];
      const ids: string[] = [];
      for (const [index, name] of names.entries())
        ids.push((await org.createProduct({ name, sku: `CASE-${index}` })).id);
      for (const [q, index] of [
        ['bränd', 0],
        ['BRA\u0308ND', 0],
        ['κρήτη', 1],
        ['ΕΛΑΙΌΛΑΔΟ', 1],
        ['abc抹', 2],
        ['抹茶', 2],
        ['茶', 2],
        ['ａｂ', 2],
        ['ＣＡＳＥ－３', 3],
        ['CAFÉ', 3],
      ] as const)
        expect(
          (await listed('/products', q)).map(({ id }) => id),
          q,
        ).to.deep.equal([ids[index]]);
      expect(await titles('bränd')).to.deep.equal(['product Weinbrand BRÄND']);
      expect(await listed('/products', 'ｃ％－３')).to.deep.equal([]);
    });

    it('knows words of which only the beginning was typed, and what is one character for several', async () => {
      for (const [index, [name, ...queries]] of [
        ['Κρασί ΚΟΣΜΟΣ', 'ΚΟΣ', 'κοσμοσ', 'κοσμος'],
        ['İZMİR zeytini', 'izmir', 'İzm'],
        ['山田㈱', '㈱', '株'],
      ].entries()) {
        const { id } = await org.createProduct({ name: name!, sku: `PART-${index}` });
        for (const q of queries)
          expect(
            (await listed('/products', q)).map((one) => one.id),
            q,
          ).to.deep.equal([id]);
      }
    });

    it('takes wildcards for what they are', async () => {
      const odd = await org.createProduct({ name: String.raw`100% pure_gold \ silver`, sku: 'W-1' });
      for (const q of ['100%', 'pure_gold', String.raw`\ sil`, '%', '0% p'])
        expect(
          (await listed('/products', q)).map(({ id }) => id),
          q,
        ).to.deep.equal(q === '%' ? [] : [odd.id]);
      for (const q of ['1_0%', 'pure%gold', '__', "' or 1=1 --"])
        expect(await listed('/products', q), q).to.deep.equal([]);
    });

    it('of batches finds parts of lots', async () => {
      const batch = await org.createBatch({ lot: 'LOT-2026-07' });
      await org.createBatch({ lot: 'OTHER' });
      await org.createBatch();
      expect((await listed('/batches', '2026-0')).map(({ id }) => id)).to.deep.equal([batch.id]);
    });

    it('of units and of cases finds the beginning of a serial, typed in either case', async () => {
      const { units } = await org.mintUnits(3);
      const { serial, uuid } = units[1]!;
      for (const q of [serial, serial.slice(0, 7), serial.toLowerCase()])
        expect(
          (await listed('/product-units', q)).map((unit) => unit['serial']),
          q,
        ).to.deep.equal([serial]);
      expect(await listed('/product-units', serial.slice(1))).to.deep.equal([]);

      await api.database.pool.query(
        `insert into risk_cases (id, org_id, unit_id, product_id, batch_id, suspicious_scans, max_score, signals,
                first_scan_id, last_scan_id, opened_at, updated_at)
         select gen_random_uuid(), org_id, id, product_id, batch_id, 1, 90, '{}', id, id, now(), now()
           from product_units where org_id = $1 and id = any($2::uuid[])`,
        [org.uuid, [uuid, units[2]!.uuid]],
      );
      expect((await listed('/risk-cases', serial)).map((one) => one['productUnitId'])).to.deep.equal([
        units[1]!.id,
      ]);
    });

    it('of consignments finds parts of references, SSCCs and destinations', async () => {
      const { body } = await org
        .post('/consignments', {
          reference: 'PO-4711',
          sscc: '106141412345678908',
          destination: { name: 'Nordwind Feinkost GmbH' },
        })
        .expect(201);
      await org.post('/consignments', { reference: 'PO-0815' }).expect(201);
      for (const q of ['po-47', '4711', '06141412', 'feinkost'])
        expect(
          (await listed('/consignments', q)).map(({ id }) => id),
          q,
        ).to.deep.equal([body.id]);
    });

    it('of consignments knows the overdue, and a list of scans those of a consignment', async () => {
      const crowd = await api.createOrganization();
      const { units } = await crowd.mintUnits(2);
      const { body } = await crowd.post('/consignments', { units: { unitIds: [units[0]!.id] } }).expect(201);
      await runAllBulkJobs(api);
      await crowd.post(`/consignments/${body.id}/dispatch`, {}).expect(200);
      for (const unit of units) await api.verify(unit.token).expect(200);
      const scans = await crowd.get(`/scans?consignmentId=${body.id}`).expect(200);
      expect(scans.body.data.map((scan: any) => scan.productUnitId)).to.deep.equal([units[0]!.id]);
      const overdue = async () =>
        (await crowd.get('/consignments?overdue=true').expect(200)).body.data.length;
      const { dispatchedAt } = (await crowd.get(`/consignments/${body.id}`).expect(200)).body;
      expect(await overdue()).to.equal(0);
      await api.database.pool.query('update consignments set dispatched_at = $1', [
        new Date(Date.parse(dispatchedAt) - 14 * 86_400_000 - 1),
      ]);
      expect(await overdue()).to.equal(1);
    });

    it('of reports finds parts of what was said, of the serial and of the shop', async () => {
      const { units } = await org.mintUnits(1);
      await api
        .http()
        .post(`/v/${units[0]!.token}/reports`)
        .send({ description: 'The seal is torn', purchasedFrom: 'Feira da Ladra' })
        .expect(201);
      for (const q of ['SEAL IS', 'ladra', units[0]!.serial])
        expect(await listed('/counterfeit-reports', q), q).to.have.length(1);
      expect(await listed('/counterfeit-reports', 'glue')).to.deep.equal([]);
    });
  });

  describe('everything', () => {
    let known: KnownIds;

    before(async () => {
      known = await createResources(api, org);
    });

    it('finds by name, SKU, lot, serial and reference, whole words first, five of each kind at most', async () => {
      const crowd = await api.createOrganization();
      const { units } = await crowd.mintUnits(1, {
        product: { name: 'Saffron', sku: 'SAF' },
        batch: { lot: 'SAF-1' },
      });
      for (let i = 0; i < 6; i++) await crowd.createProduct({ name: `Saffronish ${i}`, sku: `SAFX-${i}` });
      await crowd.post('/consignments', { reference: 'SAF-PO' }).expect(201);
      expect(await titles('saf', crowd)).to.deep.equal([
        'product Saffron',
        ...[5, 4, 3, 2].map((i) => `product Saffronish ${i}`),
        'batch SAF-1',
        'consignment SAF-PO',
      ]);
      expect(await titles(units[0]!.serial, crowd)).to.deep.equal([`unit ${units[0]!.serial}`]);
      expect(await titles('nothing like it', crowd)).to.deep.equal([]);
    });

    it('finds whatever a public id names, and nothing of another organization', async () => {
      const stranger = await api.createOrganization();
      const types = {
        prod: 'product',
        batch: 'batch',
        unit: 'unit',
        cons: 'consignment',
        job: 'barcodeJob',
        scan: 'scan',
        rep: 'report',
        rcl: 'recall',
        whep: 'webhookEndpoint',
      } as const;
      for (const [prefix, type] of Object.entries(types)) {
        const id = known[prefix as keyof typeof types]!;
        const { body } = await org.get(`/search?q=${id}`).expect(200);
        expect(body.data.map((hit: Record<string, string>) => [hit['type'], hit['id']])).to.deep.equal([
          [type, id],
        ]);
        expect(await titles(id, stranger), type).to.deep.equal([]);
      }
      expect(await titles('olive', stranger)).to.deep.equal([]);
    });

    it('finds the unit of a code, and it alone, by what is printed and by its address', async () => {
      const { units } = await org.mintUnits(2);
      const { token, serial } = units[1]!;
      const address = `HTTPS://VERIFY.EXAMPLE.COM/V/${token}`;
      for (const q of [token, token.toLowerCase(), address, `${address}/`, `${address}?lang=de#top`])
        expect(await titles(q), q).to.deep.equal([`unit ${serial}`]);
      expect(await titles(token, await api.createOrganization())).to.deep.equal([]);
      const key = await org.createKey('scans.read');
      const { body } = await api.http().get('/api/v1/search').query({ q: token }).set('X-Api-Key', key);
      expect(body.data).to.deep.equal([]);
    });

    it('finds what a GS1 Digital Link names, whatever is before and behind it', async () => {
      const marked = await api.createOrganization();
      const { units } = await marked.mintUnits(2, {
        product: { name: 'Honey', sku: 'HON', gtin: '04012345123456' },
        batch: { lot: 'H/7' },
      });
      // Another product with the same serial is not meant.
      const other = await marked.createProduct({ name: 'Jam', sku: 'JAM', gtin: '4006381333931' });
      expect(other.gtin).to.equal('04006381333931');
      const { serial } = units[0]!;
      const link = 'https://id.example.com/some/stem/01/04012345123456';
      for (const q of [
        `${link}/21/${serial}`,
        `${link}/10/H%2F7/21/${serial}/?17=271231`,
        `01/4012345123456/21/${serial}#top`,
        // A part `01` that is none of the link's, and a lot that is.
        `https://id.example.com/2026/01/01/04012345123456/10/01/21/${serial}`,
        // As long as an address gets.
        `https://verify.authenticity.oliveira-and-sons.example.com/01/04012345123456/10/${'%2F'.repeat(20)}/21/${serial}?17=271231`,
        // What else symbols hold: as it stands below them, and as scanners send it, a Code 128 of the serial too.
        `(01)04012345123456(10)H/7(21)${serial}`,
        `]d201040123451234561727123110H/7\u001d21${serial}`,
        `]C0${serial}`,
      ]) {
        expect(await titles(q, marked), q).to.deep.equal([`unit ${serial}`]);
        const found = await listed('/product-units', q, marked);
        expect(found.map((unit) => unit['serial'])).to.deep.equal([serial], q);
        expect([await titles(q), await listed('/product-units', q)], q).to.deep.equal([[], []]);
      }
      for (const q of [`${link}/10/H%2F7`, '(01)04012345123456(10)H/7'])
        expect(await titles(q, marked)).to.deep.equal(['batch H/7']);
      for (const q of [link, ']d20104012345123456'])
        expect(await titles(q, marked)).to.deep.equal(['product Honey']);
      const elsewhere = `https://id.example.com/01/04006381333931/21/${serial}`;
      expect(await titles(elsewhere, marked)).to.deep.equal([]);
      expect(await listed('/product-units', elsewhere, marked)).to.deep.equal([]);
    });

    it('shows each scope only what it may see', async () => {
      const hits = async (scope: Parameters<TestOrganization['createKey']>[0], q: string) => {
        const key = await org.createKey(scope);
        const { body } = await api
          .http()
          .get('/api/v1/search')
          .query({ q })
          .set('X-Api-Key', key)
          .expect(200);
        return body.data.map(({ type }: { type: string }) => type);
      };
      await org.post('/consignments', { reference: 'OLIVE-1' }).expect(201);
      expect(await hits('consignments.write', 'olive')).to.deep.equal(['consignment']);
      expect(new Set(await hits('products.read', 'olive'))).to.deep.equal(new Set(['product']));
      expect(await hits('scans.read', 'olive')).to.deep.equal([]);
      expect(await hits('scans.read', known.scan!)).to.deep.equal(['scan']);
      expect(await hits('products.read', known.scan!)).to.deep.equal([]);
      expect(await hits('webhooks.write', known.whep!)).to.deep.equal(['webhookEndpoint']);
      expect(await hits('scans.read', known.whep!)).to.deep.equal([]);
    });

    it('refuses an empty, a too long and an unknown parameter', async () => {
      for (const query of ['', 'q=', 'q=%20', `q=${'x'.repeat(201)}`, 'q=a&limit=5', 'q=a&q=b', 'q=%00'])
        await org.get(`/search?${query}`).expect(422);
    });
  });

  describe('many rows', () => {
    const ROWS = 10_000;
    const PAGE = { limit: 25, beforeId: null };
    let many: TestOrganization;

    before(async function () {
      this.timeout(20_000);
      many = await api.createOrganization();
      const { pool } = api.database;
      const run = (sql: string) => pool.query(sql, [many.uuid]);
      await run(`insert into products (id, org_id, name, sku)
        select gen_random_uuid(), $1, md5('name' || n), 'SKU-' || md5(n::text) from generate_series(1, ${ROWS}) n`);
      await run(`insert into batches (id, org_id, product_id, quantity, lot)
        select gen_random_uuid(), $1, (select min(id::text)::uuid from products where org_id = $1), 1, left(md5(n::text), 20)
          from generate_series(1, ${ROWS}) n`);
      await run(`insert into product_units (id, org_id, batch_id, product_id, ordinal, serial, code, token_key, status)
        select gen_random_uuid(), org_id, id, product_id, n, upper(left(md5(n::text), 12)), substring(uuid_send(gen_random_uuid()) for 10), 't1', 'active'
          from (select org_id, id, product_id from batches where org_id = $1 limit 1) b, generate_series(1, ${ROWS}) n`);
      await run(`insert into consignments (id, org_id, reference, created_at)
        select gen_random_uuid(), $1, 'REF-' || md5(n::text), now() from generate_series(1, ${ROWS}) n`);
      await run(`insert into counterfeit_reports (id, org_id, description, created_at, updated_at, network_id, fingerprint, status)
        select gen_random_uuid(), $1, md5(n::text), now(), now(), n::text, sha256(n::text::bytea), 'open'
          from generate_series(1, ${ROWS}) n`);
      await pool.query('vacuum analyze products, batches, product_units, consignments, counterfeit_reports');
    });

    /** How Postgres would run the statement, as it stands, that a repository's function sends. */
    async function planOf(ask: (db: Db) => Promise<unknown>): Promise<string> {
      let plan = '';
      const client = await api.database.pool.connect();
      const explain = async (sql: string, values: unknown[]) => {
        const { rows } = await client.query(`explain ${sql}`, values);
        plan = rows.map((row) => row['QUERY PLAN']).join('\n');
        return { rows: [] };
      };
      try {
        // At ten thousand rows, reading all of an organization's, newest first, is about as cheap; at a million it is not.
        await client.query('begin; set local enable_indexscan = off; set local enable_seqscan = off');
        await ask({ query: explain } as unknown as Db);
      } finally {
        await client.query('rollback');
        client.release();
      }
      return plan;
    }

    const RARE = 'c4ca4238';
    const STATEMENTS: [string, RegExp, (db: Db) => Promise<unknown>][] = [
      [
        'the list of products',
        /products_search/,
        (db) => listProducts(db, many.uuid, { archived: null, q: RARE }, PAGE),
      ],
      ['the list of batches', /batches_search/, (db) => listBatches(db, many.uuid, { q: RARE }, PAGE)],
      [
        'the list of units under suspicion',
        /unit_risk_profiles_suspected/,
        (db) => listUnits(db, many.uuid, { risk: 'suspect' }, PAGE),
      ],
      ['the list of units', /product_units_serial/, (db) => listUnits(db, many.uuid, { q: RARE }, PAGE)],
      [
        'the list of consignments',
        /consignments_search/,
        (db) => listConsignments(db, many.uuid, { q: RARE }, PAGE),
      ],
      [
        'the list of reports',
        /counterfeit_reports_search/,
        (db) => listReports(db, many.uuid, { q: RARE }, PAGE),
      ],
      ['the search for products', /products_search/, (db) => searchProducts(db, many.uuid, RARE, 5)],
      ['the search for batches', /batches_search/, (db) => searchBatches(db, many.uuid, RARE, 5)],
      ['the search for units', /product_units_serial/, (db) => searchUnits(db, many.uuid, RARE, 5)],
      [
        'the search for consignments',
        /consignments_search/,
        (db) => searchConsignments(db, many.uuid, RARE, 5),
      ],
    ];
    for (const [what, index, ask] of STATEMENTS) {
      it(`are found by an index, in ${what}`, async () => {
        const plan = await planOf(ask);
        expect(plan, plan).to.match(index);
        expect(plan).not.to.match(/Seq Scan on (product_units|batches|consignments|counterfeit_reports)/);
      });
    }

    it('are found, also where everything matches', async () => {
      expect(await listed('/product-units', RARE, many)).to.have.length(1);
      expect(await listed('/products', 'sku', many)).to.have.length(50);
      expect(await listed('/consignments', RARE, many)).to.have.length(1);
      expect(await titles(RARE, many)).to.have.length(4);
    });
  });
});
