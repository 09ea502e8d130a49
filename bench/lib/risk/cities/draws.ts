/** Draws that `Random` does not know. */
import type { Random } from '../../../../sample-data/random.ts';

/** How often it fails before it succeeds. */
export function geometric(rng: Random, chanceToStop: number): number {
  let failures = 0;
  while (!rng.chance(chanceToStop)) failures++;
  return failures;
}

export function hex(rng: Random, digits: number): string {
  return Array.from({ length: digits }, () => Math.floor(rng.next() * 16).toString(16)).join('');
}

/** One of the names, by the weight beside it. */
export function choose<T extends string>(rng: Random, weights: readonly (readonly [T, number])[]): T {
  return rng.weighted(weights, ([, weight]) => weight)[0];
}
