/** `npm run demo`: the service's main job once, from nothing to a table of what happened. */
import { setUp, type CleanUp } from './set-up.ts';
import { createFacts } from './facts.ts';
import { mintAndOpen } from './mint.ts';
import { awaitWebhooks, scanAround } from './scan.ts';
import { createScreen } from './screen.ts';
import { createServiceClient } from './service-client.ts';
import { signUpForKey } from './sign-up.ts';

const INTERRUPTED = 130;

async function run(signal: AbortSignal): Promise<number> {
  const startedAt = performance.now();
  const screen = createScreen(process.stdout, process.env);
  const facts = createFacts();
  let cleanUp: CleanUp = () => Promise.resolve([]);
  let failure: Error | undefined;
  const abandoned = new AbortController();
  try {
    screen.title('Touchstone, from nothing: mint, print, scan, judge, tell');
    screen.note('First Postgres, Redis and every process of the Procfile start; in the end all of it stops.');
    const { stack, receiver, mailDir, outDir } = await setUp(
      { env: process.env, signal, note: screen.note },
      (given) => (cleanUp = given),
    );
    void stack.died.then((how) => abandoned.abort(new Error(how)));
    const story = {
      facts,
      screen,
      outDir,
      signal: AbortSignal.any([signal, abandoned.signal]),
    };
    screen.step(`Postgres, Redis, web and ${Object.keys(stack.pids).length - 1} workers are up`);
    const key = await signUpForKey(stack.url, mailDir, story.signal);
    const client = createServiceClient(stack.url, key, story.signal);
    screen.step('Signed up by the link in the mail, signed in, API key created');
    const endpoint = await client.post<{ secret: string }>('/api/v1/webhook-endpoints', {
      url: receiver.url,
      events: ['*'],
    });
    receiver.useSecret(endpoint.secret);
    screen.step('Webhook endpoint registered');
    const codes = await mintAndOpen({ ...story, client });
    await scanAround({ ...story, client }, codes);
    await awaitWebhooks({ ...story, client }, receiver);
  } catch (error) {
    // The death of a process is the reason; what failed because of it is not.
    failure = (abandoned.signal.aborted ? abandoned.signal.reason : error) as Error;
  }
  const left = await cleanUp();
  if (signal.aborted) {
    screen.note('interrupted: everything that was started is stopped');
    return INTERRUPTED;
  }
  facts.add(
    'Clean end',
    'every process stopped, no child left, temporary data removed',
    left.length === 0 ? '' : `still there: ${left.join(', ')}`,
  );
  if (failure !== undefined) facts.add('Unfinished', '', failure.message);
  screen.table('What happened', facts.rows);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  if (facts.failures.length === 0) {
    process.stdout.write(`  All ${facts.rows.length} facts hold, in ${seconds} s.\n`);
    process.stdout.write('  Look at demo-out/: the codes, their images, and the log of every process.\n');
    process.stdout.write('  Next: npm start keeps the same service running.\n\n');
    return 0;
  }
  process.stderr.write(`  Does not hold:\n${facts.failures.map((words) => `    ${words}\n`).join('')}`);
  process.stderr.write('  What every process said is in demo-out/stack.log.\n\n');
  return 1;
}

const interrupted = new AbortController();
// npm passes on a Ctrl-C that the terminal has delivered already, so a second signal is no impatience.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => interrupted.abort(new Error(name)));
}
process.exitCode = await run(interrupted.signal);
