import { expect } from 'chai';
import { DEFAULT_POLICY, resolvePolicy, riskPolicySchema } from '../../../shared/risk/policy.ts';
import { findJump, impossibleTravelSignal } from '../../../shared/risk/impossible-travel.ts';
import { rescore, score } from '../../../shared/risk/score.ts';
import type { Fix, RiskScan } from '../../../shared/risk/types.ts';
import { ANYWHERE, last, PLACES, scanAt, START } from './scans.ts';

const fix = (place: keyof typeof PLACES, minutes: number): Fix => ({
  placeId: 0,
  ...PLACES[place],
  at: START + minutes * 60_000,
});
const EUROPE = { markets: ['FR', 'ES'], activatedAt: START };

describe('impossible travel', () => {
  it('takes both uncertainty radii off the distance before dividing', () => {
    const jump = findJump([fix('paris', 0)], fix('newYork', 60), 0, DEFAULT_POLICY)!;
    expect(jump.distanceKm - jump.adjustedKm).to.be.closeTo(25, 0.001);
    expect(jump.speedKmh).to.be.closeTo(jump.adjustedKm, 0.001);
  });

  it('tells less the longer the gap was, and the more others were near in time', () => {
    const nats = (minutes: number, crowd = 0) =>
      findJump([fix('paris', 0)], fix('newYork', minutes), crowd, DEFAULT_POLICY)!.nats;
    for (const minutes of [0, 1, 1.5]) expect(nats(minutes)).to.be.closeTo(5.4, 1e-9);
    expect(nats(3)).to.be.closeTo(4, 1e-9);
    expect(nats(6)).to.be.closeTo(2.6, 1e-9);
    expect(nats(1, 2)).to.be.closeTo(5.4, 1e-9);
    expect(nats(1, 20)).to.be.closeTo(5.4 - Math.log(10), 1e-9);
    expect(nats(60)).to.equal(0);
  });

  it('is silent between two mobile positions of one spot, a minute apart', () => {
    const a = { ...fix('parisMobile', 0), lat: 47.2 };
    expect(findJump([a], { ...fix('parisMobile', 1), lat: 50.4 }, 0, DEFAULT_POLICY)).to.equal(null);
  });

  it('is silent at the speed of an airliner, and under the floor', () => {
    expect(findJump([fix('paris', 0)], fix('newYork', 8 * 60), 0, DEFAULT_POLICY)).to.equal(null);
    const near = { ...fix('paris', 1), lat: 50.8 };
    expect(findJump([fix('paris', 0)], near, 0, DEFAULT_POLICY)).to.equal(null);
  });

  it('tells no speed below the one that the journey had, however its minutes are rounded', () => {
    const policy = resolvePolicy({ impossibleTravel: { maxSpeedKmh: 900 } });
    const equator = { ...fix('paris', 0), lat: 0, lon: 0, accuracyKm: 10 };
    const jump = findJump(
      [equator],
      { ...fix('paris', 20.66), lat: 0, lon: 2.96767, accuracyKm: 10 },
      0,
      policy,
    )!;
    // In 20.66 minutes, which are not to be told as 20.7.
    expect(jump.adjustedKm).to.be.within(309.98, 310);
    expect(impossibleTravelSignal({ ...jump, visitor: ['s', ''] }, 10, policy)).to.include({
      adjustedKm: 310,
      minutes: 20.6,
      speedKmh: 903,
    });
  });

  it('speaks less of a busy shop, where somebody is always near in time', () => {
    const alone = findJump([fix('paris', 0)], fix('tokyo', 2), 1, DEFAULT_POLICY)!;
    const busy = findJump([fix('paris', 0)], fix('tokyo', 2), 30, DEFAULT_POLICY)!;
    expect(busy.nats).to.be.lessThan(alone.nats - 2);
  });
});

