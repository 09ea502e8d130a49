/**
 * A browser's window that keeps a record of everything it complains of: console errors, violations of the policy, failed
 * requests, requests to other hosts. A story ends by finding that record empty.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import axe, { type AxeResults } from 'axe-core';
import { expect } from 'chai';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { REFRESH_COOKIE } from '../../../api/auth/cookies.ts';
import { packageRoot } from '../../../shared/package-root.ts';
import { dashboardStack, type Account, type Stack } from './stack.ts';

const PICTURES = path.join(packageRoot, 'docs', 'screenshots', 'dashboard');

export const DESKTOP = { width: 1360, height: 860 };
export const PHONE = { width: 390, height: 844 };

export interface Visit {
  context: BrowserContext;
  /** The first window. */
  page: Page;
  /** Another window of the same browser, which shares its cookies. */
  newPage(): Promise<Page>;
  /** Says beforehand that answers of these statuses are part of the story; Chromium logs each as an error. */
  expectStatus(...statuses: number[]): void;
}

const USUAL: BrowserContextOptions = {
  viewport: DESKTOP,
  locale: 'en-GB',
  timezoneId: 'Europe/Paris',
  reducedMotion: 'reduce',
};

/** By address: stories without options of their own follow one another in it, and find the files in its cache. */
const usual = new Map<string, Promise<BrowserContext>>();

async function usualContext(browser: Browser, url: string): Promise<BrowserContext> {
  if (!usual.has(url)) usual.set(url, browser.newContext({ baseURL: url, ...USUAL }));
  const context = await usual.get(url)!;
  // Nobody's cookies, nobody's storage.
  await context.setStorageState({ cookies: [], origins: [] });
  return context;
}

/** Runs a story in a window of its own, without cookies and storage of others, and fails on whatever it complained of. */
export async function visit(
  { browser, url }: Stack,
  story: (visit: Visit) => Promise<void>,
  options?: BrowserContextOptions,
): Promise<void> {
  const context =
    options === undefined
      ? await usualContext(browser, url)
      : await browser.newContext({ baseURL: url, ...USUAL, ...options });
  context.setDefaultTimeout(10_000);
  const complaints: string[] = [];
  const expected = new Set<number>();
  const watch = (page: Page) => {
    page.on('console', (message) => {
      if (message.type() !== 'error' && message.type() !== 'warning') return;
      const status = Number(/status of (\d{3})/.exec(message.text())?.[1]);
      if (!expected.has(status)) complaints.push(`${message.text()} (${message.location().url})`);
    });
    page.on('pageerror', (error) => complaints.push(error.stack ?? error.message));
    page.on('request', (request) => {
      const other = new URL(request.url());
      if (/^https?:$/.test(other.protocol) && other.origin !== new URL(url).origin)
        complaints.push(`a request to another host: ${request.url()}`);
    });
    page.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText;
      // Leaving a page gives up on what it still fetched.
      if (reason !== 'net::ERR_ABORTED') complaints.push(`failed: ${request.url()}: ${reason}`);
    });
  };
  const newPage = async () => {
    const page = await context.newPage();
    watch(page);
    return page;
  };
  try {
    const page = await newPage();
    await story({
      context,
      page,
      newPage,
      expectStatus: (...statuses) => statuses.forEach((s) => expected.add(s)),
    });
    expect(complaints).to.deep.equal([]);
  } finally {
    if (options === undefined) await Promise.all(context.pages().map((page) => page.close()));
    else await context.close();
  }
}

/** Signs somebody in as the cookie of an earlier sign-in does, and waits for the first screen. */
export async function signIn(page: Page, account: Account, next = '/app'): Promise<void> {
  const stack = await dashboardStack();
  const cookie = { name: REFRESH_COOKIE, value: await stack.session(account) };
  const { hostname, origin } = new URL(stack.url);
  await page.context().setStorageState({
    cookies: [
      {
        ...cookie,
        domain: hostname,
        path: '/',
        expires: -1,
        httpOnly: true,
        secure: true,
        sameSite: 'Strict',
      },
    ],
    origins: [{ origin, localStorage: [{ name: 'touchstone-signed-in', value: '1' }] }],
  });
  await page.goto(next);
  await page.getByRole('button', { name: 'Your account' }).waitFor();
}

/** Fills the form of the sign-in and waits for the first screen behind it. */
export async function signInByForm(page: Page, { email, password }: Account, next = '/app'): Promise<void> {
  await page.goto(next === '/app' ? '/app/sign-in' : next);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Your account' }).waitFor();
}

/** @returns what axe finds on the page as it is now: WCAG 2.2 A and AA, and best practices. */
export async function axeViolations(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axe.source);
  const results = await page.evaluate<AxeResults>(`axe.run({ resultTypes: ['violations'] })`);
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ html, any, all }) => `${id}: ${html} ${[...any, ...all].map(({ message }) => message).join('; ')}`,
    ),
  );
}

/** Colours half-way from day to night are nobody's choice. What turns for ever (a skeleton) is left alone. */
const FINISH_TRANSITIONS = `document.getAnimations()
  .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity)
  .forEach((animation) => animation.finish())`;

const inspected = new Set<string>();

/**
 * Looks at the screen: no violation of accessibility by day and by night, nothing that scrolls sideways there or at a phone's
 * width. Once for each name in a run. With UPDATE_SCREENSHOTS the pictures go to
 * `docs/screenshots/dashboard/NAME-{light,dark,phone}.png`.
 */
export async function inspect(page: Page, name: string): Promise<void> {
  if (inspected.has(name)) return;
  inspected.add(name);
  const views = [
    { view: 'phone', colorScheme: 'light', size: PHONE, isChecked: false },
    { view: 'dark', colorScheme: 'dark', size: DESKTOP, isChecked: true },
    { view: 'light', colorScheme: 'light', size: DESKTOP, isChecked: true },
  ] as const;
  for (const { view, colorScheme, size, isChecked } of views) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' });
    await page.evaluate('document.fonts.ready');
    await page.evaluate(FINISH_TRANSITIONS);
    if (process.env.UPDATE_SCREENSHOTS) {
      await mkdir(PICTURES, { recursive: true });
      await writeFile(
        path.join(PICTURES, `${name}-${view}.png`),
        await page.screenshot({ animations: 'disabled' }),
      );
    }
    if (isChecked) expect(await axeViolations(page), `${name}, ${view}`).to.deep.equal([]);
    const overflow = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    expect(overflow, `${name}, ${view}: pixels beyond the side`).to.be.at.most(0);
  }
}
