/** Everything that the demo needs around it: a whole stack of its own and a webhook receiver. */
import { randomBytes } from 'node:crypto';
import { createWriteStream, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeEphemeralFolder, sweepEphemeralFolders } from '../launcher/ephemeral-folder.ts';
import { freePort } from '../launcher/free-port.ts';
import { findLeftovers, RUN_MARKER } from '../launcher/leftovers.ts';
import { postgresAccount } from '../launcher/postgres-account.ts';
import { startStack, type Stack } from '../launcher/stack.ts';
import { createCertificateAuthority } from '../launcher/tls.ts';
import { packageRoot } from '../shared/package-root.ts';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts';

export interface Setting {
  stack: Stack;
  receiver: WebhookReceiver;
  /** Where the service writes its mail. */
  mailDir: string;
  /** Where the downloads and the logs go; emptied at the start. */
  outDir: string;
}

export interface SetUpOptions {
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  /** What a person should know, such as that Redis is being installed. */
  note(line: string): void;
}

export interface CleanUp {
  /** Stops and removes whatever is there, also after a start that was cut short. @returns what is left in spite of it. */
  (): Promise<string[]>;
}

/** A line of a process has its name before a bar; the launcher's own lines are for people. */
const PROCESS_LINE = /^[\w-]+ +\| /;

/** @param onCleanUp is given what undoes everything before anything is done. */
export async function setUp(
  { env, signal, note }: SetUpOptions,
  onCleanUp: (cleanUp: CleanUp) => void,
): Promise<Setting> {
  const undo: (() => unknown)[] = [];
  const runId = randomBytes(4).toString('hex');
  const outDir = path.join(packageRoot, 'demo-out');
  const left: string[] = [];
  onCleanUp(async () => {
    for (const step of undo.toReversed()) {
      try {
        await step();
      } catch (error) {
        left.push((error as Error).message);
      }
    }
    return [...left, ...findLeftovers(runId).map(({ pid, command }) => `process ${pid} (${command})`)];
  });

  rmSync(outDir, { recursive: true, force: true });
  mkdirSync(outDir);
  const log = createWriteStream(path.join(outDir, 'stack.log'));
  undo.push(() => new Promise((resolve) => log.end(resolve)));

  await sweepEphemeralFolders(note);
  const dataDir = makeEphemeralFolder(env['DATABASE_URL'] ? undefined : postgresAccount(note));
  undo.push(() => {
    rmSync(dataDir, { recursive: true, force: true });
    if (existsSync(dataDir)) left.push(dataDir);
  });
  const authority = createCertificateAuthority('Touchstone demo CA');
  const caFile = path.join(dataDir, 'demo-ca.pem');
  writeFileSync(caFile, authority.caPem);
  const receiver = await startWebhookReceiver(authority.certFor(['127.0.0.1']));
  undo.push(() => receiver.close());

  const mailDir = path.join(dataDir, 'mail');
  const port = await freePort();
  const stack = await startStack({
    root: packageRoot,
    dataDir,
    signal,
    env: {
      ...env,
      [RUN_MARKER]: runId,
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      STORAGE_DIR: path.join(dataDir, 'artifacts'),
      MAIL_DIR: mailDir,
      // Whatever the surroundings say: nothing of the demo is sent to anybody.
      SMTP_URL: '',
      QUEUE_PREFIX: `demo-${runId}`,
      // The consumers of the demo come from all over the world by way of a proxy on this machine.
      TRUST_PROXY: 'loopback',
      // The receiver is on this machine too, where webhooks must not go unless told so.
      WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
      WEBHOOK_CA_FILE: caFile,
    },
    log: (line) => {
      log.write(`${line}\n`);
      if (!PROCESS_LINE.test(line)) note(line);
    },
  });
  undo.push(() => stack.stop());
  return { stack, receiver, mailDir, outDir };
}
