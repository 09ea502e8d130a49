/**
 * What an organization's visitors are like. Ninety-nine units in a hundred are honest, so their own history tells (empirical Bayes:
 * Robbins 1956; here the means of beta laws).
 *
 * How many people a unit meets: a bottle in a bar meets a fifth visitor after the fourth more often than not, a spare part hardly
 * ever; so what one more visitor says about a unit depends on what its fellows are used to.
 *
 * Whether somebody who looks again is known by the session: where browsers and scanner apps keep none, one person is several visitors, here
 * and there, at home and behind a VPN, and the same visitors say less. A network knows nobody who has left it, so it does not count here.
 */
import { wholeness } from './evidence.ts';
import type { RiskProfile } from './types.ts';

export interface Audience {
  /** Of the organization's units: how often one had two, three or four visitors, and how often another one came after that. */
  chances: number;
  met: number;
  /** How often somebody was new after the first visitor or looked again, and how often it was in a session that was known; at most three of each for a unit. */
  looks: number;
  known: number;
}

/** What counts of a unit. */
type Met = Pick<RiskProfile, 'visitors' | 'recent'>;

/** Visitors after whom the next one is looked for: before them is the buyer, beyond them are displays and copies. */
const FEWEST = 2;
const MOST = 4;
/** What is assumed of an organization of which nothing is known, and how many chances that is worth. */
const TYPICAL_RATE = 0.5;
const TYPICAL_CHANCES = 100;
/** Nobody's history moves a unit's evidence beyond these rates. */
const RATE_FLOOR = 0.3;
const RATE_CEILING = 0.75;

/** Displays and copies meet hundreds of strangers: no more than these count. */
const MOST_LOOKS = 3;
/** Sooner than this it is the same visit. */
const VISIT_MINUTES = 10;
/** Where sessions last, four looks in ten are in one that is known; so much is assumed beforehand, for so many looks. */
const TYPICAL_KNOWN = 0.4;
const TYPICAL_LOOKS = 100;
/** Below this share people are forgotten, the more so the lower it is. */
const KNOWN_ENOUGH = 0.3;
/** Nats that visitors say less where nobody is ever known again. */
const FORGOTTEN_PRICE = 1.5;

export const NO_AUDIENCE: Audience = { chances: 0, met: 0, looks: 0, known: 0 };

/** @returns the chance that a unit of the organization which met a few people meets one more */
export function anotherVisitorRate(audience: Audience | null): number {
  const { chances, met } = audience ?? NO_AUDIENCE;
  const rate = (met + TYPICAL_RATE * TYPICAL_CHANCES) / (chances + TYPICAL_CHANCES);
  return Math.min(RATE_CEILING, Math.max(RATE_FLOOR, rate));
}

/** @returns nats to take off what visitors say for copies, because some of them are one person */
export function forgottenPrice(nats: number, audience: Audience | null): number {
  const { looks, known } = audience ?? NO_AUDIENCE;
  // Deletions and corrections of what was counted by an earlier release may take off more than there is.
  const rate = (Math.max(0, known) + TYPICAL_KNOWN * TYPICAL_LOOKS) / (Math.max(0, looks) + TYPICAL_LOOKS);
  const forgotten = Math.min(1, Math.max(0, 1 - rate / KNOWN_ENOUGH));
  return FORGOTTEN_PRICE * forgotten * wholeness(nats);
}

/** The audience after a unit's visitors have changed: each unit counts with what it has, however it came to that. */
export function withUnit(audience: Audience, before: Met | null, after: Met): Audience {
  const [had, has] = [before?.visitors ?? 0, after.visitors];
  const chances = steps(has - FEWEST + 1) - steps(had - FEWEST + 1);
  const met = steps(has - FEWEST) - steps(had - FEWEST);
  const [were, are] = [looksAt(before), looksAt(after)];
  const [looks, known] = [are.looks - were.looks, are.known - were.known];
  if (chances === 0 && met === 0 && looks === 0 && known === 0) return audience;
  return {
    chances: audience.chances + chances,
    met: audience.met + met,
    looks: audience.looks + looks,
    known: audience.known + known,
  };
}

function steps(beyond: number): number {
  return Math.min(MOST - FEWEST + 1, Math.max(0, beyond));
}

const NO_LOOKS = { looks: 0, known: 0 };

/** Visitors after the first, and those who looked again, by their session or at all. */
function looksAt(unit: Met | null): Pick<Audience, 'looks' | 'known'> {
  if (unit === null || unit.recent.length === 0) return NO_LOOKS;
  let again = 0;
  let known = 0;
  for (const visitor of unit.recent) {
    if ((visitor[4] ?? 0) < VISIT_MINUTES) continue;
    again += 1;
    if ((visitor[5] ?? 0) >= VISIT_MINUTES) known += 1;
  }
  const newcomers = Math.min(MOST_LOOKS, unit.recent.length - 1);
  return { looks: newcomers + Math.min(MOST_LOOKS, again), known: Math.min(MOST_LOOKS, known) };
}
