import { expect } from 'chai';
import { jpegWithPosition, smallPng } from '../support/photos.ts';
import { whereFails } from './support/answers.ts';
import { oneUnit } from './support/one-unit.ts';
import { dashboardStack, type Stack } from './support/stack.ts';
import { inspect, PHONE, signIn, visit } from './support/visit.ts';

describe('reports of one’s own in the dashboard', function () {
  this.timeout(120_000);
  let stack: Stack;

  before(async () => {
    stack = await dashboardStack();
  });

  it('are filed from a unit’s screen, with photos of which some are refused, and decided at once', async () => {
    const owner = await stack.account();
    const { paths } = await oneUnit(stack, owner);
    await visit(
      stack,
      async ({ page, expectStatus }) => {
        expectStatus(422);
        await signIn(page, owner, paths.unit);
        await page.getByRole('link', { name: 'Report a find' }).click();
        await page.getByRole('textbox', { name: /What was found/ }).waitFor();
        // The unit is known: nothing is asked about its code.
        expect(await page.getByRole('textbox', { name: /Code on it/ }).count()).to.equal(0);
        await page.getByRole('combobox', { name: 'How you know of it' }).click();
        await page.getByRole('option', { name: 'Customer service' }).click();
        await page.getByRole('textbox', { name: /What was found/ }).fill('The seal is glued.');
        await page.getByRole('textbox', { name: /Their mail address/ }).fill('nobody');
        await page.locator('input[type=file]').setInputFiles({
          name: 'front.jpg',
          mimeType: 'image/jpeg',
          buffer: await jpegWithPosition(),
        });
        await page.getByRole('button', { name: 'Photos front.jpg' }).waitFor();
        // A telephone's camera takes one at a time.
        await page.locator('input[type=file]').setInputFiles([
          { name: 'notes.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 0123456789') },
          { name: 'label.png', mimeType: 'image/png', buffer: await smallPng() },
        ]);
        await page.getByRole('combobox', { name: 'Your finding' }).click();
        await page.getByRole('option', { name: 'It is a counterfeit' }).click();
        await inspect(page, 'report-new');
        await page.getByRole('button', { name: 'File the report' }).click();
        // Nothing is filed, and nothing that was typed is lost.
        await page.locator('[aria-invalid=true]').waitFor();
        await page.getByRole('textbox', { name: /Their mail address/ }).fill('rui@example.com');
        await page.getByRole('button', { name: 'File the report' }).click();

        await page.getByText('Closed: It is a counterfeit.').waitFor();
        await page.getByText('notes.pdf was not added').waitFor();
        await page.getByText('It is not a photo in JPEG, PNG or WebP.').waitFor();
        await page.getByRole('img', { name: 'Photo 2' }).waitFor();
        await page.locator(`a[href="${paths.unit}"]`).waitFor();
        await page.getByText('Customer service').waitFor();
        await page.getByText('rui@example.com').waitFor();
        await page.getByRole('link', { name: /Case of/ }).waitFor();
        await inspect(page, 'report-own');
        await page.goto(paths.unit);
        await page.getByText('Reported by your own people').waitFor();
      },
      { viewport: PHONE },
    );
  });

  it('keep the code of a fake, and are found by how they came to be known', async () => {
    const owner = await stack.account();
    await visit(stack, async ({ page }) => {
      await signIn(page, owner, '/app/reports');
      await page.getByRole('link', { name: 'New report' }).click();
      await page.getByRole('textbox', { name: /Code on it/ }).fill('https://fake.example/v/0001');
      await page.getByRole('textbox', { name: /What was found/ }).fill('Sold at a bridge');
      await page.getByRole('button', { name: 'File the report' }).click();
      await page.getByText('https://fake.example/v/0001').waitFor();
      await page.goto('/app/reports');
      const row = page.getByRole('row', { name: /Sold at a bridge/ });
      await row.getByText('Inspection in the field').waitFor();
      await page.getByRole('combobox', { name: 'How you know of it' }).click();
      await page.getByRole('option', { name: 'Consumer’s report' }).click();
      await row.waitFor({ state: 'detached' });
      await page.getByText('No report matches').waitFor();
    });
  });

  it('take photos later, and give them back', async () => {
    const owner = await stack.account();
    await visit(stack, async ({ page, expectStatus }) => {
      expectStatus(500);
      await signIn(page, owner, '/app/reports/new');
      await page.getByRole('textbox', { name: /What was found/ }).fill('Sold at a bridge');
      await page.getByRole('button', { name: 'File the report' }).click();
      const add = page.getByRole('button', { name: 'Add photos' });
      await add.waitFor();
      const choose = async (...names: string[]) =>
        page
          .locator('input[type=file]')
          .setInputFiles(
            await Promise.all(
              names.map(async (name) => ({ name, mimeType: 'image/png', buffer: await smallPng() })),
            ),
          );
      // What is not answered may be sent again.
      await whereFails(page, '**/photos', { method: 'POST' }, async () => {
        await choose('a.png', 'b.png');
        await page
          .getByRole('alert')
          .filter({ hasText: /Not added: a\.png.*b\.png.*try again/i })
          .waitFor();
      });
      await choose('a.png');
      await page.getByRole('button', { name: 'Enlarge photo 1' }).click();
      const dialog = page.getByRole('dialog', { name: 'Photo 1' });
      await dialog.getByText(/Added by/).waitFor();
      await dialog.getByRole('button', { name: 'Remove…' }).click();
      await page.getByRole('button', { name: 'Remove the photo' }).click();
      await page.getByText('Photo removed.').waitFor();
      await page.getByRole('button', { name: 'Enlarge photo 1' }).waitFor({ state: 'detached' });
      await add.waitFor();
    });
  });

  it('are said to be about a unit once it is known, which has its case where it was a counterfeit', async () => {
    const owner = await stack.account();
    const { paths, token } = await oneUnit(stack, owner);
    await visit(stack, async ({ page }) => {
      await signIn(page, owner, '/app/reports/new');
      await page.getByRole('textbox', { name: /What was found/ }).fill('A photo by mail');
      await page.getByRole('combobox', { name: 'Your finding' }).click();
      await page.getByRole('option', { name: 'It is a counterfeit' }).click();
      await page.getByRole('button', { name: 'File the report' }).click();
      await page.getByRole('button', { name: 'Say what it is…' }).click();
      const dialog = page.getByRole('dialog', { name: 'What is this report about?' });
      const save = dialog.getByRole('button', { name: 'Save' });
      await dialog.getByRole('combobox', { name: /Unit of yours/ }).fill(token);
      expect(await save.isDisabled()).to.equal(true);
      await page.getByRole('option').first().click();
      // The unit has its product.
      await dialog.getByRole('combobox', { name: /Product/ }).waitFor({ state: 'detached' });
      await inspect(page, 'report-identify');
      await save.click();
      await page.getByRole('link', { name: /Case of/ }).waitFor();
      await page.locator(`a[href="${paths.unit}"]`).waitFor();
      await page.getByText('Identified by').waitFor();
      await page.getByRole('button', { name: 'Correct what it is…' }).click();
      // As a keyboard does it.
      await dialog.getByRole('combobox', { name: /Unit of yours/ }).fill('');
      await save.press('Enter');
      await page.locator(`a[href="${paths.unit}"]`).waitFor({ state: 'detached' });
      // What was imitated is known as before.
      await page.getByRole('heading', { name: /^Report about/ }).waitFor();
      await page.goto(paths.unit.replace('/units/', '/reports?unitId='));
      await page.getByText('No report matches').waitFor();
      await page.getByRole('button', { name: 'Show all units again' }).click();
      await page.getByRole('link', { name: 'A photo by mail' }).waitFor();
    });
  });

  it('offer nobody to file or change what they may only read', async () => {
    const viewer = await stack.account('viewer');
    await visit(stack, async ({ page }) => {
      await signIn(page, viewer, '/app/reports');
      await page.getByText('No reports').waitFor();
      expect(await page.getByRole('link', { name: 'New report' }).count()).to.equal(0);
    });
  });
});
