/**
 * Browser windows that tests use one after another: opening one and loading a page into its new process takes Chromium up to
 * three times as long as the next page in a window that is there, whose files and compiled scripts it still has.
 */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

/** Of every server under test, and without a script. */
export const QUIET_PAGE = '/healthz';

export interface Window {
  context: BrowserContext;
  page: Page;
}

type WindowOptions = BrowserContextOptions & { baseURL: string };

/** By options. */
const free = new Map<string, Window[]>();

/**
 * Lends a window that shows nothing and has nobody's cookies and storage. After a test that failed it is thrown away, else
 * kept for the next with the same options.
 * @param options with a `baseURL`, at which {@link QUIET_PAGE} is.
 */
export async function withWindow<T>(
  browser: Browser,
  options: WindowOptions,
  use: (window: Window) => Promise<T>,
): Promise<T> {
  const kind = JSON.stringify(options);
  const window = free.get(kind)?.pop() ?? (await open(browser, options));
  try {
    const result = await use(window);
    await empty(window, options);
    free.set(kind, [...(free.get(kind) ?? []), window]);
    return result;
  } catch (error) {
    await window.context.close();
    throw error;
  }
}

async function open(browser: Browser, options: WindowOptions): Promise<Window> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await page.goto(QUIET_PAGE);
  return { context, page };
}

async function empty({ context, page }: Window, { viewport, colorScheme }: WindowOptions) {
  for (const event of [
    'console',
    'pageerror',
    'request',
    'requestfailed',
    'requestfinished',
    'response',
  ] as const)
    page.removeAllListeners(event);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  const others = context.pages().filter((other) => other !== page);
  await Promise.all(others.map((other) => other.close()));
  await page.mouse.move(0, 0);
  if (viewport) await page.setViewportSize(viewport);
  await page.emulateMedia({ media: null, colorScheme: colorScheme ?? 'light' });
  // First away from the page: the dashboard would renew a session that is being ended.
  await page.goto(QUIET_PAGE);
  await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  await context.clearCookies();
}
