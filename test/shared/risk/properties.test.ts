import { expect } from 'chai';
import fc from 'fast-check';
import { NO_AUDIENCE } from '../../../shared/risk/audience.ts';
import {
  DEFAULT_POLICY,
  resolvePolicy,
  riskPolicySchema,
  type RiskPolicy,
} from '../../../shared/risk/policy.ts';
import { rescore, score } from '../../../shared/risk/score.ts';
import type { RiskScan, UnitContext } from '../../../shared/risk/types.ts';
import { ANYWHERE, START } from './scans.ts';

const RUNS = { numRuns: 150, seed: 20260101 };
const MARKETS = { markets: ['FR', 'US'], activatedAt: START };

const place = fc.option(
  fc.record({
    lat: fc.double({ min: -90, max: 90, noNaN: true }),
    lon: fc.double({ min: -180, max: 180, noNaN: true }),
    accuracyKm: fc.constantFrom(0, 0.05, 10, 25, 200, 1000),
    country: fc.constantFrom('FR', 'US', 'JP', null),
  }),
  { freq: 6 },
);

const scans = (options: { maxLength?: number; at?: fc.Arbitrary<number>; place?: typeof place } = {}) =>
  fc
    .array(
      fc.record({
        at: options.at ?? fc.integer({ min: START, max: START + 400 * 86_400_000 }),
        sessionId: fc.option(fc.string({ maxLength: 12 }), { freq: 8 }),
        networkId: fc.option(fc.constantFrom('n1', 'n2', 'n3', 'n4'), { freq: 1 }),
        place: options.place ?? place,
      }),
      { minLength: 1, maxLength: options.maxLength ?? 30 },
    )
    .map((list): RiskScan[] =>
      list.map((scan, i) => ({ ...scan, scanId: `scan-${String(i).padStart(4, '0')}` })),
    );

