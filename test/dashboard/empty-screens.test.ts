import { dashboardStack, type Stack } from './support/stack.ts';
import { inspect, signIn, visit } from './support/visit.ts';

/** The lists of the navigation: what each says to a new organization, and the way on that it offers, if there is one. */
const LISTS = [
  ['Products', 'products-empty', 'No products yet', 'New product'],
  ['Batches', 'batches-empty', 'No batches yet', 'New batch'],
  ['Units', 'units-empty', 'No units yet', 'Mint codes'],
  ['Minting', 'minting-empty', 'Nothing was minted yet', 'Mint codes'],
  ['Consignments', 'consignments-empty', 'No consignments yet', 'New consignment'],
  ['Recalls', 'recalls-empty', 'Nothing is recalled', 'New recall'],
  ['Scans', 'scans-empty', 'No scans yet', null],
  ['Cases', 'cases-empty', 'No cases', null],
  ['Reports', 'reports-empty', 'No reports', null],
  ['API keys', 'api-keys-empty', 'No API keys yet', 'New API key'],
  ['Webhooks', 'webhooks-empty', 'No endpoints yet', 'New endpoint'],
  ['API errors', 'request-errors-empty', 'No errors', null],
] as const;

describe('the screens of a new organization', function () {
  this.timeout(90_000);
  let stack: Stack;

  before(async () => {
    stack = await dashboardStack();
  });

  it('say what will be in each list, and offer the first step', () =>
    visit(stack, async ({ page }) => {
      await signIn(page, await stack.account());
      for (const [list, name, title, step] of LISTS) {
        await page.getByRole('navigation').getByRole('link', { name: list, exact: true }).click();
        await page.getByRole('heading', { name: title, level: 2 }).waitFor();
        if (step !== null) await page.locator('main').getByRole('link', { name: step }).last().waitFor();
        await inspect(page, name);
      }
    }));
});
