import { expect } from 'chai';
import { COUNT_OF_4, COUNTRY_CHECK, DATADOG, ours, PANTHER, PLACES } from '../../bench/lib/risk/detectors.ts';
import { cities } from '../../bench/lib/risk/cities.ts';
import { itineraries } from '../../bench/lib/risk/itineraries.ts';
import { journeys } from '../../bench/lib/risk/journeys.ts';
import { measure, measureDiversion, MIN_FAKES } from '../../bench/lib/risk/measure.ts';
import { renewals } from '../../bench/lib/risk/renewals.ts';
import { towns } from '../../bench/lib/risk/towns.ts';
import { fakesScanned, outside, type Trace } from '../../bench/lib/risk/trace.ts';

describe('risk benchmark', () => {
  for (const [name, generate] of [
    ['journeys', journeys],
    ['hold-out', renewals],
    ['itineraries', itineraries],
    ['towns', towns],
    ['cities', cities],
  ] as const) {
    it(`makes the same ${name} from the same seed`, () => {
      expect(generate(5, 300)).to.deep.equal(generate(5, 300));
      expect(generate(5, 300)).to.not.deep.equal(generate(6, 300));
    });

    it(`tells the truth about each unit of ${name}`, () => {
      const traces = generate(7, 3000);
      expect(traces).to.have.length(3000);
      expect(new Set(traces.map(({ unitId }) => unitId)).size).to.equal(3000);
      const positives = traces.filter((trace) => trace.copied && fakesScanned(trace) >= MIN_FAKES);
      expect(positives.length / traces.length).to.be.within(0.005, 0.02);
      for (const { scans, copied, diverted, abroad, markets } of traces) {
        // Nobody scans most units; the other generators leave these out.
        if (generate !== cities) expect(scans).to.not.be.empty;
        expect(scans.map(({ at }) => at)).to.deep.equal(scans.map(({ at }) => at).sort((a, b) => a - b));
        if (scans.some(({ fake }) => fake > 0)) expect(copied).to.equal(true);
        if (copied) expect(diverted).to.equal(false);
        if (abroad || diverted) expect(markets).to.not.be.empty;
      }
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

  it('ranks the units that others let pass by their speed, too, below all that they flag', () => {
    const traces = itineraries(3, 2000);
    for (const other of [DATADOG, PANTHER]) {
      const judged = other.judge(traces);
      const flagged = judged.filter(({ firstAlert }) => firstAlert >= 0).map(({ score }) => score);
      const passed = judged.filter(({ firstAlert }) => firstAlert < 0).map(({ score }) => score);
      expect(Math.min(...flagged), other.name).to.be.greaterThan(Math.max(...passed));
      expect(new Set(passed), other.name).to.have.length.greaterThan(20);
    }
  });

  it('keeps what is diverted and what is carried abroad apart in towns', () => {
    const traces = towns(7, 12_000);
    const isReportedOutside = ({ scans, markets }: Trace) =>
      scans.some(({ place }) => (place?.country ?? null) !== null && outside(markets, place!.country!));
    const diverted = traces.filter((trace) => trace.diverted);
    const inside = traces.filter((trace) => !trace.diverted && !trace.abroad && !trace.copied);
    expect(diverted).to.not.be.empty;
    expect(diverted.filter((trace) => trace.abroad)).to.be.empty;
    expect(diverted.filter(isReportedOutside).length / diverted.length).to.be.greaterThan(0.9);
    expect(inside.filter(isReportedOutside).length / inside.length).to.be.lessThan(0.1);
  });
});
