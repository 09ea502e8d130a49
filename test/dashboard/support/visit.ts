/**
 * A browser's window that keeps a record of everything it complains of: console errors, violations of the policy, failed
 * requests, requests to other hosts. A story ends by finding that record empty.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pngQuantize } from '@napi-rs/image';
import { expect } from 'chai';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { REFRESH_COOKIE } from '../../../api/auth/cookies.ts';
import { packageRoot } from '../../../shared/package-root.ts';
import { axeViolations, COLOUR_RULES } from '../../support/axe.ts';
import { QUIET_PAGE, withWindow, type Window } from '../../support/windows.ts';
import { dashboardStack, type Account, type Stack } from './stack.ts';

/** For the menu of a phone to be out of sight, on a busy machine. */
const SLIDE_MS = 5_000;

const PICTURES = path.join(packageRoot, 'docs', 'screenshots', 'dashboard');

const DESKTOP = { width: 1360, height: 860 };
export const PHONE = { width: 390, height: 844 };

/** Only what fails waits so long: a machine that shares its processors may give a page none for seconds. */
const ACTION_TIMEOUT_MS = 20_000;

export interface Visit {
  context: BrowserContext;
  /** The first window. */
  page: Page;
  /** Another tab of the same window, which shares its cookies. Behind it, a tab draws once a second: `bringToFront()` first. */
  newPage(): Promise<Page>;
  /** Says beforehand that answers of these statuses are part of the story; Chromium logs each as an error. */
  expectStatus(...statuses: number[]): void;
  /** The same for complaints of which a status says nothing. */
  expectComplaints(...patterns: RegExp[]): void;
}

const USUAL: BrowserContextOptions = {
  viewport: DESKTOP,
  locale: 'en-GB',
  timezoneId: 'Europe/Paris',
  reducedMotion: 'reduce',
};

/** Runs a story in a window without cookies and storage of others, and fails on whatever it complained of. */
export async function visit(
  { browser, url }: Stack,
  story: (visit: Visit) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  await withWindow(browser, { baseURL: url, ...USUAL, ...options }, (window) => tell(window, url, story));
}

async function tell(
  { context, page }: Window,
  url: string,
  story: (visit: Visit) => Promise<void>,
): Promise<void> {
  context.setDefaultTimeout(ACTION_TIMEOUT_MS);
  const complaints: string[] = [];
  const expected = new Set<number>();
  const patterns: RegExp[] = [];
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
  watch(page);
  try {
    await story({
      context,
      page,
      newPage: async () => {
        const other = await context.newPage();
        watch(other);
        return other;
      },
      expectStatus: (...statuses) => statuses.forEach((status) => expected.add(status)),
      expectComplaints: (...more) => void patterns.push(...more),
    });
  } catch (error) {
    await tellScreen(page, complaints, error as Error);
    throw error;
  }
  const rest = complaints.filter((complaint) => !patterns.some((pattern) => pattern.test(complaint)));
  expect(rest).to.deep.equal([]);
}

/** What waited in vain says only what it waited for: this adds what was there instead. */
async function tellScreen(page: Page, complaints: readonly string[], error: Error): Promise<void> {
  const text = await page.locator('body').innerText().catch(String);
  error.stack = [error.stack, `at ${page.url()}, which showed:`, text, ...complaints].join('\n');
}

/** Signs somebody in as the cookie of an earlier sign-in does: the next page that opens is theirs. */
export async function remember(page: Page, account: Account): Promise<void> {
  const stack = await dashboardStack();
  const { hostname, origin } = new URL(stack.url);
  // Away from the dashboard, which would take the new session for the one that it has.
  if (page.url() !== origin + QUIET_PAGE) await page.goto(QUIET_PAGE);
  const context = page.context();
  await context.clearCookies();
  await context.addCookies([
    {
      name: REFRESH_COOKIE,
      value: await stack.session(account),
      domain: hostname,
      path: '/',
      httpOnly: true,
      secure: true,
      sameSite: 'Strict',
    },
  ]);
  await page.evaluate(`localStorage.clear(); localStorage.setItem('touchstone-signed-in', '1')`);
}

/** Opens a page as somebody who signed in earlier, and waits for the first screen. */
export async function signIn(page: Page, account: Account, next = '/app'): Promise<void> {
  await remember(page, account);
  await page.goto(next);
  await page.getByRole('button', { name: 'Your account' }).waitFor();
}

