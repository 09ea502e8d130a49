import { expect } from 'chai';
import { DEFAULT_POLICY, resolvePolicy } from '../../../shared/risk/policy.ts';
import { textReplayer, type ReplayAnswer } from '../../../shared/risk/replay.ts';
import { emptyProfile } from '../../../shared/risk/score.ts';
import { Sightings } from '../../../shared/risk/sightings.ts';
import type { DiversionSignal } from '../../../shared/risk/types.ts';

const DAY = 86_400_000;
const BEGIN = Date.UTC(2026, 0, 1);
const TOWNS = {
  Paris: { country: 'FR', lat: 48.85, lon: 2.35 },
  Berlin: { country: 'DE', lat: 52.52, lon: 13.4 },
  Tokyo: { country: 'JP', lat: 35.68, lon: 139.69 },
  'New York': { country: 'US', lat: 40.71, lon: -74 },
};

interface Look {
  unit: string;
  town: keyof typeof TOWNS;
  markets?: string[];
  /** Days after the beginning. */
  activated?: number | null;
  lot?: string;
}

/** Feeds looks an hour apart, each of a visitor of its own. */
function recording(policy = DEFAULT_POLICY) {
  const replay = textReplayer(policy);
  let scans = 0;
  return ({ unit, town, markets = ['FR'], activated = 0, lot }: Look): ReplayAnswer => {
    scans += 1;
    return replay(
      JSON.stringify({
        scanId: scans,
        unitId: unit,
        at: BEGIN + 200 * DAY + scans * 3_600_000,
        sessionId: `visitor ${scans}`,
        ...TOWNS[town],
        accuracyKm: 10,
        markets,
        batchId: lot,
        activatedAt: activated === null ? null : new Date(BEGIN + activated * DAY).toISOString(),
      }),
    );
  };
}

const diversionIn = ({ signals }: ReplayAnswer): DiversionSignal =>
  signals.find((signal): signal is DiversionSignal => signal.type === 'diversion')!;

/** Two lots of one product that were activated forty days apart: one went to Tokyo, the other stayed at home. */
function twoLots(see: (look: Look) => ReplayAnswer): void {
  for (let i = 0; i < 12; i += 1) {
    // Within some hours of each other.
    see({ unit: `diverted ${i}`, town: 'Tokyo', activated: i / 50 });
    see({ unit: `at home ${i}`, town: 'Paris', activated: 40 + i / 50 });
  }
}

