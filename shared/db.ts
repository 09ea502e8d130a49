/** Postgres: the pool, transactions, and the little type that lets every repository run in either. */
import pg from 'pg';
import { keepSome } from './keep-some.ts';

/** What a repository needs: a pool or a transaction's client. */
export type Db = Pick<pg.ClientBase, 'query'>;
export type Pool = pg.Pool;

// int8 as number: counts and sizes here stay far below 2^53. date as text: a day has no time zone.
const INT8 = 20;
const DATE = 1082;
pg.types.setTypeParser(INT8, Number);
pg.types.setTypeParser(DATE, (text) => text);
// A list of 34 markets takes the general parser 15 µs; most lists need no unquoting.
const TEXT_ARRAY = 1009 as Parameters<typeof pg.types.getTypeParser>[0];
const parseTextArray = pg.types.getTypeParser(TEXT_ARRAY, 'text') as (text: string) => string[];

function parseList(text: string): string[] {
  if (text === '{}') return [];
  return /["\\{]|NULL/i.test(text.slice(1)) ? parseTextArray(text) : text.slice(1, -1).split(',');
}
pg.types.setTypeParser(TEXT_ARRAY, parseList);

const lists = new Map<string, readonly string[]>();
/** Lists kept by {@link SHARED_LISTS}; a list is some hundred bytes. */
const MAX_LISTS = 2_000;

function sharedList(text: string): readonly string[] {
  let list = lists.get(text);
  if (list === undefined) {
    list = Object.freeze(parseList(text));
    keepSome(lists, text, list, MAX_LISTS);
  }
  return list;
}

/**
 * `types` of a statement whose rows say the same few lists of texts over and over, as each unit does its product's markets: equal lists
 * are one frozen array, so that they are parsed, and what is made of them is made, once.
 */
export const SHARED_LISTS: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === TEXT_ARRAY && format !== 'binary' ? sharedList : pg.types.getTypeParser(oid, format as 'text'),
};

export interface PoolOptions {
  databaseUrl: string;
  max: number;
  applicationName: string;
  /** Server settings of each connection, `-c name=value …`. */
  settings?: string;
  /** Longest wait for an answer, in milliseconds, {@link ANSWER_MS} by default. */
  answerMs?: number | undefined;
  /** Longest wait for a lock that somebody else holds, in milliseconds, {@link LOCK_MS} by default. */
  lockMs?: number | undefined;
  onError(error: Error): void;
}

/** A statement that runs longer than this in a request or a worker's step is a bug, not patience. */
const STATEMENT_MS = 60_000;
/** Shorter, so that whoever waited for somebody else's lock is told from whoever was slow: the one passes. */
const LOCK_MS = 50_000;
/**
 * The same where a caller waits: one table that an operator locks may not have every connection of the API wait until all else
 * is refused, too. Ended by Postgres before {@link PoolOptions.answerMs}, so that nobody's statement goes on unheard.
 */
export const CALLER_LOCK_MS = 5_000;
/**
 * Postgres ends a statement itself, so whoever hears nothing by then has lost it without a word: a machine that is gone, a failover, a
 * firewall that dropped the flow. TCP would notice after a quarter of an hour, and all that time the connection would stay in the pool.
 */
const ANSWER_MS = STATEMENT_MS + 5_000;
const UNANSWERED = 'Query read timeout';

