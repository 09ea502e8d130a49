import { expect } from 'chai';
import { COUNT_OF_4, COUNTRY_CHECK, DATADOG, ours, PANTHER, PLACES } from '../../bench/lib/risk/detectors.ts';
import { itineraries } from '../../bench/lib/risk/itineraries.ts';
import { journeys } from '../../bench/lib/risk/journeys.ts';
import { measure, measureDiversion } from '../../bench/lib/risk/measure.ts';
import { renewals } from '../../bench/lib/risk/renewals.ts';

describe('risk benchmark', () => {
  for (const [name, generate] of [
    ['journeys', journeys],
    ['hold-out', renewals],
    ['itineraries', itineraries],
  ] as const) {
    it(`makes the same ${name} from the same seed`, () => {
      expect(generate(5, 300)).to.deep.equal(generate(5, 300));
      expect(generate(5, 300)).to.not.deep.equal(generate(6, 300));
    });

    it(`is ahead of the rules of others on ${name}`, () => {
      const traces = generate(24, 6000);
      const mine = measure('mine', traces, ours('mine').judge(traces));
      const astray = measureDiversion('mine', traces, ours('mine').judge(traces));
      const theirCheck = measureDiversion('theirs', traces, COUNTRY_CHECK.judge(traces));
      expect(astray.precision).to.be.greaterThan(Math.max(0.55, theirCheck.precision));
      expect(astray.recall).to.be.greaterThan(0.75);
      expect(mine.precision).to.be.greaterThan(0.65);
      expect(mine.recall).to.be.greaterThan(0.7);
      expect(mine.falseAlarmsPer1000).to.be.lessThan(4);
      for (const other of [DATADOG, PANTHER, COUNT_OF_4, PLACES]) {
        const theirs = measure(other.name, traces, other.judge(traces));
        expect(mine.f1).to.be.greaterThan(theirs.f1);
        expect(mine.prAuc).to.be.greaterThan(theirs.prAuc);
        expect(mine.falseAlarmsPer1000).to.be.lessThan(theirs.falseAlarmsPer1000);
      }
    });
  }
});
