import { expect } from 'chai';
import { dashboardStack, type Stack } from './support/stack.ts';
import { whereAway, whereHeld } from './support/answers.ts';
import { signIn, visit } from './support/visit.ts';

describe('the dashboard, on a bad network', function () {
  this.timeout(120_000);
  let stack: Stack;

  before(async () => {
    stack = await dashboardStack();
  });

  it('takes the page of a proxy before it for a service that is away, and asks again by itself', () =>
    visit(stack, async ({ page, expectStatus }) => {
      expectStatus(502, 503);
      await signIn(page, await stack.sample(), '/app/settings/account');
      await whereAway(page, '**/api/v1/products?*', 502, Infinity, async () => {
        await page.getByRole('link', { name: 'Products' }).click();
        await page.getByRole('alert').getByText('The service is busy or restarting').waitFor();
      });
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.locator('tbody a').first().waitFor();
      await whereAway(page, '**/api/v1/batches?*', 503, 2, async () => {
        await page.getByRole('link', { name: 'Batches' }).click();
        await page.locator('tbody a').first().waitFor();
      });
    }));

  it('leaves what is typed into a search as it is, where somebody pauses between two words', () =>
    visit(stack, async ({ page }) => {
      await signIn(page, await stack.sample(), '/app/products');
      const search = page.getByRole('searchbox');
      await search.pressSequentially('rose ');
      await page.waitForURL('**/app/products?search=rose');
      await page.locator('tbody tr').nth(1).waitFor({ state: 'detached' });
      await search.pressSequentially('ser');
      await page.waitForURL('**/app/products?search=rose+ser');
      expect(await search.inputValue()).to.equal('rose ser');
      await page.getByRole('link', { name: 'Rose Serum' }).waitFor();
      await search.fill('nothing of that name');
      await page.getByRole('button', { name: 'Show all current products' }).click();
      await page.locator('tbody tr').nth(1).waitFor();
      expect(await search.inputValue()).to.equal('');
    }));

  it('says of a list to choose from that it could not be read, and reads it again when one reaches for it', () =>
    visit(stack, async ({ page, expectStatus }) => {
      expectStatus(503);
      await signIn(page, await stack.sample(), '/app/minting/new');
      const batch = page.getByRole('combobox', { name: 'Batch' });
      const away = page.getByRole('option', { name: 'The service is busy or restarting' });
      await batch.click();
      await page.getByRole('option').nth(1).waitFor();
      await whereAway(page, '**/api/v1/batches?*', 503, Infinity, async () => {
        await batch.fill('HB');
        await away.waitFor();
        expect(await page.getByText('Nothing found').count()).to.equal(0);
      });
      await page.keyboard.press('Escape');
      await batch.press('ArrowDown');
      await away.waitFor({ state: 'detached' });
      await page.getByRole('option').first().waitFor();
    }));

  it('leads nobody back who has gone on before the unit of a serial was found', () =>
    visit(stack, async ({ page }) => {
      await signIn(page, await stack.sample(), '/app/units');
      const serial = await page.locator('tbody a').first().innerText();
      await page.goto('/app/scans');
      await page.getByLabel('Serial').fill(serial);
      const answered = page.waitForResponse('**/api/v1/product-units?serial=*');
      await whereHeld(page, '**/api/v1/product-units?serial=*', async () => {
        const asked = page.waitForRequest('**/api/v1/product-units?serial=*');
        await page.keyboard.press('Enter');
        await asked;
        await page.getByRole('link', { name: 'Cases', exact: true }).click();
        await page.locator('tbody a').first().waitFor();
      });
      await (await answered).finished();
      await page.getByRole('link', { name: 'Reports', exact: true }).click();
      await page.waitForURL('**/app/reports');
      await page.goBack();
      await page.waitForURL('**/app/cases');
    }));

  it('tells in a corner that a change failed whose dialog was closed meanwhile', () =>
    visit(stack, async ({ page, expectStatus }) => {
      expectStatus(503);
      await signIn(page, await stack.sample(), '/app/units?status=active');
      await page.locator('tbody a').nth(2).click();
      await page.getByRole('button', { name: 'Suspend' }).click();
      const notice = page.locator('.mantine-Notification-root').filter({ hasText: 'busy or restarting' });
      await whereAway(page, '**/suspend', 503, 1, () =>
        whereHeld(page, '**/suspend', async () => {
          const asked = page.waitForRequest('**/suspend');
          await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
          await asked;
          await page.keyboard.press('Escape');
          await page.getByRole('dialog').waitFor({ state: 'detached' });
        }),
      );
      await notice.waitFor();
      await page.getByRole('button', { name: 'Suspend' }).click();
      await page.getByRole('dialog').waitFor();
      expect(await page.getByRole('dialog').getByRole('alert').count()).to.equal(0);
    }));

  it('names the tab after what it says of a screen that is not there', () =>
    visit(stack, async ({ page, expectStatus }) => {
      expectStatus(404, 503);
      await signIn(page, await stack.sample(), '/app/products/prod_01h455vb4pex5vsknk084sn02q');
      await page.getByRole('heading', { name: 'This does not exist' }).waitFor();
      expect(await page.title()).to.equal('This does not exist – Touchstone');
      await page.getByRole('link', { name: 'Products' }).click();
      await page.locator('tbody a').first().waitFor();
      await whereAway(page, '**/api/v1/products/prod_*', 503, Infinity, async () => {
        await page.locator('tbody a').first().click();
        await page.getByRole('heading', { name: 'The service is busy or restarting' }).waitFor();
        expect(await page.title()).to.equal('The service is busy or restarting – Touchstone');
      });
    }));

  it('takes another link that is brought into the tab of one that was not complete', () =>
    visit(stack, async ({ page }) => {
      await page.goto('/app/reset-password');
      await page.getByText('This link is not complete').waitFor();
      await page.goto('/app/reset-password#token=another');
      await page.getByText('This link was used already').waitFor();
      await page.waitForURL('**/app/reset-password');
    }));

  it('leads from an address that no list understands to the whole list', () =>
    visit(stack, async ({ page, expectStatus }) => {
      expectStatus(422);
      await signIn(page, await stack.sample(), '/app/scans?cursor=bogus');
      await page.getByRole('alert').getByText('There is nothing here').waitFor();
      expect(await page.getByRole('button', { name: 'Try again' }).count()).to.equal(0);
      await page.getByRole('button', { name: 'Show the whole list' }).click();
      await page.waitForURL(/\/app\/scans$/);
      await page.locator('tbody a').first().waitFor();
      await page.goto('/app/scans?result=nonsense');
      await page.getByRole('button', { name: 'Show the whole list' }).click();
      await page.locator('tbody a').first().waitFor();
    }));

  it('shows what it shows usually where an address asks for a part that there is not', () =>
    visit(stack, async ({ page }) => {
      const owner = await stack.sample();
      await signIn(page, owner, '/app/developers/webhooks/verify?language=nonsense');
      await page.getByRole('tab', { name: 'Node', selected: true }).waitFor();
      await page.getByRole('tabpanel').getByRole('button', { name: 'Copy' }).waitFor();
      await page.goto('/app/developers/webhooks');
      await page.locator('tbody a').first().click();
      await page.waitForURL(/\/webhooks\/whep_/);
      await page.goto(`${new URL(page.url()).pathname}?tab=nonsense`);
      await page.getByRole('tab', { name: 'Deliveries', selected: true }).waitFor();
      await page.goto(`${new URL(page.url()).pathname}?within=nonsense&outcome=constructor`);
      await page.getByRole('table', { name: 'Deliveries' }).waitFor();
      await page.goto('/app/recalls/new?scope=nonsense&target=nonsense');
      await page.getByRole('radio', { name: 'Batch', checked: true }).waitFor({ state: 'attached' });
      // A name that every object has is none of the ranges.
      await page.goto('/app/overview?range=constructor');
      await page.getByRole('radio', { name: '30 days', checked: true }).waitFor({ state: 'attached' });
      await page.goto('/app/scans?range=constructor');
      await page.locator('tbody a').first().waitFor();
      await page.goto('/app/products?archived=constructor');
      await page.getByRole('radio', { name: 'Current', checked: true }).waitFor({ state: 'attached' });
      await page.locator('tbody a').first().waitFor();
      await page.goto('/app/recalls?inForce=constructor&scope=nonsense');
      await page.getByRole('radio', { name: 'All', checked: true }).waitFor({ state: 'attached' });
      await page.locator('tbody a').first().waitFor();
    }));

  it('says that a product does not exist where an address asks for one in no way that there is', () =>
    visit(stack, async ({ page, expectStatus }) => {
      expectStatus(404, 422);
      await signIn(page, await stack.sample(), '/app/overview?productId=nonsense');
      await page.getByRole('alert').getByText('This does not exist').first().waitFor();
      expect(await page.getByText('That did not work').count()).to.equal(0);
      expect(await page.getByRole('button', { name: 'Try again' }).count()).to.equal(0);
    }));

  it('leads from the address of what is not there, or another organization’s, to the list that it would be in', () =>
    visit(stack, async ({ page, expectStatus }) => {
      expectStatus(404);
      await signIn(page, await stack.sample(), '/app/cases');
      const others = (await page.locator('tbody a').first().getAttribute('href'))!;
      await signIn(page, await stack.account(), others);
      const lists = {
        [others]: '/app/cases',
        '/app/units/bogus': '/app/units',
        '/app/developers/webhooks/whep_01h455vb4pex5vsknk084sn02q/edit': '/app/developers/webhooks',
      };
      for (const [address, list] of Object.entries(lists)) {
        await page.goto(address);
        await page.getByRole('heading', { name: 'This does not exist', level: 1 }).waitFor();
        expect(await page.getByRole('button', { name: 'Try again' }).count()).to.equal(0);
        await page.getByRole('link', { name: 'Show the whole list' }).click();
        await page.waitForURL(`**${list}`);
        await page.getByRole('heading', { name: 'This does not exist' }).waitFor({ state: 'detached' });
      }
    }));
});