describe('excessive scanning', () => {
  const policy = resolvePolicy({ excessiveScanning: { windows: [{ hours: 1, visitors: 10 }] } });
  const crowd = (n: number, hours: number, network: (i: number) => string | null = () => null) =>
    Array.from({ length: n }, (_, i) => scanAt((i * hours) / n, null, `s${i}`, network(i)));

  it('fires on many visitors within an hour', () => {
    const result = last(crowd(10, 0.9), undefined, policy);
    expect(result.verdict).to.equal('suspicious');
    expect(result.signals[0]).to.include({
      type: 'excessive_scanning',
      visitors: 10,
      windowHours: 1,
      threshold: 10,
    });
  });

  it('lets visitors leave the window', () => {
    expect(last(crowd(12, 2), undefined, policy).signals).to.deep.equal([]);
  });

  it('counts one network once, however many sessions it invents', () => {
    expect(
      last(
        crowd(40, 0.9, () => 'one'),
        undefined,
        policy,
      ),
    ).to.include({ score: 0, verdict: 'clear' });
  });

  it('bounds what two networks can invent between them', () => {
    const result = last(
      crowd(40, 0.9, (i) => (i % 2 ? 'one' : 'two')),
      undefined,
      policy,
    );
    expect(result.profile.visitors).to.equal(2);
  });

  it('never counts visits without a session and a network', () => {
    const hits = Array.from({ length: 50 }, (_, i) => scanAt(i / 60, 'paris', null));
    expect(last(hits, undefined, policy)).to.include({ score: 0, verdict: 'clear' });
  });
});

