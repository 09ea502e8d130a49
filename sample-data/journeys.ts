/** Who scans which unit, when and where: buyers at home, and those that the rules are for. */
import type { Place } from '../shared/places/places.ts';
import { CITIES, type City } from './cities.ts';
import type { Random } from './random.ts';
import type { Goods, SampleUnit } from './goods.ts';
import { DAY, HOUR, MINUTE } from './time.ts';

export interface PlannedScan {
  at: number;
  unit: SampleUnit;
  /** Of the network, which is the visitor's alone. */
  ip: string;
  session: string;
  userAgent: string;
  /** Of the hidden code that is entered with it. */
  entered?: 'correct' | 'wrong';
  /** That it is a tap: of the package's own NFC tag, or of one onto which the address of a tap was copied. */
  tapped?: 'original' | 'copied';
}

/** Scans in order of time, and where each of their addresses is. */
export interface Plan {
  scans: PlannedScan[];
  places: Map<string, Place>;
}

const BROWSERS = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/139.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Linux; Android 14; SM-S921B) AppleWebKit/537.36 SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36',
];

/** How likely people are to scan in each hour of their own day. */
const HOURS = [2, 1, 0.5, 0.3, 0.3, 0.6, 1.5, 3, 4, 5, 6, 7, 8, 7, 6, 6, 7, 9, 11, 12, 11, 8, 5, 3];
const WEEKEND = 1.35;

/** Codes copied onto fakes, and where these are sold. */
const COPIES = [
  { lot: 'BR2610', genuineIn: 'FR', fakesIn: ['TR', 'AE', 'CN', 'NG', 'US', 'RU'], scans: 26 },
  { lot: 'RS2610', genuineIn: 'US', fakesIn: ['CN', 'VN', 'TH', 'PK', 'BR'], scans: 18 },
  { lot: 'VC2609', genuineIn: 'DE', fakesIn: ['RU', 'TR', 'UA', 'EG'], scans: 14 },
  { lot: 'YZ2609', genuineIn: 'JP', fakesIn: ['CN', 'TH', 'MY', 'ID'], scans: 12 },
];

export class Planner {
  readonly plan: Plan = { scans: [], places: new Map() };
  private readonly random: Random;
  private readonly end: number;
  private readonly days: number;

  constructor(random: Random, { end, days }: { end: number; days: number }) {
    this.random = random;
    this.end = end;
    this.days = days;
  }

  private cityIn(countries: readonly string[]): City {
    const all = countries.length === 0 ? CITIES : CITIES.filter(({ country }) => countries.includes(country));
    // A country without a city of the list is left to its neighbours in the same market.
    return this.random.weighted(all.length === 0 ? CITIES : all, ({ millions }) => millions);
  }

  /** A telephone with a network of its own, in or around a city. */
  private visitor(
    city: City,
    fixed = this.random.chance(0.35),
  ): { ip: string; session: string; userAgent: string } {
    const number = this.plan.places.size + 1;
    // 2001:db8::/32 is for documentation: an address of nobody. A /48 is a network of its own to the rules.
    const ip = `2001:db8:${number.toString(16)}::1`;
    const spread = Math.min(0.35, 0.05 + city.millions / 60);
    const near = (degrees: number) => Math.round((degrees + spread * this.random.normal() * 0.5) * 100) / 100;
    this.plan.places.set(ip, {
      country: city.country,
      lat: near(city.lat),
      lon: near(city.lon),
      accuracyKm: fixed ? 16 : 207,
      source: fixed ? 'ip-fixed' : 'ip-mobile',
      city: city.name,
    });
    return { ip, session: `sample-${number}`, userAgent: this.random.pick(BROWSERS) };
  }

  /** A moment of a city's day between two times, as likely as people are awake and shopping. */
  private momentIn(city: City, from: number, to: number): number {
    for (;;) {
      const at = this.random.between(from, to);
      const local = new Date(at + (city.lon / 15) * HOUR);
      const day = local.getUTCDay();
      const weight = HOURS[local.getUTCHours()]! * (day === 0 || day === 6 ? WEEKEND : 1);
      if (this.random.next() * 12 * WEEKEND < weight) return Math.floor(at);
    }
  }

