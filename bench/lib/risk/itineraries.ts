/**
 * The third generator, written from the words of the task alone and set to three figures that are known of other traces:
 * a plain count of 4 has precision 0.11 and recall 0.97, Datadog's rule 0.20 and 0.53, a rough count of places that
 * cannot be one 0.70 and 0.90. It never looked at what these rules say of it.
 *
 * Unlike the other two it separates the object from those who look: an object is an itinerary (stays in places, gap-free),
 * looks are a Poisson process over the stays, and each look is by a device, new or returning (a Chinese restaurant: the
 * more often somebody looked, the likelier they look again). A fake is an itinerary of its own. Settlements follow Zipf's
 * law within real borders. The error of a network is drawn per device and kept for a quarter of an hour.
 */
import { featuresIn, iso1A2Code } from '@rapideditor/country-coder';
import { destination, distanceKm } from '../../../shared/risk/geo.ts';
import { random, type Random } from '../../../sample-data/random.ts';
import { fakesScanned, finish, outside, type Trace, type TraceScan } from './trace.ts';

const DAY = 86_400_000;
const START = Date.UTC(2025, 3, 1);
/** Countries by their weight as markets. */
const COUNTRIES: Record<string, number> = Object.fromEntries(
  [
    'US9 BR4 MX3 CA1 AR1 CO1 DE3 FR3 GB3 IT2 ES2 PL1 NL1 BE1 CH1 AT1 CZ1 SE1 PT1 RO1',
    'TR3 RU3 UA1 EG2 NG3 ZA2 KE1 MA1 SA1 AE1 IN7 PK3 BD2 CN8 JP4 KR2 VN2 TH2 ID4 PH2',
    'MY1 AU1',
  ]
    .flatMap((row) => row.split(' '))
    .map((each) => [each.slice(0, 2), Number(each.slice(2))]),
);
const SETTLEMENTS_PER_COUNTRY = 25;

interface Settlement {
  lat: number;
  lon: number;
  country: string;
  size: number;
}

interface Stay extends Omit<Settlement, 'size'> {
  from: number;
  days: number;
  /** Looks expected in all, and the chance that a look is by somebody new. */
  looks: number;
  strangers: number;
}

interface Device {
  session: string;
  kind: 'fixed' | 'mobile' | 'vpn';
  /** Of the error: its bearing and size, until when they hold, and the radius that is stated. */
  bearing: number;
  errorKm: number;
  until: number;
  radiusKm: number;
  exit: Settlement | null;
}

class World {
  readonly rng: Random;
  readonly settlements: readonly Settlement[];
  private readonly byCountry = new Map<string, Settlement[]>();
  private sessions = 0;

  constructor(seed: number) {
    this.rng = random(seed ^ 0x2545f491);
    this.settlements = Object.entries(COUNTRIES).flatMap(([country, weight]) => this.settle(country, weight));
  }

  /** Somewhere in the world or in these countries, by size. */
  settlement(countries: readonly string[] | null = null): Settlement {
    const among = (countries ?? []).flatMap((country) => this.byCountry.get(country) ?? []);
    return this.rng.weighted(among.length > 0 ? among : this.settlements, (each) => each.size);
  }

  /** A spot near another one; it keeps to the land. */
  near(spot: Omit<Settlement, 'size'>, medianKm: number): Omit<Settlement, 'size'> {
    const { rng } = this;
    const moved = destination(spot.lat, spot.lon, rng.between(0, 360), rng.lognormal(medianKm, 0.9));
    return { ...moved, country: countryAt(moved) ?? spot.country };
  }

  device(vpnShare: number, mobileShare: number): Device {
    const { rng } = this;
    const kind = rng.chance(vpnShare) ? 'vpn' : rng.chance(mobileShare) ? 'mobile' : 'fixed';
    const session = `i${this.sessions++}`;
    const radiusKm = kind === 'mobile' ? rng.between(150, 250) : rng.between(3, 16);
    return {
      session,
      kind,
      bearing: 0,
      errorKm: 0,
      until: 0,
      radiusKm,
      exit: kind === 'vpn' ? this.settlement() : null,
    };
  }

