import { expect } from 'chai';
import { dispatched, receive } from './support/consignments.ts';
import { dashboardStack, type Account, type Stack } from './support/stack.ts';
import { inspect, signIn, visit } from './support/visit.ts';

describe('a consignment of the dashboard', function () {
  this.timeout(90_000);
  let stack: Stack;
  let owner: Account;

  before(async () => {
    stack = await dashboardStack();
    owner = await stack.account();
  });

  it('names every missing unit, page after page, and says of none that it has no serial', () =>
    visit(stack, async ({ page }) => {
      const consignment = await dispatched(stack, owner, 64, { reference: 'LACKS' });
      await receive(stack, owner, consignment, { missing: consignment.serials.slice(0, 60), counted: 2 });
      await signIn(page, owner, consignment.path);
      const missing = page.getByRole('region', { name: '62 missing' });
      // Newest first.
      await missing.getByRole('link', { name: 'LACKS-0060' }).waitFor();
      expect(await missing.getByRole('link').count()).to.equal(50);
      expect(await missing.getByText('without a serial').count()).to.equal(0);
      await missing.getByRole('button', { name: 'Show more' }).click();
      await missing.getByRole('link', { name: 'LACKS-0001' }).waitFor();
      expect(await missing.getByRole('link').count()).to.equal(60);
      // The count lacks two more than were named.
      await missing.getByText('2 more, without a serial').waitFor();
      expect(await missing.getByRole('button').count()).to.equal(0);
      await inspect(page, 'consignment-missing');
    }));
});