const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const weight = fc.constantFrom(0, 0.5, 1, 3);
/** Whatever an organization may set. */
const policy = fc
  .record(
    {
      thresholds: fc.record({ medium: number(1, 100), suspicious: fc.oneof(number(1, 30), number(1, 100)) }),
      clone: fc.record(
        {
          enabled: fc.boolean(),
          weight,
          wrongPositionRate: number(0.001, 0.3),
          moveRate: number(0.001, 0.5),
          learnVisitors: fc.boolean(),
          hindsight: fc.boolean(),
          notShipped: fc.boolean(),
          hiddenCodeVisitors: fc.integer({ min: 2, max: 100 }),
          nfcReplayVisitors: fc.integer({ min: 2, max: 100 }),
          consumed: fc.boolean(),
        },
        { requiredKeys: [] },
      ),
      impossibleTravel: fc.record(
        { enabled: fc.boolean(), weight, maxSpeedKmh: number(100, 10_000), minDistanceKm: number(0, 20_000) },
        { requiredKeys: [] },
      ),
      excessiveScanning: fc.record(
        {
          enabled: fc.boolean(),
          weight,
          windows: fc.array(
            fc.record({ hours: number(0.1, 8760), visitors: fc.integer({ min: 2, max: 44 }) }),
            {
              minLength: 1,
              maxLength: 5,
            },
          ),
        },
        { requiredKeys: [] },
      ),
      diversion: fc.record(
        {
          enabled: fc.boolean(),
          weight,
          borderRadii: number(0, 5),
          lotUnits: fc.integer({ min: 1, max: 9 }),
        },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  )
  .map((override) => resolvePolicy(riskPolicySchema.parse(override)));

const contexts = fc.constantFrom<UnitContext>(
  ANYWHERE,
  // Where nobody is ever known again, and where some are.
  { ...ANYWHERE, audience: { ...NO_AUDIENCE, looks: 9_000, known: 0 } },
  { ...MARKETS, audience: { ...NO_AUDIENCE, looks: 9_000, known: 1_500 } },
  MARKETS,
  { ...MARKETS, shipment: 'not-shipped' },
  { ...ANYWHERE, consumedAt: START + 86_400_000 },
  { ...ANYWHERE, decision: 'confirmed', decidedAt: START },
);

describe('risk score, whatever the scans', () => {
  it('gives a suspicious verdict never without a suspicious signal, nor a medium risk without a reason, whatever the policy', () => {
    // Within an hour as well as within a year: journeys are judged by the minute.
    const at = fc.oneof(
      fc.integer({ min: START, max: START + 3_600_000 }),
      fc.integer({ min: START, max: START + 400 * 86_400_000 }),
    );
    fc.assert(
      fc.property(scans({ maxLength: 12, at }), contexts, policy, (history, context, ownPolicy) => {
        for (const { signals, verdict, level } of rescore(history, context, ownPolicy).assessments) {
          if (level === 'medium' || level === 'high')
            expect(signals.filter(({ weight }) => weight > 0)).to.not.have.length(0);
          if (verdict !== 'suspicious') continue;
          expect(signals.filter(({ type, weight }) => type !== 'diversion' && weight > 0)).to.not.have.length(
            0,
          );
        }
      }),
      { ...RUNS, numRuns: 500 },
    );
  });

  it('is with journeys of no weight what it is without that rule', () => {
    const off = resolvePolicy({ impossibleTravel: { enabled: false } });
    const weightless = resolvePolicy({ impossibleTravel: { weight: 0 } });
    // Within days: journeys that are too fast, and of no haste.
    const at = fc.integer({ min: START, max: START + 5 * 86_400_000 });
    fc.assert(
      fc.property(scans({ at, maxLength: 8 }), contexts, (history, context) => {
        const scoresOf = (policy: RiskPolicy) =>
          rescore(history, context, policy).assessments.map((each) => [each.score, each.verdict]);
        expect(scoresOf(weightless)).to.deep.equal(scoresOf(off));
      }),
      { ...RUNS, numRuns: 500 },
    );
  });

  it('stays a whole number from 0 to 100, with finite evidence', () => {
    fc.assert(
      fc.property(scans(), (history) => {
        for (const { score: points, signals, verdict } of rescore(history, MARKETS, DEFAULT_POLICY)
          .assessments) {
          expect(Number.isInteger(points) && points >= 0 && points <= 100).to.equal(true);
          if (verdict === 'suspicious') expect(signals).to.not.have.length(0);
          expect(JSON.stringify(signals)).to.not.match(/(NaN|Infinity|:null,"lon)/);
        }
      }),
      RUNS,
    );
  });

  it('does not depend on the order in which simultaneous scans are given', () => {
    const sameTime = fc.constantFrom(START, START + 60_000);
    fc.assert(
      fc.property(scans({ at: sameTime, maxLength: 10 }), fc.infiniteStream(fc.nat()), (history, keys) => {
        const shuffled = history
          .map((scan) => ({ scan, key: keys.next().value ?? 0 }))
          .sort((a, b) => a.key - b.key)
          .map(({ scan }) => scan);
        expect(rescore(shuffled, ANYWHERE, DEFAULT_POLICY)).to.deep.equal(
          rescore(history, ANYWHERE, DEFAULT_POLICY),
        );
      }),
      RUNS,
    );
  });

  it('fires no rule of place on scans without one', () => {
    fc.assert(
      fc.property(scans({ place: fc.constant(null), maxLength: 15 }), (history) => {
        for (const { signals, score: points } of rescore(history, MARKETS, DEFAULT_POLICY).assessments) {
          expect(signals).to.deep.equal([]);
          expect(points).to.equal(0);
        }
      }),
      RUNS,
    );
  });

  it('is not moved by reloads in one session', () => {
    fc.assert(
      fc.property(scans(), fc.integer({ min: 1, max: 30 }), (history, reloads) => {
        const { profile, assessments } = rescore(history, ANYWHERE, DEFAULT_POLICY);
        const latest = [...history].sort((a, b) => a.at - b.at || (a.scanId < b.scanId ? -1 : 1)).at(-1)!;
        if (latest.sessionId === null || latest.sessionId === '') return;
        let state = profile;
        for (let i = 1; i <= reloads; i++) {
          const again = score(state, { ...latest, at: latest.at + i * 1000 }, ANYWHERE, DEFAULT_POLICY);
          state = again.profile;
          expect(again.score).to.equal(assessments.at(-1)!.score);
        }
      }),
      RUNS,
    );
  });

  it('is no higher for who comes next, whoever reloads in between', () => {
    // Of visitors who stay where they are: who moves may carry the object along.
    const spot = fc.constantFrom(
      ...[0, 1, 2, 3].map((i) => ({
        lat: 10 * i,
        lon: 40 * i,
        accuracyKm: 10 as const,
        country: 'FR' as const,
      })),
    );
    const still = scans({ maxLength: 10, place: spot });
    fc.assert(
      fc.property(
        still,
        still,
        fc.nat(),
        fc.integer({ min: 1, max: 60 }),
        (history, [newcomer], who, minutes) => {
          const byTime = history
            .map((scan, i) => ({ ...scan, sessionId: `session ${i}`, networkId: null }))
            .sort((a, b) => a.at - b.at);
          const at = byTime.at(-1)!.at + 86_400_000;
          const again = { ...byTime[who % byTime.length]!, scanId: 'y', at: at - minutes * 60_000 };
          const next = { ...newcomer!, scanId: 'z', at, sessionId: 'new', networkId: null };
          const scoreOf = (scansOf: RiskScan[]) =>
            rescore(scansOf, ANYWHERE, DEFAULT_POLICY).assessments.at(-1)!.score;
          expect(scoreOf([...byTime, again, next])).to.be.at.most(scoreOf([...byTime, next]));
        },
      ),
      RUNS,
    );
  });

  it('is never raised by one network, whatever sessions it invents', () => {
    fc.assert(
      fc.property(scans(), scans({ place: fc.constant(null), maxLength: 60 }), (history, flood) => {
        const { profile, assessments } = rescore(history, ANYWHERE, DEFAULT_POLICY);
        let state = profile;
        for (const [i, scan] of flood.entries()) {
          const at = profile.lastAt + i * 1000;
          const next = score(state, { ...scan, at, networkId: 'flood' }, ANYWHERE, DEFAULT_POLICY);
          state = next.profile;
          expect(next.score).to.be.at.most(assessments.at(-1)!.score);
        }
      }),
      RUNS,
    );
  });

  it('clears a unit at once when a person dismisses the suspicion', () => {
    fc.assert(
      fc.property(scans(), (history) => {
        const decidedAt = START + 500 * 86_400_000;
        const after: RiskScan = { ...history[0]!, scanId: 'zzz', at: decidedAt };
        const context = { ...ANYWHERE, decision: 'dismissed', decidedAt } as const;
        const { assessments } = rescore([...history, after], context, DEFAULT_POLICY);
        expect(assessments.at(-1)!.verdict).to.equal('clear');
      }),
      RUNS,
    );
  });

  it('keeps the profile under 5 KB however many scans there are', () => {
    const many = scans({ maxLength: 400 });
    fc.assert(
      fc.property(many, (history) => {
        const distinct = history.map((scan, i) => ({
          ...scan,
          // By the minute: journeys are remembered, too.
          at: START + i * 60_000 + (i % 7) * 1_001,
          place:
            scan.place === null
              ? null
              : { ...scan.place, accuracyKm: Math.abs(scan.place.lat ?? 0) * Math.E, source: 'ip' as const },
          sessionId: `session-number-${i}`,
          networkId: `network-number-${i}`,
        }));
        // Each of them looks again.
        const again = distinct.map((scan, i) => ({ ...scan, at: scan.at + 1_800_000, scanId: `x${i}` }));
        const { profile } = rescore([...distinct, ...again], MARKETS, DEFAULT_POLICY);
        expect(JSON.stringify(profile).length).to.be.at.most(5120);
      }),
      { ...RUNS, numRuns: 30 },
    );
  });
});