  look(trace: Trace, device: Device, spot: Omit<Settlement, 'size'>, at: number, fake: number): void {
    const { rng } = this;
    if (fake === 0 && outside(trace.markets, spot.country)) trace.abroad = true;
    const scan: TraceScan = {
      scanId: '',
      at: Math.round(at),
      sessionId: device.session,
      networkId: null,
      place: null,
      fake,
    };
    trace.scans.push(scan);
    if (rng.chance(0.015)) return;
    if (at > device.until) {
      device.until = at + rng.exponential(0.01) * DAY;
      device.bearing = rng.between(0, 360);
      const median = device.kind === 'mobile' ? 190 : device.radiusKm;
      device.errorKm = rng.lognormal(median, device.kind === 'mobile' ? 1 : 0.9);
    }
    // Who has a VPN switches it on and off.
    const origin = device.exit !== null && rng.chance(0.6) ? device.exit : spot;
    const seen = destination(origin.lat, origin.lon, device.bearing, device.errorKm);
    // Country by registration is right far more often than the position.
    const country =
      device.kind === 'mobile' && rng.chance(0.97) ? spot.country : (countryAt(seen) ?? origin.country);
    scan.place = { ...seen, accuracyKm: Math.round(device.radiusKm), country };
  }

  private settle(country: string, weight: number): Settlement[] {
    const { rng } = this;
    const [west, south, east, north] = extent(country);
    const found: Settlement[] = [];
    for (let tries = 0; tries < 2000 && found.length < SETTLEMENTS_PER_COUNTRY; tries++) {
      const lon = rng.between(west, east);
      const lat = rng.between(south, north);
      if (countryAt({ lat, lon }) !== country) continue;
      found.push({ lat, lon, country, size: weight / (found.length + 1) });
    }
    this.byCountry.set(country, found);
    return found;
  }
}

/** @returns `units` units that were scanned at least once. */
export function itineraries(seed: number, units: number): Trace[] {
  const world = new World(seed);
  const { rng } = world;
  const codes = Object.keys(COUNTRIES);
  const traces: Trace[] = [];
  for (let lots = 0; traces.length < units; lots++) {
    const home = world.settlement();
    const markets = rng.chance(0.35)
      ? []
      : [...new Set([home.country, ...Array.from({ length: rng.int(0, 4) }, () => rng.pick(codes))])];
    const activatedAt = START + rng.int(0, 120) * DAY;
    // Lots go astray as a whole or in part, to one country.
    const others = codes.filter((code) => !markets.includes(code));
    const isDiverted = markets.length > 0 && rng.chance(0.028);
    const share = !isDiverted ? 0 : rng.chance(0.5) ? 1 : rng.between(0.15, 0.85);
    const soldIn = rng.weighted(others, (code) => COUNTRIES[code]!);
    const end = Math.min(units, traces.length + Math.ceil(rng.lognormal(50, 1)));
    while (traces.length < end) {
      const diverted = rng.chance(share);
      const trace: Trace = {
        unitId: `i${traces.length}`,
        lotId: `il${lots}`,
        markets,
        activatedAt,
        scans: [],
        copied: false,
        abroad: false,
        diverted,
        kind: 'honest',
      };
      const origin = world.settlement(diverted ? [soldIn] : markets.length > 0 ? markets : null);
      observe(world, trace, honestLife(world, trace, origin));
      if (!diverted && rng.chance(0.0055)) counterfeit(world, trace);
      if (trace.scans.length > 0) traces.push(finish(trace));
    }
  }
  return traces;
}

/** Shop, buyer, and for some a journey, a new owner, or a life on display. */
function honestLife(world: World, trace: Trace, origin: Settlement): Stay[] {
  const { rng } = world;
  const stays: Stay[] = [];
  let at = trace.activatedAt + rng.exponential(20) * DAY;
  const stay = (
    spot: Omit<Settlement, 'size'>,
    days: number,
    looks: number,
    strangers: number,
    from = at,
  ): void => {
    const { lat, lon, country } = spot;
    stays.push({ lat, lon, country, from, days, looks, strangers });
    at = Math.max(at, from + days * DAY);
  };
  const shop = world.near(origin, 8);
  const display = rng.chance(0.003);
  if (display) trace.kind = 'display';
  stay(
    shop,
    display ? rng.between(20, 300) : rng.exponential(30),
    display ? rng.lognormal(40, 0.9) : rng.chance(0.15) ? rng.exponential(1) : 0.05,
    0.85,
  );
  let home = world.near(shop, 12);
  const keeps = rng.exponential(400);
  const goesAt = at + rng.between(0, keeps) * DAY;
  stay(home, keeps, rng.lognormal(0.15, 0.7), 0.3);
  if (rng.chance(0.05)) {
    if (trace.kind === 'honest') trace.kind = 'traveller';
    const far = rng.chance(0.5) ? world.settlement([home.country]) : world.settlement();
    stay(far, rng.between(2, 14), rng.exponential(0.8), 0.25, goesAt);
  }
  for (let sales = 0; sales < 3 && rng.chance(0.05); sales++) {
    trace.kind = 'resold';
    const buyer = rng.chance(0.85) ? world.settlement([home.country]) : world.settlement();
    if (rng.chance(0.3)) stay(world.near(home, 20), rng.between(5, 40), rng.exponential(1), 0.8);
    home = world.near(buyer, 15);
    stay(home, rng.exponential(300), rng.lognormal(0.15, 0.7), 0.3);
  }
  return stays;
}

