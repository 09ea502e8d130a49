import { expect } from 'chai';
import { dispatched, drafted, receive } from './support/consignments.ts';
import { dashboardStack, type Account, type Stack } from './support/stack.ts';
import { inspect, remember, signIn, visit } from './support/visit.ts';

describe('a consignment of the dashboard', function () {
  this.timeout(90_000);
  let stack: Stack;
  let owner: Account;

  before(async () => {
    stack = await dashboardStack();
    owner = await stack.account();
  });

  it('shows what is in it before it leaves and afterwards: its products, each unit, and where it comes from', () =>
    visit(stack, async ({ page }) => {
      const origin = { name: 'Lagar do Sul', address: 'Rua 5, Beja', country: 'PT' };
      const { path, serials } = await drafted(stack, owner, 12, { reference: 'WHAT', origin });
      await signIn(page, owner, path);
      await page.getByText('Lagar do Sul, Rua 5, Beja, Portugal').waitFor();
      const contents = page.getByRole('region', { name: 'Contents' });
      await contents.getByRole('listitem').filter({ hasText: 'Oil' }).getByText('12').waitFor();
      const rows = contents.getByRole('table').locator('tbody tr');
      await rows.filter({ hasText: 'WHAT-0012' }).getByText('L1').waitFor();
      expect(await rows.count()).to.equal(10);
      await contents.getByRole('button', { name: 'Next' }).click();
      await rows.filter({ hasText: 'WHAT-0001' }).getByText('Oil').waitFor();
      expect(await contents.getByText('Missing').count()).to.equal(0);
      await inspect(page, 'consignment-draft');

      await page.getByRole('button', { name: 'Dispatch' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('heading', { name: 'Dispatch 12 units?' }).waitFor();
      const told = dialog.getByRole('list', { name: 'Contents' }).getByRole('listitem');
      expect(await told.allInnerTexts()).to.deep.equal(['Oil\n12']);
      await inspect(page, 'consignment-dispatch');
      await dialog.getByRole('button', { name: 'Dispatch' }).click();
      await dialog.locator('pre').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
      await contents.getByRole('link', { name: serials[0]! }).waitFor();
      await contents.getByRole('link', { name: serials[0]! }).click();
      await page.waitForURL('**/app/units/unit_*');
      await page.goBack();
      await contents.getByRole('link', { name: 'State, risk and export of these units' }).click();
      await page.getByRole('row', { name: 'WHAT-0012' }).waitFor();
      expect(await page.getByRole('row', { name: /WHAT-/ }).count()).to.equal(12);
      const field = page.getByRole('combobox', { name: 'Consignment' });
      expect(await field.inputValue()).to.match(/WHAT/);
      await field.fill('');
      await page.waitForURL(/\/app\/units$/);
    }));

  for (const [locale, keep, callOff] of [
    ['en', 'Cancel', 'Call off'],
    ['fr', 'Retour', 'Annuler l’expédition'],
    ['ar', 'رجوع', 'إلغاء الشحنة'],
  ] as const)
    it(`asks whether it is called off with one button alone that says so (${locale})`, () =>
      visit(
        stack,
        async ({ page }) => {
          const { path } = await drafted(stack, owner, 1, { reference: `OFF-${locale}` });
          await remember(page, owner);
          await page.goto(path);
          await page.getByRole('button', { name: callOff }).click();
          const buttons = page.getByRole('dialog').locator('.mantine-Button-root');
          await buttons.first().waitFor();
          expect(await buttons.allInnerTexts()).to.deep.equal([keep, callOff]);
        },
        { locale },
      ));

  it('says beside a unit that it was missing or damaged', () =>
    visit(stack, async ({ page }) => {
      const consignment = await dispatched(stack, owner, 3, { reference: 'HOW' });
      await receive(stack, owner, consignment, { missing: ['HOW-0001'], damaged: ['HOW-0002'] });
      await signIn(page, owner, consignment.path);
      const row = (serial: string) =>
        page.getByRole('table', { name: 'Contents' }).getByRole('row').filter({ hasText: serial });
      await row('HOW-0001').getByText('Missing', { exact: true }).waitFor();
      await row('HOW-0002').getByText('Damaged', { exact: true }).waitFor();
      expect(
        await row('HOW-0003')
          .getByText(/Missing|Damaged/)
          .count(),
      ).to.equal(0);
    }));

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

  for (const [reference, lead, told] of [
    ['WHOLE', 'Everything arrived.', {}],
    ['MORE', 'More was counted than was sent.', { counted: 60 }],
    ['BROKEN', 'Everything arrived, but not all of it whole.', { damaged: ['BROKEN-0001'] }],
    [
      'BOTH',
      'More was counted than was sent, and not all of it is whole.',
      { counted: 60, damaged: ['BOTH-0001'] },
    ],
    [
      'ODD',
      'Units are missing, and yet more was counted than was sent.',
      { counted: 60, missing: ['ODD-0001'] },
    ],
  ] as const) {
    it(`says “${lead}” where that is so, with a warning where it is not as it was sent`, () =>
      visit(stack, async ({ page }) => {
        const consignment = await dispatched(stack, owner, 4, { reference });
        await receive(stack, owner, consignment, told);
        await signIn(page, owner, consignment.path);
        await page.getByText(lead).waitFor();
        const isOdd = reference !== 'WHOLE';
        expect(await page.locator('.mantine-Badge-root').getByText('Discrepancies').count()).to.equal(
          isOdd ? 1 : 0,
        );
        const isSurplus = 'counted' in told;
        await page.goto('/app/consignments');
        const row = page.getByRole('row').filter({ hasText: reference });
        await row.waitFor();
        expect(await row.getByText('56 too many').count()).to.equal(isSurplus ? 1 : 0);
        expect(await row.getByText(/\b0 /).count()).to.equal(0);
        if (!isSurplus) return;
        await page.goto(consignment.path);
        await page.getByRole('region', { name: '56 too many' }).getByText('They counted 60 of 4.').waitFor();
      }));
  }

  it('goes on by the keyboard at the first unit that the last press for more has brought', () =>
    visit(stack, async ({ page }) => {
      const consignment = await dispatched(stack, owner, 60, { reference: 'MANY' });
      await receive(stack, owner, consignment, { missing: consignment.serials });
      await signIn(page, owner, consignment.path);
      const links = page.getByRole('region', { name: '60 missing' }).getByRole('link');
      await page.getByRole('button', { name: 'Show more' }).press('Enter');
      await links.nth(50).and(page.locator(':focus')).waitFor();
    }));

  it('takes down what a distributor says by telephone, with what is refused at its field', () =>
    visit(stack, async ({ page, expectStatus }) => {
      expectStatus(422);
      const consignment = await dispatched(stack, owner, 5, { reference: 'TOLD' });
      await signIn(page, owner, consignment.path);
      await page.getByRole('button', { name: 'Record a receipt…' }).click();
      const form = page.getByRole('dialog');
      await form.getByLabel('How many did they count?').fill('4');
      const missing = form.getByLabel('Missing units');
      const damaged = form.getByLabel('Damaged units');
      await missing.fill('TOLD-0001\nSTRANGE-1\nSTRANGE-2');
      await damaged.fill('ODD-9');
      await form.getByLabel('Who told you').fill('Ada Lind');
      await form.getByLabel('Note').fill('By telephone');
      await form.getByRole('button', { name: 'Record receipt' }).click();
      await form.getByText('Not in this consignment: STRANGE-1 and STRANGE-2.').waitFor();
      const said = async (field: typeof missing) => {
        const ids = (await field.getAttribute('aria-describedby'))!.trim().split(/\s+/);
        return (await Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).innerText()))).join(' ');
      };
      expect(await said(missing)).to.include('STRANGE-1 and STRANGE-2');
      expect(await said(damaged)).to.include('Not in this consignment: ODD-9.');
      await inspect(page, 'consignment-receive');
      await missing.fill('TOLD-0001');
      await damaged.fill('TOLD-0001');
      await form.getByRole('button', { name: 'Record receipt' }).click();
      await form.getByText('Missing and damaged at once: TOLD-0001.').waitFor();
      await damaged.fill('told-0002');
      await form.getByRole('button', { name: 'Record receipt' }).click();
      await page.getByText('The receipt is recorded.').waitFor();
      await page.getByText('Receipt confirmed by Ada Lind').waitFor();
      await page
        .getByRole('region', { name: '1 missing' })
        .getByRole('link', { name: 'TOLD-0001' })
        .waitFor();
      await page
        .getByRole('region', { name: '1 damaged' })
        .getByRole('link', { name: 'TOLD-0002' })
        .waitFor();
      await page.getByText('By telephone').waitFor();
      expect(await page.getByRole('button', { name: 'Record a receipt…' }).count()).to.equal(0);
    }));

  it('takes no receipt from somebody who may only read', () =>
    visit(stack, async ({ page }) => {
      const consignment = await dispatched(stack, owner, 1, { reference: 'READ' });
      await signIn(page, await stack.account('viewer', owner.orgId), consignment.path);
      await page.getByRole('region', { name: 'Contents' }).getByRole('link', { name: 'READ-0001' }).waitFor();
      expect(await page.getByRole('button', { name: 'Record a receipt…' }).count()).to.equal(0);
    }));

  it('leads from the overview to receipts that are not as was sent', () =>
    visit(stack, async ({ page }) => {
      const other = await stack.account();
      const odd = await dispatched(stack, other, 4, { reference: 'SEEN' });
      await receive(stack, other, odd, { counted: 6 });
      await receive(stack, other, await dispatched(stack, other, 4, { reference: 'FINE' }), {});
      await signIn(page, other, '/app/overview');
      const waiting = page.getByRole('region', { name: 'Needs attention now' });
      await waiting.getByRole('link', { name: 'SEEN · Nordhandel GmbH' }).waitFor();
      expect(await waiting.getByRole('link', { name: /FINE/ }).count()).to.equal(0);
      await waiting.getByRole('link', { name: 'Received otherwise than sent' }).click();
      await page.waitForURL('**/app/consignments?status=discrepant-lately');
      await page.getByRole('row').filter({ hasText: 'SEEN' }).getByText('2 too many').waitFor();
      expect(await page.locator('tbody tr').count()).to.equal(1);
      await inspect(page, 'consignments-discrepant');
    }));
});
