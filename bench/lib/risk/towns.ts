/**
 * The fourth generator, written from the words of the task alone, before its author had seen the rules, as a blind test
 * of them. Its shares were set by the same three baselines as the third's (a count of 4, Datadog's rule, a rough count of
 * places); what the rules say of it was looked at only once it was written, and nothing was changed then.
 *
 * It has people, with homes, shops and work in 256 towns, and of its own: carriers whose clients in a town share a few pools
 * of addresses that surface at gateways; lines put at the provider's pool; roaming that is routed home and travellers' SIMs
 * that leave in a third country; private relays, companies' gateways, VPNs with exits that change by the day; sessions by
 * person and device, lost with time; resellers with several further owners; distributors' checks; buyers across a
 * border; codes posted online, which nothing can tell from copies; and campaigns that copy several codes of one lot.
 */
import { random } from '../../../sample-data/random.ts';
import { TOWNS } from './towns/atlas.ts';
import { looksAtFakes, makeCampaign, type Campaign } from './towns/copies.ts';
import { weighted } from './towns/draws.ts';
import { someLife, someLifeIn, type Life } from './towns/lives.ts';
import { makeLots } from './towns/lots.ts';
import {
  DAY,
  END,
  HOUR,
  MINUTE,
  START,
  type Look,
  type Lot,
  type Person,
  type Town,
  type World,
} from './towns/model.ts';
import { reportOf } from './towns/networks.ts';
import { personAt, resident, sessionOf } from './towns/people.ts';
import { look } from './towns/purchases.ts';
import { fakesScanned, finish, outside, type Trace, type TraceScan } from './trace.ts';

/** Copied codes with `ENOUGH_FAKES` scanned, as a share of the units. */
const COPIED_SHARE = 0.01;
const ENOUGH_FAKES = 3;

interface Scene {
  world: World;
  lots: readonly Lot[];
  /** Customs officers and the brand's own, who come to any warehouse. */
  inspectors: readonly Person[];
}

/** @returns `units` units that were scanned at least once. */
export function towns(seed: number, units: number): Trace[] {
  const rng = random(seed ^ 0x3c6ef372);
  const world: World = { rng, sessions: 0, carriers: new Map(), shops: new Map() };
  const lots = makeLots(world, units);
  const inspectors = Array.from({ length: 40 }, () => resident(world, rng.pick(TOWNS)));
  const scene: Scene = { world, lots, inspectors };
  const traces: Trace[] = [];
  const copies = Math.round(units * COPIED_SHARE);
  for (let made = 0; made < copies;) made += copyCodes(scene, traces, copies - made);
  while (traces.length < units) {
    const lot = lots.find(({ left }) => left > 0) ?? Object.assign(rng.pick(lots), { left: 10 });
    sellHonestly(scene, traces, lot, units);
  }
  return traces;
}

/** What is left of a lot, one unit after the other. */
function sellHonestly(scene: Scene, traces: Trace[], lot: Lot, units: number): void {
  const { world } = scene;
  while (lot.left > 0 && traces.length < units) {
    const isDiverted = lot.diverted !== null && world.rng.chance(lot.diverted.share);
    const { towns, demand } = isDiverted ? lot.diverted! : lot;
    const town = weighted(world.rng, towns, demand);
    const { kind, life } = someLifeIn(world, town);
    const trace = makeTrace(scene, traces, lot, kind);
    const wasOutside = observe(world, trace, live(scene, trace, lot, life, town));
    if (trace.scans.length === 0) continue;
    trace.diverted = isDiverted && wasOutside;
    trace.abroad = !isDiverted && wasOutside;
    traces.push(finish(trace));
    lot.left--;
  }
}

/** One campaign. @returns how many of its codes have enough fakes that were scanned, at most `most` */
function copyCodes(scene: Scene, traces: Trace[], most: number): number {
  const { world } = scene;
  const campaign = makeCampaign(world, scene.lots);
  const { lot, spread, pace } = campaign;
  let found = 0;
  for (let code = 0; code < campaign.codes && found < most; code++) {
    const trace = makeTrace(scene, traces, lot, `copied-${spread}-${pace}`);
    trace.copied = true;
    const looks = [...lookAtOriginal(scene, trace, campaign), ...looksAtFakes(world, campaign)];
    trace.abroad = observe(world, trace, looks);
    if (trace.scans.length === 0) continue;
    traces.push(finish(trace));
    lot.left--;
    if (fakesScanned(trace) >= ENOUGH_FAKES) found++;
  }
  return found;
}

