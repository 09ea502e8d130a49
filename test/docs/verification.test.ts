import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { PREVIEW_FETCHERS } from '../../api/verify/quiet.ts';

const text = readFileSync(new URL('../../docs/verification.md', import.meta.url), 'utf8');

describe('docs/verification.md', () => {
  it('lists the fetchers of previews that are no scans', () => {
    const listed = /by the fetcher's `User-Agent`:\n([^;]+);/.exec(text)?.[1] ?? '';
    const names = [...listed.matchAll(/`([^`]+)`/g)].map((match) => match[1]!);
    expect(names).to.deep.equal([...PREVIEW_FETCHERS]);
  });
});
