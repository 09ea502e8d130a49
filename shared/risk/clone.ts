/**
 * Clone: the code is on more than one object. The evidence is the price of the cheapest honest story of the unit's
 * visitors (see story.ts), and what is known of its life: nobody outside should hold a unit that was never shipped,
 * a new visitor should not meet one that was consumed, and one visitor after the other should not find the layer over its hidden code whole, nor come with a tap of its tag that was used up.
 */
import { tenth } from './coarse.ts';
import type { RiskPolicy } from './policy.ts';
import { FULL_EVIDENCE } from './story.ts';
import type { CloneSignal, RiskProfile, UnitContext } from './types.ts';

/** Warehouse staff and returns scan such units too: telling, but not quite enough alone. */
const NOT_SHIPPED_NATS = 4;
/** A household may scan an empty pack again, a stranger hardly. */
const CONSUMED_NATS = 4.5;
/** Nobody learns that code from a picture, nor makes a used tap by tapping: enough alone, as it takes so many visitors to come to it. */
const SHOWN_NATS = 9;
const MINUTE_MS = 60_000;

/** @returns evidence from the unit's life, with the reason, for this scan. */
export function lifeEvidence(
  context: UnitContext,
  at: number,
  firstSeenAt: number | null,
  policy: RiskPolicy,
): { nats: number; reason: 'not-shipped' | 'consumed' | 'hidden-code' | 'nfc-tap' } | null {
  if (isShown(context.hiddenCodeReusedAt, context, at)) return { nats: SHOWN_NATS, reason: 'hidden-code' };
  if (isShown(context.nfcTapReplayedAt, context, at)) return { nats: SHOWN_NATS, reason: 'nfc-tap' };
  if (policy.clone.notShipped && context.shipment === 'not-shipped') {
    return { nats: NOT_SHIPPED_NATS, reason: 'not-shipped' };
  }
  const consumedAt = context.consumedAt ?? null;
  // To the minute, as it is remembered: a visitor's next look is not to say otherwise than the first.
  const seenAt = firstSeenAt ?? Math.floor(at / MINUTE_MS) * MINUTE_MS;
  if (policy.clone.consumed && consumedAt !== null && at > consumedAt && seenAt > consumedAt) {
    return { nats: CONSUMED_NATS, reason: 'consumed' };
  }
  return null;
}

/** From the scan with which it showed until a person finds no copy. */
function isShown(
  since: number | null | undefined,
  { decision, decidedAt }: UnitContext,
  at: number,
): boolean {
  if (since === undefined || since === null || at < since) return false;
  return decision !== 'dismissed' || at < (decidedAt ?? 0) || (decidedAt ?? 0) < since;
}

/** The signal, with the places that no one journey joins. */
export function cloneSignal(
  profile: RiskProfile,
  reason: CloneSignal['reason'],
  nats: number,
  weight: number,
): CloneSignal {
  const byVisitors = [...profile.places].sort((a, b) => b.visitors - a.visitors || a.id - b.id);
  const likeliest = [...profile.places].sort((a, b) => a.cost - b.cost || a.id - b.id)[0];
  return {
    type: 'clone',
    weight,
    reason,
    visitors: profile.visitors,
    places: byVisitors.slice(0, 5).map(({ country, lat, lon, visitors, first, last }) => ({
      country,
      lat: tenth(lat),
      lon: tenth(lon),
      visitors,
      firstAt: timeOf(first),
      lastAt: timeOf(last),
    })),
    moves: likeliest?.moves ?? 0,
    evidence: Math.round(nats * 100) / 100,
    threshold: FULL_EVIDENCE,
  };
}

const DAY_MINUTES = 24 * 60;
const daysKnown = new Map<number, string>();
const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

/** A minute since the epoch as ISO 8601. A quarter of a display's scans tell ten of them, which by `Date` took a twentieth of a replay. */
function timeOf(minute: number): string {
  const day = Math.floor(minute / DAY_MINUTES);
  let date = daysKnown.get(day);
  if (date === undefined) {
    date = new Date(day * DAY_MINUTES * MINUTE_MS).toISOString().slice(0, -'00:00:00.000Z'.length);
    daysKnown.set(day, date);
  }
  const left = minute - day * DAY_MINUTES;
  return `${date}${TWO_DIGITS[Math.floor(left / 60)]}:${TWO_DIGITS[left % 60]}:00.000Z`;
}
