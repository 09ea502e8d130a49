import { expect } from 'chai';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { axeViolations } from '../support/axe.ts';
import { needBrowser, noBrowser } from '../support/browser.ts';
import { phones } from '../support/phones.ts';
import { startStand, type MintedUnit, type Stand } from '../support/verification-stand.ts';

describe(`a hidden code typed on a phone${noBrowser ? ` (pending: ${noBrowser})` : ''}`, function () {
  let stand: Stand;
  let unit: MintedUnit;
  const open = phones();

  before(async function () {
    needBrowser(this);
    stand = await startStand();
  });
  after(() => stand?.close());
  beforeEach(async () => {
    unit = await stand.mintUnit({ hiddenCode: true, gtin: '09506000134352', lot: 'L7' });
  });

  /** Another person's phone. @param ip of its network */
  const phone = (ip: string, options?: BrowserContextOptions) => open(stand.origin, ip, options);
  const type = async (page: Page, code: string) => {
    await page.getByLabel('Hidden code', { exact: true }).fill(code);
    await page.getByRole('button', { name: 'Check the hidden code' }).click();
    await page.locator('.told').waitFor();
  };
  const toldOn = (page: Page) => page.locator('.told h2').innerText();
  const counts = async () =>
    (
      await stand.database.pool.query(
        `select (select count(*)::int from scans where unit_id = $1) as scans,
                (select count(*)::int from hidden_code_entries where unit_id = $1) as entries`,
        [unit.unitId],
      )
    ).rows[0];

  it('is told as nobody’s before, and once more when the page is loaded again, as one scan and one entry', async () => {
    const page = await phone('198.51.100.7');
    await page.goto(`/v/${unit.token}`);
    await type(page, unit.hiddenCode.toLowerCase().replace('-', ' '));
    expect(new URL(page.url()).pathname).to.equal(`/v/${unit.token}/hidden-code`);
    expect(await toldOn(page)).to.equal('Hidden code: correct');
    expect(await axeViolations(page)).to.deep.equal([]);
    await page.reload();
    expect(await toldOn(page)).to.equal('Hidden code: correct');
    await page.getByRole('link', { name: 'Deutsch' }).click();
    await page.waitForURL(/lang=de/);
    expect(await toldOn(page)).to.equal('Verdeckter Code: richtig');
    expect(await counts()).to.deep.equal({ scans: 1, entries: 1 });
  });

  it('is told to the next as entered before, with the day, and leads nobody else to that page', async () => {
    const first = await phone('198.51.100.7');
    await first.goto(`/v/${unit.token}`);
    await type(first, unit.hiddenCode);
    const told = first.url();
    const second = await phone('203.0.113.5');
    // The address of somebody's answer says nothing to others.
    await second.goto(told);
    expect(new URL(second.url()).pathname).to.equal(`/v/${unit.token}`);
    expect(await second.locator('.told').count()).to.equal(0);
    await type(second, unit.hiddenCode);
    expect(await toldOn(second)).to.equal('Hidden code: entered before');
    expect(await second.locator('.told time').getAttribute('datetime')).to.equal(stand.now().toISOString());
    await first.reload();
    expect(await toldOn(first)).to.equal('Hidden code: correct');
  });

  it('is told as entered before at a moment of the visitor’s own day', async () => {
    stand.advance(Date.parse('2026-12-03T03:30:00Z') - stand.now().getTime());
    const first = await phone('198.51.100.7');
    await first.goto(`/v/${unit.token}`);
    await type(first, unit.hiddenCode);
    const second = await phone('203.0.113.5', { timezoneId: 'America/Los_Angeles' });
    await second.goto(`/v/${unit.token}`);
    await type(second, unit.hiddenCode);
    expect(await second.locator('.told time').innerText()).to.equal('2 Dec 2026, 19:30');
    stand.resetClock();
  });

  it('that is wrong can be typed again at once', async () => {
    const page = await phone('198.51.100.7');
    await page.goto(`/v/${unit.token}?lang=en`);
    await type(page, '0000-0000');
    expect(await toldOn(page)).to.equal('Hidden code: not correct');
    expect(
      await page.locator('.told').evaluate((node) => node === node.ownerDocument.activeElement),
    ).to.equal(true);
    // Both say what is wrong to who cannot see where they are.
    await page.getByRole('region', { name: 'Hidden code: not correct' }).waitFor();
    await page
      .getByRole('textbox', { name: 'Hidden code', description: 'Hidden code: not correct' })
      .waitFor();
    expect(await page.getByLabel('Hidden code', { exact: true }).getAttribute('aria-invalid')).to.equal(
      'true',
    );
    expect(await axeViolations(page)).to.deep.equal([]);
    expect(await page.getByLabel('Hidden code', { exact: true }).inputValue()).to.equal('0000-0000');
    await type(page, unit.hiddenCode);
    await page.getByText('Hidden code: correct').waitFor();
    expect(await counts()).to.deep.equal({ scans: 1, entries: 1 });
  });

  it('that is wrong is told once more to who comes back, loads it again or reads it in another language', async () => {
    const page = await phone('198.51.100.7');
    await page.goto(`/v/${unit.token}?lang=en`);
    await type(page, '0000-0000');
    await page.goto('/');
    await page.goBack();
    expect(await toldOn(page)).to.equal('Hidden code: not correct');
    await page.reload();
    expect(await toldOn(page)).to.equal('Hidden code: not correct');
    await page.getByRole('link', { name: 'Deutsch' }).click();
    await page.waitForURL(/lang=de/);
    expect(await toldOn(page)).to.equal('Verdeckter Code: nicht richtig');
    const { rows } = await stand.database.pool.query(
      'select wrong_attempts from hidden_code_entries where unit_id = $1',
      [unit.unitId],
    );
    expect(rows).to.deep.equal([{ wrong_attempts: 1 }]);
  });

  it('is checked without a script and, of who takes no cookie, without being known again', async () => {
    const page = await phone('198.51.100.7', { javaScriptEnabled: false });
    await page.goto(`/v/${unit.token}`);
    await page.context().clearCookies();
    await type(page, unit.hiddenCode);
    expect(await toldOn(page)).to.equal('Hidden code: correct');
  });

  it('is checked on the page of a GS1 Digital Link, below its own address', async () => {
    const page = await phone('198.51.100.7');
    const link = `/01/09506000134352/10/L7/21/${unit.serial}`;
    await page.goto(link);
    await type(page, unit.hiddenCode);
    expect(new URL(page.url()).pathname).to.equal(`${link}/hidden-code`);
    expect(await toldOn(page)).to.equal('Hidden code: correct');
  });
});