export function createPool({
  databaseUrl,
  max,
  applicationName,
  settings,
  answerMs = ANSWER_MS,
  lockMs = LOCK_MS,
  onError,
}: PoolOptions): Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max,
    application_name: applicationName,
    ...(settings === undefined ? {} : { options: settings }),
    // Also the longest wait for a free connection: a caller is better off with a quick 503 than in a queue.
    connectionTimeoutMillis: 3_000,
    // The default of 10 s has whoever looks again after reading a screen wait for new connections, a fork of the server each.
    idleTimeoutMillis: 60_000,
    statement_timeout: STATEMENT_MS,
    lock_timeout: lockMs,
    query_timeout: answerMs,
    idle_in_transaction_session_timeout: STATEMENT_MS,
  });
  // An idle client that loses its server emits here; without a listener it would end the process.
  pool.on('error', (error) => {
    // The pool does not wait for what it parts with: a server that stops by then takes nothing from anybody.
    if (!pool.ending) onError(error);
  });
  // So does one that is cut while it is checked out; its statement, or the next one, rejects and tells the caller.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/**
 * Settings for statements that only look rows up by their keys: plan once, and always by index. A seven-way join costs five
 * times as much to plan as to run, and no plan other than the indexes' is right at a million rows. A generic plan cannot know how
 * few rows are meant (it takes a `limit` of a parameter for a tenth of the table), and would read whole partitions.
 */
const BY_KEYS = [
  'plan_cache_mode=force_generic_plan',
  'enable_seqscan=off',
  'enable_hashjoin=off',
  'enable_mergejoin=off',
];

/** {@link BY_KEYS} for connections, see {@link PoolOptions.settings}. */
export const KEYED_LOOK_UPS = BY_KEYS.map((setting) => `-c ${setting}`).join(' ');

/** {@link BY_KEYS} for one transaction, see {@link withTransaction}. */
export const BEGIN_BY_KEYS = ['begin', ...BY_KEYS.map((setting) => `set local ${setting}`)].join('; ');

/** {@link BEGIN_BY_KEYS}, for what may take long and is given up then: Postgres ends each statement after so many milliseconds. */
export const beginWithin = (timeoutMs: number): string =>
  `${BEGIN_BY_KEYS}; set local statement_timeout=${timeoutMs}`;

/** Work that waits for the commit: wake-ups, never facts. */
export interface UnitOfWork {
  db: Db;
  /** Runs after the commit, in order; not at all after a rollback. A failure is the callback's own business. */
  afterCommit(callback: () => Promise<void> | void): void;
}

/**
 * How a transaction begins that reads pages of scans or units in their order. Every filter has an index in the order of the list, and none is ever
 * to be read to its end and sorted, as Postgres does where it takes an organization for smaller than a page: one that it has not counted.
 */
export const BEGIN_IN_ORDER = 'begin; set local enable_sort = off; set local jit = off';

/**
 * Runs `work` in one transaction and its after-commit callbacks behind it.
 * @param begin how it begins: with `set local …` behind it, these settings hold for it and cost no round trip
 * @throws whatever `work` throws, after the rollback.
 */
export async function withTransaction<T>(
  pool: Pool,
  work: (uow: UnitOfWork) => Promise<T>,
  begin = 'begin',
): Promise<T> {
  const client = await pool.connect();
  const callbacks: (() => Promise<void> | void)[] = [];
  let result: T;
  let broken: Error | undefined;
  try {
    await client.query(begin);
    result = await work({ db: client, afterCommit: (callback) => callbacks.push(callback) });
    await client.query('commit');
  } catch (error) {
    if (isUnanswered(error)) broken = error;
    else
      await client.query('rollback').catch((rollbackError: Error) => {
        broken = rollbackError;
      });
    throw error;
  } finally {
    client.release(broken);
  }
  for (const callback of callbacks) await callback();
  return result;
}

/** @throws while Postgres does not answer. */
export async function checkDatabase(db: Db): Promise<void> {
  await db.query('select 1');
}

/** Whether Postgres ended a statement because it took too long. @see https://www.postgresql.org/docs/current/errcodes-appendix.html */
export const isStatementTimeout = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '57014';

/** Whether somebody held a lock for longer than this connection waits. */
export const isLockTimeout = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '55P03';

/** Whether Postgres did not answer in time: the connection is good for nothing more. */
const isUnanswered = (error: unknown): error is Error =>
  error instanceof Error && error.message === UNANSWERED;
