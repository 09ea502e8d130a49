import { expect } from 'chai';
import { tagKeysOf } from '../../shared/nfc/tag-keys.ts';
import { createTag } from '../support/nfc-tag.ts';
import { ADDRESSES } from '../support/places.ts';
import { oneUnit } from './support/one-unit.ts';
import { dashboardStack, type Stack } from './support/stack.ts';
import { inspect, signIn, visit } from './support/visit.ts';

describe('NFC tags in the dashboard', function () {
  this.timeout(120_000);
  let stack: Stack;

  before(async () => {
    stack = await dashboardStack();
  });

  it('are of a batch’s packages, and what their taps said is told with scans and in the unit’s life', async () => {
    const owner = await stack.account();
    const { token, code, keys, paths } = await oneUnit(stack, owner);
    const tag = createTag(tagKeysOf(keys, code, keys[0].id).read);
    const open = async (ip: string, query: string) => {
      const headers = { 'x-forwarded-for': ip };
      const response = await fetch(`${stack.url}/v/${token}?${query}`, { headers });
      const { scanId, nfcTap } = (await response.json()) as { scanId: string; nfcTap: { outcome: string } };
      return { scanId, outcome: nfcTap.outcome };
    };
    await visit(stack, async ({ page }) => {
      await signIn(page, owner, paths.batch);
      await page.getByRole('link', { name: 'Edit' }).click();
      await page.getByLabel('Each package has an NFC tag').check();
      await inspect(page, 'batch-nfc-tags');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('On each package').waitFor();
      const tap = tag.tap();
      const taps = [await open(ADDRESSES.DE, 'cmac=0'), await open(ADDRESSES.DE, tap)];
      for (const ip of [ADDRESSES.US, ADDRESSES.BR, ADDRESSES.JP, '203.0.113.77'])
        taps.push(await open(ip, tap));
      expect(taps.map(({ outcome }) => outcome)).to.deep.equal([
        'invalid',
        'fresh',
        ...Array(4).fill('replayed'),
      ]);
      await page.goto(paths.unit);
      await page.getByText('NFC tap used before').nth(3).waitFor();
      await page.getByText('NFC tap fresh').waitFor();
      await page.getByText('NFC tap invalid').waitFor();
      await inspect(page, 'unit-nfc-taps');
      await page.goto(`/app/scans/${taps.at(-1)!.scanId}`);
      await page.getByText('Used taps of its NFC tag came from visitor after visitor').waitFor();
      await inspect(page, 'scan-nfc-tap');
      await page.goto('/app/scans');
      const listed = page.getByRole('row').filter({ has: page.getByRole('cell') });
      await listed.nth(5).waitFor();
      await page.getByRole('combobox', { name: 'NFC tap' }).click();
      await page.getByRole('option', { name: 'Fresh' }).click();
      await listed.nth(1).waitFor({ state: 'detached' });
      await listed.getByText('NFC tap fresh').waitFor();
      await inspect(page, 'scans-nfc-tap');
    });
  });
});
