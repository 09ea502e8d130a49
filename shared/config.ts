/** The only place that reads the environment. `loadConfig` is pure and reports every problem at once. */
import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import { decodeId } from './ids.ts';
import {
  cidrs,
  givenValue,
  hasDecodableUser,
  hasNumberedDatabase,
  integer,
  isPlainAddress,
  namesServer,
  NOT_POSTGRES,
  isPostgresUrl,
  keyring,
  nameServers,
  origins,
  problemOfCaFile,
  SENDER,
  trustProxy,
  withoutTrailingSlash,
} from './setting-values.ts';
import { StartError } from './start-error.ts';

/** One setting as the README's table shows it (`npm run --silent admin -- settings` lists them). */
interface Setting<T extends z.ZodType> {
  schema: T;
  description: string;
}

const setting = <T extends z.ZodType>(schema: T, description: string): Setting<T> => ({
  schema,
  description,
});

const secret = z.string().min(16);

export const SETTINGS = {
  NODE_ENV: setting(
    z.enum(['development', 'test', 'production']).default('development'),
    'Kind of installation',
  ),
  DATABASE_URL: setting(
    z.string().refine(isPostgresUrl, NOT_POSTGRES),
    'Postgres 15 or newer, by TCP or by its socket (`postgres://user:password@/database?host=/run/postgresql`); `npm start` sets it to its own server where it is unset',
  ),
  REDIS_URL: setting(
    z
      .url({ protocol: /^rediss?$/, error: 'is not an address of Redis, redis://… or rediss://…' })
      .refine(hasNumberedDatabase, 'has no number of a database behind its host, as in redis://host:6379/1')
      .refine(
        hasDecodableUser,
        'has a % in its user name or password that encodes nothing: %25 is the sign itself',
      ),
    'Redis 6.2 or newer, or Valkey, with `maxmemory-policy noeviction`; `npm start` sets it as well',
  ),
  REDIS_TLS: setting(
    z.enum(['verify', 'no-verify']).default('verify'),
    'Of a `rediss://` server: `no-verify` encrypts without checking its certificate, for one that is self-signed and cannot be named, as Heroku’s',
  ),
  PORT: setting(integer(0, 65_535, 3000), 'Port of the API'),
  HOST: setting(
    z.string().optional(),
    'Address that the API listens on; by default `0.0.0.0` in production and `127.0.0.1` elsewhere',
  ),
  PUBLIC_URL: setting(
    z
      .url({ protocol: /^https?$/ })
      .refine(isPlainAddress, 'must have no query, fragment or user name: codes are printed behind it')
      .default('http://localhost:3000')
      // Capitals are no other address: links and cookies go by what browsers make of it, and codes alone by `printedUrl`.
      .transform((url) => withoutTrailingSlash(new URL(url).href)),
    'Address under which callers reach the API; printed into codes and links, so it is required in production',
  ),
  METRICS_PORT: setting(
    integer(0, 65_535, 0),
    'Port of `/metrics` and, in workers, `/healthz`; 0 serves none',
  ),
  METRICS_HOST: setting(z.string().default('127.0.0.1'), 'Address that the metrics listen on'),
  TRUST_PROXY: setting(
    trustProxy,
    'Proxies to believe in `X-Forwarded-For`: a number of hops, or CIDRs and `loopback`',
  ),
  LOG_LEVEL: setting(
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    'Least severe level that is logged',
  ),
  DATABASE_POOL_MAX: setting(integer(1, 500, 10), 'Postgres connections of one process'),
  WORKER_NICENESS: setting(
    integer(0, 19, 5),
    'How far worker processes stand back for `web` on a machine that they share (`nice`); those that do not score scans, twice as far',
  ),
  QUEUE_PREFIX: setting(
    z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/)
      .default('touchstone'),
    'Prefix of every key in Redis',
  ),
  TOKEN_KEYS: setting(
    keyring,
    'Keys of the verification tokens, hidden codes and NFC tags, `id:base64` of 32 bytes, the current one first',
  ),
  SECRET_BOX_KEYS: setting(keyring, 'Keys that encrypt webhook secrets at rest, the current one first'),
  JWT_KEYS: setting(keyring, 'Keys that sign the dashboard’s access tokens, the current one first'),
  API_KEY_PEPPER: setting(secret, 'Key of the HMAC under which API keys and other tokens are stored'),
  OPERATOR_USER: setting(
    // HTTP Basic has it end at the first one.
    z
      .string()
      .regex(/^[^:]+$/, 'must have no colon: nobody could sign in')
      .default('operator'),
    'Name for `/ops`',
  ),
  OPERATOR_PASSWORD: setting(secret, 'Password for `/ops` (Bull Board)'),
  OPS_PUBLIC: setting(
    z
      .enum(['true', 'false'])
      .optional()
      .transform((text) => (text === undefined ? null : text === 'true')),
    'Whether `/ops` is on the API’s port; by default everywhere but in production',
  ),
  STORAGE_DIR: setting(
    z
      .string()
      .default('.data/artifacts')
      .transform((path) => (isAbsolute(path) ? path : resolve(path))),
    'Folder of the artifacts; shared by `web`, `worker-barcodes` and `worker-maintenance`, unless S3_BUCKET is set',
  ),
  S3_BUCKET: setting(
    z.string().min(3).max(63).optional(),
    'Bucket of the artifacts, in S3 or what speaks its protocol; unset keeps them in STORAGE_DIR',
  ),
  S3_ENDPOINT: setting(
    z
      .url({ protocol: /^https?$/ })
      .transform(withoutTrailingSlash)
      .optional(),
    'Address of an S3-compatible service; unset is Amazon’s own',
  ),
  S3_ADDRESSING: setting(
    z.enum(['path', 'host']).optional(),
    'Where the bucket stands in S3’s addresses: `path`, the default with S3_ENDPOINT, or `host`, that without',
  ),
  S3_REGION: setting(z.string().min(1).default('us-east-1'), 'Region of the bucket'),
  S3_ACCESS_KEY_ID: setting(
    z.string().min(1).optional(),
    'Access key of the bucket; unset takes the machine’s own role',
  ),
  S3_SECRET_ACCESS_KEY: setting(z.string().min(1).optional(), 'Its secret; set both or neither'),
  S3_PREFIX: setting(
    z
      .string()
      .regex(/^([\w.-]+\/)*$/)
      .default(''),
    'Folder within the bucket, ending in `/`',
  ),
  ARTIFACT_RETENTION_DAYS: setting(
    integer(0, 36_500, 30),
    'Days after which a finished job’s artifacts are deleted; 0 keeps them',
  ),
  ARTIFACT_LINK_SECONDS: setting(integer(10, 604_800, 900), 'How long a signed download link works'),
  MINT_CHUNK_UNITS: setting(
    integer(1, 20_000, 5_000),
    'Units in one chunk of a barcode job, which is also one ZIP part, at most: small jobs are cut smaller',
  ),
  MINT_CONCURRENCY: setting(integer(1, 32, 1), 'Chunks that one barcode worker works on at a time'),
  LEASE_SECONDS: setting(integer(1, 3600, 60), 'How long claimed work stays claimed without a sign of life'),
  SWEEP_SECONDS: setting(
    integer(1, 3600, 10),
    'How often the sweeper looks for work that nobody was woken for',
  ),
  WEBHOOK_ALLOWED_CIDRS: setting(
    cidrs,
    'Private addresses that webhooks and single sign-on may go to nevertheless',
  ),
  WEBHOOK_CA_FILE: setting(
    z
      .string()
      .optional()
      .transform((path, context): string | null => {
        if (path === undefined) return null;
        const problem = problemOfCaFile(path);
        if (problem === null) return path;
        context.addIssue({ code: 'custom', message: problem });
        return z.NEVER;
      }),
    'PEM file with a further certificate authority for webhook receivers and providers of single sign-on',
  ),
  WEBHOOK_TIMEOUT_MS: setting(
    integer(100, 60_000, 10_000),
    'Deadline of one webhook attempt, from DNS to the last byte',
  ),
  WEBHOOK_CONCURRENCY: setting(integer(1, 10_000, 500), 'Endpoints that one webhook worker serves at a time'),
  SCAN_RETENTION_DAYS: setting(
    integer(30, 3650, 730),
    'How long scans are kept, dropped by the month; organizations may choose less, by the day',
  ),
  EVENT_RETENTION_DAYS: setting(
    integer(30, 3650, 90),
    'How long events and their dispatches are kept, dropped by the month; organizations may choose less, by the day',
  ),
  DELIVERY_RETENTION_DAYS: setting(
    integer(7, 3650, 30),
    'How long the log of delivery attempts is kept at least; dropped by the month',
  ),
  WEBHOOK_ENDPOINT_CONCURRENCY: setting(integer(1, 100, 8), 'Attempts at a time to one endpoint'),
  SCAN_SESSION_SECONDS: setting(
    integer(1, 86_400, 600),
    'How long a visitor’s further looks at a code count as the same scan',
  ),
  SCAN_ADDRESS_DAYS: setting(
    integer(1, 3650, 30),
    'After how many days a scan’s IP address is cut to its network, its browser and session forgotten and its position made coarse',
  ),
  SCAN_PSEUDONYM_DAYS: setting(
    integer(1, 3650, 400),
    'After how many days a scan’s network (address and pseudonym) and that of a counterfeit report’s reporter are forgotten',
  ),
  REPORT_CONTACT_DAYS: setting(
    integer(1, 3650, 365),
    'How long the contact details in a counterfeit report are kept after it was closed, or filed and never closed; and a message of the contact form after it came',
  ),
  REPORT_INBOX_ORG: setting(
    z
      .string()
      .optional()
      .transform((id, context): string | null => {
        if (id === undefined) return null;
        const uuid = decodeId('org', id);
        if (uuid !== null) return uuid;
        context.addIssue({ code: 'custom', message: 'is not an id of the form org_…' });
        return z.NEVER;
      }),
    'Organization that gets counterfeit reports which name no known code, e.g. the operator’s own; without it they wait in the database alone',
  ),
  RATE_LIMIT_VERIFY_PER_MINUTE: setting(
    integer(1, 1_000_000, 120),
    'Verifications per client address and minute',
  ),
  RATE_LIMIT_PUBLIC_PER_MINUTE: setting(
    integer(1, 1_000_000, 20),
    'Other public requests per client address and minute',
  ),
  RATE_LIMIT_API_PER_MINUTE: setting(
    integer(1, 10_000_000, 12_000),
    'Requests to `/api/v1` per API key, or signed-in user, and minute; downloads by signed links per client address and minute',
  ),
  RATE_LIMIT_SIGN_IN_PER_ADDRESS: setting(
    integer(1, 1_000_000, 50),
    'Failed sign-ins per client address in 15 minutes',
  ),
  RATE_LIMIT_SIGN_IN_PER_ACCOUNT: setting(
    integer(1, 1_000_000, 10),
    'Failed sign-ins per account in 15 minutes, from browsers that never signed in to it',
  ),
  SIGN_UP: setting(
    z.enum(['open', 'closed']).default('open'),
    'Who makes organizations: `open` lets anybody sign one up, `closed` leaves it to the operator, and pages take each organization for who it says it is',
  ),
  DASHBOARD_ORIGINS: setting(
    origins,
    'Further origins from which browsers may sign in and refresh, comma-separated; the service’s own is always one',
  ),
  DNS_SERVERS: setting(
    nameServers,
    'Name servers that are asked for the records of organizations’ domains, comma-separated addresses, with `:port` where it is not 53; without them the machine’s own',
  ),
  SMTP_URL: setting(
    z
      .url({ protocol: /^smtps?$/ })
      .refine(namesServer, 'names no server, smtp://mail.example.com:587')
      .optional()
      .transform((url) => url ?? null),
    'Server that mail is sent through, `smtp://user:password@host:587`; without it mail is written to `MAIL_DIR`',
  ),
  MAIL_DIR: setting(
    z
      .string()
      .default('.data/mail')
      .transform((path) => (isAbsolute(path) ? path : resolve(path))),
    'Folder that mail is written to where there is no `SMTP_URL`',
  ),
  MAIL_FROM: setting(
    z
      .string()
      .trim()
      .max(320)
      .regex(SENDER, 'must be an address, or a name and <an address>')
      .default('Touchstone <no-reply@localhost>'),
    'Sender of mail',
  ),
  CONTACT_EMAIL: setting(
    z
      .email()
      .optional()
      .transform((address) => address ?? null),
    'Where messages of the contact form are mailed to; they are stored in any case. While sign-up is open, also reports about codes of organizations that have confirmed no domain',
  ),
} as const;

