/** Wired by `.mocharc.json`: ends what the run started, and fails the run when a test left a process behind. */
import fc from 'fast-check';
import { findLeftovers, RUN_MARKER } from '../../launcher/leftovers.ts';
import { runId, stopTestServices } from './services.ts';

// The same examples in each run: what is red is so because of a change. PROPERTY_SEED looks at others.
fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 20261130) });

export function mochaGlobalSetup(): void {
  process.env[RUN_MARKER] = runId;
}

export async function mochaGlobalTeardown(): Promise<void> {
  try {
    await stopTestServices();
  } finally {
    const left = findLeftovers(runId);
    for (const { pid } of left) process.kill(pid, 'SIGKILL');
    if (left.length > 0) {
      const list = left.map(({ pid, command }) => `  ${pid} ${command}`).join('\n');
      process.exitCode = 1;
      console.error(`\nprocesses left behind by the tests (ended now):\n${list}`);
    }
  }
}