describe('a replay whose lines name no lot', () => {
  it('takes units of the same markets that were activated on one day for a lot', () => {
    const see = recording();
    twoLots(see);
    const sold = see({ unit: 'sold with the first', town: 'Tokyo', activated: 0.3 });
    expect(sold.result).to.equal('diverted');
    expect(diversionIn(sold).lot).to.deep.equal({ among: 'lot', units: 12, sameCountry: 12 });

    const tourist = see({ unit: 'of the second', town: 'Tokyo', activated: 40.3 });
    expect(tourist.result).to.equal('genuine');
    expect(diversionIn(tourist)).to.include({ counted: false, reason: 'lot-inside' });
    expect(diversionIn(tourist).lot).to.deep.equal({ among: 'lot', units: 12, sameCountry: 0 });
  });

  it('lets no unit testify for itself', () => {
    const see = recording();
    twoLots(see);
    see({ unit: 'looked at twice', town: 'Tokyo', activated: 40.3 });
    const again = see({ unit: 'looked at twice', town: 'Tokyo', activated: 40.3 });
    expect(diversionIn(again).lot).to.deep.equal({ among: 'lot', units: 12, sameCountry: 0 });
  });

  it('asks a lot of no fewer units than the policy says', () => {
    const see = recording(resolvePolicy({ diversion: { lotUnits: 13 } }));
    twoLots(see);
    expect(see({ unit: 'of the second', town: 'Tokyo', activated: 40.3 }).result).to.equal('diverted');
  });

  for (const [how, activated] of [
    ['all were activated on one day', () => 0],
    ['each was activated on a day of its own', (i: number) => i],
    ['some were activated on each day of a week', (i: number) => i % 7],
    ['nobody says when they were activated', () => null],
  ] as const) {
    it(`asks all units of the same markets where ${how}, and learns from others what is noise`, () => {
      const see = recording();
      for (let i = 0; i < 400; i += 1) {
        see({ unit: `french ${i}`, town: i % 40 === 39 ? 'Tokyo' : 'Paris', activated: activated(i) });
        const town = i % 20 === 19 ? 'New York' : 'Berlin';
        see({ unit: `german ${i}`, town, markets: ['DE'], activated: activated(i) });
      }
      const sold = see({ unit: 'one more in Tokyo', town: 'Tokyo', activated: activated(41) });
      expect(sold.result).to.equal('diverted');
      expect(diversionIn(sold).lot).to.deep.equal({ among: 'markets', units: 400, sameCountry: 10 });
      // One in twenty of the others was seen there, too: an exit of a VPN, a country of tourists.
      const passing = see({ unit: 'one in New York', town: 'New York', activated: activated(42) });
      expect(passing.result).to.equal('genuine');
      expect(diversionIn(passing)).to.include({ counted: false, reason: 'lot-inside' });
    });
  }

  it('asks all units of the same markets about the first ones of a lot', () => {
    const see = recording();
    twoLots(see);
    for (let i = 0; i < 30; i += 1)
      see({ unit: `german ${i}`, town: 'Berlin', markets: ['DE'], activated: i });
    const first = see({ unit: 'of a third lot', town: 'Tokyo', activated: 20 });
    expect(diversionIn(first).lot).to.deep.equal({ among: 'markets', units: 24, sameCountry: 12 });
  });

  it('takes no product for a lot that was activated at once, whatever the days of others, and one stray unit', () => {
    const see = recording();
    see({ unit: 'stray', town: 'Paris', activated: -9_000 });
    for (let i = 0; i < 400; i += 1) {
      see({ unit: `french ${i}`, town: i % 40 === 39 ? 'Tokyo' : 'Paris', activated: 0 });
      see({ unit: `german ${i}`, town: 'Berlin', markets: ['DE'], activated: 30 });
    }
    const sold = see({ unit: 'one more in Tokyo', town: 'Tokyo', activated: 0 });
    expect(sold.result).to.equal('diverted');
    const again = see({ unit: 'one more in Tokyo', town: 'Tokyo', activated: 0 });
    expect(diversionIn(again).lot).to.deep.equal({ among: 'markets', units: 401, sameCountry: 10 });
  });

  it('learns nothing of a country from units that are sold there', () => {
    const see = recording();
    for (let i = 0; i < 600; i += 1) {
      see({ unit: `french ${i}`, town: i % 50 === 49 ? 'Berlin' : 'Paris' });
      see({ unit: `german ${i}`, town: i % 50 === 49 ? 'Paris' : 'Berlin', markets: ['DE'] });
    }
    expect(see({ unit: 'with a tourist', town: 'Berlin' }).result).to.equal('genuine');
    expect(see({ unit: 'with another', town: 'Paris', markets: ['DE'] }).result).to.equal('genuine');
  });

  it('judges a unit by itself where no others tell what is noise', () => {
    const see = recording();
    for (let i = 0; i < 60; i += 1) see({ unit: `french ${i}`, town: 'Paris', activated: null });
    const alone = see({ unit: 'one in Tokyo', town: 'Tokyo', activated: null });
    expect(alone.result).to.equal('diverted');
    expect(diversionIn(alone).lot).to.equal(null);
  });

  it('lets other units say nothing of copies of one that is the first of its markets', () => {
    const policy = resolvePolicy({ clone: { learnVisitors: false } });
    const scoresOf = (see: (look: Look) => ReplayAnswer) =>
      (['Paris', 'Paris', 'Tokyo', 'Berlin', 'Tokyo', 'Berlin'] as const).map(
        (town) => see({ unit: 'copied', town }).score,
      );
    const among = recording(policy);
    for (let i = 0; i < 600; i += 1) among({ unit: `german ${i}`, town: 'Berlin', markets: ['DE'] });
    expect(scoresOf(among)).to.deep.equal(scoresOf(recording(policy)));
  });

  it('counts the markets in whatever order they are written', () => {
    const see = recording();
    twoLots((look) => see({ ...look, markets: look.unit.endsWith('1') ? ['FR', 'CH', 'CH'] : ['CH', 'FR'] }));
    const sold = see({ unit: 'one more', town: 'Tokyo', markets: ['FR', 'CH'], activated: 0.3 });
    expect(diversionIn(sold).lot).to.deep.equal({ among: 'lot', units: 12, sameCountry: 12 });
  });
});

