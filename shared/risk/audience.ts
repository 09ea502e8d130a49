/**
 * How many people an organization's units meet. A bottle in a bar meets a fifth visitor after the fourth more often than
 * not, a spare part hardly ever; so what one more visitor says about a unit depends on what its fellows are used to. Ninety-nine
 * units in a hundred are honest, so their own history tells (empirical Bayes: Robbins 1956; here the mean of a beta law).
 */

/** Of an organization's units: how often one had two, three or four visitors, and how often another one came after that. */
export interface Audience {
  chances: number;
  met: number;
}

/** Visitors after whom the next one is looked for: before them is the buyer, beyond them are displays and copies. */
const FEWEST = 2;
const MOST = 4;
/** What is assumed of an organization of which nothing is known, and how many chances that is worth. */
const TYPICAL_RATE = 0.5;
const TYPICAL_CHANCES = 100;
/** Nobody's history moves a unit's evidence beyond these rates. */
const RATE_FLOOR = 0.3;
const RATE_CEILING = 0.75;

export const NO_AUDIENCE: Audience = { chances: 0, met: 0 };

/** @returns the chance that a unit of the organization which met a few people meets one more */
export function anotherVisitorRate(audience: Audience | null): number {
  const { chances, met } = audience ?? NO_AUDIENCE;
  const rate = (met + TYPICAL_RATE * TYPICAL_CHANCES) / (chances + TYPICAL_CHANCES);
  return Math.min(RATE_CEILING, Math.max(RATE_FLOOR, rate));
}

/** The audience after a unit's number of visitors has changed: each unit counts with what it has, however it came to that. */
export function withVisitors(audience: Audience, before: number, after: number): Audience {
  const chances = steps(after - FEWEST + 1) - steps(before - FEWEST + 1);
  const met = steps(after - FEWEST) - steps(before - FEWEST);
  if (chances === 0 && met === 0) return audience;
  return { chances: audience.chances + chances, met: audience.met + met };
}

function steps(beyond: number): number {
  return Math.min(MOST - FEWEST + 1, Math.max(0, beyond));
}
