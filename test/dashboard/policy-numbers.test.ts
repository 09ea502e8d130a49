import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { dashboardStack, type Stack } from './support/stack.ts';
import { remember, signIn, visit } from './support/visit.ts';

/** As people do: over what is there, key by key. */
async function typeOver(page: Page, label: string, text: string): Promise<string> {
  const field = page.getByLabel(label, { exact: true }).first();
  await field.click();
  await page.keyboard.press('Control+A');
  await page.keyboard.type(text);
  await page.keyboard.press('Tab');
  return field.inputValue();
}

describe('the numbers of a risk policy', function () {
  this.timeout(120_000);
  let stack: Stack;
  before(async () => {
    stack = await dashboardStack();
  });

  it('are what was typed, key by key, and say which there may be', async () => {
    const owner = await stack.account();
    await visit(stack, async ({ page }) => {
      await signIn(page, owner, '/app/risk-policy');
      const start = page.getByRole('button', { name: 'Try on the last 30 days' });
      // Their first digits alone are less than the least that there may be.
      expect(await typeOver(page, 'Fastest journey, km/h', '900')).to.equal('900');
      expect(await typeOver(page, 'Visitors with the hidden code', '12')).to.equal('12');
      await page.getByText('2 changes, not yet in force.').waitFor();
      expect(await start.isEnabled()).to.equal(true);
      // Of people and units there are no halves, which the service refuses: the point is not taken.
      for (const label of ['Visitors with the hidden code', 'Units of the lot'])
        expect(await typeOver(page, label, '3.5'), label).to.equal('35');

      for (const [label, typed, shown, told] of [
        ['Wrong positions', '45', '45 %', 'From 0.1% to 30%.'],
        ['Medium risk from', '-5', '-5', 'From 1 to 100.'],
        ['Visitors', '60', '60', 'From 2 to 44.'],
      ] as const) {
        expect(await typeOver(page, label, typed), label).to.equal(shown);
        await page.getByText(told).waitFor();
        expect(await start.isDisabled(), label).to.equal(true);
        await page.getByRole('button', { name: 'Discard' }).click();
        await page.getByText(told).waitFor({ state: 'hidden' });
      }

      // Nothing but this is changed, so that there is nothing to try.
      expect(await typeOver(page, 'Pause per unit, minutes', '20000')).to.equal('20000');
      await page.getByText('From 0 to 10,080.').waitFor();
      const save = page.getByRole('button', { name: 'Save this policy' });
      expect(await save.isDisabled()).to.equal(true);
      await typeOver(page, 'Pause per unit, minutes', '60');
      await save.click();
      await page.getByText('This policy is in force.').waitFor();
    });
  });

  it('have the decimal sign of the language, and are taken with either', async () => {
    const owner = await stack.account();
    await visit(
      stack,
      async ({ page }) => {
        await remember(page, owner);
        await page.goto('/app/risk-policy');
        expect(await typeOver(page, 'Gewicht', '0,5')).to.equal('0,5');
        expect(await typeOver(page, 'Gewicht', '1.5')).to.equal('1,5');
        expect(await typeOver(page, 'Falsche Positionen', '2,5')).to.equal('2,5 %');
        const asked = page.waitForRequest('**/risk-policies/simulate');
        await page.getByRole('button', { name: 'An den letzten 30 Tagen erproben' }).click();
        const { policy } = (await asked).postDataJSON() as { policy: { clone: object } };
        expect(policy.clone).to.include({ weight: 1.5, wrongPositionRate: 0.025 });
        await page.getByRole('button', { name: 'Diese Regeln speichern' }).waitFor();
      },
      { locale: 'de-DE' },
    );
  });
});
