import { expect } from 'chai';
import { hindsightNats, learn, MATURE_MS, MIN_TURNED } from '../../../shared/risk/hindsight.ts';
import { DEFAULT_POLICY, resolvePolicy } from '../../../shared/risk/policy.ts';
import { Recollection } from '../../../shared/risk/recollection.ts';
import { textReplayer } from '../../../shared/risk/replay.ts';
import { rescore, score } from '../../../shared/risk/score.ts';
import type { RiskScan, UnitContext } from '../../../shared/risk/types.ts';
import { ANYWHERE, last, HOUR, scanAt, START } from './scans.ts';

const DAY = 24;

/** Copied ones meet strangers on four continents, one every other day; others somebody at home, of whom one has a VPN on. */
const copied = (from = 0) => [
  scanAt(from, 'paris', 'a'),
  scanAt(from + 2 * DAY, 'newYork', 'b'),
  scanAt(from + 4 * DAY, 'tokyo', 'c'),
  scanAt(from + 6 * DAY, 'lagos', 'd'),
];
const honest = (from = 0) => [
  scanAt(from, 'paris', 'a'),
  scanAt(from + 10 * DAY, 'newYork', 'b'),
  scanAt(from + 20 * DAY, 'paris', 'c'),
];
const suspect = (from = 0) => copied(from).slice(0, 3);

/** An organization that went through so many of each. */
function organizationOf(copies: number, others: number): Recollection {
  const recollection = new Recollection();
  const note = (unit: string, history: RiskScan[]) => {
    const { profile, assessments } = rescore(history, ANYWHERE, DEFAULT_POLICY);
    for (const assessment of assessments) recollection.note(unit, { ...assessment, profile });
  };
  for (let i = 0; i < others; i++) note(`honest ${i}`, honest());
  for (let i = 0; i < copies; i++) note(`copied ${i}`, copied());
  recollection.learn(START + 20 * DAY * HOUR + MATURE_MS);
  return recollection;
}

const KNOWING: UnitContext = { ...ANYWHERE, hindsight: organizationOf(100, 200).hindsight };

