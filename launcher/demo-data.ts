/** The sign-in of the demo organization, and the program that fills it, once for an installation. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import path from 'node:path';
import { createPool } from '../shared/db.ts';
import { listProducts } from '../shared/products/service.ts';
import { DEMO_EMAIL, ensureDemoOrganization } from './demo-organization.ts';
import { openLedger } from './ledger.ts';
import type { StartDemoData } from './run-start.ts';
import { spawnServer } from './spawn-server.ts';

/**
 * Only into a database that this launcher made itself, and never into production, unless `DEMO_DATA` says otherwise.
 * @param env what the person gave, not what the launcher chose.
 */
export function wantsDemoData(env: NodeJS.ProcessEnv): boolean {
  if (env['DEMO_DATA']) return env['DEMO_DATA'] === 'true';
  return !env['DATABASE_URL'] && env['NODE_ENV'] !== 'production';
}

export const startDemoData: StartDemoData = async (stack, { root, env, print, dataDir }) => {
  if (!wantsDemoData(env)) return null;
  const known = await ensureSignIn(stack.databaseUrl, dataDir);
  if (known === null) {
    print(`no demo data: the password of ${DEMO_EMAIL}, who is there already, is not in ${dataDir}`);
    return null;
  }
  const { orgId, password, isEmpty } = known;
  const signIn = { email: DEMO_EMAIL, password };
  // There from before the first row until after the last: what is half made cannot be told from what people changed.
  const unfinished = path.join(dataDir, 'demo-data-unfinished');
  if (!isEmpty) {
    const note = existsSync(unfinished) ? halfMade(env) : null;
    return { ...signIn, note, stop: () => Promise.resolve() };
  }
  writeFileSync(unfinished, '');
  const server = await spawnServer({
    name: 'demo-data',
    command: process.execPath,
    args: [path.join(root, 'dist', 'sample-data', 'main.js'), orgId],
    stopSignal: 'SIGTERM',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...stack.env, DEMO_PASSWORD: password },
    cwd: root,
    ledger: openLedger(path.join(dataDir, 'processes.json')),
  });
  for (const stream of [server.child.stdout, server.child.stderr])
    createInterface({ input: stream! }).on('line', (line) => print(`demo-data | ${line}`));
  void server.ended.then((how) => {
    if (how === 'exit code 0') rmSync(unfinished, { force: true });
  });
  const note = 'A few weeks of demo data are being made; DEMO_DATA=false leaves them out.';
  return { ...signIn, note, stop: () => server.stop(STOP_GRACE_MS) };
};

const STOP_GRACE_MS = 2_000;

function halfMade(env: NodeJS.ProcessEnv): string {
  const what = 'The demo data are half made: they were ended before they were done.';
  // A database of the person's own stays when the folder goes.
  return env['DATABASE_URL'] ? what : `${what} Remove the data folder to begin anew.`;
}

/** @returns null where the demo organization is there and nobody knows its password. */
async function ensureSignIn(
  databaseUrl: string,
  dataDir: string,
): Promise<{ orgId: string; password: string; isEmpty: boolean } | null> {
  const db = createPool({
    databaseUrl,
    max: 1,
    applicationName: 'touchstone-launcher',
    onError: () => undefined,
  });
  try {
    const { orgId, password } = await ensureDemoOrganization(db, dataDir);
    if (password === null) return null;
    const { rows } = await listProducts(db, orgId, { archived: null }, { limit: 1, beforeId: null });
    return { orgId, password, isEmpty: rows.length === 0 };
  } finally {
    await db.end();
  }
}
