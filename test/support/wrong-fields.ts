import type { Page } from 'playwright-core';

/** @returns for each field that a page marks as wrong, by its name, what the page tells at it. */
export async function wrongFields(page: Page): Promise<Record<string, string>> {
  const fields = await page.locator('[aria-invalid=true]').evaluateAll((all) =>
    all.map((field): [string, string] => {
      const ids = (field.getAttribute('aria-describedby') ?? '').split(' ');
      const told = ids.map((id: string) => field.ownerDocument.getElementById(id)?.textContent?.trim());
      return [field.getAttribute('name')!, told.join(' ')];
    }),
  );
  return Object.fromEntries(fields);
}
