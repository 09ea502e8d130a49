import { expect } from 'chai';
import { resolvePolicy } from '../../../shared/risk/policy.ts';
import { ANYWHERE, last, scanAt } from './scans.ts';

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

  it('leave a journey that no haste speaks against to the scan that ends it, however low the threshold', () => {
    const policy = resolvePolicy({ thresholds: { medium: 10 } });
    const journey = [scanAt(0, 'paris', 'a'), scanAt(5, 'newYork', 'b')];
    const typesOf = (history: typeof journey) =>
      last(history, ANYWHERE, policy).signals.map(({ type }) => type);
    expect(typesOf(journey)).to.deep.equal(['clone', 'impossible_travel']);
    expect(typesOf([...journey, scanAt(6, 'newYork', 'b')])).to.deep.equal(['clone']);
  });
});
