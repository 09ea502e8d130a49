/** The browser of the browser tests: Debian's Chromium, or the one that CHROMIUM_PATH names (test/run.ts does). One for all files of a run. */
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { Browser, Locator } from 'playwright-core';
import { beforeServicesStop } from './services.ts';

const DEBIANS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const path = process.env.CHROMIUM_PATH ?? DEBIANS.find((program) => existsSync(program)) ?? DEBIANS[0]!;

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

/** @returns the size of each element's letters, in pixels. */
export const letterSizes = (elements: Locator): Promise<number[]> =>
  elements.evaluateAll((found) =>
    found.map((one) => parseFloat(one.ownerDocument.defaultView!.getComputedStyle(one).fontSize)),
  );

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
  await lookOften(browser);
  return browser;
}

/** How long until a locator that found nothing looks again; the last for ever. */
const LOOK_AGAIN_MS = [20, 30, 50];

interface FrameInside {
  retryWithProgressAndTimeouts(progress: object, timeouts: readonly number[], look: unknown): unknown;
  retryWithProgressAndBackoff(progress: object, look: unknown): unknown;
}

/**
 * Playwright looks after 20, 70, 170, 270 ms and from then on each half second, and most screens are there after 300: stories
 * slept through half of their time. It has no option for that, so this reaches inside (the version is pinned).
 */
async function lookOften(browser: Browser): Promise<void> {
  const page = await browser.newPage();
  const inside = browser as unknown as { _connection: { toImpl(of: unknown): FrameInside } };
  const frames = Object.getPrototypeOf(inside._connection.toImpl(page.mainFrame())) as FrameInside;
  frames.retryWithProgressAndBackoff = function (this: FrameInside, progress, look) {
    return this.retryWithProgressAndTimeouts(progress, LOOK_AGAIN_MS, look);
  };
  await page.close();
}