describe('diversion', () => {
  it('is told at the first scan outside the markets', () => {
    const result = last([scanAt(0, 'newYork', 'a')], EUROPE);
    expect(result.verdict).to.equal('diverted');
    expect(result.score).to.be.lessThan(DEFAULT_POLICY.thresholds.suspicious);
    expect(result.signals[0]).to.deep.include({
      type: 'diversion',
      country: 'US',
      markets: ['FR', 'ES'],
      counted: true,
    });
  });

  it('is told of no unit whose code is possibly copied, until somebody finds no copy', () => {
    const copied = [scanAt(0, 'paris', 'a'), scanAt(0.02, 'tokyo', 'b')];
    expect(last(copied, EUROPE).verdict).to.equal('suspicious');
    const later = scanAt(400, 'tokyo', 'c');
    const found = last([...copied, scanAt(300, 'tokyo', 'b2'), later], EUROPE);
    expect(found.verdict).to.equal('clear');
    expect(found.signals.find(({ type }) => type === 'diversion')).to.include({
      counted: false,
      reason: 'unit-doubtful',
    });
    const dismissed = { ...EUROPE, decision: 'dismissed', decidedAt: START + 350 * 3_600_000 } as const;
    const afresh = last([...copied, later, scanAt(500, 'tokyo', 'd')], dismissed);
    expect(afresh).to.include({ verdict: 'diverted' });
    // Of those abroad only who came since.
    expect(afresh.signals.find(({ type }) => type === 'diversion')).to.include({ visitorsOutside: 2 });
    // Before the decision the unit was in doubt, and after it what came before puts it in none.
    const before = [scanAt(340, 'newYork', 'e'), scanAt(340.01, 'lyon', 'f')];
    const { assessments } = rescore([...copied, ...before, later], dismissed, DEFAULT_POLICY);
    expect(
      assessments.map(({ verdict, signals }) => [
        verdict,
        signals.find((signal) => signal.type === 'diversion')?.reason,
      ]),
    ).to.deep.equal([
      ['clear', undefined],
      ['suspicious', 'unit-doubtful'],
      ['clear', 'unit-doubtful'],
      ['suspicious', undefined],
      ['clear', 'seen-inside'],
    ]);
  });

  it('is told of no unit that a person suspects, for as long as that lasted at the time of the scan', () => {
    const hours = [100, 200, 300, 400];
    const context = {
      ...EUROPE,
      raisedAt: hours.map((hour) => START + hour * 3_600_000),
      decision: 'dismissed',
      decidedAt: START + 400 * 3_600_000,
    } as const;
    const verdictAt = (hour: number) => last([scanAt(hour, 'tokyo', 'a')], context).verdict;
    expect([50, 150, 250, 350, 450].map(verdictAt)).to.deep.equal([
      'diverted',
      'clear',
      'diverted',
      'clear',
      'diverted',
    ]);
  });

  it('is no customer abroad who looks twice there', () => {
    const lot = { units: 20, outside: { US: 5 } };
    const customer = [scanAt(0, 'paris', 'a'), scanAt(200, 'newYork', 'a'), scanAt(300, 'newYork', 'a')];
    for (const context of [EUROPE, { ...EUROPE, lot }]) {
      const { assessments } = rescore(customer, context, DEFAULT_POLICY);
      expect(assessments.map(({ verdict }) => verdict)).to.deep.equal(['clear', 'clear', 'clear']);
    }
    // One of an overseas region is at home there.
    const reunion = { lat: -21.1, lon: 55.5, accuracyKm: 10, country: 'RE' };
    const traveller = [{ ...scanAt(0, 'paris', 'a'), place: reunion }, scanAt(200, 'newYork', 'a')];
    const { signals } = last(traveller, { ...EUROPE, lot: { units: 20, outside: { US: 18 } } });
    expect(signals.find(({ type }) => type === 'diversion')).to.include({ reason: 'seen-inside' });
  });

  it('knows who came from within the markets for as long as they are away, whoever else is there', () => {
    const strangers = [scanAt(10, 'newYork', 'b'), scanAt(20, 'newYork', 'c')];
    const looks = [300, 301, 700].map((hour) => scanAt(hour, 'newYork', 'a'));
    const reasons = (history: RiskScan[]) =>
      rescore(history, EUROPE, DEFAULT_POLICY)
        .assessments.slice(-looks.length)
        .map(({ verdict, signals }) => [
          verdict,
          signals.find((signal) => signal.type === 'diversion')?.reason,
        ]);
    const away = looks.map(() => ['clear', 'seen-inside']);
    expect(reasons([scanAt(0, 'paris', 'a'), ...strangers, ...looks])).to.deep.equal(away);
    // Another who has always been there is no customer abroad.
    const there = looks.map((look) => ({ ...look, sessionId: 'b' }));
    expect(reasons([scanAt(0, 'paris', 'a'), ...strangers, ...there])).to.deep.equal(
      looks.map(() => ['diverted', 'outside-markets']),
    );
    // Nor is it forgotten on the way, in a place that is not known.
    const nowhere = { ...scanAt(250, 'tokyo', 'a'), place: null };
    const stops = [scanAt(200, 'tokyo', 'a'), nowhere];
    expect(reasons([scanAt(0, 'paris', 'a'), ...strangers, ...stops, ...looks])).to.deep.equal(away);
  });

  it('does not count whom a person found no copy among', () => {
    const history = (['tokyo', 'newYork', 'tokyo', 'paris'] as const).map((name, i) =>
      scanAt(240 * i, name, `v${i}`),
    );
    const lot = { units: 40, outside: {} };
    const dismissed = { ...EUROPE, lot, decision: 'dismissed', decidedAt: START + 1000 * 3_600_000 } as const;
    const { verdict, signals } = last([...history, scanAt(1200, 'newYork', 'w')], dismissed);
    expect(verdict).to.equal('clear');
    const told = signals.find(({ type }) => type === 'diversion');
    expect(told).to.include({ counted: false, visitorsInside: 1, visitorsOutside: 1 });
  });

  it('is told by the places of those who came before the unit had markets', () => {
    const markets = { markets: ['FR'], activatedAt: START };
    const sold = (['tokyo', 'tokyo', 'paris'] as const).map((name, i) => scanAt(24 * i, name, `sold${i}`));
    const before = rescore(sold.slice(0, 2), ANYWHERE, DEFAULT_POLICY).profile;
    expect(before).to.include({ inside: 0, outside: 0 }).and.not.to.have.property('seenIn');
    const abroad = score(before, scanAt(100, 'tokyo', 'new'), markets, DEFAULT_POLICY);
    expect(abroad).to.include({ verdict: 'diverted' });
    expect(abroad.profile).to.include({ inside: 0, outside: 3, seenIn: 'JP' });
    // As an older release left it: everybody inside of everywhere.
    const older = score({ ...before, inside: 2 }, scanAt(100, 'tokyo', 'new'), markets, DEFAULT_POLICY);
    expect(older.profile).to.deep.equal(abroad.profile);

    // By their country alone, where nothing finer is known: they do not count.
    const vague = { ...before, inside: 2, places: [] };
    expect(score(vague, scanAt(100, 'tokyo', 'new'), markets, DEFAULT_POLICY).profile).to.include({
      inside: 0,
      outside: 1,
      seenIn: 'JP',
    });

    const mixed = rescore(sold, ANYWHERE, DEFAULT_POLICY).profile;
    expect(score(mixed, scanAt(100, 'paris', 'new'), markets, DEFAULT_POLICY).profile).to.include({
      inside: 2,
      outside: 2,
      seenIn: 'JP',
    });
  });

  it('is not told of a unit that may be a copy itself', () => {
    const result = last([scanAt(0, 'paris', 'a'), scanAt(0.02, 'newYork', 'b')], EUROPE);
    expect(result.verdict).to.equal('suspicious');
    expect(result.signals.at(-1)).to.include({
      type: 'diversion',
      counted: false,
      reason: 'unit-doubtful',
      weight: 0,
    });
  });

  it('weighs nothing where the policy says so, and decides nothing then', () => {
    const weightless = resolvePolicy({ diversion: { weight: 0 } });
    const { profile } = score(null, scanAt(0, 'newYork', 'a'), EUROPE, weightless);
    const { verdict, signals } = score(profile, scanAt(1, 'newYork', 'b'), EUROPE, weightless);
    expect(verdict).to.equal('clear');
    expect(signals.at(-1)).to.include({
      type: 'diversion',
      counted: false,
      reason: 'outside-markets',
      weight: 0,
    });
  });

  it('is not told of a customer abroad', () => {
    const result = last([scanAt(0, 'paris', 'a'), scanAt(200, 'newYork', 'a')], EUROPE);
    expect(result.verdict).to.equal('clear');
    expect(result.signals[0]).to.include({ type: 'diversion', counted: false, reason: 'seen-inside' });
    const met = [scanAt(0, 'paris', 'a'), scanAt(200, 'newYork', 'b'), scanAt(400, 'newYork', 'a')];
    expect(last(met, EUROPE).verdict).to.equal('clear');
  });

  it('is not told while as many visitors were at home, unless the lot went abroad', () => {
    const even = [scanAt(0, 'paris', 'a'), scanAt(200, 'newYork', 'b')];
    expect(last(even, EUROPE).signals[0]).to.include({ counted: false, reason: 'seen-inside' });
    expect(last([...even, scanAt(900, 'newYork', 'c')], EUROPE).verdict).to.equal('diverted');
    expect(last(even, { ...EUROPE, lot: { units: 40, outside: { US: 30 } } }).verdict).to.equal('diverted');
  });

  describe('in a lot', () => {
    const lot = (units: number, inUS: number) => ({ ...EUROPE, lot: { units, outside: { US: inUS } } });
    const first = (context: typeof EUROPE) => last([scanAt(0, 'newYork', 'a')], context);

    it('is told of a unit whose fellows went the same way, and not of one that is alone there', () => {
      expect(first(lot(40, 40)).verdict).to.equal('diverted');
      expect(first(lot(40, 12)).verdict).to.equal('diverted');
      expect(first(lot(40, 0))).to.include({ verdict: 'clear', score: 0 });
      expect(first(lot(40, 0)).signals[0]).to.deep.include({
        counted: false,
        reason: 'lot-inside',
        lot: { among: 'lot', units: 40, sameCountry: 0 },
      });
      expect(first(lot(400, 4)).verdict).to.equal('clear');
    });

    it('is judged by itself while fewer fellows were seen than the policy asks for', () => {
      expect(first(lot(2, 0)).verdict).to.equal('diverted');
      expect(
        last([scanAt(0, 'newYork', 'a')], lot(40, 0), resolvePolicy({ diversion: { lotUnits: 41 } })).verdict,
      ).to.equal('diverted');
      const asked = resolvePolicy({ diversion: { lotUnits: 40 } });
      expect(last([scanAt(0, 'newYork', 'a')], lot(40, 0), asked).verdict).to.equal('clear');
    });

    it('is told of a unit seen elsewhere when its whole lot is astray', () => {
      const context = { ...EUROPE, lot: { units: 40, outside: { BR: 38 } } };
      expect(first(context).verdict).to.equal('diverted');
    });

    it('is told near a border when many fellows are across it', () => {
      const near = scanAt(0, 'strasbourgMobile', 'a');
      expect(last([near], { ...EUROPE, lot: { units: 40, outside: { DE: 20 } } }).verdict).to.equal(
        'diverted',
      );
      const untold = { counted: false, reason: 'near-border' };
      expect(last([near], { ...EUROPE, lot: { units: 40, outside: {} } }).signals[0]).to.include(untold);
      // Nor where somebody was at home with it, wherever its fellows are.
      const atHome = [scanAt(-300, 'paris', 'b'), near];
      expect(last(atHome, { ...EUROPE, lot: { units: 40, outside: { DE: 38 } } }).signals[0]).to.include(
        untold,
      );
    });

    it('is told of a unit that several visitors saw there', () => {
      const scans = ['a', 'b', 'c'].map((visitor, i) => scanAt(i * 100, 'newYork', visitor));
      expect(last(scans, lot(10, 0)).verdict).to.equal('diverted');
    });
  });

  it('takes three visitors near a border, where one position may be wrong', () => {
    const scans = [0, 1, 2].map((i) => scanAt(i * 100, 'strasbourgMobile', `v${i}`));
    expect(last(scans.slice(0, 1), EUROPE).signals[0]).to.include({ counted: false, reason: 'near-border' });
    expect(last(scans, EUROPE).verdict).to.equal('diverted');
  });
});

