import { expect } from 'chai';
import { resolvePolicy } from '../../../shared/risk/policy.ts';
import type { UnitContext } from '../../../shared/risk/types.ts';
import { ANYWHERE, HOUR, last, scanAt, START } from './scans.ts';

describe('the reasons of a score', () => {
  it('are the unit’s places and its life alike, which share the score between them', () => {
    const far = [scanAt(0, 'paris', 'a'), scanAt(300, 'newYork', 'b'), scanAt(700, 'tokyo', 'c')];
    const { score: points, signals } = last(far, { ...ANYWHERE, shipment: 'not-shipped' });
    expect(signals.map((signal) => signal.type === 'clone' && signal.reason)).to.deep.equal([
      'places',
      'not-shipped',
    ]);
    const [places, life] = signals.map(({ weight }) => weight) as [number, number];
    expect(places).to.be.greaterThan(life);
    expect(places + life).to.be.within(points - 1, points + 1);
  });

  for (const [name, reason, field] of [
    ['the hidden code', 'hidden-code', 'hiddenCodeReusedAt'],
    ['the tag’s used taps', 'nfc-tap', 'nfcTapReplayedAt'],
  ] as const)
    it(`are ${name} from the scan on with which it showed, and until a person finds no copy`, () => {
      const reasonOf = (hour: number, context: Partial<UnitContext>) =>
        last([scanAt(hour, 'paris', 'a')], {
          ...ANYWHERE,
          [field]: START + 10 * HOUR,
          ...context,
        }).signals.find((signal) => signal.type === 'clone' && signal.reason === reason);
      const told = (context: Partial<UnitContext>) =>
        [9, 10, 15, 20, 30].filter((hour) => reasonOf(hour, context) !== undefined);
      const at = (hour: number) => START + hour * HOUR;
      expect(told({})).to.deep.equal([10, 15, 20, 30]);
      expect(reasonOf(10, {})).to.include({ evidence: 9 });
      expect(told({ [field]: null })).to.deep.equal([]);
      expect(told({ decision: 'dismissed', decidedAt: at(20) })).to.deep.equal([10, 15]);
      // It showed again since.
      expect(told({ decision: 'dismissed', decidedAt: at(5) })).to.deep.equal([10, 15, 20, 30]);
    });

  it('leave a journey that no haste speaks against to the scan that ends it, however low the threshold', () => {
    const policy = resolvePolicy({ thresholds: { medium: 10 } });
    const journey = [scanAt(0, 'paris', 'a'), scanAt(5, 'newYork', 'b')];
    const typesOf = (history: typeof journey) =>
      last(history, ANYWHERE, policy).signals.map(({ type }) => type);
    expect(typesOf(journey)).to.deep.equal(['clone', 'impossible_travel']);
    expect(typesOf([...journey, scanAt(6, 'newYork', 'b')])).to.deep.equal(['clone']);
  });
});