describe('hindsight', () => {
  it('tells a unit that looks as copied ones did before the rules are sure, and says why', () => {
    const [alone, knowing] = [last(suspect()), last(suspect(), KNOWING)];
    expect(alone.verdict).to.equal('clear');
    expect(alone.signals[0]).not.to.have.property('turnedOut');
    expect(knowing.verdict).to.equal('suspicious');
    expect(knowing.signals[0]).to.include({ type: 'clone', reason: 'places' });
    expect(knowing.signals[0]).to.have.property('turnedOut').that.is.within(0.9, 1);
  });

  it('says less of one that looks as honest ones did', () => {
    expect(last(honest(), KNOWING).score).to.be.below(last(honest()).score);
  });

  it('never moves the evidence beyond its bounds, whatever it was taught', () => {
    for (const share of [1e-9, 0.001, 0.5, 0.9, 1 - 1e-9])
      for (const nats of [2, 5, 6.8, 8.9]) expect(hindsightNats(share, nats)).to.be.within(-0.6, 4.8);
  });

  it('has no say where the policy leaves others out, where a person decided, and where the rules are sure', () => {
    const deaf = resolvePolicy({ clone: { hindsight: false } });
    const told = (history: RiskScan[], context: UnitContext, policy = DEFAULT_POLICY) => {
      const { score, verdict, signals } = last(history, context, policy);
      return { score, verdict, signals };
    };
    const same = (history: RiskScan[], context: UnitContext, policy = DEFAULT_POLICY) =>
      expect(told(history, { ...context, hindsight: KNOWING.hindsight }, policy)).to.deep.equal(
        told(history, context, policy),
      );
    same(suspect(), ANYWHERE, deaf);
    const dismissed = { decision: 'dismissed', decidedAt: START + 30 * DAY * HOUR } as const;
    const history = [...suspect(), ...copied(100 * DAY).slice(1)];
    same(history, { ...ANYWHERE, ...dismissed });
    same([...copied(), scanAt(8 * DAY, 'rio', 'e')], ANYWHERE);
  });

  it('is learned from no more looks of a unit once the rules are sure, also where a person has confirmed it', () => {
    const history = [...copied(), scanAt(8 * DAY, 'rio', 'e'), scanAt(10 * DAY, 'singapore', 'f')];
    const looks = (context: UnitContext) =>
      rescore(history, context, DEFAULT_POLICY).assessments.map(({ look }) => look);
    const confirmed = { decision: 'confirmed', decidedAt: START + 7 * DAY * HOUR } as const;
    expect(looks({ ...ANYWHERE, ...confirmed })).to.deep.equal(looks(ANYWHERE));
    expect(looks(ANYWHERE).slice(4)).to.deep.equal([null, null]);
  });

  it('is learned from no unit whose visitors the policy gives no say: none of them would ever turn', () => {
    for (const clone of [{ enabled: false }, { weight: 0 }]) {
      const { assessments } = rescore(copied(), ANYWHERE, resolvePolicy({ clone }));
      expect(assessments.map(({ look }) => look)).to.deep.equal([null, null, null, null]);
    }
  });

  it('weighs what the visitors weigh, and more of it never says less', () => {
    // Half of those that looked alike turned.
    const context = { ...ANYWHERE, hindsight: { base: 0, trees: [] } };
    const scores = [0.5, 1, 2, 3].map((weight) => {
      const policy = resolvePolicy({ clone: { weight } });
      const [alone, knowing] = [ANYWHERE, context].map((each) => last(honest(), each, policy).score);
      expect(knowing).to.be.above(alone!);
      return knowing!;
    });
    expect(scores).to.deep.equal(scores.toSorted((a, b) => a - b));
  });

  it('has no say about an owner and one stranger, whatever it was taught', () => {
    const certain = { ...ANYWHERE, hindsight: { base: 9, trees: [] } };
    const [two, three] = [2, 3].map((visitors) => last(copied().slice(0, visitors), certain));
    expect(two).to.include({ score: last(copied().slice(0, 2)).score, look: null });
    expect(three!.score).to.be.above(last(suspect()).score);
  });

  it('is not moved by who looks again', () => {
    const looked = last(suspect(), KNOWING);
    let { profile } = looked;
    for (let i = 1; i < 20; i++) {
      const again = score(profile, scanAt(4 * DAY + i, 'tokyo', 'c'), KNOWING, DEFAULT_POLICY);
      expect(again.score).to.equal(looked.score);
      expect(again.look).to.equal(null);
      ({ profile } = again);
    }
  });

  it('learns nothing from fewer than sixty units that turned, nor where no other is known', () => {
    const looks = (turned: boolean) => Array.from({ length: 200 }, () => ({ look: [3, 1], turned }));
    expect(learn([...looks(true), ...looks(false)], MIN_TURNED)).not.to.equal(null);
    expect(learn([...looks(true), ...looks(false)], MIN_TURNED - 1)).to.equal(null);
    expect(learn(looks(true), MIN_TURNED)).to.equal(null);
    expect(organizationOf(59, 200).hindsight).to.equal(null);
    expect(organizationOf(60, 200).hindsight).not.to.equal(null);
  });

  it('learns from no look of the last thirty days: what will become of the unit is not known yet', () => {
    const recollection = new Recollection();
    const { profile, assessments } = rescore(copied(), ANYWHERE, DEFAULT_POLICY);
    const plain = rescore(honest(), ANYWHERE, DEFAULT_POLICY);
    for (let i = 0; i < 100; i++) {
      for (const assessment of assessments) recollection.note(`copied ${i}`, { ...assessment, profile });
      for (const assessment of plain.assessments) recollection.note(`honest ${i}`, assessment);
    }
    recollection.learn(START + 20 * DAY * HOUR);
    expect(recollection.hindsight).to.equal(null);
  });

  it('is learned by a replay as it goes', () => {
    const answer = textReplayer(DEFAULT_POLICY);
    const lines: { unitId: string; scan: RiskScan }[] = [];
    const add = (unitId: string, history: RiskScan[]) =>
      lines.push(...history.map((scan) => ({ unitId, scan })));
    for (let i = 0; i < 300; i++) add(`honest ${i}`, honest(i));
    for (let i = 0; i < 100; i++) add(`copied ${i}`, copied(i * DAY));
    add('early', suspect());
    add('late', suspect(200 * DAY));
    lines.sort((a, b) => a.scan.at - b.scan.at);
    const told = new Map<string, string>();
    const begun = new Map<string, number>();
    for (const { unitId, scan } of lines) {
      const { scanId, at, sessionId } = scan;
      const line = {
        scanId,
        unitId,
        at,
        ...scan.place,
        sessionId,
        markets: [],
        activatedAt: begun.get(unitId) ?? at,
      };
      begun.set(unitId, line.activatedAt);
      told.set(unitId, answer(JSON.stringify(line)).result);
    }
    expect(told.get('early')).to.equal('genuine');
    expect(told.get('late')).to.equal('suspicious');
    expect(told.get('honest 299')).to.equal('genuine');
  });
});
