/** Draws that `Random` does not know. */
import type { Random } from '../../../../sample-data/random.ts';

/** One of the items, by weights in the same order. */
export function weighted<T>(rng: Random, items: readonly T[], weights: readonly number[]): T {
  return items[rng.weighted([...weights.keys()], (index) => weights[index]!)]!;
}

/** So many different ones of the items. */
export function sample<T>(rng: Random, items: readonly T[], count: number): T[] {
  return shuffled(rng, items).slice(0, count);
}

export function shuffled<T>(rng: Random, items: readonly T[]): T[] {
  const all = [...items];
  for (let last = all.length - 1; last > 0; last--) {
    const other = rng.int(0, last);
    [all[last], all[other]] = [all[other]!, all[last]!];
  }
  return all;
}
