import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { needBrowser, noBrowser } from '../support/browser.ts';
import { phones } from '../support/phones.ts';
import { startStand, type MintedUnit, type Stand } from '../support/verification-stand.ts';

describe(`an NFC tag tapped with a phone${noBrowser ? ` (pending: ${noBrowser})` : ''}`, function () {
  let stand: Stand;
  let unit: MintedUnit;
  const open = phones();

  before(async function () {
    needBrowser(this);
    stand = await startStand();
  });
  after(() => stand?.close());
  beforeEach(async () => {
    unit = await stand.mintUnit({ nfcTag: true, hiddenCode: true, gtin: '09506000134352' });
  });

  /** Another person's phone. @param ip of its network */
  const phone = (ip: string, javaScriptEnabled = true) => open(stand.origin, ip, { javaScriptEnabled });
  const toldOn = (page: Page) => page.locator('.told h2').allInnerTexts();
  const taps = async () =>
    (
      await stand.database.pool.query(
        `select (select count(*)::int from scans where unit_id = $1) as scans,
                (select count(*)::int from nfc_taps where unit_id = $1) as taps`,
        [unit.unitId],
      )
    ).rows[0];

  it('is told as correct and new, and again within the visit, from an address that tells nobody else', async () => {
    const page = await phone('198.51.100.7');
    await page.goto(`/v/${unit.token}?utm_source=box&${unit.tag.tap()}`);
    expect(await toldOn(page)).to.deep.equal(['Chip: answer correct and new']);
    expect(new URL(page.url()).search).to.equal('?utm_source=box');
    await page.reload();
    expect(await toldOn(page)).to.deep.equal(['Chip: answer correct and new']);
    await page.getByRole('link', { name: 'Deutsch' }).click();
    await page.waitForURL(/lang=de/);
    expect(await toldOn(page)).to.deep.equal(['Chip: Antwort richtig und neu']);
    expect(await taps()).to.deep.equal({ scans: 1, taps: 1 });
    const friend = await phone('203.0.113.5');
    await friend.goto(page.url());
    expect(await toldOn(friend)).to.deep.equal([]);
    expect(
      await friend.getByRole('heading', { name: 'Den Chip in der Packung prüfen' }).isVisible(),
    ).to.equal(true);
  });

  it('leaves the rest of the address as it was written', async () => {
    const page = await phone('198.51.100.7');
    const [first, last] = unit.tag.tap().split('&');
    await page.goto(`/v/${unit.token}?box&${first}&17=a%20b%2Fc;d&17=%7e&${last}&uid=7#top`);
    const { search, hash } = new URL(page.url());
    expect(search + hash).to.equal('?box&17=a%20b%2Fc;d&17=%7e#top');
    await page.goto(`/v/${unit.token}?${unit.tag.tapInPlain()}`);
    expect(page.url()).to.equal(`${stand.origin}/v/${unit.token}`);
    await page.goto(`/v/${unit.token}?uid=7&ctr`);
    expect(new URL(page.url()).search).to.equal('?uid=7&ctr');
  });

  it('stays in the address where it is not the tag’s, to be told again', async () => {
    const page = await phone('198.51.100.7');
    await page.goto(`/v/${unit.token}?${unit.tag.tap()}`);
    const wrong = `picc_data=${'0'.repeat(32)}&cmac=${'0'.repeat(16)}`;
    await page.goto(`/v/${unit.token}?${wrong}`);
    expect(await toldOn(page)).to.deep.equal(['Chip: answer not correct']);
    expect(new URL(page.url()).search).to.equal(`?${wrong}`);
    await page.getByRole('link', { name: 'Deutsch' }).click();
    await page.waitForURL(/lang=de/);
    expect(await page.locator('.told').getAttribute('class')).to.equal('told invalid');
  });

  it('is told the same without a script, and to somebody else who comes with the same as used up', async () => {
    const [page, other] = [await phone('198.51.100.7', false), await phone('203.0.113.5', false)];
    const address = `/01/09506000134352/21/${unit.serial}?${unit.tag.tap()}`;
    await page.goto(address);
    expect(await toldOn(page)).to.deep.equal(['Chip: answer correct and new']);
    await page.reload();
    expect(await toldOn(page)).to.deep.equal(['Chip: answer correct and new']);
    await other.goto(address);
    expect(await toldOn(other)).to.deep.equal(['Chip: answer used before']);
    expect(await other.locator('.told time').getAttribute('datetime')).to.equal(stand.now().toISOString());
    expect(await other.locator('details').getAttribute('open')).to.equal('');
    await other.goto(`/v/${unit.token}?${unit.tag.tap()}`);
    expect(await toldOn(other)).to.deep.equal(['Chip: answer correct and new']);
  });

  it('stays told beside the hidden code that is entered after it', async () => {
    const page = await phone('198.51.100.7');
    await page.goto(`/v/${unit.token}?${unit.tag.tap()}`);
    expect(page.url()).to.equal(`${stand.origin}/v/${unit.token}`);
    const enter = async (code: string) => {
      await page.getByLabel('Hidden code', { exact: true }).fill(code);
      await page.getByRole('button', { name: 'Check the hidden code' }).click();
      await page.waitForURL(/hidden-code/);
    };
    await enter('0000-0000');
    expect(await toldOn(page)).to.deep.equal(['Hidden code: not correct', 'Chip: answer correct and new']);
    await page.getByLabel('Hidden code', { exact: true }).fill(unit.hiddenCode);
    await page.getByRole('button', { name: 'Check the hidden code' }).click();
    await page.getByRole('heading', { name: 'Hidden code: correct' }).waitFor();
    expect(await toldOn(page)).to.deep.equal(['Hidden code: correct', 'Chip: answer correct and new']);
  });
});
