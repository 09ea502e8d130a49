import { expect } from 'chai';
import { newUuid } from '../../shared/ids.ts';
import { migrateDown, migrateToLatest } from '../../shared/migrate.ts';
import { lastWords } from '../../shared/start-error.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

/** Every table, column, constraint, index, function and trigger, as Postgres itself writes them down. */
const CATALOGUE = `
  select 'column ' || c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || ' ' || a.attnotnull
         || ' ' || coalesce(pg_get_expr(d.adbin, d.adrelid), '') as entry
    from pg_class c join pg_attribute a on a.attrelid = c.oid left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
  union all
  select 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
    from pg_constraint where connamespace = 'public'::regnamespace and conrelid <> 0
  union all
  select 'index ' || pg_get_indexdef(i.indexrelid) from pg_index i join pg_class c on c.oid = i.indrelid
   where c.relnamespace = 'public'::regnamespace
  union all
  select 'function ' || pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace
  union all
  select 'partition ' || c.relname || ' ' || pg_get_expr(c.relpartbound, c.oid) from pg_class c
   where c.relispartition and c.relnamespace = 'public'::regnamespace
  union all
  select 'trigger ' || pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
  order by 1`;

describe('the schema', () => {
  let database: TestDatabase;

  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database.drop());

  const catalogue = async () =>
    (await database.pool.query<{ entry: string }>(CATALOGUE)).rows.map(({ entry }) => entry);

  it('is the same after all the way down and up again, and nothing is left at the bottom', async () => {
    const first = await catalogue();
    expect(first.length).to.be.greaterThan(200);
    const takenBack = await migrateDown(database.url, { all: true });
    const bottom = (await catalogue()).filter((entry) => !entry.includes('knex_migrations'));
    expect(bottom).to.deep.equal([]);
    const applied = await migrateToLatest(database.url);
    expect(applied).to.deep.equal(takenBack.toReversed());
    expect(await catalogue()).to.deep.equal(first);
  });

  it('is brought up once by several releases at the same time', async () => {
    await migrateDown(database.url, { all: true });
    let waited = 0;
    const onTurn = () => void (waited += 1);
    const results = await Promise.all(
      [1, 2, 3].map(() => migrateToLatest(database.url, undefined, { onTurn })),
    );
    expect(results.filter((names) => names.length > 0)).to.have.length(1);
    expect(waited, 'the others are told, each once').to.equal(2);
    expect(await migrateToLatest(database.url)).to.deep.equal([]);
  });

  it('that a later release has changed is left alone by the release of an earlier one, which says what to do', async () => {
    await database.pool.query(
      `insert into knex_migrations (name, batch, migration_time) values ('29990101000000_later', 99, now())`,
    );
    const error = await migrateToLatest(database.url).catch((reason: unknown) => reason);
    expect(lastWords(error)).to.match(/^a later release .*: 29990101000000_later; .*migrate:down/);
    await database.pool.query(`delete from knex_migrations where batch = 99`);
    expect(await migrateToLatest(database.url)).to.deep.equal([]);
  });

  describe('refuses', () => {
    const org = newUuid();
    const other = newUuid();
    const product = newUuid();
    const batch = newUuid();
    const endpoint = newUuid();
    const unit = `insert into product_units (id, org_id, batch_id, product_id, ordinal, serial, code, token_key, status)
      values ($1, '${org}', '${batch}', '${product}'`;
    const job = `insert into barcode_jobs (id, org_id, batch_id, symbology, formats, total, status, finished_at)
      values ($1, '${org}', '${batch}', 'qr', '{png}'`;
    const code = (fill: string) => `'\\x${fill.repeat(10)}'`;

    before(async () => {
      const { pool } = database;
      for (const id of [org, other])
        await pool.query(`insert into organizations (id, name) values ($1, 'x')`, [id]);
      await pool.query(`insert into products (id, org_id, name, sku) values ($1, $2, 'x', 'S')`, [
        product,
        org,
      ]);
      await pool.query(`insert into batches (id, org_id, product_id, quantity) values ($1, $2, $3, 5)`, [
        batch,
        org,
        product,
      ]);
      await pool.query(`${unit}, 0, 'A', ${code('00')}, 'k1', 'minted')`, [newUuid()]);
      await pool.query(`${job}, 5, 'queued', null)`, [newUuid()]);
      await pool.query(
        `insert into webhook_endpoints (id, org_id, url, events) values ($1, $2, 'https://a.example', '{*}')`,
        [endpoint, org],
      );
      await pool.query(
        `insert into webhook_dispatches (event_id, endpoint_id, org_id, due_at) values ($1, $2, $3, now())`,
        [newUuid(), endpoint, org],
      );
    });

    const UNIQUE = '23505';
    const CHECK = '23514';
    const FOREIGN = '23503';
    const NO_PARTITION = '23514';
    const rows: [what: string, sql: string, state: string][] = [
      [
        'a second product with the SKU',
        `insert into products (id, org_id, name, sku) values ($1, '${org}', 'y', 'S')`,
        UNIQUE,
      ],
      [
        'a market that is no country code',
        `insert into products (id, org_id, name, sku, markets) values ($1, '${org}', 'y', 'T', '{de}')`,
        CHECK,
      ],
      [
        'attributes that are a list',
        `insert into products (id, org_id, name, sku, attributes) values ($1, '${org}', 'y', 'T', '[]')`,
        CHECK,
      ],
      [
        'a batch of nothing',
        `insert into batches (id, org_id, product_id, quantity) values ($1, '${org}', '${product}', 0)`,
        CHECK,
      ],
      [
        'a batch of more than ten million',
        `insert into batches (id, org_id, product_id, quantity) values ($1, '${org}', '${product}', 10000001)`,
        CHECK,
      ],
      [
        'a batch on another organization’s product',
        `insert into batches (id, org_id, product_id, quantity) values ($1, '${other}', '${product}', 1)`,
        FOREIGN,
      ],
      ['a second unit of an ordinal', `${unit}, 0, 'B', ${code('01')}, 'k1', 'minted')`, UNIQUE],
      ['a second unit with a code', `${unit}, 1, 'B', ${code('00')}, 'k1', 'minted')`, UNIQUE],
      ['a second unit with a serial', `${unit}, 1, 'A', ${code('01')}, 'k1', 'minted')`, UNIQUE],
      ['a code of another length', `${unit}, 1, 'B', '\\x00', 'k1', 'minted')`, CHECK],
      ['a unit in no known state', `${unit}, 1, 'B', ${code('01')}, 'k1', 'lost')`, CHECK],
      ['a second open job of a batch', `${job}, 5, 'running', null)`, UNIQUE],
      ['a finished job without an end', `${job}, 5, 'completed', null)`, CHECK],
      ['an open job with an end', `${job}, 5, 'queued', now())`, CHECK],
      [
        'a job for another organization’s batch',
        `insert into barcode_jobs (id, org_id, batch_id, symbology, formats, total, status, finished_at) values ($1, '${other}', '${batch}', 'qr', '{png}', 1, 'failed', now())`,
        FOREIGN,
      ],
      [
        'a scan with half a position',
        `insert into scans (id, org_id, unit_id, product_id, batch_id, at, lat, result, risk_level, risk_score) values ($1, '${org}', '${batch}', '${product}', '${batch}', now(), 1, 'genuine', 'none', 0)`,
        CHECK,
      ],
      [
        'a scan without a known result',
        `insert into scans (id, org_id, unit_id, product_id, batch_id, at, result, risk_level, risk_score) values ($1, '${org}', '${batch}', '${product}', '${batch}', now(), 'fake', 'none', 0)`,
        CHECK,
      ],
      [
        'a plain HTTP endpoint',
        `insert into webhook_endpoints (id, org_id, url, events) values ($1, '${org}', 'http://a.example', '{*}')`,
        CHECK,
      ],
      [
        'an open circuit without a time',
        `insert into webhook_endpoints (id, org_id, url, events, circuit_state) values ($1, '${org}', 'https://a.example', '{*}', 'open')`,
        CHECK,
      ],
      [
        'a second dispatch of an event to an endpoint',
        `insert into webhook_dispatches (event_id, endpoint_id, org_id, due_at) select event_id, endpoint_id, org_id, now() from webhook_dispatches where $1::uuid is not null`,
        UNIQUE,
      ],
      [
        'a delivery with an outcome that is not settled',
        `insert into webhook_deliveries (id, org_id, endpoint_id, event_id, event_type, attempt, started_at, outcome) values ($1, '${org}', '${endpoint}', '${endpoint}', 'a.b', 1, now(), 'failed')`,
        CHECK,
      ],
      [
        'a key’s digest of another length',
        `insert into api_key_secrets (digest, key_id, last_four) values ('\\x00', $1, 'abcd')`,
        CHECK,
      ],
      [
        'an e-mail address in capitals',
        `insert into users (id, org_id, email, password_digest, role) values ($1, '${org}', 'A@b.example', 'x', 'owner')`,
        CHECK,
      ],
      [
        'an event outside every partition',
        `insert into events (id, org_id, type, data, created_at) values ('00000000-0000-7000-8000-000000000000', coalesce('${org}', $1::uuid), 'a.b', '{}', now())`,
        NO_PARTITION,
      ],
    ];
    for (const [what, sql, state] of rows) {
      it(what, async () => {
        const error = await database.pool.query(sql, [newUuid()]).then(
          () => undefined,
          (thrown: Error & { code?: string }) => thrown,
        );
        expect(error?.code, error?.message).to.equal(state);
      });
    }
  });
});