  private scan(
    unit: SampleUnit,
    at: number,
    visitor: ReturnType<Planner['visitor']>,
    more: Pick<PlannedScan, 'entered' | 'tapped'> = {},
  ): void {
    if (at < this.end) this.plan.scans.push({ at, unit, ...visitor, ...more });
  }

  /** Buyers of a batch: each at home, once or a few times; a lot that strayed is bought where it went. */
  buyers({ batch, markets, units, mintedAt }: Goods, isSold: (unit: SampleUnit) => boolean): void {
    const from = Math.max(this.end - this.days * DAY, mintedAt + 2 * DAY);
    if (from >= this.end) return;
    for (const [n, unit] of units.filter(isSold).entries()) {
      if (!this.random.chance(batch.scanned)) continue;
      const strays = batch.strays !== undefined && this.random.chance(batch.strays.share);
      const city = this.cityIn(strays ? batch.strays!.countries : markets);
      const visitor = this.visitor(city);
      let at = this.momentIn(city, from, this.end);
      // One buyer in three scratches the layer off, and two in five tap.
      const entered = batch.hiddenCodes === true && n % 3 === 0 ? ({ entered: 'correct' } as const) : {};
      const tapped = batch.nfcTags === true && n % 5 < 2 ? ({ tapped: 'original' } as const) : {};
      this.scan(unit, at, visitor, { ...entered, ...tapped });
      while (this.random.chance(0.22)) {
        at += this.random.exponential(2 * DAY) + 30 * MINUTE;
        this.scan(unit, Math.floor(at), visitor);
      }
      // A friend in the same town wants to see it, too.
      if (this.random.chance(0.08)) this.scan(unit, this.momentIn(city, from, this.end), this.visitor(city));
    }
  }

  /** Copies of a code: first the buyer, then strangers in other countries, some within minutes of each other. */
  copies(goods: readonly Goods[], isSold: (unit: SampleUnit) => boolean): SampleUnit[] {
    return COPIES.map(({ lot, genuineIn, fakesIn, scans }, index) => {
      const { batch, units } = goods.find((each) => each.batch.lot === lot)!;
      const unit = units.filter(isSold)[7 + index]!;
      const start = this.end - (17 - 4 * index) * DAY;
      const home = this.cityIn([genuineIn]);
      const original = batch.nfcTags === true ? ({ tapped: 'original' } as const) : {};
      this.scan(unit, this.momentIn(home, start, start + DAY), this.visitor(home, true), original);
      for (let n = 0; n < scans; n++) {
        const city = this.cityIn(fakesIn);
        // Whoever made the copies had not opened the package, and made a code up.
        const entered = batch.hiddenCodes === true && n % 2 === 0 ? ({ entered: 'wrong' } as const) : {};
        const tapped = batch.nfcTags === true && n % 2 === 0 ? ({ tapped: 'copied' } as const) : {};
        const at = this.momentIn(city, start + DAY, this.end);
        this.scan(unit, at, this.visitor(city), { ...entered, ...tapped });
      }
      return unit;
    });
  }

  /** "Lyon → Osaka in 40 minutes": two telephones, one code. */
  leap(unit: SampleUnit, daysAgo: number, from: string, to: string, minutes: number): void {
    const [first, second] = [from, to].map((name) => CITIES.find((city) => city.name === name)!);
    const at = this.momentIn(first!, this.end - daysAgo * DAY, this.end - (daysAgo - 0.5) * DAY);
    this.scan(unit, at, this.visitor(first!, true));
    this.scan(unit, at + minutes * MINUTE, this.visitor(second!));
  }

  /** @returns the plan, in order of time. */
  finish(): Plan {
    this.plan.scans.sort((a, b) => a.at - b.at || a.unit.serial.localeCompare(b.unit.serial));
    return this.plan;
  }
}
