/** What an organization's hindsight is worth: without it, learned as the trace goes by, and learned from another trace beforehand. */
import { Recollection } from '../../../shared/risk/recollection.ts';
import { ours } from './detectors.ts';
import { measure, type Measures } from './measure.ts';
import type { Trace } from './trace.ts';

/** @param generate for a seed; what is learned beforehand is of the next one */
export function withHistory(
  generate: (seed: number) => readonly Trace[],
  seed: number,
): { hindsight: string; measured: Measures }[] {
  const traces = generate(seed);
  const past = generate(seed + 1);
  const recollection = new Recollection();
  ours('past', {}, undefined, () => recollection).judge(past);
  recollection.learn(Infinity);
  const fixed = (hindsight: Recollection['hindsight']) => () => ({ hindsight, note: () => undefined });
  const under = (hindsight: string, recollect: () => Pick<Recollection, 'hindsight' | 'note'>) => ({
    hindsight,
    measured: measure(hindsight, traces, ours(hindsight, {}, undefined, recollect).judge(traces)),
  });
  return [
    under('none', fixed(null)),
    under('as it goes', () => new Recollection()),
    under('of a trace before', fixed(recollection.hindsight)),
  ];
}
