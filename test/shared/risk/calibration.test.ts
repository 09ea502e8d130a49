import { expect } from 'chai';
import {
  byThreshold,
  noScores,
  speakForAnother,
  suggestThreshold,
  type ScoreCounts,
} from '../../../shared/risk/calibration.ts';
import { toNats, toScore } from '../../../shared/risk/points.ts';

type Units = Partial<Record<keyof ScoreCounts, Record<number, number>>>;

/** @param units how many, by decision and score */
function counts(units: Units): ScoreCounts {
  const scores = noScores();
  for (const decision of ['confirmed', 'dismissed', 'undecided'] as const)
    for (const [points, count] of Object.entries(units[decision] ?? {}))
      scores[decision][Number(points)] = count;
  return scores;
}

describe('a threshold from decisions', () => {
  it('needs thirty units that the rules told of', () => {
    expect(suggestThreshold(counts({ confirmed: { 80: 29 } }), 60)).to.equal(null);
    // Opened by a person: the rules had nothing to say.
    expect(suggestThreshold(counts({ confirmed: { 80: 29, 12: 40 } }), 60)).to.equal(null);
    expect(suggestThreshold(counts({ confirmed: { 80: 30 } }), 60)).to.be.a('number');
    // Scores are whole, thresholds need not be.
    expect(suggestThreshold(counts({ confirmed: { 60: 30 } }), 60.5)).to.equal(null);
    expect(suggestThreshold(counts({ confirmed: { 61: 30 } }), 60.5)).to.be.a('number');
  });

  it('stays where nine of ten were right', () => {
    const units = {
      confirmed: { 62: 40, 85: 50 },
      dismissed: { 61: 9, 70: 1 },
      undecided: { 58: 9, 55: 30 },
    };
    expect(suggestThreshold(counts(units), 60)).to.equal(60);
  });

  it('goes up to where the decisions no longer speak against nine of ten', () => {
    const units = { confirmed: { 62: 20, 70: 30, 90: 50 }, dismissed: { 61: 20, 64: 20, 71: 4 } };
    expect(suggestThreshold(counts(units), 60)).to.equal(65);
  });

  it('does not follow a few decisions of many that may be chance', () => {
    const units = { confirmed: { 70: 26 }, dismissed: { 61: 4 } };
    expect(suggestThreshold(counts(units), 60)).to.equal(60);
    const more = { confirmed: { 70: 260 }, dismissed: { 61: 40 } };
    expect(suggestThreshold(counts(more), 60)).to.equal(62);
  });

  it('has no threshold where none would be right nine times of ten', () => {
    expect(suggestThreshold(counts({ dismissed: { 65: 30, 100: 10 } }), 60)).to.equal(null);
    expect(suggestThreshold(counts({ dismissed: { 65: 30 }, confirmed: { 80: 4 } }), 60)).to.equal(null);
    expect(suggestThreshold(counts({ dismissed: { 65: 30 }, confirmed: { 80: 5 } }), 60)).to.equal(66);
  });

  it('goes down six points at most, and not at all where many honest units wait there', () => {
    const confirmed = { 62: 30, 66: 60, 80: 110 };
    expect(suggestThreshold(counts({ confirmed, undecided: { 58: 5, 56: 5, 50: 5 } }), 60)).to.equal(54);
    expect(suggestThreshold(counts({ confirmed, undecided: { 58: 5, 56: 90, 50: 5 } }), 60)).to.equal(57);
    expect(suggestThreshold(counts({ confirmed, undecided: { 59: 500 } }), 60)).to.equal(60);
  });

  it('takes undecided units for what others with about their score were', () => {
    const decided = { confirmed: { 62: 8, 90: 200 }, dismissed: { 62: 24 } };
    expect(suggestThreshold(counts(decided), 60)).to.equal(60);
    // Three in four of those that wait at 63 are honest, too.
    expect(suggestThreshold(counts({ ...decided, undecided: { 63: 100 } }), 60)).to.equal(64);
  });

  it('takes undecided units for what those a few points beside them were as well', () => {
    const decided = { confirmed: { 63: 30, 75: 30 }, dismissed: { 65: 3 } };
    expect(suggestThreshold(counts(decided), 60)).to.equal(54);
    // Of those at 63 alone all were copied; with those at 65 one in eleven was not.
    expect(suggestThreshold(counts({ ...decided, undecided: { 63: 80 } }), 60)).to.equal(60);
  });

  it('learns nothing for what waits below from scores much higher', () => {
    const units = { confirmed: { 62: 70, 70: 40, 90: 100 }, dismissed: { 90: 17 }, undecided: { 58: 30 } };
    // The dismissed ones at 90 would have the curve fall the other way, and those at 58 be copies.
    expect(suggestThreshold(counts(units), 60)).to.equal(59);
  });

  it('takes none for what others were that the rules did not tell of', () => {
    const units = { confirmed: { 90: 200 }, dismissed: { 58: 50 }, undecided: { 61: 40 } };
    expect(suggestThreshold(counts(units), 60)).to.equal(60);
  });

  it('finds the curve also where it is steep and many were decided', () => {
    const waiting = { 74: 100, 75: 100, 76: 100, 77: 100, 78: 100, 79: 100 };
    const units = { confirmed: { 100: 100 }, dismissed: { 80: 5 }, undecided: waiting };
    // All that was alarmed at 80 was honest: so is what waits below.
    expect(suggestThreshold(counts(units), 80)).to.equal(80);
  });

  it('begins at the threshold by which the cases were opened', () => {
    const units = { confirmed: { 72: 30, 90: 30 }, dismissed: { 71: 2 }, undecided: { 62: 400 } };
    expect(suggestThreshold(counts(units), 70)).to.be.within(64, 70);
  });

  it('counts from each threshold on', () => {
    const table = byThreshold(
      counts({ confirmed: { 100: 1, 60: 2 }, dismissed: { 60: 3 }, undecided: { 59: 4, 0: 9 } }),
    );
    expect(table).to.have.length(100);
    expect(table[58]).to.deep.equal({
      suspicious: 59,
      suspiciousUnits: 10,
      confirmedUnits: 3,
      dismissedUnits: 3,
    });
    expect(table[60]).to.deep.equal({
      suspicious: 61,
      suspiciousUnits: 1,
      confirmedUnits: 1,
      dismissedUnits: 0,
    });
  });

  it('knows the evidence behind a score', () => {
    for (let points = 0; points < 100; points++) expect(toScore(toNats(points))).to.equal(points);
    expect(toNats(100)).to.be.finite;
  });

  it('is in doubt where thirty decisions or more are clearly not nine of ten right', () => {
    const inDoubt = (confirmed: number, dismissed: number) => speakForAnother({ confirmed, dismissed });
    expect(inDoubt(0, 29)).to.equal(false);
    expect(inDoubt(26, 4)).to.equal(false);
    expect(inDoubt(25, 5)).to.equal(true);
    expect(inDoubt(29, 1)).to.equal(true);
    expect(inDoubt(28, 2)).to.equal(false);
    expect(inDoubt(260, 40)).to.equal(true);
    expect(inDoubt(270, 30)).to.equal(false);
  });
});
