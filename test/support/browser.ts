/** The browser of the browser tests: Debian's Chromium, or the one that CHROMIUM_PATH names. */
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';

const path = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/** Why browser tests cannot run here, or null when they can. */
export const noBrowser = existsSync(path) ? null : `no Chromium at ${path}; install it or set CHROMIUM_PATH`;

export function launchBrowser(): Promise<Browser> {
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];
  // Grey edges of letters instead of coloured ones: smaller pictures.
  const rendering = ['--disable-lcd-text', '--font-render-hinting=none'];
  return chromium.launch({
    executablePath: path,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', ...quiet, ...rendering],
  });
}
