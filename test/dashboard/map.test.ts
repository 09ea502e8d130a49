import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { dashboardStack, type Account, type Stack } from './support/stack.ts';
import { signIn, visit } from './support/visit.ts';

const OVERVIEW = '/app/overview?since=2026-10-21&until=2026-11-18';

/** What part of the drawing is shown: left, top, width, height. */
const box = async (page: Page): Promise<number[]> =>
  (await page.locator('svg.map').getAttribute('viewBox'))!.split(' ').map(Number);

const middleOf = async (page: Page) => {
  const map = (await page.locator('svg.map').boundingBox())!;
  return { x: map.x + map.width / 2, y: map.y + map.height / 2 };
};

describe('the map of the dashboard', function () {
  this.timeout(120_000);
  let stack: Stack;
  let owner: Account;

  before(async () => {
    stack = await dashboardStack();
    owner = await stack.sample();
  });

  const open = async (page: Page) => {
    await signIn(page, owner, OVERVIEW);
    await page.locator('.map-country[data-link]').first().waitFor();
    await page.locator('svg.map').scrollIntoViewIfNeeded();
  };

  it('is zoomed and moved by keys, says so, and scrolls nothing beside it', () =>
    visit(stack, async ({ page }) => {
      await open(page);
      const map = page.getByRole('application', { name: /^World map/ });
      // The way into it by the keyboard.
      await page.getByRole('button', { name: 'Zoom in' }).focus();
      await page.keyboard.press('Shift+Tab');
      expect(await map.evaluate((element) => element.matches(':focus-visible'))).to.equal(true);
      const said = await map.getAttribute('aria-describedby');
      expect(await page.locator(`[id="${said}"]`).innerText()).to.match(/^Arrow keys move the map/);
      const before = await page.evaluate('scrollY');
      await page.keyboard.press('+');
      await page.keyboard.press('+');
      await page.locator('.map-cell').first().waitFor();
      const [left, top, width] = await box(page);
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowUp');
      const moved = await box(page);
      expect(moved[0]).to.be.closeTo(left! + width! / 4, 0.01);
      expect(moved[1]).to.be.below(top!);
      await page.keyboard.press('-');
      expect((await box(page))[2]).to.be.above(width!);
      expect(await page.evaluate('scrollY')).to.equal(before);
      for (const key of ['0', 'Escape']) {
        await page.keyboard.press('+');
        await page.keyboard.press(key);
        expect(await box(page)).to.deep.equal([0, 0, 960, 440]);
      }
    }));

  it('is moved by buttons, by dragging, by the wheel where it has the focus, and by two fingers', () =>
    visit(
      stack,
      async ({ page, context }) => {
        await open(page);
        const { x, y } = await middleOf(page);
        await page.mouse.move(x, y);
        await page.mouse.wheel(0, -1);
        expect(await box(page)).to.deep.equal([0, 0, 960, 440]);
        await page.getByRole('button', { name: 'Zoom in' }).click();
        const [left] = await box(page);
        await page.getByRole('button', { name: 'Move left' }).click();
        expect((await box(page))[0]).to.be.below(left!);
        await page.getByRole('button', { name: 'Move right' }).click();
        expect((await box(page))[0]).to.be.closeTo(left!, 0.01);

        const at = await box(page);
        await page.mouse.move(x, y);
        await page.mouse.down();
        await page.mouse.move(x - 60, y - 20, { steps: 4 });
        await page.mouse.up();
        const dragged = await box(page);
        expect(dragged[0]).to.be.above(at[0]!);
        expect(dragged[1]).to.be.above(at[1]!);
        // What it was let go over was not pressed.
        expect(dragged[2]).to.equal(at[2]);

        await page.locator('svg.map').focus();
        await page.mouse.wheel(0, -300);
        await page.waitForFunction(
          `Number(document.querySelector('svg.map').getAttribute('viewBox').split(' ')[2]) < ${at[2]} - 1`,
        );

        await page.getByRole('button', { name: 'Whole map' }).click();
        const fingers = await context.newCDPSession(page);
        const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', apart?: number) =>
          fingers.send('Input.dispatchTouchEvent', {
            type,
            touchPoints:
              apart === undefined
                ? []
                : [
                    { x: x - apart, y, id: 0 },
                    { x: x + apart, y, id: 1 },
                  ],
          });
        await touch('touchStart', 30);
        for (const apart of [50, 80, 110]) await touch('touchMove', apart);
        await touch('touchEnd');
        await page.locator('.map-cell').first().waitFor();
      },
      { hasTouch: true },
    ));

  it('lists as text what it shows: countries and what is wrong from afar, from near the places in sight', () =>
    visit(stack, async ({ page }) => {
      await open(page);
      const card = page.getByRole('region', { name: 'Where they were scanned', exact: true });
      const named = async (table: number): Promise<string[]> => {
        await card.getByRole('button', { name: 'Show as table' }).click();
        await card.getByRole('rowheader').first().waitFor();
        // The names of cities come after.
        await card
          .getByRole('rowheader', { name: /^[A-Z].*, / })
          .first()
          .waitFor();
        const names = await card.getByRole('table').nth(table).getByRole('rowheader').allInnerTexts();
        await card.getByRole('button', { name: 'Show as picture' }).click();
        return names;
      };
      await page.locator('.map circle').first().waitFor();
      const countries = await named(0);
      expect(countries).to.include('Australia').and.include('Japan');
      const wrong = await named(1);
      expect(wrong.length)
        .to.be.above(0)
        .and.at.most(await page.locator('.map circle').count());
      expect(wrong.filter((name) => name.includes(', '))).to.not.deep.equal([]);

      await page.locator('.map-country[data-hint^="Australia:"]').first().click();
      await page.locator('.map-cell').first().waitFor();
      const near = await named(0);
      expect(near).to.include('Sydney, Australia');
      expect(near.join()).to.not.include('Japan');

      // Where nobody scanned anything, it says so.
      await page.locator('svg.map').focus();
      await page.keyboard.press('0');
      for (let step = 0; step < 6; step += 1) await page.keyboard.press('+');
      await card.getByRole('button', { name: 'Show as table' }).click();
      await card.getByRole('cell', { name: 'Nothing found' }).waitFor();
    }));

  it('gives the evidence as text too, and its points to the keyboard with what they say', () =>
    visit(stack, async ({ page }) => {
      await signIn(page, owner, '/app/scans?result=suspicious&range=90d');
      const row = page.getByRole('row', { name: /Impossible travel/ }).first();
      await row.waitFor();
      await page.locator('tbody .mantine-Skeleton-root').last().waitFor({ state: 'detached' });
      await row.getByRole('link').click();
      await page.waitForURL('**/app/scans/scan_*');
      const point = page.locator('svg.map circle').first();
      await point.waitFor();
      await page.getByRole('button', { name: 'Show as table' }).click();
      const region = page.getByRole('region', { name: /^Map with/ });
      await region.getByRole('columnheader', { name: 'Journeys that nobody can have made' }).waitFor();
      const links = region.getByRole('table').first().getByRole('link');
      await region
        .getByRole('row', { name: /, .* Suspicious .* km/ })
        .first()
        .waitFor();
      const places = new Map(
        await links.evaluateAll((all) => all.map((link) => [link.getAttribute('href')!, link.textContent!])),
      );
      const shown = new URL(page.url()).pathname;
      await page.getByRole('button', { name: 'Show as picture' }).click();
      await page.locator('svg.map').focus();
      await page.keyboard.press('Tab');
      await page.locator('.hint').waitFor();
      const label = await point.getAttribute('aria-label');
      expect(await page.locator('.hint').innerText()).to.equal(label);
      // The scan on the screen is drawn last, above all others.
      expect(await page.locator('svg.map circle').last().getAttribute('aria-label')).to.match(
        /^Suspicious, /,
      );
      await page.keyboard.press('Space');
      await page.waitForURL(({ pathname }) => pathname !== shown);
      expect(label).to.include(places.get(new URL(page.url()).pathname));
    }));
});
