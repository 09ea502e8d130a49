/**
 * The operator's commands. One JSON object on standard output; errors on standard error, with exit code 1.
 * Works on `DATABASE_URL` with the environment's secrets, or on the `npm start` that runs on the data folder.
 */
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { Command, Option } from 'commander';
import { loadSecrets } from '../launcher/secrets.ts';
import { createApiKey } from '../shared/api-keys/service.ts';
import { ALL_SCOPES } from '../shared/api-keys/scopes.ts';
import { OPERATOR, recordAudit } from '../shared/audit/service.ts';
import { systemClock } from '../shared/clock.ts';
import {
  addCodeHost,
  getCodeHosts,
  type CodeHosts,
  forgetCodeHost,
  obstacleOnTheWay,
  parseCodeAddress,
  useCodeHost,
} from '../shared/code-hosts/service.ts';
import { SETTINGS } from '../shared/config.ts';
import { createPool, withTransaction, type Pool, type UnitOfWork } from '../shared/db.ts';
import { confirmDomainByOperator } from '../shared/domains/service.ts';
import { AppError, sqlState } from '../shared/errors.ts';
import { listMissingMigrations } from '../shared/schema-changes.ts';
import { givenValue } from '../shared/setting-values.ts';
import { reasonOf } from '../shared/start-error.ts';
import { decodeId, encodeId } from '../shared/ids.ts';
import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from '../shared/languages.ts';
import {
  blockOrganization,
  createOrganization,
  requireOrganization,
  searchOrganizations,
} from '../shared/organizations/service.ts';
import { findDatabase, type FoundDatabase } from './database-url.ts';
import { print as printLine } from './standard-output.ts';

/** Tables and columns. @see https://www.postgresql.org/docs/current/errcodes-appendix.html */
const MISSING_IN_SCHEMA: ReadonlySet<string> = new Set(['42P01', '42703']);

interface Target extends FoundDatabase {
  pepper: string;
}

/** That of the processes: they would not know a key under another one. */
const pepperFor = ({ start }: FoundDatabase, env: NodeJS.ProcessEnv): string | undefined =>
  start === null || start.running.isPepperGiven
    ? givenValue(env.API_KEY_PEPPER)
    : loadSecrets(start.dataDir).API_KEY_PEPPER;

function findTarget(env: NodeJS.ProcessEnv): Target {
  const found = findDatabase(env);
  const pepper = pepperFor(found, env);
  if (pepper === undefined)
    throw new Error(
      found.start === null
        ? 'API_KEY_PEPPER must be set beside DATABASE_URL: keys are stored under it'
        : 'API_KEY_PEPPER must be set as for "npm start", which was given one: keys are stored under it',
    );
  return { ...found, pepper };
}

/** By itself, as what fails later is the command's. @param from what to name where it fails */
async function connect(databaseUrl: string, from: string): Promise<Pool> {
  try {
    const pool = createPool({
      databaseUrl,
      max: 1,
      applicationName: 'touchstone-admin',
      onError: () => undefined,
    });
    (await pool.connect()).release();
    return pool;
  } catch (error) {
    throw new Error(`${from}: ${reasonOf(error)}`, { cause: error });
  }
}

async function inDatabase<T>(work: (uow: UnitOfWork, pepper: string) => Promise<T>): Promise<T> {
  const { databaseUrl, from, pepper } = findTarget(process.env);
  const db = await connect(databaseUrl, from);
  try {
    return await withTransaction(db, (uow) => work(uow, pepper));
  } catch (error) {
    throw (await lacksChanges(db, error))
      ? new Error(`${from}: lacks changes of the schema: run the release of this version`, { cause: error })
      : error;
  } finally {
    await db.end();
  }
}

/** Whether a command failed because the release was not run yet. */
async function lacksChanges(db: Pool, error: unknown): Promise<boolean> {
  const isOfSchema = MISSING_IN_SCHEMA.has(sqlState(error) ?? '');
  return isOfSchema && (await listMissingMigrations(db)).length > 0;
}

function organizationId(given: string): string {
  const orgId = decodeId('org', given);
  if (orgId === null) throw new Error(`"${given}" is not an organization’s id (org_…)`);
  return orgId;
}

const print = (result: unknown): void => printLine(JSON.stringify(result));

