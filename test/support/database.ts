/** A database for each test file, cloned from a template that is migrated once per run. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Pool } from 'pg';
// Sets how int8 and date are read, for every pool of the process.
import '../../shared/db.ts';
import { migrateToLatest } from '../../shared/migrate.ts';
import { beforeServicesStop, runId, testServices } from './services.ts';

export interface TestDatabase {
  /** For programs and pools of the code under test. */
  url: string;
  name: string;
  /** For the test itself. */
  pool: Pool;
  /**
   * Removes the database.
   * @throws when the code under test left a connection open, naming its last statement; the database is
   *   removed all the same.
   */
  drop: () => Promise<void>;
}

/** How long a connection that was just ended may still be listed by the server. */
const LINGER_MS = 1_000;

const template = `touchstone_template_${runId}`;
const existing = new Set<string>();
let templateReady: Promise<void> | undefined;
let connected: Promise<Client> | undefined;
let lastNumber = 0;

/** Tests fill tables with ids in the order of time by a function that Postgres has since version 18; the service takes 15. */
const UUID_V7 = `do $$ begin
  if current_setting('server_version_num')::int < 180000 then
    create function pg_catalog.uuidv7() returns uuid language sql volatile return encode(
      set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
        placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
        52, 1), 53, 1), 'hex')::uuid;
  end if;
end $$`;

/**
 * Makes the run's template; the first call decides with which migrations, later ones wait for it.
 * @param migrate brings an empty database to the newest schema; leaves no connection open.
 */
function createTemplate(migrate: (url: string) => Promise<unknown> = migrateToLatest): Promise<void> {
  templateReady ??= (async () => {
    const { databaseUrl } = await testServices();
    beforeServicesStop(dropRemaining);
    await asAdmin(
      databaseUrl,
      `create database ${template} template template0 encoding 'UTF8' lc_collate 'C' lc_ctype 'C'`,
    );
    existing.add(template);
    await migrate(withDatabase(databaseUrl, template));
    await within(withDatabase(databaseUrl, template), UUID_V7);
  })();
  return templateReady;
}

/** Call in `before`, and `drop` in `after`. About 20 ms in memory, ten times as long on a disk. */
export async function createTestDatabase(): Promise<TestDatabase> {
  await createTemplate();
  const { databaseUrl } = await testServices();
  lastNumber += 1;
  const name = `touchstone_test_${runId}_${lastNumber}`;
  // Files are copied four times as cheaply as blocks that go through the log, and nobody writes to the template.
  await asAdmin(databaseUrl, `create database ${name} template ${template} strategy file_copy`);
  existing.add(name);
  const url = withDatabase(databaseUrl, name);
  const pool = new Pool({ connectionString: url, max: 5, application_name: 'test' });
  // `drop` has the server end what is still connected; unheard, that would end the run.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return { url, name, pool, drop: () => drop(databaseUrl, name, pool) };
}

async function drop(adminUrl: string, name: string, pool: Pool): Promise<void> {
  // Not awaited: it waits for ever for a client that a test never released, which is then found below.
  void pool.end();
  const leaked = await connectionsLeft(adminUrl, name);
  await asAdmin(adminUrl, `drop database ${name} with (force)`);
  existing.delete(name);
  if (leaked.length > 0) throw new Error(`connections left open on ${name}:\n${leaked.join('\n')}`);
}

/** @returns the connections that stay, each with its application's name, state and last statement. */
async function connectionsLeft(adminUrl: string, name: string): Promise<string[]> {
  const deadline = Date.now() + LINGER_MS;
  const admin = await administrator(adminUrl);
  for (;;) {
    const { rows } = await admin.query<{ application_name: string; state: string | null; query: string }>(
      `select application_name, state, query from pg_stat_activity
        where datname = $1 and backend_type = 'client backend'`,
      [name],
    );
    if (rows.length === 0 || Date.now() > deadline) {
      return rows.map(
        (row) => `  ${row.application_name || '(unnamed)'}, ${row.state}: ${row.query.slice(0, 200)}`,
      );
    }
    await sleep(20);
  }
}

async function dropRemaining(): Promise<void> {
  const { databaseUrl } = await testServices();
  const forgotten = [...existing].filter((name) => name !== template);
  for (const name of existing) await asAdmin(databaseUrl, `drop database if exists ${name} with (force)`);
  await (await administrator(databaseUrl)).end();
  if (forgotten.length > 0) throw new Error(`test databases that no test dropped: ${forgotten.join(', ')}`);
}

async function within(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url, application_name: 'test-admin' });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

async function asAdmin(url: string, statement: string): Promise<void> {
  await (await administrator(url)).query(statement);
}

/** One connection for the whole run: each file would open three otherwise, of 9 ms of a core. */
function administrator(url: string): Promise<Client> {
  connected ??= (async () => {
    const admin = new Client({ connectionString: url, application_name: 'test-admin' });
    // Heard, or the end of a server that is not ours would end the run; the next statement fails then.
    admin.on('error', () => undefined);
    await admin.connect();
    return admin;
  })();
  return connected;
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}