/** Looks at the object over its stays; devices return, in proportion to how often they looked. */
function observe(world: World, trace: Trace, stays: readonly Stay[]): void {
  const { rng } = world;
  const looked: Device[] = [];
  for (const stay of stays) {
    const here: Device[] = [];
    const times = Array.from(
      { length: rng.poisson(Math.min(400, stay.looks)) },
      // Curiosity is greatest at the beginning.
      () => stay.from + stay.days * DAY * rng.next() ** (stay.strangers > 0.5 ? 1 : 3),
    ).sort((a, b) => a - b);
    for (const at of times) {
      const carried = stay.looks < 4 && looked.length > 0 && here.length === 0 && rng.chance(0.6);
      const returning = here.length > 0 && !rng.chance(stay.strangers);
      const device = carried ? looked.at(-1)! : returning ? rng.pick(here) : world.device(0.02, 0.45);
      here.push(device);
      for (let moment = at; ; moment += rng.exponential(10) * 60_000) {
        world.look(trace, device, stay, moment, 0);
        if (!rng.chance(0.22)) break;
      }
    }
    looked.push(...here);
  }
}

/** Fakes: near is one settlement's surroundings or its country, far is several countries; slow is years, fast is weeks. */
function counterfeit(world: World, trace: Trace): void {
  const { rng } = world;
  const fakes = Math.round(20 * Math.pow(100, rng.next()));
  const share = rng.between(0.01, 0.1);
  const [far, fast] = [rng.chance(0.75), rng.chance(0.65)];
  const start = trace.activatedAt + rng.between(10, 250) * DAY;
  const span = fast ? rng.between(2, 30) : rng.between(120, 600);
  const hub = world.settlement();
  const targets = far
    ? Array.from({ length: rng.int(3, 12) }, () => world.settlement())
    : rng.chance(0.4)
      ? [hub]
      : closest(world, hub, rng.int(2, 6));
  for (let fake = 1; fake <= fakes; fake++) {
    if (!rng.chance(share)) continue;
    const spot = world.near(rng.pick(targets), 20);
    const from = start + rng.between(0, span) * DAY;
    const owner = world.device(0.02, 0.45);
    world.look(trace, owner, spot, from, fake);
    for (let more = rng.poisson(0.35); more > 0; more--) {
      const who = rng.chance(0.7) ? owner : world.device(0.02, 0.45);
      world.look(trace, who, spot, from + rng.exponential(4) * DAY, fake);
    }
  }
  trace.copied = fakesScanned(trace) > 0;
  if (trace.copied) trace.kind = `copied-${far ? 'far' : 'near'}-${fast ? 'fast' : 'slow'}`;
}

function closest(world: World, hub: Settlement, count: number): Settlement[] {
  return [...world.settlements]
    .sort((a, b) => distanceKm(a.lat, a.lon, hub.lat, hub.lon) - distanceKm(b.lat, b.lon, hub.lat, hub.lon))
    .slice(0, count);
}

/** Box around a country's biggest part. */
function extent(country: string): [west: number, south: number, east: number, north: number] {
  const polygons = featuresIn(country).flatMap(
    ({ geometry }) =>
      (geometry as unknown as { coordinates: [lon: number, lat: number][][][] } | null)?.coordinates ?? [],
  );
  const boxes = polygons.flatMap((polygon) => {
    const lons = polygon.flat().map(([lon]) => lon);
    const lats = polygon.flat().map(([, lat]) => lat);
    // Hardly anybody lives north of this.
    if (Math.min(...lats) > 58) return [];
    return [
      [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.min(60, Math.max(...lats))] as const,
    ];
  });
  const area = ([w, s, e, n]: (typeof boxes)[number]) => (e - w) * (n - s);
  const [w, s, e, n] = boxes.sort((a, b) => area(b) - area(a))[0]!;
  return [w, s, e, n];
}

function countryAt(spot: { lat: number; lon: number }): string | null {
  return iso1A2Code([spot.lon, spot.lat], { level: 'territory' });
}
