/**
 * Lines on their way from the thread that reads them to the one that judges them, field by field: a list of one kind is copied from
 * thread to thread in a tenth of the time that an object for each line takes.
 */
import type { ReplayLine } from './replay-line.ts';
import type { PlaceSource, RiskPlace } from './types.ts';

/** Numbers that a line does not give are NaN, which JSON has not. */
export interface ReplayColumns {
  scanId: (string | number)[];
  unitId: (string | number)[];
  lotId: (string | number | null)[];
  sessionId: (string | null)[];
  networkId: (string | null)[];
  /** Different lists of markets, and which of them each line has. */
  markets: (readonly string[])[];
  marketsIndex: Uint32Array;
  at: Float64Array;
  activatedAt: Float64Array;
  lat: Float64Array;
  lon: Float64Array;
  accuracyKm: Float64Array;
  country: (string | null)[];
  source: (PlaceSource | undefined)[];
}

export function toColumns(lines: readonly ReplayLine[]): ReplayColumns {
  const indexOf = new Map<readonly string[], number>();
  for (const { markets } of lines) if (!indexOf.has(markets)) indexOf.set(markets, indexOf.size);
  const numbers = (of: (line: ReplayLine) => number | null | undefined) =>
    Float64Array.from(lines, (line) => of(line) ?? Number.NaN);
  return {
    scanId: lines.map(({ scanId }) => scanId),
    unitId: lines.map(({ unitId }) => unitId),
    lotId: lines.map(({ lotId }) => lotId),
    sessionId: lines.map(({ sessionId }) => sessionId),
    networkId: lines.map(({ networkId }) => networkId),
    markets: [...indexOf.keys()],
    marketsIndex: Uint32Array.from(lines, ({ markets }) => indexOf.get(markets)!),
    at: numbers(({ at }) => at),
    activatedAt: numbers(({ activatedAt }) => activatedAt),
    lat: numbers(({ place }) => place?.lat),
    lon: numbers(({ place }) => place?.lon),
    accuracyKm: numbers(({ place }) => place?.accuracyKm),
    country: lines.map(({ place }) => place?.country ?? null),
    source: lines.map(({ place }) => place?.source),
  };
}

/** @returns the line that was the `index`-th, from 0 on. */
export function lineAt(columns: ReplayColumns, index: number): ReplayLine {
  return {
    scanId: columns.scanId[index]!,
    unitId: columns.unitId[index]!,
    lotId: columns.lotId[index]!,
    sessionId: columns.sessionId[index]!,
    networkId: columns.networkId[index]!,
    markets: columns.markets[columns.marketsIndex[index]!]!,
    at: columns.at[index]!,
    activatedAt: known(columns.activatedAt[index]!),
    place: placeAt(columns, index),
  };
}

function placeAt({ lat, lon, accuracyKm, country, source }: ReplayColumns, index: number): RiskPlace | null {
  const place = {
    lat: known(lat[index]!),
    lon: known(lon[index]!),
    accuracyKm: known(accuracyKm[index]!),
    country: country[index]!,
    source: source[index],
  };
  return place.lat === null && place.country === null ? null : place;
}

const known = (value: number): number | null => (Number.isNaN(value) ? null : value);