interface CreateOrgOptions {
  name: string;
  email: string;
  password?: string;
  passwordStdin?: boolean;
  language: Language;
}

async function passwordOf({
  password,
  passwordStdin = false,
}: Pick<CreateOrgOptions, 'password' | 'passwordStdin'>): Promise<string> {
  if ((password === undefined) !== passwordStdin)
    throw new Error('give one of --password and --password-stdin');
  if (password !== undefined) return password;
  const lines = createInterface({ input: process.stdin });
  for await (const line of lines) {
    // Whoever types it does not end the input, for which the process would wait.
    lines.close();
    return line;
  }
  throw new Error('--password-stdin: standard input has no line');
}

const program = new Command('admin').description('Operator’s commands');

program
  .command('create-org')
  .description('create an organization with its first owner')
  .requiredOption('--name <name>')
  .requiredOption('--email <address>')
  .option('--password <password>', 'which the history of the shell may keep, and others on the machine see')
  .option('--password-stdin', 'read the password from standard input: its first line')
  .addOption(
    new Option('--language <language>', 'of the mails to the owner')
      .choices(LANGUAGES)
      .default(DEFAULT_LANGUAGE),
  )
  .action(async ({ name, email, language, ...given }: CreateOrgOptions) => {
    const password = await passwordOf(given);
    const { orgId, userId } = await inDatabase(({ db }) =>
      createOrganization({ clock: systemClock }, db, { name, email, password, language }),
    );
    print({ orgId: encodeId('org', orgId), userId: encodeId('user', userId) });
  });

program
  .command('create-key')
  .description('create an API key; it is shown this once')
  .requiredOption('--org <id>')
  .requiredOption('--name <name>')
  .requiredOption('--scopes <list>', 'comma-separated scopes, or "all"')
  .action(async (options: { org: string; name: string; scopes: string }) => {
    const orgId = organizationId(options.org);
    const name = options.name.trim();
    if (name.length === 0 || name.length > 200) throw new Error('name must have 1 to 200 characters');
    const scopes =
      options.scopes === 'all' ? [...ALL_SCOPES] : options.scopes.split(',').map((scope) => scope.trim());
    const { id, secret } = await inDatabase(async ({ db }, pepper) => {
      await requireOrganization(db, orgId);
      const key = await createApiKey({ clock: systemClock, random: randomBytes, pepper }, db, orgId, {
        name,
        scopes,
      });
      await recordAudit({ clock: systemClock }, db, {
        orgId,
        actor: OPERATOR,
        action: 'createApiKey',
        resource: encodeId('key', key.id),
        origin: null,
        before: null,
        after: { name, scopes },
      });
      return key;
    });
    print({ id: encodeId('key', id), key: secret });
  });

program
  .command('confirm-domain')
  .description('take a domain for an organization’s on your word, without a record in the DNS')
  .requiredOption('--org <id>')
  .requiredOption('--domain <name>')
  .action(async (options: { org: string; domain: string }) => {
    const orgId = organizationId(options.org);
    const { name } = await inDatabase(async ({ db }) => {
      await requireOrganization(db, orgId);
      return confirmDomainByOperator({ clock: systemClock, random: randomBytes }, db, orgId, options.domain);
    });
    print({ orgId: options.org, domain: name });
  });

interface CodeHostOptions {
  org: string;
  url?: string;
  unchecked?: boolean;
  wait?: string;
  none?: boolean;
  forget?: string;
}

program
  .command('code-host')
  .description(
    'tell where an organization’s codes lead, or lead them to an address of its own, at which its codes alone are known',
  )
  .requiredOption('--org <id>')
  .option('--url <address>', 'such as https://id.example.com; it has to lead to this service already')
  .option('--wait <seconds>', 'with --url: for how long to look whether it does (default: 10)')
  .option('--unchecked', 'with --url: do not look')
  .option('--none', 'lead new codes to the service’s own address; hosts that are printed go on answering')
  .option('--forget <host>', 'let a host answer for the organization no more')
  .action(async ({ org, url, unchecked, wait, none, forget }: CodeHostOptions) => {
    const ways = [url, none, forget].filter((way) => way !== undefined);
    if (ways.length > 1) throw new Error('give one of --url, --none and --forget');
    if (url === undefined && (wait !== undefined || unchecked === true))
      throw new Error('--wait and --unchecked are for --url');
    const seconds = Number(wait ?? 10);
    if (!Number.isFinite(seconds) || seconds < 0) throw new Error('--wait is a number of seconds');
    const orgId = organizationId(org);
    const hosts =
      url === undefined
        ? await inDatabase(({ db }) => {
            if (forget !== undefined) return forgetCodeHost({ clock: systemClock }, db, orgId, forget);
            return none === true
              ? useCodeHost({ clock: systemClock }, db, orgId, null)
              : getCodeHosts(db, orgId);
          })
        : await leadCodesTo(orgId, url, unchecked === true ? null : seconds * 1000);
    print({ orgId: org, ...hosts });
  });