/** Fills the form of the sign-in and waits for the first screen behind it. */
export async function signInByForm(
  page: Page,
  { email, password }: Pick<Account, 'email' | 'password'>,
  next = '/app',
): Promise<void> {
  await page.goto(next === '/app' ? '/app/sign-in' : next);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Your account' }).waitFor();
}

/** Colours half-way from day to night are nobody's choice. What turns for ever (a skeleton) is left alone. */
const FINISH_TRANSITIONS = `document.getAnimations()
  .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity)
  .forEach((animation) => animation.finish())`;

/** As many bytes as a picture in the repository may have. */
const MOST_BYTES = 150_000;
/** In pixels: what is longer ends there. */
const MOST_HEIGHT = 3_000;

/** With a palette, which on a screen of few colours nobody sees, a picture has a third of the bytes; a map has many colours. */
async function small(taken: Buffer): Promise<Buffer> {
  const picture = await pngQuantize(taken, { minQuality: 70, maxQuality: 99, speed: 3 });
  if (picture.length <= MOST_BYTES) return picture;
  return pngQuantize(taken, { minQuality: 30, maxQuality: 70, speed: 3 });
}

/** How high the window would have to be to show all: of the page, or of the dialog that is open over it. */
const WHOLE_HEIGHT = `(() => {
  const over = [...document.querySelectorAll('[role=dialog]')].at(-1);
  return over === undefined
    ? document.documentElement.scrollHeight
    : innerHeight + over.scrollHeight - over.clientHeight;
})()`;

/** Takes a picture of the whole screen, below the window's edge too. What is fixed to the window stretches with it. */
async function keepPicture(page: Page, name: string, size: { width: number; height: number }): Promise<void> {
  await mkdir(PICTURES, { recursive: true });
  const whole = await page.evaluate<number>(WHOLE_HEIGHT);
  const height = Math.min(Math.max(whole, size.height), MOST_HEIGHT);
  await page.setViewportSize({ ...size, height });
  const taken = await page.screenshot({ animations: 'disabled' });
  await page.setViewportSize(size);
  const picture = await small(taken);
  expect(picture.length, `${name}: bytes`).to.be.at.most(MOST_BYTES);
  await writeFile(path.join(PICTURES, `${name}.png`), picture);
}

/** @returns how far what was there has moved by itself since the page was loaded (https://web.dev/articles/cls). */
export const jumps = (page: Page): Promise<number> =>
  page.evaluate(`new Promise((resolve) => {
    let sum = 0;
    new PerformanceObserver((list) => {
      for (const { hadRecentInput, value } of list.getEntries()) if (!hadRecentInput) sum += value;
    }).observe({ type: 'layout-shift', buffered: true });
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
  })`);

const inspected = new Set<string>();

/**
 * Looks at the screen: no violation of accessibility by day, none of its colours by night, nothing that scrolls sideways there
 * or at a phone's width. Once for each name in a run. With UPDATE_SCREENSHOTS pictures of all that one scrolls to go to
 * `docs/screenshots/dashboard/NAME-{light,dark,phone}.png`.
 */
export async function inspect(page: Page, name: string): Promise<void> {
  if (inspected.has(name)) return;
  inspected.add(name);
  const views = [
    { view: 'phone', colorScheme: 'light', size: PHONE, rules: [] },
    { view: 'dark', colorScheme: 'dark', size: DESKTOP, rules: COLOUR_RULES },
    { view: 'light', colorScheme: 'light', size: DESKTOP, rules: undefined },
  ] as const;
  for (const { view, colorScheme, size, rules } of views) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' });
    await page.evaluate('document.fonts.ready');
    await page.evaluate(FINISH_TRANSITIONS);
    if (process.env.UPDATE_SCREENSHOTS) await keepPicture(page, `${name}-${view}`, size);
    if (rules?.length !== 0) expect(await axeViolations(page, rules), `${name}, ${view}`).to.deep.equal([]);
    const beyond = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    // What slides away may only have begun to, where the machine is busy: what stays beyond the side is told below.
    await page.waitForFunction(`${beyond} <= 0`, undefined, { timeout: SLIDE_MS }).catch(() => undefined);
    const overflow = await page.evaluate(beyond);
    expect(overflow, `${name}, ${view}: pixels beyond the side`).to.be.at.most(0);
  }
}