describe('risk policy', () => {
  it('lets the product speak over the organization, field by field', () => {
    const policy = resolvePolicy(
      { clone: { weight: 0.5, moveRate: 0.2 }, diversion: { enabled: false } },
      { clone: { weight: 2 } },
    );
    expect(policy.clone).to.include({ weight: 2, moveRate: 0.2, enabled: true });
    expect(policy.diversion.enabled).to.equal(false);
    expect(resolvePolicy()).to.deep.equal(DEFAULT_POLICY);
  });

  it('refuses unknown fields and windows beyond what a profile remembers', () => {
    expect(riskPolicySchema.safeParse({ clones: {} }).success).to.equal(false);
    expect(riskPolicySchema.safeParse({ clone: { weigth: 1 } }).success).to.equal(false);
    const window = { hours: 1, visitors: 1000 };
    expect(riskPolicySchema.safeParse({ excessiveScanning: { windows: [window] } }).success).to.equal(false);
  });

  it('switches each rule off', () => {
    const off = { enabled: false };
    const policy = resolvePolicy({
      clone: off,
      impossibleTravel: off,
      excessiveScanning: off,
      diversion: off,
    });
    const result = last([scanAt(0, 'newYork', 'a'), scanAt(0.1, 'tokyo', 'b')], EUROPE, policy);
    expect(result).to.deep.include({ score: 0, verdict: 'clear', signals: [] });
  });
});
