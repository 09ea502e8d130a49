import { expect } from 'chai';
import { encodeId } from '../../shared/ids.ts';
import { ADDRESSES } from '../support/places.ts';
import { seedUnits } from '../support/seed.ts';
import { dashboardStack, type Stack } from './support/stack.ts';
import { inspect, signIn, visit } from './support/visit.ts';

describe('scans from one’s own networks in the dashboard', function () {
  this.timeout(120_000);
  let stack: Stack;

  before(async () => {
    stack = await dashboardStack();
  });

  it('are told apart in lists, on their own page and in the unit’s life', async () => {
    const owner = await stack.account();
    const { installation } = stack;
    const { db } = installation.core;
    const [token] = await seedUnits({ ...installation, orgId: owner.orgId }, 1);
    await db.query('update organizations set internal_networks = $2 where id = $1', [
      owner.orgId,
      [`${ADDRESSES.JP}/32`],
    ]);
    const scan = (ip: string) =>
      fetch(`${stack.url}/v/${token}`, { headers: { accept: 'application/json', 'x-forwarded-for': ip } });
    await scan(ADDRESSES.DE);
    const inside = (await (await scan(ADDRESSES.JP)).json()) as { scanId: string };
    const { rows } = await db.query<{ id: string }>('select id from product_units where org_id = $1', [
      owner.orgId,
    ]);
    await visit(stack, async ({ page }) => {
      await signIn(page, owner, '/app/scans');
      const listed = page.getByRole('row').filter({ has: page.getByRole('cell') });
      const internal = listed.filter({ hasText: 'Internal' });
      await listed.nth(1).waitFor();
      await internal.waitFor();
      await inspect(page, 'scans-internal');
      const narrow = async (choice: string) => {
        await page.getByRole('combobox', { name: 'Own networks' }).click();
        await page.getByRole('option', { name: choice }).click();
      };
      await narrow('Without internal');
      await internal.waitFor({ state: 'detached' });
      await listed.nth(0).waitFor();
      await narrow('Internal only');
      await internal.waitFor();
      await listed.nth(1).waitFor({ state: 'detached' });
      await internal.getByRole('link').first().click();
      await page.waitForURL(`**/app/scans/${inside.scanId}`);
      await page.getByText('It came from a network of your own: it is not counted').waitFor();
      await page.getByRole('heading', { name: 'Scans of this unit' }).waitFor();
      expect(await page.getByText('Nothing speaks against this scan').count()).to.equal(0);
      await inspect(page, 'scan-internal');
      await page.goto(`/app/units/${encodeId('unit', rows[0]!.id)}`);
      await page.getByText('Scanned from a network of your own in Japan: genuine').waitFor();
      await page.getByText('Scanned in Germany: genuine').waitFor();

      // In the tone of its badge, in the list as in the unit's life.
      await db.query(`update scans set result = 'recalled' where org_id = $1 and not is_internal`, [
        owner.orgId,
      ]);
      await page.reload();
      const entry = page.locator('[data-type=scanned]').filter({ hasText: 'Scanned in Germany: recalled' });
      await entry.locator('[data-tone=warning]').waitFor();
    });
  });
});
