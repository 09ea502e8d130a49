/**
 * The fifth generator, and the second blind test: written from the task's words, without sight of the rules or of the other generators; its shares
 * were set so that a count of 4, Datadog's rule and a rough count of places (three, none within twice the radii of another) come out as those
 * words say (precision/recall .11/.99, .23/.56 and .71/.92 at seed 1 with 60,000 units), and the rules met it once it was done. Units are sold in 73 cities, or are carried, given, resold and shown there, and
 * scanned over fixed lines, mobile networks and VPNs; codes are copied in one of six ways of selling.
 */
import { random, type Random } from '../../../sample-data/random.ts';
import { anyCountry } from './cities/atlas.ts';
import { copy } from './cities/copies.ts';
import { choose } from './cities/draws.ts';
import { LIFE_SHARES, LIVES } from './cities/lives.ts';
import { makeLot } from './cities/lots.ts';
import type { Lot, Unit } from './cities/model.ts';
import { finish, type Trace } from './trace.ts';

/** Share of the units that are copied; about 1% of all end with three fakes scanned. */
const COPIED_SHARE = 0.0118;
/** Spreads the seeds over the generator's states. */
const SEED_FACTOR = 2_654_435_761;
const SEED_OFFSET = 97;

/** @returns `units` units, more than half of which nobody ever scans: with them, 1% are copied codes with three fakes scanned. */
export function cities(seed: number, units: number): Trace[] {
  const rng = random(seed * SEED_FACTOR + SEED_OFFSET);
  const traces: Trace[] = [];
  for (let lots = 0; traces.length < units; lots++) {
    const lot = makeLot(rng, `cl${lots}`);
    const end = Math.min(units, traces.length + lot.size);
    while (traces.length < end)
      traces.push(finish(makeUnit(rng, lot, `U${String(traces.length + 1).padStart(6, '0')}`)));
  }
  return traces;
}

function makeUnit(rng: Random, lot: Lot, unitId: string): Trace {
  const life = choose(rng, LIFE_SHARES);
  const isDiverted = lot.diverted !== null && rng.chance(lot.diverted.share);
  const trace: Trace = {
    unitId,
    lotId: lot.id,
    markets: lot.markets,
    activatedAt: Math.floor(lot.activatedAt),
    scans: [],
    copied: false,
    diverted: isDiverted,
    abroad: false,
    kind: life,
  };
  const soldIn = isDiverted ? rng.pick(lot.diverted!.countries) : someCountry(rng, lot);
  const unit: Unit = { trace, lot, soldIn, wasOnVpn: false };
  LIVES[life](rng, unit);
  if (unit.wasOnVpn) trace.kind += '+vpn';
  if (isDiverted) trace.kind = `diverted-${trace.kind}`;
  if (!rng.chance(COPIED_SHARE)) return trace;
  copy(rng, unit);
  // The scans of copies say nothing of where the genuine one was sold.
  return { ...trace, diverted: false };
}

/** Where a unit that is not diverted is sold. */
function someCountry(rng: Random, { markets, main }: Lot): string {
  if (rng.chance(0.5)) return main;
  return markets.length > 0 ? rng.pick(markets) : anyCountry(rng);
}
