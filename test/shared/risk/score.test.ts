import { expect } from 'chai';
import { DEFAULT_POLICY, resolvePolicy } from '../../../shared/risk/policy.ts';
import { rescore, score } from '../../../shared/risk/score.ts';
import type { RiskProfile, UnitContext } from '../../../shared/risk/types.ts';
import { ANYWHERE, HOUR, last, scanAt, START } from './scans.ts';

describe('risk score', () => {
  it('is clear for a first scan inside the markets', () => {
    const result = last([scanAt(0, 'paris', 'a')], { markets: ['FR', 'DE'], activatedAt: START });
    expect(result).to.include({ score: 0, level: 'none', verdict: 'clear' });
    expect(result.signals).to.deep.equal([]);
  });

  it('calls the very first impossible scan suspicious, with evidence to tell it in words', () => {
    const result = last([scanAt(0, 'paris', 'a'), scanAt(0.01, 'newYork', 'b')]);
    expect(result.verdict).to.equal('suspicious');
    expect(result.level).to.equal('high');
    expect(result.signals).to.have.length(1);
    expect(result.signals[0]).to.deep.include({
      type: 'impossible_travel',
      distanceKm: 5840,
      adjustedKm: 5820,
      minutes: 0.6,
      thresholdKmh: 1000,
      from: { country: 'FR', lat: 48.9, lon: 2.4, accuracyKm: 11, at: '2026-01-01T00:00:00.000Z' },
      to: { country: 'US', lat: 40.7, lon: -74, accuracyKm: 15, at: '2026-01-01T00:00:36.000Z' },
    });
  });

  it('tells of an impossible journey also where it is no verdict, with the scan that ends it and with no other', () => {
    for (const hours of [0.2, 0.5, 1, 5]) {
      const history = [scanAt(0, 'paris', 'a'), scanAt(hours, 'newYork', 'b')];
      const { verdict, signals, score: points } = last(history);
      expect(verdict, `${hours} h`).to.equal('clear');
      expect(signals.map(({ type }) => type)).to.deep.equal(['impossible_travel']);
      expect(signals[0]!.weight).to.be.at.most(points);
    }
    const ended = [scanAt(0, 'paris', 'a'), scanAt(1, 'newYork', 'b'), scanAt(2, 'newYork', 'b')];
    expect(last(ended).signals).to.deep.equal([]);
    expect(last([scanAt(0, 'paris', 'a'), scanAt(9, 'newYork', 'b')]).signals).to.deep.equal([]);
  });

  it('keeps the verdict for the same visitor who reloads', () => {
    const history = [scanAt(0, 'paris', 'a'), scanAt(0.01, 'newYork', 'b')];
    const before = last(history);
    const after = last([...history, scanAt(0.02, 'newYork', 'b')]);
    expect(after.score).to.equal(before.score);
    expect(after.signals).to.deep.equal(before.signals);
  });

  it('finds copies sold far apart without any impossible journey', () => {
    const history = [
      scanAt(0, 'paris', 'a'),
      scanAt(300, 'newYork', 'b'),
      scanAt(700, 'tokyo', 'c'),
      scanAt(1100, 'lagos', 'd'),
    ];
    const result = last(history);
    expect(result.verdict).to.equal('suspicious');
    const clone = result.signals.find((signal) => signal.type === 'clone');
    expect(clone).to.include({ reason: 'places', visitors: 4 });
    if (clone?.type !== 'clone') throw new Error('no clone');
    expect(clone.places.map((place) => place.country)).to.have.members(['FR', 'US', 'JP', 'NG']);
    // The first is as exact as a browser's own position, the second an address's.
    const [paris, newYork] = ['FR', 'US'].map((country) => clone.places.find((at) => at.country === country));
    expect(paris).to.include({ lat: 48.9, lon: 2.4 });
    expect(newYork).to.include({ lat: 40.7, lon: -74 });
  });

  it('believes one owner who travels the world with the product', () => {
    const history = [
      scanAt(0, 'paris', 'a'),
      scanAt(300, 'newYork', 'a'),
      scanAt(700, 'tokyo', 'a'),
      scanAt(1100, 'lagos', 'a'),
    ];
    expect(last(history)).to.include({ score: 0, verdict: 'clear' });
  });

  it('believes one visitor who switches a VPN on: a browser is in one place', () => {
    expect(last([scanAt(0, 'paris', 'a'), scanAt(0.01, 'tokyo', 'a')]).verdict).to.equal('clear');
  });

  it('believes a household, a trip of a companion and the return', () => {
    const history = [
      scanAt(0, 'paris', 'a'),
      scanAt(1, 'paris', 'b'),
      scanAt(500, 'newYork', 'c'),
      scanAt(800, 'paris', 'd'),
    ];
    expect(last(history).verdict).to.equal('clear');
  });

  it('finds the way home from an excursion cheap, and no more than one', () => {
    const trip = [
      scanAt(0, 'paris', 'a'),
      scanAt(300, 'newYork', 'b'),
      scanAt(310, 'newYork', 'c'),
      scanAt(560, 'paris', 'd'),
    ];
    expect(last(trip).score).to.be.lessThan(55);
    const again = [
      ...trip,
      scanAt(900, 'newYork', 'e'),
      scanAt(1300, 'paris', 'f'),
      scanAt(1700, 'newYork', 'g'),
    ];
    expect(last(again).verdict).to.equal('suspicious');
  });

  it('lets a busy display survive a visitor behind a VPN', () => {
    const history = Array.from({ length: 25 }, (_, i) =>
      scanAt(i * 3, i % 2 ? 'paris' : 'parisMobile', `v${i}`),
    );
    expect(last([...history, scanAt(75.1, 'tokyo', 'vpn')]).verdict).to.equal('clear');
  });

  it('counts scans of a unit that was never shipped, and of one already consumed', () => {
    const home = scanAt(0, 'paris', 'a');
    const unshipped = last([home], { ...ANYWHERE, shipment: 'not-shipped' });
    expect(unshipped.signals[0]).to.include({ type: 'clone', reason: 'not-shipped' });
    const consumed = last([home, scanAt(200, 'lyon', 'b')], { ...ANYWHERE, consumedAt: START + 100 * HOUR });
    expect(consumed.signals.map((signal) => signal.type === 'clone' && signal.reason)).to.include('consumed');
    expect(last([home], { ...ANYWHERE, consumedAt: START - HOUR }).score).to.be.greaterThan(30);
  });

  it('says of a visitor who came in the minute of the consumption the same with each look', () => {
    const context = { ...ANYWHERE, consumedAt: START + 30_000 };
    const looks = [50, 70, 3600].map((seconds) => scanAt(seconds / 3600, 'paris', 'a'));
    const { assessments } = rescore(looks, context, DEFAULT_POLICY);
    expect(assessments.map((each) => each.score)).to.deep.equal([0, 0, 0]);
  });

  it('takes a position of which nobody says how exact it is for one of 50 km at a border as well', () => {
    const nearFrance = (accuracyKm: number | null) => {
      const scan = scanAt(0, 'paris', 'a');
      return last([{ ...scan, place: { lat: 49.24, lon: 7.05, accuracyKm, country: 'DE' } }], {
        markets: ['FR'],
        activatedAt: START,
      });
    };
    expect(nearFrance(null).signals).to.deep.equal(nearFrance(50).signals);
    expect(nearFrance(null).verdict).to.equal('clear');
    expect(nearFrance(0).verdict).to.equal('diverted');
  });

  it('lets no visitor pay for the impossible journey of another, whose place they share', () => {
    const stranger = [scanAt(0, 'tokyo', 'a'), scanAt(0.02, 'paris', 'b')];
    expect(last(stranger).verdict).to.equal('suspicious');
    const others = [24, 25, 48, 960, 961].map((hours, i) => scanAt(hours, 'paris', i < 3 ? 'c' : 'd'));
    const { assessments } = rescore([...stranger, ...others], ANYWHERE, DEFAULT_POLICY);
    expect(assessments.slice(2).map(({ verdict }) => verdict)).to.deep.equal(Array(5).fill('clear'));
    // Nor who scans in the very same moment.
    expect(last([...stranger, scanAt(0.02, 'paris', 'c')]).verdict).to.equal('clear');
    expect(last([...stranger, scanAt(24, 'paris', 'b')]).verdict).to.equal('suspicious');
  });

  it('never overrides a person who confirmed a copy', () => {
    const result = last([scanAt(0, 'paris', 'a')], { ...ANYWHERE, decision: 'confirmed', decidedAt: START });
    expect(result).to.include({ score: 100, verdict: 'suspicious' });
    expect(result.signals[0]).to.include({ type: 'clone', reason: 'confirmed' });
  });

  it('starts afresh after a dismissal, and suspects again on new evidence', () => {
    const history = [scanAt(0, 'paris', 'a'), scanAt(0.01, 'newYork', 'b')];
    const dismissed = { ...ANYWHERE, decision: 'dismissed', decidedAt: START + HOUR } as const;
    expect(last([...history, scanAt(2, 'newYork', 'c')], dismissed)).to.include({ verdict: 'clear' });
    expect(
      last([...history, scanAt(2, 'newYork', 'c'), scanAt(2.02, 'tokyo', 'd')], dismissed).verdict,
    ).to.equal('suspicious');
    expect(last([...history, scanAt(2, 'newYork', 'b')]).verdict).to.equal('suspicious');
  });

  it('counts nobody towards a copy who was abroad before a dismissal', () => {
    for (const context of [{ markets: ['FR'], activatedAt: START }, ANYWHERE]) {
      const tour = (['paris', 'lyon', 'tokyo'] as const).map((name, i) => scanAt(240 * i, name, name));
      const dismissed = { ...context, decision: 'dismissed', decidedAt: START + 840 * HOUR } as const;
      const abroad = scanAt(960, 'newYork', 'd');
      const { profile, score: points } = last([...tour, abroad], dismissed);
      // As the first one abroad of a unit at home, not as the second.
      const atHome = (['paris', 'lyon', 'paris'] as const).map((name, i) =>
        scanAt(240 * i, name, `home${i}`),
      );
      expect(points).to.be.at.most(last([...atHome, abroad], dismissed).score + 5);
      const [inside, outside] = context === ANYWHERE ? [0, 0] : [2, 1];
      expect(profile.forgiven).to.deep.equal({ inside, outside, most: 2, elsewhere: 1 });
      // Those who come later are counted.
      const next = last([...tour, abroad, scanAt(1200, 'tokyo', 'e')], dismissed);
      expect(next.score).to.be.greaterThan(points);
    }
  });

  it('tells nobody anew after a dismissal what was told before it', () => {
    const abroad = { markets: ['DE'], activatedAt: START, lot: { units: 40, outside: {} } };
    const owners = (['tokyo', 'osaka', 'tokyo', 'tokyo'] as const).map((name, i) =>
      scanAt(144 * i, name, `o${i}`),
    );
    const later = (['tokyo', 'osaka', 'tokyo', 'osaka'] as const).map((name, i) =>
      scanAt(1464 + 288 * i, name, `p${i}`),
    );
    const dismissed = { ...abroad, decision: 'dismissed', decidedAt: START + 1440 * HOUR } as const;
    const { assessments } = rescore([...owners, ...later], dismissed, DEFAULT_POLICY);
    expect(assessments.slice(owners.length).map(({ verdict }) => verdict)).not.to.include('suspicious');
  });

  it('forgives those abroad as well where markets came after the dismissal, or an older release noted nobody', () => {
    const home = { markets: ['FR'], activatedAt: START };
    const dismissed = { decision: 'dismissed', decidedAt: START + 1440 * HOUR } as const;
    const history = (['paris', 'paris', 'tokyo'] as const).map((name, i) => scanAt(48 * i, name, `v${i}`));
    const decided = scanAt(1464, 'paris', 'x');
    const next = scanAt(1512, 'newYork', 'y');
    const scoreUnder = (before: UnitContext, edit = (profile: RiskProfile) => profile) => {
      const { profile } = rescore([...history, decided], { ...before, ...dismissed }, DEFAULT_POLICY);
      return score(edit(profile), next, { ...home, ...dismissed }, DEFAULT_POLICY);
    };
    const allAlong = scoreUnder(home);
    expect(allAlong.profile.forgiven).to.deep.equal({ inside: 2, outside: 1, most: 2, elsewhere: 1 });
    const since = scoreUnder(ANYWHERE);
    expect(since.profile.forgiven).to.deep.equal({ ...allAlong.profile.forgiven, inside: 3 });
    expect(since.score).to.be.within(allAlong.score, allAlong.score + 5);
    const older = scoreUnder(home, (profile) => {
      const stored = structuredClone(profile);
      delete stored.forgiven;
      return stored;
    });
    expect(older.score).to.be.within(0, allAlong.score);
  });

  it('is no worse for a family whose owner looked again, and then through a VPN in another browser', () => {
    const home = [scanAt(0, 'munich', 'shop'), scanAt(240, 'munich', 'owner')];
    const family = scanAt(400, 'munich', 'family');
    const context = { markets: ['DE'], activatedAt: START };
    const vpn = [
      scanAt(300, 'munich', 'owner'),
      scanAt(300.1, 'tokyo', 'browser', 'exit'),
      scanAt(310, 'munich', 'owner'),
      scanAt(310.1, 'rio', 'browser 2', 'exit 2'),
    ];
    expect(last([...home, ...vpn, family], context).score).to.be.lessThan(30);
  });

  it('is no worse for the next visitor when a stranger hops into the household’s country', () => {
    const context = { markets: ['DE'], activatedAt: START };
    const history = [scanAt(0, 'berlin', 'a'), scanAt(240, 'tokyo', 'stranger')];
    const hop = scanAt(480, 'berlin', 'stranger');
    const next = scanAt(720, 'munich', 'b');
    expect(last([...history, hop, next], context).score).to.be.at.most(
      last([...history, next], context).score,
    );
  });

  it('is no worse for a household when one stranger tries exit after exit of a VPN', () => {
    const exits = [
      'munich',
      'paris',
      'newYork',
      'singapore',
      'lagos',
      'rio',
      'lyon',
      'rome',
      'toronto',
      'osaka',
    ] as const;
    const hops = exits.map((exit, i) => scanAt(588 + 0.2 * i, exit, 'stranger', `exit ${i}`));
    const history = [
      scanAt(0, 'berlin', 'shop'),
      ...[240, 528, 560].map((hours, i) => scanAt(hours, 'munich', `h${i}`)),
      scanAt(564, 'tokyo', 'stranger'),
    ];
    const household = scanAt(592, 'munich', 'h3');
    const context = { markets: ['DE'], activatedAt: START };
    const after = last([...history, ...hops], context).profile.places;
    expect(after.filter(({ visitors }) => visitors > 0).map(({ country }) => country)).to.have.members([
      'DE',
      'DE',
      'JP',
    ]);
    expect(last([...history, ...hops, household], context).score).to.be.at.most(
      last([...history, household], context).score,
    );
  });

  it('is no worse for a buyer when somebody far away reloads just before', () => {
    for (const stranger of [
      { sessionId: 'stranger', networkId: null },
      { sessionId: null, networkId: 'stranger' },
    ]) {
      const look = (hours: number) => ({ ...scanAt(hours, 'tokyo', null), ...stranger });
      for (const history of [[look(0)], [scanAt(0, 'paris', 'a'), scanAt(24, 'paris', 'b'), look(48)]]) {
        const buyer = scanAt(240, 'berlin', 'buyer');
        const without = last([...history, buyer]);
        for (const minutes of [0.5, 1, 2, 31, 60]) {
          const { score: points, verdict } = last([...history, look(240 - minutes / 60), buyer]);
          expect(points, `${minutes} minutes`).to.be.within(minutes > 30 ? without.score : 0, without.score);
          expect(verdict).to.equal(without.verdict);
        }
      }
    }
  });

  it('holds an impossible journey against the scan that made it, not against those who come after', () => {
    const history = [scanAt(0, 'paris', 'a'), scanAt(0.03, 'tokyo', 'vpn')];
    expect(last(history).verdict).to.equal('suspicious');
    for (const hours of [0.1, 0.4, 1, 30])
      expect(last([...history, scanAt(hours, 'paris', 'c')]), `${hours} h`).to.include({ verdict: 'clear' });
  });

  it('believes the next visitor when one person has hopped through four exits of a VPN', () => {
    const hops = (['tokyo', 'newYork', 'lagos', 'berlin'] as const).map((exit, i) =>
      scanAt(0.05 * (i + 1), exit, `exit${i}`),
    );
    const history = [scanAt(0, 'paris', 'a'), ...hops];
    for (const hours of [1, 50, 500])
      expect(last([...history, scanAt(hours, 'paris', 'c')]), `${hours} h`).to.include({ verdict: 'clear' });
  });

  it('judges a late scan against the newer ones, too', () => {
    const policy = DEFAULT_POLICY;
    const newer = score(null, scanAt(1, 'newYork', 'b'), ANYWHERE, policy);
    const late = score(newer.profile, scanAt(0.99, 'paris', 'a'), ANYWHERE, policy);
    expect(late.verdict).to.equal('suspicious');
    expect(late.profile.lastAt).to.equal(START + HOUR);
  });

  it('does not change the profile that it is given', () => {
    const { profile } = score(null, scanAt(0, 'paris', 'a'), ANYWHERE, DEFAULT_POLICY);
    const copy = structuredClone(profile);
    score(profile, scanAt(0.01, 'newYork', 'b'), ANYWHERE, DEFAULT_POLICY);
    expect(profile).to.deep.equal(copy);
  });

  it('goes on from a profile that was stored as JSON', () => {
    const history = [scanAt(0, 'paris', 'a'), scanAt(400, 'tokyo', 'b'), scanAt(401, 'paris', 'c')];
    const whole = rescore(history, ANYWHERE, DEFAULT_POLICY).profile;
    let stored = score(null, history[0]!, ANYWHERE, DEFAULT_POLICY).profile;
    for (const scan of history.slice(1)) {
      stored = score(JSON.parse(JSON.stringify(stored)), scan, ANYWHERE, DEFAULT_POLICY).profile;
    }
    expect(stored).to.deep.equal(whole);
  });

  it('gives a reason for every suspicious verdict, however low the threshold', () => {
    const policy = resolvePolicy({ thresholds: { suspicious: 20 } });
    const result = last([scanAt(0, 'paris', 'a'), scanAt(400, 'tokyo', 'b')], ANYWHERE, policy);
    expect(result.verdict).to.equal('suspicious');
    expect(result.signals).to.have.length(1);
  });

  it('gives a reason for every medium risk, and none for a low one', () => {
    const policy = resolvePolicy({ thresholds: { medium: 20 } });
    const history = [scanAt(0, 'paris', 'a'), scanAt(400, 'tokyo', 'b')];
    const { level, score: points, signals } = last(history, ANYWHERE, policy);
    expect(level).to.equal('medium');
    expect(signals.map(({ type, weight }) => [type, weight])).to.deep.equal([['clone', points]]);
    expect(last(history, ANYWHERE)).to.deep.include({ level: 'low', signals: [] });
  });

  it('gives a reason that has weight, and gives it first', () => {
    const policy = resolvePolicy({
      thresholds: { suspicious: 20 },
      excessiveScanning: { weight: 0, windows: [{ hours: 720, visitors: 2 }] },
    });
    const result = last([scanAt(0, 'paris', 'a'), scanAt(400, 'tokyo', 'b')], ANYWHERE, policy);
    expect(result.verdict).to.equal('suspicious');
    expect(result.signals.map(({ type, weight }) => [type, weight])).to.deep.equal([
      ['clone', result.score],
      ['excessive_scanning', 0],
    ]);
  });

  it('judges impossible travel by itself when the clone model is off', () => {
    const policy = resolvePolicy({ clone: { enabled: false } });
    const history = [scanAt(0, 'paris', 'a'), scanAt(0.01, 'newYork', 'b')];
    expect(last(history, ANYWHERE, policy).verdict).to.equal('suspicious');
  });
});
