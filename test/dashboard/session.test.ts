import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { ACCESS_TOKEN_SECONDS, createAccessTokens } from '../../shared/accounts/access-token.ts';
import { eventually } from '../support/eventually.ts';
import { whereHeld } from './support/answers.ts';
import { dashboardStack, type Account, type Stack } from './support/stack.ts';
import { remember, signIn, visit } from './support/visit.ts';

const REFRESH = '**/api/v1/auth/refresh';

/** @returns the access tokens that a tab is given from now on. */
function tokensGiven(page: Page): string[] {
  const given: string[] = [];
  page.on('response', async (response) => {
    if (!response.url().endsWith('/auth/refresh')) return;
    given.push(((await response.json()) as { accessToken: string }).accessToken);
  });
  return given;
}

/** What the screen behind a link of the navigation reads. */
const READ = { Batches: 'batches', Units: 'product-units' } as const;

/** Follows a link of the navigation. @returns the token that the first request behind it carries. */
async function usedFor(page: Page, link: keyof typeof READ): Promise<string> {
  await page.bringToFront();
  const [request] = await Promise.all([
    page.waitForRequest(`**/api/v1/${READ[link]}?*`),
    page.getByRole('link', { name: link, exact: true }).click(),
  ]);
  return (await request.headerValue('authorization'))!.replace('Bearer ', '');
}

const empty = (page: Page, what: 'batches' | 'products' | 'units') =>
  page.getByRole('heading', { name: `No ${what} yet` }).waitFor();

describe('the session of the dashboard', function () {
  this.timeout(120_000);
  let stack: Stack;

  before(async () => {
    stack = await dashboardStack();
  });

  /**
   * Leaves tabs with a token that has ended and that they take for fresh, as after a night with the lid closed: it comes to
   * them as one tab tells it to the others. @returns it
   */
  async function haveEnded({ userId }: Account, tabs: readonly Page[]): Promise<string> {
    const { db, config } = stack.installation.core;
    const { rows } = await db.query<{ id: string }>('select id from sessions where user_id = $1', [userId]);
    const then = new Date(Date.now() - (ACCESS_TOKEN_SECONDS + 60) * 1000);
    const tokens = createAccessTokens({ now: () => then }, config.JWT_KEYS, config.PUBLIC_URL);
    const value = await tokens.issue({ userId, sessionId: rows[0]!.id });
    const onAll = (script: string) => Promise.all(tabs.map((tab) => tab.evaluate(script)));
    await onAll(`void (window.told = new Promise((resolve) => {
      new BroadcastChannel('touchstone-session').addEventListener('message', resolve);
    }))`);
    await tabs[0]!.evaluate(`new BroadcastChannel('touchstone-session').postMessage({
      type: 'token', token: { value: '${value}', endsAt: Date.now() + 600_000 },
    })`);
    await onAll('window.told.then(() => undefined)');
    return value;
  }

  it('renews its token before the end without a request that needs it, and lasts over a reload', () =>
    visit(stack, async ({ page }) => {
      await remember(page, await stack.account());
      const given = tokensGiven(page);
      // In its last minute a token is not used any more: that leaves this one a second.
      await page.route(
        REFRESH,
        async (route) => {
          const response = await route.fetch();
          await route.fulfill({ response, json: { ...((await response.json()) as object), expiresIn: 61 } });
        },
        { times: 1 },
      );
      await page.goto('/app/products');
      await empty(page, 'products');
      await eventually('another token', () => given.length === 2);
      expect(await usedFor(page, 'Batches')).to.equal(given[1]);
      await page.reload();
      await empty(page, 'batches');
      expect(await usedFor(page, 'Units')).to.equal(given[2]);
      await empty(page, 'units');
      expect(given).to.have.length(3);
    }));

  it('renews an ended token once for all tabs, and nobody notices', () =>
    visit(stack, async ({ page, newPage, expectStatus }) => {
      expectStatus(401);
      const account = await stack.account();
      await signIn(page, account, '/app/products');
      const other = await newPage();
      await other.goto('/app/products');
      await empty(other, 'products');
      const tabs = [page, other];
      const given = tabs.map(tokensGiven);

      const ended = await haveEnded(account, tabs);
      const locks = () =>
        page.evaluate<number[]>(
          'navigator.locks.query().then(({ held, pending }) => [held.length, pending.length])',
        );
      await whereHeld(page, REFRESH, () =>
        whereHeld(other, REFRESH, async () => {
          for (const tab of tabs) expect(await usedFor(tab, 'Batches')).to.equal(ended);
          await eventually('both to ask for another', async () => String(await locks()) === '1,1');
        }),
      );
      for (const tab of tabs) await empty(tab, 'batches');
      const [renewed, ...more] = given.flat();
      expect(more).to.deep.equal([]);
      for (const tab of tabs) expect(await usedFor(tab, 'Units')).to.equal(renewed);
    }));

  it('asks for one token where answers to several requests say that theirs has ended', () =>
    visit(stack, async ({ page, expectStatus }) => {
      expectStatus(401);
      const account = await stack.account();
      await signIn(page, account, '/app/settings/account');
      await page.getByRole('link', { name: 'People' }).waitFor();
      await haveEnded(account, [page]);
      const given = tokensGiven(page);
      await whereHeld(page, '**/api/v1/invitations?*', async () => {
        await page.getByRole('link', { name: 'People' }).click();
        await page.getByRole('cell', { name: account.email }).waitFor();
      });
      await page.getByRole('heading', { name: 'No invitations' }).waitFor();
      expect(given).to.have.length(1);
    }));
});
