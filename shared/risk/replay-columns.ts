/**
 * Lines on their way from the thread that reads them to the one that judges them, field by field: a list of one kind is copied from
 * thread to thread in a tenth of the time that an object for each line takes. What many lines share goes there once.
 */
import type { KnownLine } from './known-line.ts';
import type { MarketPosition } from './markets.ts';
import type { PlaceSource, RiskPlace, VisitorKey } from './types.ts';

/** Numbers that a line does not give are NaN, which JSON has not, and so are the keys of sessions and networks. */
export interface ReplayColumns {
  scanId: (string | number)[];
  unit: Uint32Array;
  lotId: (string | number | null)[];
  session: Float64Array;
  network: Float64Array;
  at: Float64Array;
  activatedAt: Float64Array;
  lat: Float64Array;
  lon: Float64Array;
  accuracyKm: Float64Array;
  markets: SharedColumn<readonly string[]>;
  country: SharedColumn<string | null>;
  source: SharedColumn<PlaceSource | undefined>;
  position: SharedColumn<MarketPosition>;
}

/** Values by number: those that no part before had, and that of each line. */
interface SharedColumn<T> {
  added: T[];
  numbers: Uint32Array;
}

/** @returns a function from some lines to their columns, which a {@link columnReader} must be given in the same order */
export function columnWriter(): (lines: readonly KnownLine[]) => ReplayColumns {
  const markets = sharedWriter(({ markets }) => markets);
  const country = sharedWriter(({ place }) => place?.country ?? null);
  const source = sharedWriter(({ place }) => place?.source);
  const position = sharedWriter(({ position }) => position);
  return (lines) => {
    const numbers = (of: (line: KnownLine) => number | null | undefined) =>
      Float64Array.from(lines, (line) => of(line) ?? Number.NaN);
    return {
      scanId: lines.map(({ scanId }) => scanId),
      unit: Uint32Array.from(lines, ({ unit }) => unit),
      lotId: lines.map(({ lotId }) => lotId),
      session: numbers(({ session }) => numericKey(session)),
      network: numbers(({ network }) => numericKey(network)),
      at: numbers(({ at }) => at),
      activatedAt: numbers(({ activatedAt }) => activatedAt),
      lat: numbers(({ place }) => place?.lat),
      lon: numbers(({ place }) => place?.lon),
      accuracyKm: numbers(({ place }) => place?.accuracyKm),
      markets: markets(lines),
      country: country(lines),
      source: source(lines),
      position: position(lines),
    };
  };
}

function sharedWriter<T>(valueOf: (line: KnownLine) => T): (lines: readonly KnownLine[]) => SharedColumn<T> {
  const numberOf = new Map<T, number>();
  return (lines) => {
    const added: T[] = [];
    const numbers = new Uint32Array(lines.length);
    for (const [index, line] of lines.entries()) {
      const value = valueOf(line);
      let number = numberOf.get(value);
      if (number === undefined) {
        number = numberOf.size;
        numberOf.set(value, number);
        added.push(value);
      }
      numbers[index] = number;
    }
    return { added, numbers };
  };
}

/** @returns a function from columns to one that gives their `index`-th line, from 0 on */
export function columnReader(): (columns: ReplayColumns) => (index: number) => KnownLine {
  const marketsOf = sharedReader<readonly string[]>();
  const countryOf = sharedReader<string | null>();
  const sourceOf = sharedReader<PlaceSource | undefined>();
  const positionOf = sharedReader<MarketPosition>();
  return (columns) => {
    const markets = marketsOf(columns.markets);
    const country = countryOf(columns.country);
    const source = sourceOf(columns.source);
    const position = positionOf(columns.position);
    const placeAt = (index: number): RiskPlace | null => {
      const place = {
        lat: known(columns.lat[index]!),
        lon: known(columns.lon[index]!),
        accuracyKm: known(columns.accuracyKm[index]!),
        country: country(index),
        source: source(index),
      };
      return place.lat === null && place.country === null ? null : place;
    };
    return (index) => ({
      scanId: columns.scanId[index]!,
      unit: columns.unit[index]!,
      lotId: columns.lotId[index]!,
      session: keyOf(columns.session[index]!),
      network: keyOf(columns.network[index]!),
      markets: markets(index),
      at: columns.at[index]!,
      activatedAt: known(columns.activatedAt[index]!),
      place: placeAt(index),
      position: position(index),
    });
  };
}

function sharedReader<T>(): (column: SharedColumn<T>) => (index: number) => T {
  const values: T[] = [];
  return ({ added, numbers }) => {
    values.push(...added);
    return (index) => values[numbers[index]!]!;
  };
}

/** Those of a replay are numbers (`known-line.ts`). */
const numericKey = (key: VisitorKey): number | null => (typeof key === 'number' ? key : null);

// As the integer that it is, which is no object.
const keyOf = (value: number): VisitorKey => (Number.isNaN(value) ? '' : value | 0);

const known = (value: number): number | null => (Number.isNaN(value) ? null : value);
