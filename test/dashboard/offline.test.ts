import { expect } from 'chai';
import { whereHeld } from './support/answers.ts';
import { dashboardStack, type Account, type Stack } from './support/stack.ts';
import { signIn, visit } from './support/visit.ts';

describe('what is pressed in the dashboard', function () {
  this.timeout(120_000);
  let stack: Stack;
  let owner: Account;

  before(async () => {
    stack = await dashboardStack();
    owner = await stack.sample();
  });

  it('is sent at once or fails, and never kept for when the browser believes in a network again', () =>
    visit(stack, async ({ page }) => {
      await signIn(page, owner, '/app/units?status=active');
      await page.locator('tbody a').first().waitFor();
      await page.evaluate(`dispatchEvent(new Event('offline'))`);
      const serial = (await page.locator('tbody a').nth(1).textContent())!;
      await page.getByRole('searchbox').fill(serial);
      await page.locator('tbody tr').nth(1).waitFor({ state: 'detached' });
      await page.getByRole('link', { name: serial }).click();
      await page.getByRole('button', { name: 'Suspend' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
      await page.locator('[data-type=suspended]').waitFor();
      await page.evaluate(`dispatchEvent(new Event('online'))`);
    }));

  it('twice is done once, and told once', () =>
    visit(stack, async ({ page }) => {
      const sent: string[] = [];
      page.on('request', (request) => {
        if (request.method() !== 'GET') sent.push(`${request.method()} ${new URL(request.url()).pathname}`);
      });
      const pressTwice = (name: string) =>
        page.getByRole('button', { name, exact: true }).evaluate((button) => {
          const pressed = button as unknown as { click(): void };
          pressed.click();
          pressed.click();
        });
      await signIn(page, owner, '/app/cases?status=open');
      await page.locator('tbody a').first().click();
      await page.getByRole('button', { name: 'Start investigating' }).waitFor();
      sent.length = 0;
      await whereHeld(page, '**/api/v1/risk-cases/*', async () => {
        const asked = page.waitForRequest(/risk-cases/);
        await pressTwice('Start investigating');
        await asked;
      });
      await page.getByRole('button', { name: 'Put back' }).waitFor();
      expect(sent.map((request) => request.split('/')[0])).to.deep.equal(['PATCH ']);
      expect(await page.getByRole('alert').count()).to.equal(0);

      await page.goto('/app/scans');
      await page.getByRole('button', { name: 'Export' }).click();
      await page.getByRole('dialog').waitFor();
      sent.length = 0;
      await pressTwice('Write the file');
      await page.getByRole('dialog').getByText('scans').first().waitFor();
      expect(sent).to.deep.equal(['POST /api/v1/scan-exports']);
    }));
});
