import { expect } from 'chai';
import type { Db } from '../../../shared/db.ts';
import { newUuid } from '../../../shared/ids.ts';
import { hindsightOf, loadHindsights } from '../../../shared/scans/hindsights.ts';

describe('what a process knows of organizations’ hindsight', () => {
  it('has that of all units that were asked for, however many organizations it met before', async () => {
    const read: string[] = [];
    const db = {
      query: (_text: string, [versions]: [string[]]) => {
        read.push(...versions);
        return { rows: versions.map((version) => ({ version, hindsight: { base: 0, trees: [] } })) };
      },
    } as unknown as Db;
    const unitOf = (version: string) => ({ hindsight_version: version });
    const [first, latest] = [unitOf(newUuid()), unitOf(newUuid())];
    await loadHindsights(db, [first]);
    for (let i = 1; i < 1_000; i++) await loadHindsights(db, [unitOf(newUuid())]);
    await loadHindsights(db, [first, latest]);
    expect([first, latest].map(hindsightOf)).not.to.include(null);
    // Of the others the one that was met first was let go.
    expect(read).to.have.lengthOf(1_001);
    expect(hindsightOf(unitOf(read[1]!))).to.equal(null);
    expect(hindsightOf(unitOf(read[2]!))).not.to.equal(null);
  });
});
