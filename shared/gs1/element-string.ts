/**
 * GS1 element strings (General Specifications, 7.8) as scanners hand them over: what a GS1 DataMatrix, GS1-128 or GS1 QR Code
 * carries in place of an address.
 */
import { digitalLinkIn, parseDigitalLink, type DigitalLink } from './digital-link.ts';

/** What ends an element of variable length. */
export const GROUP_SEPARATOR = '\x1d';

/** What scanners put before it where they are told to: GS1-128, DataBar and composites, DataMatrix, QR, DotCode (General Specifications, 5.1.3). */
const SYMBOLOGY_IDENTIFIER = /^\](?:C1|e[0-3]|d2|Q3|J1)/;

/** Characters with the identifier itself, by its first two digits: those of no other end with the separator (figure 7.8.5-2). */
const PREDEFINED: Readonly<Record<string, number>> = {
  ...Object.fromEntries(['11', '12', '13', '14', '15', '16', '17', '18', '19'].map((ai) => [ai, 8])),
  ...Object.fromEntries(['31', '32', '33', '34', '35', '36'].map((ai) => [ai, 10])),
  '00': 20,
  '01': 16,
  '02': 16,
  '03': 16,
  '04': 18,
  '20': 4,
  '41': 16,
};

/** As a Digital Link has them in its path. */
const QUALIFIERS = ['22', '10', '21'] as const;

/** A serial of a unit is no longer. What has no mark of an element string and is as short may be one. */
const LONGEST_SERIAL = 20;

type Elements = readonly (readonly [ai: string, value: string])[];

/** `(01)09506000134352(21)7K2M`, as it stands below the symbol. */
function printedElements(text: string): Elements | null {
  const [before, ...parts] = text.split(/\((\d{2,4})\) ?/);
  if (before !== '' || parts.length === 0) return null;
  return Array.from({ length: parts.length / 2 }, (_, i) => [parts[2 * i]!, parts[2 * i + 1]!.trim()]);
}

/** Of the identifiers of variable length only those that tell of a unit are known by their digits; the others are passed over. */
function scannedElements(text: string): Elements | null {
  const elements: (readonly [string, string])[] = [];
  let rest = text;
  while (rest !== '') {
    const ai = rest.slice(0, 2);
    if (!/^\d\d$/.test(ai)) return null;
    const separator = rest.indexOf(GROUP_SEPARATOR);
    const ends = PREDEFINED[ai] ?? (separator === -1 ? rest.length : separator);
    const element = rest.slice(0, ends);
    if (element.length < ends || element.includes(GROUP_SEPARATOR)) return null;
    // A third party's serial begins like none of those.
    elements.push([element.startsWith('235') ? '235' : ai, element.slice(2)]);
    rest = rest.slice(ends);
    // Not needed behind a predefined length, and often there.
    if (rest.startsWith(GROUP_SEPARATOR)) rest = rest.slice(1);
  }
  return elements;
}

/**
 * The GTIN with its qualifiers of an element string, printed (`(01)…(21)…`) or as a scanner sends it, with or without a symbology
 * identifier or an FNC1 in front. One with a third party's serial says nothing of this service's units, as in a Digital Link.
 */
export function elementStringIn(text: string): DigitalLink | null {
  const identified = text.replace(SYMBOLOGY_IDENTIFIER, '');
  const bare = identified.startsWith(GROUP_SEPARATOR) ? identified.slice(1) : identified;
  const isMarked = bare !== text || bare.includes(GROUP_SEPARATOR);
  const elements =
    printedElements(bare) ?? (isMarked || bare.length > LONGEST_SERIAL ? scannedElements(bare) : null);
  return elements === null ? null : linkOf(elements);
}

/**
 * Several printed element strings, each without the spaces that stand between its elements: `(01) 0950… (21) 7K2M` is one code to whoever
 * parts a text at its spaces. The next one begins with its GTIN.
 */
export const withoutInnerSpaces = (text: string): string =>
  text.replace(/(?<=\(\d{2,4}\))[ \t]+|(?<![ \t])[ \t]+(?=\((?!01\))\d{2,4}\))/g, '');

function linkOf(elements: Elements): DigitalLink | null {
  const values = new Map<string, string>();
  for (const [ai, value] of elements) {
    // Said twice it must be the same (4.14.1).
    if ((values.get(ai) ?? value) !== value) return null;
    values.set(ai, value);
  }
  if (values.get('01')?.length !== 14 || values.has('235')) return null;
  const path = ['01' as const, ...QUALIFIERS].flatMap((ai) => {
    const value = values.get(ai);
    return value === undefined ? [] : [ai, encodeURIComponent(value.toWellFormed())];
  });
  const link = parseDigitalLink(path.join('/'));
  return 'problem' in link ? null : link;
}

/** What a symbol of GS1's says that somebody scanned, copied or read off: a Digital Link or an element string. */
export const gs1In = (text: string): DigitalLink | null => digitalLinkIn(text) ?? elementStringIn(text);