/** Photographed, put back and sold on; or bought, tried by the copier and kept; or never sold. */
function lookAtOriginal(scene: Scene, trace: Trace, { lot, source, copier, startsAt }: Campaign): Look[] {
  const { world } = scene;
  const { rng } = world;
  const what = rng.next();
  if (what < 0.62) return live(scene, trace, lot, someLife(world).life, source);
  const triedAt = startsAt - rng.between(5, 40) * DAY;
  if (what >= 0.8 || triedAt < trace.activatedAt) return [];
  const tried = look(triedAt, copier, copier.home, 'home');
  return rng.chance(0.4)
    ? [tried, look(startsAt - rng.between(0, 4) * DAY, copier, copier.home, 'home')]
    : [tried];
}

function makeTrace({ world }: Scene, traces: readonly Trace[], lot: Lot, kind: string): Trace {
  return {
    unitId: `t${traces.length}`,
    lotId: lot.id,
    markets: lot.markets,
    activatedAt: lot.activatedAt + world.rng.int(0, 20 * HOUR - 1),
    scans: [],
    copied: false,
    diverted: false,
    abroad: false,
    kind,
  };
}

/** A life from the activation on, perhaps with a check by the distributor or the customs. */
function live({ world, inspectors }: Scene, trace: Trace, lot: Lot, life: Life, town: Town): Look[] {
  const { rng } = world;
  const { activatedAt } = trace;
  const looks = life(world, town, activatedAt + (5 + rng.lognormal(lot.daysOnShelf, 0.8)) * DAY);
  if (rng.chance(0.02)) {
    const who = rng.chance(0.3) ? rng.pick(inspectors) : personAt(world, lot.hub);
    looks.push(look(activatedAt + rng.between(0.2, 4) * DAY, who, lot.hub, 'staff'));
  }
  const early = activatedAt - Math.min(...looks.map(({ at }) => at));
  // Hardly anything genuine is scanned before: paperwork.
  if (early <= 0 || rng.chance(0.003)) return looks;
  if (early > DAY) return looks.map((each) => ({ ...each, at: each.at + early + rng.between(1, 40) * HOUR }));
  const since = looks.filter(({ at }) => at >= activatedAt);
  return since.length > 0 ? since : [{ ...looks[0]!, at: activatedAt + HOUR }];
}

/** Turns looks into scans, some of them reloaded. @returns whether the genuine unit was outside its markets */
function observe(world: World, trace: Trace, looks: readonly Look[]): boolean {
  const { rng } = world;
  let wasOutside = false;
  const seen = looks.filter(({ at }) => START < at && at < END).sort((a, b) => a.at - b.at);
  for (const each of seen) {
    const moments = [each.at];
    if (rng.chance(0.07)) moments.push(each.at + rng.exponential(4) * MINUTE + 3000);
    for (const at of moments) {
      if (at >= END) continue;
      trace.scans.push(scan(world, each, at));
      if (each.fake === 0 && outside(trace.markets, each.place.country)) wasOutside = true;
    }
  }
  return wasOutside;
}

function scan(world: World, { who, place, context, fake }: Look, at: number): TraceScan {
  const { rng } = world;
  const report = reportOf(world, who, at, place, context);
  const known = { ...report, lat: rounded(report.lat), lon: rounded(report.lon) };
  const lost = rng.next();
  return {
    scanId: '',
    at: Math.floor(at) + rng.int(0, 999),
    sessionId: sessionOf(world, who, at, context),
    networkId: null,
    place:
      lost < 0.02
        ? null
        : lost < 0.03
          ? { ...known, lat: null, lon: null, accuracyKm: null }
          : lost < 0.035
            ? { ...known, country: null }
            : known,
    fake,
  };
}

/** To some ten metres. */
const rounded = (degrees: number): number => Math.round(degrees * 10_000) / 10_000;
