import { expect } from 'chai';
import { MATURE_MS, MIN_TURNED } from '../../../shared/risk/hindsight.ts';
import { Recollection } from '../../../shared/risk/recollection.ts';
import { emptyProfile } from '../../../shared/risk/score.ts';

const START = Date.UTC(2026, 0, 1);
const LATER = START + MATURE_MS;

describe('what is recalled of an organization’s units', () => {
  /** With units that look alike and never turn. */
  const begin = (): Recollection => {
    const recollection = new Recollection();
    for (let i = 0; i < 100; i++) look(recollection, `honest ${i}`, [1]);
    return recollection;
  };
  const look = (recollection: Recollection, unit: string, look: number[]) =>
    recollection.note(unit, { look, profile: { ...emptyProfile(), lastAt: START } });
  /** By a visitor about whom there is nothing more to learn. */
  const turn = (recollection: Recollection, unit: string) =>
    recollection.note(unit, { look: null, profile: { ...emptyProfile(), lastAt: LATER, turned: true } });
  const copied = (recollection: Recollection, unit: string) => {
    look(recollection, unit, [2]);
    turn(recollection, unit);
  };

  it('says something once sixty have turned, and is gone through again when half as many more have', () => {
    const recollection = begin();
    const changes: number[] = [];
    let { hindsight } = recollection;
    for (let turned = 1; turned <= 140; turned++) {
      copied(recollection, `copied ${turned}`);
      if (recollection.hindsight !== hindsight) changes.push(turned);
      ({ hindsight } = recollection);
    }
    expect(changes).to.deep.equal([MIN_TURNED, 90, 135]);
  });

  it('counts a unit that turned once, and none of which no look is known', () => {
    const recollection = begin();
    for (let i = 1; i < MIN_TURNED; i++) copied(recollection, `copied ${i}`);
    for (let i = 0; i < 10; i++) {
      turn(recollection, 'copied 1');
      turn(recollection, `unseen ${i}`);
    }
    expect(recollection.hindsight).to.equal(null);
    copied(recollection, 'one more');
    expect(recollection.hindsight).not.to.equal(null);
  });
});
