/** One real stack for all files of this folder: web and workers as built, on a database of their own, and one Chromium. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { makeSampleData } from '../../../sample-data/generate.ts';
import { createLinkSigner } from '../../../shared/barcode-jobs/download-link.ts';
import { loadConfig } from '../../../shared/config.ts';
import { createOrganization } from '../../../shared/organizations/service.ts';
import { createStorage } from '../../../shared/storage/create-storage.ts';
import { hashPassword } from '../../../shared/accounts/password.ts';
import { startSession } from '../../../shared/accounts/sessions.ts';
import type { Role } from '../../../shared/access/roles.ts';
import { newUuid } from '../../../shared/ids.ts';
import { deriveKey } from '../../../shared/wiring.ts';
import { freePort } from '../../../launcher/free-port.ts';
import { sharedBrowser } from '../../support/browser.ts';
import { eventually } from '../../support/eventually.ts';
import { startNameServer, type NameServer } from '../../support/name-server.ts';
import { createInstallation, type Installation } from '../../support/processes.ts';
import { seedBatch, seedJob } from '../../support/seed.ts';
import { makeScratch } from '../../support/scratch.ts';
import { beforeServicesStop } from '../../support/services.ts';
import { createTestCa, type TestCa } from '../../support/tls.ts';

export const PASSWORD = 'a stone that shows gold';

export interface Account {
  email: string;
  password: string;
  /** UUIDs. */
  userId: string;
  orgId: string;
}

export interface Stack {
  /** `http://127.0.0.1:PORT` */
  url: string;
  browser: Browser;
  /** To prepare rows through the services. */
  installation: Installation;
  /** The authority that the stack trusts with webhooks. */
  ca: TestCa;
  /** Whom the stack asks for the records of domains. */
  nameServer: NameServer;
  /** Somebody with a role, in an organization of their own unless one is given. */
  account(role?: Role, orgId?: string): Promise<Account>;
  /** Begins a session as the sign-in does. @returns the refresh token, which belongs into the cookie. */
  session(account: Account): Promise<string>;
  /** A batch of the account's organization, whose units the worker has minted. @returns its UUID. */
  minted(account: Account, units: number): Promise<string>;
  /**
   * The owner of an organization with a few weeks of sample data, the last of them that of {@link SAMPLE_END}: made once,
   * by a seeded generator through the services, and the same in every run. Stories look at it and change nothing.
   */
  sample(): Promise<Account>;
  /** Waits for the mail to an address. @returns its newest text. */
  mailTo(email: string): Promise<string>;
}

/** A Wednesday. */
export const SAMPLE_END = new Date('2026-11-18T12:00:00Z');
const SAMPLE_SCALE = 0.08;

let started: Promise<Stack> | undefined;

/** The path and fragment of the link in a mail. */
export const linkIn = (mail: string): string => /https?:\/\/[^/\s]+(\/\S+)/.exec(mail)![1]!;

/** The stack of this run, started by whoever asks first and ended with the run. */
export function dashboardStack(): Promise<Stack> {
  started ??= start();
  return started;
}

async function start(): Promise<Stack> {
  const scratch = makeScratch();
  const mails = path.join(scratch.folder, 'mail');
  mkdirSync(mails);
  const port = await freePort();
  const ca = createTestCa();
  const nameServer = await startNameServer();
  const generous = '1000000';
  const installation = await createInstallation({
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    MAIL_DIR: mails,
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
    WEBHOOK_CA_FILE: ca.caFile,
    DNS_SERVERS: nameServer.address,
    RATE_LIMIT_VERIFY_PER_MINUTE: generous,
    RATE_LIMIT_PUBLIC_PER_MINUTE: generous,
    RATE_LIMIT_API_PER_MINUTE: generous,
    // A story's visitors come from anywhere: the test is the proxy before the service.
    TRUST_PROXY: 'loopback',
  });
  beforeServicesStop(async () => {
    await installation.remove();
    await nameServer.close();
    scratch.remove();
  });
  const [web, browser] = await Promise.all([
    installation.startWeb(),
    sharedBrowser(),
    installation.startWorker(),
  ]);
  const passwordDigest = await hashPassword(PASSWORD);
  let people = 0;
  let sample: Promise<Account> | undefined;
  return {
    url: web.url,
    browser,
    installation,
    ca,
    nameServer,
    async account(role = 'owner', orgId) {
      people += 1;
      const email = `person${people}@dashboard.example`;
      const userId = newUuid();
      const org = orgId ?? newUuid();
      const { db } = installation.core;
      if (orgId === undefined)
        await db.query('insert into organizations (id, name, time_zone) values ($1, $2, $3)', [
          org,
          'Olivaia',
          'Europe/Lisbon',
        ]);
      await db.query(
        'insert into users (id, org_id, email, name, password_digest, role) values ($1, $2, $3, $4, $5, $6)',
        [userId, org, email, 'Ana Oliveira', passwordDigest, role],
      );
      return { email, password: PASSWORD, userId, orgId: org };
    },
    async session({ userId }) {
      const { core } = installation;
      const refreshKey = deriveKey(core.config.API_KEY_PEPPER, 'refresh-tokens');
      const from = { ip: null, userAgent: null };
      return (await startSession({ ...core, refreshKey }, core.db, userId, from)).refreshToken;
    },
    async minted({ orgId }, units) {
      const own = { ...installation, orgId };
      const { batchId } = await seedBatch(own, units);
      const jobId = await seedJob(own, batchId, units);
      await eventually('the units', async () => {
        const { rowCount } = await own.core.db.query(
          `select 1 from barcode_jobs where id = $1 and status = 'completed'`,
          [jobId],
        );
        return rowCount === 1;
      });
      return batchId;
    },
    sample() {
      sample ??= makeSample(installation);
      return sample;
    },
    async mailTo(email) {
      const texts = () =>
        readdirSync(mails)
          .filter((name) => name.endsWith('.txt') && !name.startsWith('.'))
          .sort()
          .map((name) => readFileSync(path.join(mails, name), 'utf8'))
          .filter((text) => text.includes(`To: ${email}\n`));
      await eventually(`a mail to ${email}`, () => texts().length > 0);
      return texts().at(-1)!;
    },
  };
}

async function makeSample({ core, env }: Installation): Promise<Account> {
  const now = { now: () => SAMPLE_END };
  const person = { name: 'Camille Aurelle', email: 'owner@sample.example', password: PASSWORD };
  const { orgId, userId } = await createOrganization({ clock: now }, core.db, person);
  const config = loadConfig({ ...env, LOG_LEVEL: 'silent' });
  await makeSampleData({
    deps: {
      ...core,
      storage: await createStorage(config),
      links: createLinkSigner(config.PUBLIC_URL, deriveKey(config.API_KEY_PEPPER, 'download-links')),
      mailTransport: {
        send: () => Promise.reject(new Error('sample data sends no mail')),
        close: () => undefined,
      },
      stopping: new AbortController().signal,
    },
    orgId,
    password: PASSWORD,
    now,
    scale: SAMPLE_SCALE,
  });
  return { email: person.email, password: PASSWORD, userId, orgId };
}
