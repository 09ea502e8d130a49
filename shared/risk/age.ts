/**
 * A copy takes time: somebody has to hold the genuine unit, have its code printed, and sell what it is printed on. An honest unit is
 * looked at most in its first weeks, by those who pass it in the shop, buy it and show it around. So the same visitors speak
 * less against a unit in its first months, and more later.
 */
import { wholeness } from './evidence.ts';
import type { KnownPlace } from './types.ts';

const DAY_MINUTES = 24 * 60;
/** From so many days on copies may be as many as they ever are. */
const GROWN_UP_DAYS = 150;
/** A unit may have been active in a warehouse for years: its life in the open began at most so long before somebody saw it. */
const UNSEEN_DAYS = 120;
/** Nats on a unit's first day, and once it has grown up. */
const FIRST_DAY = -0.6;
const GROWN_UP = 1.1;

/**
 * @param nats what the visitors say for copies
 * @param places with the visitors' times: age is what it was when the last new one came, so that no reload moves it
 * @param activatedAt milliseconds since the epoch; null where unknown, and then nothing is said
 * @returns nats to add
 */
export function ageEvidence(nats: number, places: readonly KnownPlace[], activatedAt: number | null): number {
  if (activatedAt === null || nats <= 0) return 0;
  let first = Infinity;
  let newest = -Infinity;
  for (const place of places) {
    if (place.visitors === 0) continue;
    first = Math.min(first, place.first);
    newest = Math.max(newest, place.last);
  }
  const began = Math.max(activatedAt / 60_000, first - UNSEEN_DAYS * DAY_MINUTES);
  const days = Math.min(GROWN_UP_DAYS, Math.max(0, (newest - began) / DAY_MINUTES));
  const age = FIRST_DAY + (GROWN_UP - FIRST_DAY) * (days / GROWN_UP_DAYS);
  return age * wholeness(nats);
}
