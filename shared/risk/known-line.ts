/** What a line of recorded scans comes to by itself, whatever the rules make of it: worked out where lines are read. */
import { marketPosition, type MarketPosition } from './markets.ts';
import type { RecordLogOptions } from './record-log.ts';
import type { ReplayLine } from './replay-line.ts';
import type { UnitFacts } from './sightings.ts';
import type { ScanFacts } from './types.ts';
import { UnitNumbers } from './unit-numbers.ts';

/** What the rules are asked about. */
export interface KnownLine extends ScanFacts, UnitFacts {
  scanId: string | number;
  /** From 0 on, in the order in which lines name them. */
  unit: number;
  /** Where the scan was, with respect to the unit's markets. */
  position: MarketPosition;
}

/**
 * @param borderRadii `diversion.borderRadii` of the policy
 * @param memory how much of it the units' names may take
 */
export function lineKnower(borderRadii: number, memory?: RecordLogOptions): (line: ReplayLine) => KnownLine {
  const units = new UnitNumbers(memory);
  return ({ scanId, unitId, at, sessionId, networkId, place, lotId, markets, activatedAt }) => ({
    scanId,
    unit: units.numberOf(unitId),
    at,
    sessionId,
    networkId,
    place,
    lotId,
    markets,
    activatedAt,
    position: marketPosition(place, markets, borderRadii),
  });
}