/** @param waitMs null where nobody looks */
async function leadCodesTo(orgId: string, url: string, waitMs: number | null): Promise<CodeHosts> {
  const deps = { clock: systemClock };
  const address = parseCodeAddress(url);
  const { origin } = new URL(address.url);
  // Of a host that nobody has, the service's own address alone says so.
  const isService = waitMs !== null && (await obstacleOnTheWay(origin, 0)) === null;
  // Committed by itself: the processes have to hear of it before it can be looked at.
  await inDatabase(async ({ db }) => {
    const isNew = await addCodeHost(deps, db, orgId, address);
    if (isNew && isService)
      throw new Error(
        `${origin} is the service’s own address: --none leads codes there. One that was forgotten seconds ago looks like it: try again`,
      );
  });
  const obstacle = waitMs === null ? null : await obstacleOnTheWay(origin, waitMs);
  if (obstacle === null) return inDatabase(({ db }) => useCodeHost(deps, db, orgId, address));
  const { codesUrl } = await inDatabase(({ db }) => getCodeHosts(db, orgId));
  throw new Error(
    codesUrl !== null && new URL(codesUrl).origin === origin
      ? `${obstacle}\nnew codes lead to ${codesUrl} all the same, as before: --none leads them to the service’s own address`
      : `${obstacle}\nnothing is printed with it yet; --unchecked would`,
  );
}

program
  .command('orgs')
  .description('list organizations, the newest first')
  .option('--search <text>', 'a part of the name, of the confirmed domain or of an owner’s address')
  .option('--limit <n>', 'how many', '50')
  .action(async (options: { search?: string; limit: string }) => {
    const limit = Number(options.limit);
    if (!Number.isInteger(limit) || limit < 1 || limit > 10_000)
      throw new Error('--limit is from 1 to 10000');
    const rows = await inDatabase(({ db }) => searchOrganizations(db, options.search ?? null, limit));
    print(
      rows.map((row) => ({
        orgId: encodeId('org', row.id),
        name: row.name,
        domain: row.domain,
        codesUrl: row.codes_url,
        owners: row.owners,
        createdAt: row.created_at,
        blockedAt: row.blocked_at,
        reason: row.block_reason,
      })),
    );
  });

program
  .command('block-org')
  .description(
    'refuse an organization’s people and keys, and take its codes for nobody’s; everything it has stays',
  )
  .requiredOption('--org <id>')
  .requiredOption('--reason <text>', 'for the audit log')
  .action((options: { org: string; reason: string }) => block(options.org, options.reason));

program
  .command('unblock-org')
  .description('take a block back')
  .requiredOption('--org <id>')
  .action((options: { org: string }) => block(options.org, null));

async function block(org: string, reason: string | null): Promise<void> {
  const orgId = organizationId(org);
  const isChanged = await inDatabase(({ db }) =>
    blockOrganization({ clock: systemClock }, db, orgId, reason),
  );
  print({ orgId: org, isBlocked: reason !== null, isChanged });
}

program
  .command('settings')
  .description('list the settings of the environment')
  .action(() => print(Object.entries(SETTINGS).map(([name, { description }]) => ({ name, description }))));

try {
  await program.parseAsync();
} catch (error) {
  const fields = error instanceof AppError ? (error.options.errors ?? []) : [];
  if (fields.length === 0) console.error(`error: ${(error as Error).message}`);
  for (const { path, message } of fields) console.error(`error: ${path} ${message}`);
  process.exitCode = 1;
}
