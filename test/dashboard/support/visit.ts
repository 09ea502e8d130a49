/**
 * A browser's window that keeps a record of everything it complains of: console errors, violations of the policy, failed
 * requests, requests to other hosts. A story ends by finding that record empty.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import axe, { type AxeResults } from 'axe-core';
import { expect } from 'chai';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { packageRoot } from '../../../shared/package-root.ts';
import type { Account, Stack } from './stack.ts';

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

/** Runs a story in a browser of its own, and fails on whatever it complained of. */
export async function visit(
  { browser, url }: Stack,
  story: (visit: Visit) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: DESKTOP,
    locale: 'en-GB',
    timezoneId: 'Europe/Paris',
    reducedMotion: 'reduce',
    ...options,
  });
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
    await context.close();
  }
}

/** Fills the form of the sign-in and waits for the first screen behind it. */
export async function signIn(page: Page, { email, password }: Account, next = '/app'): Promise<void> {
  await page.goto(next === '/app' ? '/app/sign-in' : next);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Your account' }).waitFor();
}

/** @returns what axe finds on the page as it is now: WCAG 2.2 A and AA, and best practices. */
export async function axeViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const results = await page.evaluate<AxeResults>('axe.run()');
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ html, any, all }) => `${id}: ${html} ${[...any, ...all].map(({ message }) => message).join('; ')}`,
    ),
  );
}

/**
 * Looks at the screen by day, by night and at a phone's width: no violation of accessibility, nothing that scrolls
 * sideways. With UPDATE_SCREENSHOTS the pictures go to `docs/screenshots/dashboard/NAME-{light,dark,phone}.png`.
 */
export async function inspect(page: Page, name: string): Promise<void> {
  const views = [
    { view: 'light', colorScheme: 'light', size: DESKTOP },
    { view: 'dark', colorScheme: 'dark', size: DESKTOP },
    { view: 'phone', colorScheme: 'light', size: PHONE },
  ] as const;
  for (const { view, colorScheme, size } of views) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.evaluate('document.fonts.ready');
    // Colours change over a moment; a picture in between shows neither.
    await page.evaluate(
      'Promise.all(document.getAnimations().filter((a) => Number.isFinite(a.effect.getComputedTiming().endTime)).map((a) => a.finished.catch(() => null)))',
    );
    if (process.env.UPDATE_SCREENSHOTS) {
      await mkdir(PICTURES, { recursive: true });
      await writeFile(
        path.join(PICTURES, `${name}-${view}.png`),
        await page.screenshot({ animations: 'disabled' }),
      );
    }
    expect(await axeViolations(page), `${name}, ${view}`).to.deep.equal([]);
    const overflow = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    expect(overflow, `${name}, ${view}: pixels beyond the side`).to.be.at.most(0);
  }
  await page.setViewportSize(DESKTOP);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
}
