/** What was learned from organizations' histories, read once for each version that a process meets: a version never changes. */
import type { Db } from '../db.ts';
import type { Hindsight } from '../risk/hindsight.ts';
import type { AudienceColumns } from './audience-repository.ts';
import { findHindsights } from './hindsight-repository.ts';

type Versioned = Pick<AudienceColumns, 'hindsight_version'>;

/** Some 20 KB each. Those that nobody asked for longest go first: outdated ones are among them. */
const MOST_KNOWN = 1_000;
const known = new Map<string, Hindsight>();

/** Reads what is not known yet of some units' organizations. What was learned anew meanwhile is met with the next scan. */
export async function loadHindsights(db: Db, units: readonly Versioned[]): Promise<void> {
  const missing = new Set<string>();
  for (const { hindsight_version: version } of units) {
    if (version === null) continue;
    const hindsight = known.get(version);
    if (hindsight === undefined) missing.add(version);
    else {
      // Last again: what is read beside it is not to drive it out.
      known.delete(version);
      known.set(version, hindsight);
    }
  }
  if (missing.size === 0) return;
  for (const { version, hindsight } of await findHindsights(db, [...missing])) {
    known.set(version, hindsight);
    if (known.size > MOST_KNOWN) known.delete(known.keys().next().value!);
  }
}

/** What was loaded. */
export const hindsightOf = ({ hindsight_version: version }: Versioned): Hindsight | null =>
  version === null ? null : (known.get(version) ?? null);
