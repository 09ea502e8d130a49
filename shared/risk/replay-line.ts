/** A line of recorded scans for `risk:replay`: what it must say, and what it means. */
import { isCountryCode } from '../countries.ts';
import type { UnitFacts } from './sightings.ts';
import { PLACE_SOURCES, type PlaceSource, type RiskPlace, type ScanFacts } from './types.ts';

/** A recorded scan, with what its line says of its unit. */
export interface ReplayLine extends ScanFacts, UnitFacts {
  scanId: string | number;
  unitId: string | number;
}

/**
 * @param warn told once of each country that ISO 3166-1 does not know: "UK" in place of "GB" makes everything diverted; and of the first half of a position
 * @returns a function from one line of JSON to what it says; it throws an Error that names what is wrong with the line
 */
export function lineReader(warn: (warning: string) => void = () => undefined): (text: string) => ReplayLine {
  const countries = countryReader(warn);
  const markets = marketLists(countries);
  const halves = onceFor(warn);
  return (text) => {
    const record = parseRecord(text);
    const scanId = identifier(record, 'scanId');
    const unitId = identifier(record, 'unitId');
    const at = time(record, 'at');
    if (at === null) throw new Error('at: missing');
    // Profiles count minutes from there on.
    if (at < 0) throw new Error('at: before 1970');
    return {
      scanId,
      unitId,
      at,
      sessionId: name(record, 'sessionId'),
      networkId: name(record, 'networkId'),
      place: placeOf(record, countries, halves),
      lotId: (record['batchId'] ?? null) === null ? null : identifier(record, 'batchId'),
      markets: markets(record),
      activatedAt: time(record, 'activatedAt'),
    };
  };
}

// Checked by hand: a schema library takes as long for a line as the rules do.
type LineRecord = Record<string, unknown>;

function parseRecord(line: string): LineRecord {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch (error) {
    throw new Error(`not JSON: ${(error as Error).message}`, { cause: error });
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw new Error('not a JSON object');
  return json as LineRecord;
}

function identifier(record: LineRecord, field: string): string | number {
  const value = record[field];
  if (typeof value === 'number') return exact(value, field);
  if (typeof value === 'string' && value !== '') return value;
  throw new Error(`${field}: expected a string or a number`);
}

/** A number names one thing only as long as it is read exactly: of 64 bits JSON's numbers keep 53. */
function exact(value: number, field: string): number {
  if (Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value))) return value;
  throw new Error(`${field}: a number of 2^53 or more is not exact in JSON; give it as a string`);
}

function text(record: LineRecord, field: string): string | null {
  const value = record[field] ?? null;
  if (value === null || typeof value === 'string') return value;
  throw new Error(`${field}: expected a string or null`);
}

/** A session or a network; a number names one as well as a text does, and an empty text, as tables are exported with, names none. */
function name(record: LineRecord, field: string): string | null {
  const value = record[field];
  if (value === '') return null;
  return typeof value === 'number' ? String(exact(value, field)) : text(record, field);
}

/** A day, and perhaps a time of it, and perhaps its offset. */
const ISO_8601 = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/;

/** As late as ISO 8601 goes with a year of four digits. Times in microseconds, as databases export them, are beyond it since 1978. */
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/** ISO 8601, in UTC where it says nothing else, or milliseconds since the epoch (seconds, where the number is too small for milliseconds). */
function time(record: LineRecord, field: string): number | null {
  const value = record[field] ?? null;
  if (value === null) return null;
  let at = Number.NaN;
  if (typeof value === 'number') at = Math.abs(value) < 1e11 ? value * 1000 : value;
  else if (typeof value === 'string') at = parseTime(value);
  if (Math.abs(at) <= LATEST) return at;
  throw new Error(`${field}: expected an ISO 8601 time or milliseconds since the epoch`);
}

