import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** The rules whose answer depends on colours, and so on day and night; every other looks at what the page is made of. */
export const COLOUR_RULES = ['color-contrast', 'link-in-text-block'] as const;

/** Half as much to send to each page as the one with comments. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** axe would write down the markup of every element that it looks at, for a third of its time; here it is that of violations. */
const PREPARE = `${AXE}; axe.configure({ noHtml: true })`;

/** Said in the page: the whole result is megabytes, of which a violation needs a line. */
const RUN = (options: object) => `axe.run(${JSON.stringify({ resultTypes: ['violations'], ...options })})
  .then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target, any, all }) => {
    const place = target.join(' ');
    const html = target.length === 1 ? document.querySelector(place)?.outerHTML.slice(0, 300) : undefined;
    return { id, place, html, any, all };
  })))`;

interface Found extends Pick<AxeResults['violations'][number]['nodes'][number], 'any' | 'all'> {
  id: string;
  /** By selectors, that of a frame first. */
  place: string;
  html?: string;
}

/**
 * @param rules those alone; without it WCAG 2.2 A and AA, and best practices.
 * @returns what axe finds on the page as it is now.
 */
export async function axeViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(PREPARE);
  const found = await page.evaluate<Found[]>(RUN(rules === undefined ? {} : { runOnly: rules }));
  return found.map(
    ({ id, place, html, any, all }) =>
      `${id}: ${html ?? place} ${[...any, ...all].map(({ message }) => message).join('; ')}`,
  );
}
