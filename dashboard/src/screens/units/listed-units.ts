/** What a pasted list, or a file, names: units by their ids, serials or codes. */

import { withoutInnerSpaces } from '../../components/element-strings.ts';

export const LIST_KEYS = ['unitId', 'serial', 'code'] as const;
export type ListKey = (typeof LIST_KEYS)[number];

/** As the service makes them: https://github.com/jetify-com/typeid/tree/main/spec */
const UNIT_ID = /\bunit_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g;

/**
 * What the service takes at all; whether there is such a unit, it says itself. In a GS1 element string `\x1d` ends a lot, and scanners
 * may put three characters that tell the symbology before a serial.
 */
const TAKEN = {
  serial: /^(?:\][A-Za-z][\dA-Za-z])?[\x21-\x7e]{1,20}$/,
  // eslint-disable-next-line no-control-regex
  code: /^[\x1d\x21-\x7e]{1,2000}$/,
} as const;

/** Columns of `codes.csv`, members of `codes.ndjson`, and what lists from elsewhere call them; the first that is there. */
const COLUMNS = { serial: ['serial'], code: ['code', 'token', 'address'] } as const;
const HEADINGS: ReadonlySet<string> = new Set(['unitid', ...COLUMNS.serial, ...COLUMNS.code]);

export interface Listed {
  /** Ids, serials or codes, without repetitions. */
  items: string[];
  /** Lines that name no unit. */
  strays: string[];
}

/** Lines of ids, serials or codes, or rows of `codes.csv` or `codes.ndjson`; a heading is no stray line. */
export function listedIn(by: ListKey, ...texts: readonly string[]): Listed {
  const items = new Set<string>();
  const strays: string[] = [];
  for (const text of texts) {
    const lines = text.replace(/^\uFEFF/, '').split(/\r?\n|\r/);
    const read = by === 'unitId' ? idsIn : reader(by, lines[0]!);
    for (const [index, raw] of lines.entries()) {
      const line = raw.trim();
      if (line === '' || (index === 0 && headingOf(line) !== null)) continue;
      const found = read(line);
      for (const item of found) items.add(item);
      if (found.length === 0) strays.push(line);
    }
  }
  return { items: [...items], strays };
}

/** As codes are printed or scanned: an address, a GS1 element string, a token. */
const CODE_LIKE = /^(?:https?:\/\/|(?:\][A-Za-z]\d)?\(?01\)?\d{14}|[\da-hjkmnp-tv-z]{24}$)/i;

/**
 * What a list seems to go by where nothing on it is what it is said to go by; null where something is, or nothing else is clear.
 * @param listed what was read of it
 */
export function likelierKey(by: ListKey, { items, strays }: Listed): ListKey | null {
  const all = [...items, ...strays];
  if (by !== 'unitId' && all.length > 0 && all.every((text) => idsIn(text).length > 0)) return 'unitId';
  if (items.length > 0 || strays.length === 0) return null;
  if (by !== 'code' && strays.every((text) => CODE_LIKE.test(text))) return 'code';
  return by === 'unitId' && strays.every((text) => TAKEN.serial.test(text)) ? 'serial' : null;
}

/** The list as a file of one column, which is named as what it goes by. */
export const csvOf = (by: ListKey, items: readonly string[]): string =>
  [by, ...items.map((item) => `"${item.replaceAll('"', '""')}"`)].join('\r\n');

type Read = (line: string) => readonly string[];

const idsIn: Read = (line) => line.match(UNIT_ID) ?? [];

function reader(by: 'serial' | 'code', first: string): Read {
  const taken = (texts: readonly string[]) => (texts.every((text) => TAKEN[by].test(text)) ? texts : []);
  const heading = headingOf(first.trim());
  if (heading !== null) {
    const columns = COLUMNS[by].map((name) => heading.names.indexOf(name)).filter((index) => index >= 0);
    return (line) => taken([cellsOf(line, heading.separator)[columns[0] ?? -1]?.trim() ?? '']);
  }
  // What a comma or semicolon ends may be a serial with one in it, unless a space follows.
  return (line) => taken(memberOf(by, line) ?? withoutInnerSpaces(line).split(/[,;]?\s+/));
}

/** The cells of a line that names columns as the service's lists do, or null. */
function headingOf(line: string): { names: string[]; separator: string } | null {
  for (const separator of [',', ';', '\t']) {
    const names = cellsOf(line, separator).map((cell) => cell.trim().toLowerCase());
    if (names.some((name) => HEADINGS.has(name))) return { names, separator };
  }
  return null;
}

/** @see https://www.rfc-editor.org/rfc/rfc4180 */
const cellsOf = (line: string, separator: string): string[] =>
  [
    ...line.matchAll(
      new RegExp(`(?:^|${separator})(?:"((?:[^"]|"")*)"(?=${separator}|$)|([^${separator}]*))`, 'g'),
    ),
  ].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '');

/** What a line of NDJSON has, in an object or alone; null for any other line. */
function memberOf(by: 'serial' | 'code', line: string): string[] | null {
  if (!/^[{"]/.test(line)) return null;
  try {
    const value: unknown = JSON.parse(line);
    const members = value as Record<string, unknown>;
    const text = typeof value === 'string' ? value : COLUMNS[by].map((name) => members[name]).find(Boolean);
    return [typeof text === 'string' ? text : ''];
  } catch {
    return null;
  }
}
