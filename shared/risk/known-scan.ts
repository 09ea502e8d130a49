/** What a scan comes to by itself, whatever its unit went through: a replay works it out in another thread. */
import { UNTOLD_ACCURACY_KM } from './geo.ts';
import { countryOf, marketPosition, type MarketPosition } from './markets.ts';
import type { RiskPolicy } from './policy.ts';
import type { Position, RiskPlace, ScanFacts, VisitorKey } from './types.ts';
import { shortKey } from './visitors.ts';

export interface KnownScan {
  at: number;
  place: RiskPlace | null;
  session: VisitorKey;
  network: VisitorKey;
  /** With respect to the unit's markets. */
  position: MarketPosition;
}

/** @param keyOf a short key of a session's or a network's id */
export function knownScan(
  { at, place, sessionId, networkId }: ScanFacts,
  markets: readonly string[],
  { borderRadii }: Pick<RiskPolicy['diversion'], 'borderRadii'>,
  keyOf: (id: string) => VisitorKey = shortKey,
): KnownScan {
  return {
    at,
    place,
    session: sessionId === null ? '' : keyOf(sessionId),
    network: networkId === null ? '' : keyOf(networkId),
    position: marketPosition(place, markets, borderRadii),
  };
}

/** @returns null where a scan came without coordinates. */
export function positionOf(scan: KnownScan): Position | null {
  const { place } = scan;
  if (place === null || place.lat === null || place.lon === null) return null;
  return {
    placeId: -1,
    lat: place.lat,
    lon: place.lon,
    accuracyKm: place.accuracyKm ?? UNTOLD_ACCURACY_KM,
    country: countryOf(place),
    at: scan.at,
    ofUnknownKind: place.source === 'ip',
  };
}