/** @returns NaN for what `Date.parse` would make a time of, and is none: "yesterday 3". */
function parseTime(text: string): number {
  const found = ISO_8601.exec(text);
  if (found === null || !isInCalendar(text)) return Number.NaN;
  // A day alone is UTC's everywhere, and a time without an offset is one of the machine's zone: the same file is to say the same anywhere.
  return Date.parse(found[1] === undefined && text.length > 'YYYY-MM-DD'.length ? `${text}Z` : text);
}

/** `Date.parse` takes the 30th of February for the 2nd of March. */
function isInCalendar(text: string): boolean {
  const day = Number(text.slice(8, 10));
  return day <= 28 || new Date(text.slice(0, 10)).getUTCDate() === day;
}

function within(record: LineRecord, field: string, low: number, high: number): number | null {
  const value = record[field] ?? null;
  if (value === null) return null;
  if (typeof value === 'number' && value >= low && value <= high) return value;
  throw new Error(`${field}: expected a number from ${low} to ${high}, or null`);
}

function placeOf(
  record: LineRecord,
  countryOf: CountryReader,
  warn: (warning: string) => void,
): RiskPlace | null {
  const lat = within(record, 'lat', -90, 90);
  const lon = within(record, 'lon', -180, 180);
  const accuracyKm = within(record, 'accuracyKm', 0, 21_000);
  const named = text(record, 'country');
  const country = named === null ? null : countryOf(named, 'country');
  if (country === undefined) throw new Error('country: expected two letters or null');
  const source = sourceOf(record);
  const located = lat !== null && lon !== null;
  if (!located && lat !== lon) warn(`${lat === null ? 'lon' : 'lat'}: half a position is none`);
  if (!located && country === null) return null;
  return {
    lat: located ? lat : null,
    lon: located ? lon : null,
    accuracyKm,
    country,
    source,
  };
}

/** A file that lacks a column lacks it in each of its lines. */
function onceFor(warn: (warning: string) => void): (warning: string) => void {
  const told = new Set<string>();
  return (warning) => {
    if (told.has(warning)) return;
    told.add(warning);
    warn(warning);
  };
}

const SOURCES: readonly string[] = PLACE_SOURCES;

/** Where the position comes from, as `place.source` of a scan tells it; a line need not say. */
function sourceOf(record: LineRecord): PlaceSource | undefined {
  const source = text(record, 'source');
  if (source === null) return undefined;
  if (SOURCES.includes(source)) return source as PlaceSource;
  throw new Error(`source: expected one of ${SOURCES.join(', ')}`);
}

/** @returns the code in capitals; undefined for what is no code */
type CountryReader = (text: string, field: 'country' | 'markets') => string | undefined;

function countryReader(warn: (warning: string) => void): CountryReader {
  const known = new Map<string, string>();
  const warned = new Set<string>();
  return (text, field) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    if (!/^[A-Za-z]{2}$/.test(text)) return undefined;
    const code = text.toUpperCase();
    known.set(text, code);
    if (isCountryCode(code) || warned.has(code)) return code;
    warned.add(code);
    warn(`${field}: ${code} is no country code of ISO 3166-1`);
    return code;
  };
}

/** One list for all lines of the same markets: nearly all name one of a few. */
function marketLists(countryOf: CountryReader): (record: LineRecord) => readonly string[] {
  const lists = new Map<string, readonly string[]>();
  return (record) => {
    const value = record['markets'] ?? [];
    if (!Array.isArray(value)) throw new Error('markets: expected an array');
    if (!value.every((market) => typeof market === 'string')) throw new Error(NO_COUNTRIES);
    const name = value.join();
    // Names with commas in them may look the same, and are no countries.
    const known = lists.get(name);
    if (known?.length === value.length) return known;
    const list = value.map((market) => countryOf(market, 'markets'));
    if (!list.every((market) => market !== undefined)) throw new Error(NO_COUNTRIES);
    lists.set(name, list);
    return list;
  };
}

const NO_COUNTRIES = 'markets: expected two-letter countries';
