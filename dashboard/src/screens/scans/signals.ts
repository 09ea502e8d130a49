import type { Schemas } from '../../api/types.gen.ts';

export type Signal = Schemas['RiskSignal'];

/** Each kind has its words, its sign and its filter: one that is new has to be told here too. */
const KINDS: Record<Signal['type'], true> = {
  impossible_travel: true,
  clone: true,
  excessive_scanning: true,
  diversion: true,
};

/** Those that this dashboard can tell: a service that is newer may know more. */
export const knownSignals = (signals: readonly Signal[]): Signal[] =>
  signals.filter(({ type }) => type in KINDS);

/** A diversion may be told as what does not count. */
export const isCounted = (signal: Signal): boolean => signal.type !== 'diversion' || signal.counted;

/**
 * What speaks for copies: several places, and the journeys between them that the cheapest honest story needs. Strangers at one place
 * may do so, too, as abroad of a lot that is sold at home; and positions may be so far apart that the story takes them for wrong.
 */
export const whatJoinsNot = ({
  places,
  moves,
}: Pick<Schemas['CloneSignal'], 'places' | 'moves'>): { isOfPlaces: boolean; isOfMoves: boolean } => ({
  isOfPlaces: places.length > 1,
  isOfMoves: moves > 0,
});

export const signalsOf = (scan: Schemas['Scan']): Signal[] => knownSignals(scan.risk.signals);
