/** The browser of the browser tests: Debian's Chromium, or the one that CHROMIUM_PATH names. One for all files of a run. */
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';
import { beforeServicesStop } from './services.ts';

const path = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/** Why browser tests cannot run here, or null when they can. */
export const noBrowser = existsSync(path) ? null : `no Chromium at ${path}; install it or set CHROMIUM_PATH`;

let launched: Promise<Browser> | undefined;

/**
 * The run's browser, started by whoever asks first and closed at the end of the run.
 * @throws where there is none.
 */
export function sharedBrowser(): Promise<Browser> {
  launched ??= launch();
  return launched;
}

/** For a `before`: leaves the suite out where there is no browser. With CI=true that is a failure. */
export function needBrowser(suite: Mocha.Context): void {
  if (noBrowser === null) return;
  if (process.env.CI) throw new Error(noBrowser);
  suite.skip();
}

async function launch(): Promise<Browser> {
  if (noBrowser !== null) throw new Error(noBrowser);
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];
  // Grey edges of letters instead of coloured ones: smaller pictures.
  const rendering = ['--disable-lcd-text', '--font-render-hinting=none'];
  const browser = await chromium.launch({
    executablePath: path,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', ...quiet, ...rendering],
  });
  beforeServicesStop(() => browser.close());
  return browser;
}
