import { expect } from 'chai';
import { dashboardStack, type Stack } from './support/stack.ts';
import { signIn, visit } from './support/visit.ts';

const OVERVIEW = '/app/overview?since=2026-10-21&until=2026-11-18';

describe('what the dashboard puts on paper', function () {
  this.timeout(120_000);
  let stack: Stack;
  before(async () => {
    stack = await dashboardStack();
  });

  it('is what a screen says, without what is pressed on it', async () => {
    const owner = await stack.sample();
    await visit(stack, async ({ page }) => {
      await signIn(page, owner, '/app/cases');
      await page.getByRole('row').nth(1).getByRole('link').first().click();
      const pressed = [
        page.getByRole('navigation', { name: 'Main navigation' }).or(page.locator('.rail')),
        page.locator('.shell-head'),
        page.locator('.skip-link'),
        page.getByRole('button', { name: 'Zoom in' }),
        page
          .getByPlaceholder('What should your colleagues know?')
          .or(page.getByLabel('What should your colleagues know?')),
      ];
      const said = [
        page.getByRole('heading', { level: 1 }),
        page.locator('.evidence').first(),
        page.locator('svg.map'),
      ];
      for (const part of said) await part.waitFor();
      expect(await pressed[1]!.isVisible()).to.equal(true);
      await page.emulateMedia({ media: 'print' });
      for (const part of said) expect(await part.isVisible()).to.equal(true);
      for (const part of pressed) expect(await part.first().isHidden(), part.toString()).to.equal(true);
      const { x } = (await page.getByRole('heading', { level: 1 }).boundingBox())!;
      expect(x, 'from where the paper begins').to.be.below(40);
    });
  });

  it('is light, whatever one reads in, with the pictures that were on the screen', async () => {
    const owner = await stack.sample();
    await visit(
      stack,
      async ({ page }) => {
        const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme');
        await signIn(page, owner, OVERVIEW);
        const drawn = await page.locator('.chart canvas').elementHandle();
        await page.locator('svg.map').waitFor();
        expect(await scheme()).to.equal('dark');
        await page.evaluate(`
          seen = [];
          for (const event of ['beforeprint', 'afterprint'])
            addEventListener(event, () => seen.push(document.documentElement.dataset.mantineColorScheme));
        `);
        const pdf = await page.pdf({ format: 'A4' });
        expect(pdf.length).to.be.above(10_000);
        expect(await page.evaluate('seen')).to.deep.equal(['light', 'dark']);
        expect(await drawn!.evaluate((canvas) => canvas.isConnected), 'the same picture').to.equal(true);

        await page.emulateMedia({ media: 'print' });
        await page.setViewportSize({ width: 700, height: 900 });
        const { width, height } = (await drawn!.boundingBox())!;
        expect(width).to.be.within(500, 700);
        const [across, down] = await drawn!.evaluate((canvas) => [
          Number(canvas.getAttribute('width')),
          Number(canvas.getAttribute('height')),
        ]);
        expect(width / height, 'not distorted').to.be.closeTo(across! / down!, 0.1);
        expect(await drawn!.evaluate((canvas) => canvas.isConnected), 'scaled, not drawn anew').to.equal(
          true,
        );
        // On the screen it is drawn for the place that it has.
        await page.emulateMedia({ media: null });
        await page.waitForFunction((canvas) => !canvas!.isConnected, drawn);
        await page.locator('.chart canvas').waitFor();
      },
      { colorScheme: 'dark' },
    );
  });
});