describe('the units of one day', () => {
  const MARKETS = ['FR'];
  /** So many units that were activated on each of these days. */
  const sightings = (...units: (readonly [day: number, units: number])[]) => {
    const all = new Sightings();
    for (const [day, count] of units)
      for (let i = 0; i < count; i += 1)
        all.note(activatedOn(day), null, { ...emptyProfile(), seenIn: null });
    return all;
  };
  const activatedOn = (day: number | null) => ({
    lotId: null,
    markets: MARKETS,
    activatedAt: day === null ? null : BEGIN + day * DAY,
  });
  const lotOf = (day: number | null, ...units: Parameters<typeof sightings>) =>
    sightings(...units).about(activatedOn(day), null, 3).lot;

  it('are a lot also where they are hundreds, as long as others are not much fewer', () => {
    expect(lotOf(0, [0, 300], [30, 200])).to.deep.equal({ units: 300, outside: {} });
    expect(lotOf(0, [0, 301], [30, 200])).to.equal(null);
    // A few are one whatever their share.
    expect(lotOf(0, [0, 200], [30, 5])).to.deep.equal({ units: 200, outside: {} });
  });

  it('are a lot also where they are three, unless others were activated the days before and after', () => {
    const every = (days: number) => Array.from({ length: 15 }, (_, i) => [i * days, 3] as const);
    for (const days of [7, 30]) expect(lotOf(0, ...every(days))).to.deep.equal({ units: 3, outside: {} });
    expect(lotOf(0, ...every(1))).to.equal(null);
    expect(lotOf(0, ...every(1).toReversed())).to.equal(null);
  });

  it('leave the other units of the markets no say where the lot has one', () => {
    const all = sightings([0, 10], [30, 90]);
    for (let i = 0; i < 90; i += 1)
      all.note({ lotId: 'german', markets: ['DE'], activatedAt: null }, null, {
        ...emptyProfile(),
        seenIn: null,
      });
    const peers = (least: number) => all.about(activatedOn(0), null, least).peers;
    expect(peers(10)).to.equal(null);
    expect(peers(11)).to.include({ units: 100 });
    expect(all.about({ ...activatedOn(0), markets: [] }, null, 1).peers).to.equal(null);
  });

  it('are none of a unit that nobody knows when it was activated', () => {
    expect(lotOf(null, [0, 100], [30, 100])).to.equal(null);
  });
});

describe('a replay whose lines name their lots', () => {
  /** A lot that went to Tokyo, one that stayed at home, and what is sold elsewhere. */
  const some = (see: (look: Look) => ReplayAnswer, lots = true) => {
    const named = (lot: string) => (lots ? { lot } : {});
    for (let i = 0; i < 40; i += 1) {
      see({ unit: `diverted ${i}`, town: i < 10 ? 'Tokyo' : 'Paris', ...named('diverted') });
      see({ unit: `at home ${i}`, town: 'Paris', ...named('at home') });
      see({ unit: `german ${i}`, town: 'Berlin', markets: ['DE'], ...named('german') });
    }
  };

  it('asks the lot, and units of the same markets only about the first ones of a lot', () => {
    const see = recording();
    some(see);
    const tourist = see({ unit: 'of the lot at home', town: 'Tokyo', lot: 'at home' });
    expect(diversionIn(tourist)).to.deep.include({
      counted: false,
      reason: 'lot-inside',
      lot: { among: 'lot', units: 40, sameCountry: 0 },
    });
    const elsewhere = see({ unit: 'the first of a lot', town: 'New York', lot: 'new' });
    expect(diversionIn(elsewhere)).to.deep.include({
      counted: false,
      reason: 'lot-inside',
      lot: { among: 'markets', units: 81, sameCountry: 0 },
    });
    const same = see({ unit: 'the second', town: 'Tokyo', lot: 'new' });
    expect(diversionIn(same)).to.deep.include({
      counted: true,
      lot: { among: 'markets', units: 82, sameCountry: 11 },
    });
  });

  it('believes a second unit of a lot where next to nobody is seen by chance, and no first one', () => {
    for (const [strangersThere, result] of [
      [0, 'diverted'],
      [30, 'genuine'],
    ] as const) {
      const see = recording();
      for (let i = 0; i < 400; i += 1) {
        see({ unit: `french ${i}`, town: 'Paris', lot: 'french' });
        const town = i < strangersThere ? 'New York' : 'Berlin';
        see({ unit: `german ${i}`, town, markets: ['DE'], lot: 'german' });
      }
      expect(see({ unit: 'the first', town: 'New York', lot: 'new' }).result).to.equal('genuine');
      const second = see({ unit: 'the second', town: 'New York', lot: 'new' });
      expect(second.result).to.equal(result);
      // Whoever's word it was.
      expect(diversionIn(second).lot).to.deep.equal({ among: 'lot', units: 1, sameCountry: 1 });
    }
  });

  it('judges the first ones by themselves where no others tell what is noise', () => {
    const see = recording();
    for (let i = 0; i < 60; i += 1) see({ unit: `french ${i}`, town: 'Paris', lot: 'french' });
    const first = see({ unit: 'the first of a lot', town: 'Tokyo', lot: 'new' });
    expect(diversionIn(first)).to.deep.include({ counted: true, lot: null });
    const second = see({ unit: 'the second', town: 'Tokyo', lot: 'new' });
    expect(diversionIn(second).lot).to.deep.equal({ among: 'lot', units: 1, sameCountry: 1 });
  });

  it('learns what is noise from lines that name a lot, and from such as name none', () => {
    const see = recording();
    some(see, false);
    const first = see({ unit: 'the first of a lot', town: 'New York', lot: 'new' });
    expect(first.result).to.equal('genuine');
    const named = recording();
    some(named);
    expect(named({ unit: 'of no lot', town: 'New York' }).result).to.equal('genuine');
  });
});
