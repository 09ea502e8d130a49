import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { CRAWLERS, PREVIEW_FETCHERS, PREVIEW_FETCHERS_FIRST } from '../../api/verify/quiet.ts';

const text = readFileSync(new URL('../../docs/verification.md', import.meta.url), 'utf8');

/** The names in code that stand between two marks. */
const namesAfter = (mark: RegExp) =>
  [...(new RegExp(`${mark.source}([^;]+);`).exec(text)?.[1] ?? '').matchAll(/`([^`]+)`/g)].map(
    (match) => match[1]!,
  );

describe('docs/verification.md', () => {
  it('lists the fetchers of previews that are no scans', () => {
    expect(namesAfter(/by the fetcher's `User-Agent`:/)).to.deep.equal([
      ...PREVIEW_FETCHERS,
      ...PREVIEW_FETCHERS_FIRST,
    ]);
  });

  it('lists the crawlers that are none either', () => {
    expect(namesAfter(/asks to stay away:/)).to.deep.equal([...CRAWLERS]);
  });
});
