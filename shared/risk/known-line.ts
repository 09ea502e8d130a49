/** What a line of recorded scans comes to by itself, whatever the rules make of it: worked out where lines are read. */
import { knownScan, type KnownScan } from './known-scan.ts';
import type { RecordLogOptions } from './record-log.ts';
import type { ReplayLine } from './replay-line.ts';
import type { UnitFacts } from './sightings.ts';
import { UnitNumbers } from './unit-numbers.ts';
import { numberKey } from './visitors.ts';

/** What the rules are asked about. */
export interface KnownLine extends KnownScan, UnitFacts {
  scanId: string | number;
  /** From 0 on, in the order in which lines name them. */
  unit: number;
}

/**
 * @param borderRadii `diversion.borderRadii` of the policy
 * @param memory how much of it the units' names may take
 */
export function lineKnower(borderRadii: number, memory?: RecordLogOptions): (line: ReplayLine) => KnownLine {
  const units = new UnitNumbers(memory);
  return (line) => {
    const { scanId, unitId, lotId, markets, activatedAt } = line;
    const unit = units.numberOf(unitId);
    const { at, place, session, network, position } = knownScan(line, markets, { borderRadii }, numberKey);
    return { scanId, unit, at, place, session, network, position, lotId, markets, activatedAt };
  };
}
