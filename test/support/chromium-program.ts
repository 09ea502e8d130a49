/** Finds Chromium for the browser tests, or has the system's package manager bring it. */
import { existsSync } from 'node:fs';
import { findOrInstall, thisMachine, type Machine, type Wanted } from '../../launcher/system-package.ts';

/** The shell first: it is Chromium without the windows that nobody looks at, and takes a fifth of the processor's time less. */
const chromium = (named: string | undefined): Wanted => ({
  name: 'Chromium',
  package: 'chromium-headless-shell',
  find: (machine) =>
    named !== undefined && existsSync(named)
      ? named
      : (machine.find('chromium-headless-shell') ?? machine.find('chromium')),
  otherwise: 'CHROMIUM_PATH to a browser of your own',
  elsewhere: 'Chromium',
});

/**
 * @param log hears of an installation before it starts.
 * @returns the absolute path of Chromium: what CHROMIUM_PATH names where that exists, else the machine's own.
 * @throws with the exact line to type when there is none and it may not or cannot be installed.
 */
export function chromiumProgram(
  env: NodeJS.ProcessEnv,
  log: (line: string) => void,
  machine: Machine = thisMachine(),
): string {
  const named = env['CHROMIUM_PATH'];
  if (named !== undefined && !existsSync(named))
    throw new Error(`CHROMIUM_PATH names ${named}, which is not there`);
  return findOrInstall(chromium(named), log, machine).program;
}
