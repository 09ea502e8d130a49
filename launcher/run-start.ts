/** What `npm start` does around the stack: signals, words for a person, exit code. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { givenValue } from '../shared/setting-values.ts';
import { startStack, type Stack } from './stack.ts';

export interface StartOptions {
  /** The folder with the Procfile. */
  root: string;
  env: NodeJS.ProcessEnv;
  print: (line: string) => void;
  ensureDemoKey?: EnsureDemoKey;
  startDemoData?: StartDemoData;
}

/** A sign-in to look around with, and what is filled in behind it. */
export interface DemoData {
  email: string;
  password: string;
  /** What is to be known of the data: that they are being made, or are half made. */
  note: string | null;
  stop(): Promise<void>;
}

/** Called once the stack is ready, before the demo key. @returns null where there is no demo, or an older one without a sign-in. */
export type StartDemoData = (
  stack: Pick<Stack, 'databaseUrl' | 'env'>,
  options: Pick<StartOptions, 'root' | 'env' | 'print'> & { dataDir: string },
) => Promise<DemoData | null>;

/**
 * Called once the stack is ready; makes sure that an organization to play with exists.
 * @param stack its database, and what the processes run with.
 * @param known the key that an earlier start was given, kept in the data folder as the database has its digest only.
 * @returns a key that works: `known`, or a new one.
 */
export type EnsureDemoKey = (
  stack: Pick<Stack, 'databaseUrl' | 'env'>,
  dataDir: string,
  known: string | undefined,
) => Promise<string>;

/**
 * Runs the stack until SIGINT, SIGTERM or the death of a process.
 * @returns the exit code: 0 when asked to end, 1 otherwise. Nothing that it started is left by then.
 */
export async function runStart(given: StartOptions): Promise<number> {
  const set = Object.entries(given.env).filter(([, value]) => givenValue(value) !== undefined);
  const options = { ...given, env: Object.fromEntries(set) };
  const { print } = options;
  const dataDir = path.resolve(options.root, options.env['DATA_DIR'] || '.data');
  const ending = new AbortController();
  const asked = new Promise<undefined>((resolve) =>
    ending.signal.addEventListener('abort', () => resolve(undefined), { once: true }),
  );
  // npm passes a Ctrl-C on that the terminal has delivered already, so a second one is no impatience;
  // the patience is bounded anyway.
  const onSignal = (signal: NodeJS.Signals) => {
    if (ending.signal.aborted) return;
    print(`${signal}: stopping (15 s at the most)`);
    ending.abort(new Error('stopped before it was ready'));
  };
  // An error nobody caught must not leave servers behind: the same orderly end, with exit code 1.
  let failure: Error | string | undefined;
  const onUncaught = (error: Error) => {
    failure ??= error;
    ending.abort(error);
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal).on('SIGHUP', onSignal);
  process.on('uncaughtException', onUncaught);

  let stack: Stack | undefined;
  let demo: DemoData | null = null;
  try {
    stack = await startStack({ ...options, dataDir, log: print, signal: ending.signal });
    demo = (await options.startDemoData?.(stack, { ...options, dataDir })) ?? null;
    const ensureKey = wantsDemoKey(options.env) ? options.ensureDemoKey : undefined;
    announce(stack, dataDir, await demoKey(stack, dataDir, ensureKey), demo, print);
    failure ??= await Promise.race([stack.died, asked]);
  } catch (error) {
    // A start cut short by Ctrl-C is no failure.
    if (error !== ending.signal.reason) failure ??= error as Error;
  }
  try {
    await demo?.stop();
    await stack?.stop();
  } catch (error) {
    failure ??= error as Error;
  }
  process.off('SIGINT', onSignal).off('SIGTERM', onSignal).off('SIGHUP', onSignal);
  process.off('uncaughtException', onUncaught);
  if (failure !== undefined) print(`touchstone: ${failure instanceof Error ? failure.message : failure}`);
  else print('stopped');
  return failure === undefined ? 0 : 1;
}

/** It may do everything in an organization of its own, which nobody looks for among those of a production. */
const wantsDemoKey = (env: NodeJS.ProcessEnv): boolean =>
  env['NODE_ENV'] !== 'production' || env['DEMO_DATA'] === 'true';

async function demoKey(
  stack: Stack,
  dataDir: string,
  ensure: EnsureDemoKey | undefined,
): Promise<string | undefined> {
  if (ensure === undefined) return undefined;
  const file = path.join(dataDir, 'demo-key');
  const known = existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
  const key = await ensure(stack, dataDir, known);
  if (key !== known) writeFileSync(file, `${key}\n`, { mode: 0o600 });
  return key;
}

function announce(
  stack: Stack,
  dataDir: string,
  key: string | undefined,
  demo: DemoData | null,
  print: (line: string) => void,
): void {
  const operator = `${stack.env['OPERATOR_USER'] ?? 'operator'} / ${stack.env['OPERATOR_PASSWORD']}`;
  // As `loadConfig` has it.
  const isOpsOn = (stack.env['OPS_PUBLIC'] ?? String(stack.env['NODE_ENV'] !== 'production')) === 'true';
  print('');
  print('Touchstone is ready. Ctrl-C stops it.');
  print(`  Dashboard   ${stack.url}/app`);
  if (demo !== null) print(`  Sign in     ${demo.email} / ${demo.password}`);
  print(`  API         ${stack.url}`);
  print(`  Reference   ${stack.url}/docs`);
  if (isOpsOn) print(`  Bull Board  ${stack.url}/ops/queues   (${operator})`);
  else print('  Bull Board  off; OPS_PUBLIC=true turns it on');
  for (const [name, url] of Object.entries(stack.metrics)) print(`  Metrics     ${url}   (${name})`);
  if (key !== undefined) print(`  Demo key    ${key}`);
  if (!stack.env['SMTP_URL']) print(`  Mail        ${stack.env['MAIL_DIR']}`);
  print(`  Data        ${dataDir}`);
  if (typeof demo?.note === 'string') print(`  ${demo.note}`);
  print('');
}