type Values = { [Name in keyof typeof SETTINGS]: z.output<(typeof SETTINGS)[Name]['schema']> };

export type Config = Omit<Values, 'OPS_PUBLIC' | 'HOST'> & {
  OPS_PUBLIC: boolean;
  HOST: string;
  /** `PUBLIC_URL` as symbols hold it: its host in capitals where it was written so. */
  PRINTED_URL: string;
};

/** An environment that cannot be used; the message lists every problem, one a line, without values of secrets. */
export class ConfigError extends StartError {
  readonly problems: string[];

  constructor(problems: string[]) {
    super(`The environment is not usable:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/**
 * Reads and checks a whole environment. An empty or blank value counts as unset.
 * @throws ConfigError with every problem at once.
 */
export function loadConfig(env: Record<string, string | undefined>): Config {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, { schema }] of Object.entries(SETTINGS)) {
    const raw = givenValue(env[name]);
    const result = schema.safeParse(raw);
    if (result.success) values[name] = result.data;
    else if (raw === undefined) problems.push(`${name} is required`);
    else problems.push(...result.error.issues.map((issue) => `${name}: ${issue.message}`));
  }
  const isProduction = values.NODE_ENV === 'production';
  if (isProduction && givenValue(env.PUBLIC_URL) === undefined)
    problems.push('PUBLIC_URL is required in production: it is printed into codes');
  if ((values.S3_ACCESS_KEY_ID === undefined) !== (values.S3_SECRET_ACCESS_KEY === undefined))
    problems.push('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are set both or neither');
  if (problems.length > 0) throw new ConfigError(problems);
  const config = values as Values;
  return {
    ...config,
    HOST: config.HOST ?? (isProduction ? '0.0.0.0' : '127.0.0.1'),
    OPS_PUBLIC: config.OPS_PUBLIC ?? !isProduction,
    PRINTED_URL: printedUrl(config.PUBLIC_URL, env.PUBLIC_URL ?? ''),
  };
}

/** A Digital Link whose host is in capitals fits QR's alphanumeric mode: 29 modules wide in place of 33, say. */
function printedUrl(publicUrl: string, written: string): string {
  const { origin } = new URL(publicUrl);
  const inCapitals = origin.toUpperCase();
  return written.startsWith(inCapitals) ? inCapitals + publicUrl.slice(origin.length) : publicUrl;
}

/** Loads the configuration of this process. @throws ConfigError */
export const configFromEnvironment = (): Config => loadConfig(process.env);
