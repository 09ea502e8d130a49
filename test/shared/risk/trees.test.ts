import { expect } from 'chai';
import { chanceOf, growTrees } from '../../../shared/risk/trees.ts';

/** A grid of examples over two features, and one that says nothing. */
const GRID = Array.from({ length: 40 }, (_, x) =>
  Array.from({ length: 40 }, (_, y) => [x, y, (x * 7 + y * 13) % 5]),
).flat();

describe('boosted trees', () => {
  it('learn what only two features together tell', () => {
    const isYes = ([x, y]: number[]) => x! < 20 && y! < 20;
    const trees = growTrees(GRID, GRID.map(isYes));
    const wrong = GRID.filter((example) => chanceOf(trees, example) > 0.5 !== isYes(example));
    // Limits lie at quantiles, not at each value.
    expect(wrong.length).to.be.below(GRID.length * 0.03);
  });

  it('say how likely a yes is, not only which is likelier', () => {
    // Of those below 10 nine in ten, of the others one in ten.
    const answers = GRID.map(([x, y]) => (y! % 10 === 0) !== x! < 10);
    const trees = growTrees(
      GRID.map(([x]) => [x!]),
      answers,
    );
    expect(chanceOf(trees, [5])).to.be.closeTo(0.9, 0.03);
    expect(chanceOf(trees, [30])).to.be.closeTo(0.1, 0.03);
  });

  it('draw no answer from a handful of examples', () => {
    // Thirty in 1,600 are told by the first feature alone.
    const trees = growTrees(
      GRID.map((_, i) => [i < 30 ? 1 : 0]),
      GRID.map((_, i) => i < 30),
    );
    expect(chanceOf(trees, [1])).to.equal(chanceOf(trees, [0]));
  });

  it('are the same from the same examples, and after a way through JSON', () => {
    const answers = GRID.map(([x, y]) => x! + y! > 50);
    const trees = growTrees(GRID, answers);
    expect(growTrees(GRID, answers)).to.deep.equal(trees);
    const stored = JSON.parse(JSON.stringify(trees)) as typeof trees;
    for (const example of GRID) expect(chanceOf(stored, example)).to.equal(chanceOf(trees, example));
  });
});
