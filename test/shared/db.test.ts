import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect } from 'chai';
import type { PoolClient } from 'pg';
import { isPassing, sqlState } from '../../shared/errors.ts';
import { createPool, SHARED_LISTS, withTransaction, type Pool } from '../../shared/db.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';

describe('transactions', () => {
  let database: TestDatabase;
  let pool: Pool;

  before(async () => {
    database = await createTestDatabase();
    await database.pool.query('create table marks (id integer primary key)');
    pool = createPool({ databaseUrl: database.url, max: 2, applicationName: 'tx', onError: () => undefined });
  });
  after(async () => {
    await pool.end();
    await database.drop();
  });

  const marks = async () =>
    (await database.pool.query<{ id: number }>('select id from marks order by id')).rows.map(({ id }) => id);

  it('commits, and only then runs what waits for the commit, in order', async () => {
    const seen: unknown[] = [];
    const result = await withTransaction(pool, async ({ db, afterCommit }) => {
      await db.query('insert into marks values (1)');
      afterCommit(async () => void seen.push(await marks()));
      afterCommit(() => void seen.push('second'));
      expect(await marks()).to.deep.equal([]);
      return 'result';
    });
    expect(result).to.equal('result');
    expect(seen).to.deep.equal([[1], 'second']);
  });

  it('rolls back whatever is thrown, runs nothing after it, and gives the client back', async () => {
    const before = await marks();
    let ran = false;
    for (let i = 0; i < 5; i++) {
      const error = await withTransaction(pool, async ({ db, afterCommit }) => {
        afterCommit(() => void (ran = true));
        await db.query('insert into marks values (100)');
        throw new Error('no');
      }).catch((thrown: Error) => thrown);
      expect((error as Error).message).to.equal('no');
    }
    expect(await marks()).to.deep.equal(before);
    expect(ran).to.equal(false);
    expect(pool.totalCount - pool.idleCount).to.equal(0);
  });

  it('survives a connection that is cut in the middle, between statements and during one', async () => {
    for (const during of [false, true]) {
      const error = await withTransaction(pool, async ({ db }) => {
        const { rows } = await db.query<{ pid: number }>('select pg_backend_pid() as pid');
        const running = during ? db.query('select pg_sleep(30)') : undefined;
        const ended = new Promise((resolve) => (db as unknown as NodeJS.EventEmitter).once('end', resolve));
        const failure = running?.catch((thrown: unknown) => thrown);
        await database.pool.query('select pg_terminate_backend($1)', [rows[0]!.pid]);
        await ended;
        if (failure !== undefined) throw await failure;
        await db.query('insert into marks values (200)');
      }).catch((thrown: Error) => thrown);
      expect(error).to.satisfy(isPassing);
      // A fresh connection takes its place.
      await withTransaction(pool, ({ db }) => db.query('select 1'));
    }
    expect(await marks()).not.to.include(200);
  });

  it('tells of an idle connection that is cut, and of none once the pool is done with it', async () => {
    const told: string[] = [];
    const pool = createPool({
      databaseUrl: database.url,
      max: 1,
      applicationName: 'to-be-cut',
      onError: (error) => void told.push(error.message),
    });
    const pidOf = async () =>
      (await pool.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid;
    const lost = once(pool, 'error');
    await database.pool.query('select pg_terminate_backend($1)', [await pidOf()]);
    await lost;
    expect(told).to.deep.equal(['terminating connection due to administrator command']);

    await pidOf();
    const client = await pool.connect();
    client.release();
    await pool.end();
    // As where the server says so before it has read that the client leaves.
    client.emit('error', new Error('terminating connection due to administrator command'));
    expect(told).to.have.length(1);
  });

  it('is an outage to whoever kept one open for longer than Postgres allows', async () => {
    const error = await withTransaction(pool, async ({ db }) => {
      const client = db as PoolClient & { connection: { stream: Socket } };
      const { rows } = await db.query<{ pid: number }>('select pg_backend_pid() as pid');
      // Like a process that was stopped: it hears of the end with the answer to its next statement. Stopped before the clock
      // begins to run, for what it hears between two statements is told otherwise.
      client.connection.stream.pause();
      const setting = db.query(`set idle_in_transaction_session_timeout = '10ms'`);
      await eventually('the end of the session', async () => {
        const left = await database.pool.query('select 1 from pg_stat_activity where pid = $1', [
          rows[0]!.pid,
        ]);
        return left.rows.length === 0;
      });
      const next = db.query('select 1');
      client.connection.stream.resume();
      await Promise.all([setting, next]);
    }).catch((thrown: unknown) => thrown);
    expect(sqlState(error)).to.equal('25P03');
    expect(error).to.satisfy(isPassing);
  });

  it('reads counts as numbers and days as text', async () => {
    const { rows } = await pool.query(
      `select count(*) as n, date '2026-02-28' as day from generate_series(1, 3)`,
    );
    expect(rows[0]).to.deep.equal({ n: 3, day: '2026-02-28' });
  });

  it('makes one list of equal lists of texts where a statement asks for it, and no value of another kind', async () => {
    const text = `select array['DE', 'it, "s"', null] as odd, array['DE', 'FR'] as list, array[1, 2] as numbers, count(*) as n
                    from generate_series(1, 2) group by generate_series`;
    const { rows } = await pool.query<{ odd: string[]; list: string[]; numbers: number[]; n: number }>({
      text,
      types: SHARED_LISTS,
    });
    const [first, second] = rows as [(typeof rows)[0], (typeof rows)[0]];
    expect(first).to.deep.equal({
      odd: ['DE', 'it, "s"', null],
      list: ['DE', 'FR'],
      numbers: [1, 2],
      n: 1,
    });
    expect(first.list).to.equal(second.list);
    expect(first.odd).to.equal(second.odd);
    expect(() => first.list.push('IT')).to.throw(TypeError);
    const others = await pool.query<{ list: string[] }>(text);
    expect(others.rows[0]!.list).not.to.equal(others.rows[1]!.list);
  });

  it('keeps no more shared lists than it needs for the moment', async () => {
    const lists = (from: number) =>
      pool.query<{ list: string[] }>({
        text: 'select array[n::text, $2] as list from generate_series($1::integer, $1::integer + 2999) n',
        values: [from, 'end'],
        types: SHARED_LISTS,
      });
    const { rows } = await lists(0);
    expect(rows.map(({ list }) => list[0])).to.deep.equal(Array.from({ length: 3_000 }, (_, n) => String(n)));
    await lists(10_000);
    const [again] = (await lists(0)).rows;
    expect(again!.list).to.deep.equal(['0', 'end']);
    expect(again!.list).not.to.equal(rows[0]!.list);
  });
});
