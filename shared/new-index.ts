/**
 * Indexes of tables that may have millions of rows, built beside a service that goes on writing to them: `create index` keeps everybody from
 * writing until it has read the table, minutes of it. Migrations export them as `indexes` in place of `up` and `down`.
 */
import type { Knex } from 'knex';
import { sqlState } from './errors.ts';

export interface NewIndex {
  name: string;
  table: string;
  /** What stands behind the table: `(org_id, at desc) where …`. */
  definition: string;
  isUnique?: boolean;
}

/** How to change what takes a moment, but needs a lock that the service may hold. @throws what `change` throws at last */
export type Briefly = (change: (trx: Knex) => PromiseLike<unknown>) => Promise<void>;

const UNDEFINED_TABLE = '42P01';
const DEADLOCK = '40P01';
/** A transaction of the service and the build waited for each other: the build begins anew. */
const MOST_DEADLOCKS = 20;

/**
 * Creates them: in a transaction, as of a database that nobody uses yet, in one go each, otherwise beside the service.
 * @param waitMs longest wait for transactions that are under way, behind which nobody waits; 0 for no end
 */
export async function createIndexes(
  knex: Knex,
  indexes: readonly NewIndex[],
  briefly: Briefly,
  waitMs: number,
): Promise<void> {
  for (const index of indexes)
    if (knex.isTransaction === true) await knex.raw(statementOf(index));
    else if (await isPartitioned(knex, index.table)) await buildByPartitions(knex, index, briefly, waitMs);
    else await build(knex, index, waitMs);
}

/** Drops them again, the last one first. */
export async function dropIndexes(indexes: readonly NewIndex[], briefly: Briefly): Promise<void> {
  for (const { name } of indexes.toReversed())
    await briefly((trx) => trx.raw(`drop index if exists ${name}`));
}

const statementOf = ({ name, table, definition, isUnique = false }: NewIndex, how = '', on = ''): string =>
  ['create', isUnique ? 'unique' : '', 'index', how, name, 'on', on, table, definition]
    .filter(Boolean)
    .join(' ');

async function isPartitioned(knex: Knex, table: string): Promise<boolean> {
  const { rows } = await knex.raw<{ rows: { kind: string }[] }>(
    'select relkind as kind from pg_class where oid = ?::regclass',
    [table],
  );
  return rows[0]!.kind === 'p';
}

/**
 * One partition after the other, as Postgres builds none of a partitioned table concurrently. Partitions that are made meanwhile have it
 * from the beginning. The oldest first: attaching the last one is what makes the whole valid, and retention may drop the oldest.
 * @see https://www.postgresql.org/docs/current/ddl-partitioning.html#DDL-PARTITIONING-DECLARATIVE-MAINTENANCE
 */
async function buildByPartitions(
  knex: Knex,
  index: NewIndex,
  briefly: Briefly,
  waitMs: number,
): Promise<void> {
  const { name, table } = index;
  if ((await isValid(knex, index)) === null) await briefly((trx) => trx.raw(statementOf(index, '', 'only')));
  for (;;) {
    const partition = await findPartitionWithout(knex, index);
    if (partition === null) return;
    const own = { ...index, name: name + partition.slice(table.length), table: partition };
    try {
      await build(knex, own, waitMs);
      await briefly((trx) => trx.raw(`alter index ${name} attach partition ${own.name}`));
    } catch (error) {
      // Retention dropped the partition; one that is still there is in a schema that the search path does not reach.
      if (sqlState(error) !== UNDEFINED_TABLE || (await findPartitionWithout(knex, index)) === partition)
        throw error;
    }
  }
}

async function findPartitionWithout(knex: Knex, { name, table }: NewIndex): Promise<string | null> {
  const { rows } = await knex.raw<{ rows: { partition: string }[] }>(
    `select p.relname as partition
       from pg_inherits i join pg_class p on p.oid = i.inhrelid
      where i.inhparent = ?::regclass
        and not exists (select from pg_inherits a join pg_index x on x.indexrelid = a.inhrelid
                         where a.inhparent = ?::regclass and x.indrelid = p.oid)
      order by p.relname limit 1`,
    [table, name],
  );
  return rows[0]?.partition ?? null;
}

/** @returns null where the table has none of that name. One of another table is left for `create index` to complain of. */
async function isValid(knex: Knex, { name, table }: NewIndex): Promise<boolean | null> {
  const { rows } = await knex.raw<{ rows: { valid: boolean }[] }>(
    'select indisvalid as valid from pg_index where indexrelid = to_regclass(?) and indrelid = ?::regclass',
    [name, table],
  );
  return rows[0]?.valid ?? null;
}

/** Of one table. What a build that was broken off has left is of no use, and goes. */
async function build(knex: Knex, index: NewIndex, waitMs: number): Promise<void> {
  for (let deadlocks = 0; ; deadlocks += 1) {
    const valid = await isValid(knex, index);
    if (valid === true) return;
    try {
      // The server goes on with the build of a release that was killed, and the two may wait for each other.
      if (valid === false) await waiting(knex, `drop index concurrently if exists ${index.name}`, waitMs);
      await waiting(knex, statementOf(index, 'concurrently'), waitMs);
      return;
    } catch (error) {
      if (sqlState(error) !== DEADLOCK || deadlocks === MOST_DEADLOCKS) throw error;
    }
  }
}

/** Runs a statement that must not be in a transaction, however long the role's or the database's statements may take. */
async function waiting(knex: Knex, statement: string, waitMs: number): Promise<void> {
  const client = knex.client as Knex.Client;
  const connection: unknown = await client.acquireConnection();
  const run = (sql: string) => knex.raw(sql).connection(connection);
  try {
    await run(`set lock_timeout = ${waitMs}`);
    await run('set statement_timeout = 0');
    await run(statement);
  } finally {
    await run('reset lock_timeout; reset statement_timeout').catch(() => undefined);
    await client.releaseConnection(connection);
  }
}
