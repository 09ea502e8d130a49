import { BarcodeError } from './barcode-error.ts';
import { type AffineTable, learnAffineTable } from './affine-table.ts';
import { type PayloadShape, templateAlphabet, templatePayload } from './payload-shape.ts';
import { emptyMatrix, matrixWords, sameMatrix } from './module-matrix.ts';
import { encodeReference, type ReferenceOptions } from './reference-encoder.ts';

export type ErrorCorrection = 'L' | 'M' | 'Q' | 'H';

/** The 45 characters of QR's alphanumeric mode, each at its value (ISO/IEC 18004, table 5). */
const QR_ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:';

/** The printable characters that byte mode alone holds: in whatever order, they never invite another mode. */
const BYTE_ONLY = Array.from({ length: 94 }, (_, index) => String.fromCharCode(index + 33))
  .filter((character) => !QR_ALPHANUMERIC.includes(character))
  .join('');
const SMALL_LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** One shape of QR symbols, learned. */
export interface QrTable {
  readonly table: AffineTable;
  /** What makes bwip-js give this symbol, wherever it chooses the same segmentation by itself. */
  readonly reference: Omit<ReferenceOptions, 'text'>;
  readonly units: number;
  /** Fills `values` from a payload; false when the payload is not of the shape. */
  read(payload: string, values: Uint16Array): boolean;
  /** Whether bwip-js surely segments this payload as it does the template, so that `reference` gives this symbol. */
  isComparable(payload: string): boolean;
}

/** How the varying characters sit in the data stream: `size` characters make one number of so many bits. */
interface Alignment {
  readonly mode: 'alphanumeric' | 'numeric' | 'byte';
  /** Characters before the first varying one that share its number. */
  readonly lead: number;
  /** Characters after the last varying one that share its number. */
  readonly tail: number;
}

interface Unit {
  readonly start: number;
  readonly length: number;
}

const MODES = {
  alphanumeric: { size: 2, bits: [0, 6, 11], radix: 45, values: QR_ALPHANUMERIC },
  numeric: { size: 3, bits: [0, 4, 7, 10], radix: 10, values: '0123456789' },
  byte: { size: 1, bits: [0, 8], radix: 256, values: '' },
} as const;

/**
 * Learns the QR symbols of one shape: fixes version and mask as bwip-js chooses them for the shape's template,
 * finds out how its optimizer segments the template (guess, learn, compare), and keeps that segmentation for all.
 * A payload with a long run of digits, for which bwip-js alone would switch to numeric mode, thereby gets a symbol
 * that is as valid, of the same size as its neighbours, and another than bwip-js's own.
 * @returns undefined when no alignment explains what bwip-js does: then each symbol must come from bwip-js.
 * @throws BarcodeError `BARCODE_UNENCODABLE` when the payload is too long for any version.
 */
export function learnQrTable(shape: PayloadShape, errorCorrection: ErrorCorrection): QrTable | undefined {
  // UTF-8 gives other characters several bytes, and then a place in the text is not a place in the data.
  if (/[^\0-\x7f]/.test(shape.prefix + shape.alphabet + shape.suffix)) return undefined;
  const dense = templatePayload(shape);
  const inBytes = templatePayload({ ...shape, alphabet: SMALL_LETTERS });
  let fixed: { template: string; reference: Omit<ReferenceOptions, 'text'> } | undefined;
  for (const alignment of alignments(shape, dense)) {
    const template = alignment.mode === 'byte' ? inBytes : dense;
    if (fixed?.template !== template) fixed = { template, reference: fixSymbol(template, errorCorrection) };
    const { reference } = fixed;
    const units = unitsOf(shape, alignment);
    const table = whereItFits(() => learn(shape, template, reference, alignment, units));
    if (table === undefined) continue;
    const read = reader(shape, alignment, units);
    const learned = { table, reference, units: units.length, read };
    return { ...learned, isComparable: comparability(shape, alignment, template, learned) };
  }
  return undefined;
}

/** Version and mask of bwip-js's own choice for this text, made explicit. */
function fixSymbol(text: string, errorCorrection: ErrorCorrection): Omit<ReferenceOptions, 'text'> {
  const options = { bcid: 'qrcode', eclevel: errorCorrection };
  const chosen = encodeReference({ ...options, text });
  const fixed = { ...options, version: String((chosen.width - 17) / 4) };
  const mask = formatMask(chosen.bits, chosen.stride);
  return { ...fixed, mask: mask + 1 };
}

/**
 * The mask's number, 0 to 7, from the format information: modules 2 to 4 of row 8 hold bits 12 to 10 of the
 * format word, which is itself XORed with 101010000010010 (ISO/IEC 18004, 7.9.1).
 */
function formatMask(bits: Uint8Array, stride: number): number {
  return ((bits[8 * stride]! >>> 3) & 7) ^ 0b101;
}

/** Likely first: what is all alphanumeric starts its pairs at the beginning. */
function* alignments(shape: PayloadShape, template: string): Iterable<Alignment> {
  const { prefix, alphabet } = shape;
  const isIn = (characters: string) => (character: string) => characters.includes(character);
  if (Array.from(alphabet).every(isIn(MODES.numeric.values))) {
    for (const lead of [0, 1, 2]) {
      if (lead > runAtEnd(prefix, MODES.numeric.values)) continue;
      yield* withTails('numeric', lead, shape);
    }
  }
  if (Array.from(alphabet).every(isIn(QR_ALPHANUMERIC))) {
    const whole = Array.from(template).every(isIn(QR_ALPHANUMERIC));
    const run = whole ? prefix.length : runAtEnd(prefix, QR_ALPHANUMERIC);
    for (const lead of [run & 1, 1 - (run & 1)]) {
      if (lead <= run) yield* withTails('alphanumeric', lead, shape);
    }
  }
  yield { mode: 'byte', lead: 0, tail: 0 };
}

function* withTails(
  mode: 'alphanumeric' | 'numeric',
  lead: number,
  shape: PayloadShape,
): Iterable<Alignment> {
  const { size, values } = MODES[mode];
  const open = (size - ((lead + shape.length) % size)) % size;
  let run = 0;
  while (run < shape.suffix.length && values.includes(shape.suffix[run]!)) run += 1;
  for (let tail = Math.min(open, run); tail >= 0; tail -= 1) yield { mode, lead, tail };
}

function runAtEnd(text: string, characters: string): number {
  let run = 0;
  while (run < text.length && characters.includes(text[text.length - 1 - run]!)) run += 1;
  return run;
}

function unitsOf(shape: PayloadShape, alignment: Alignment): Unit[] {
  const { size } = MODES[alignment.mode];
  const end = shape.prefix.length + shape.length + alignment.tail;
  const units: Unit[] = [];
  for (let start = shape.prefix.length - alignment.lead; start < end; start += size) {
    units.push({ start, length: Math.min(size, end - start) });
  }
  return units;
}

/** Each character code's value in the mode, or -1 where the mode has no such character. */
function valuesByCode(mode: Alignment['mode']): Int16Array {
  const values = new Int16Array(128).fill(-1);
  if (mode === 'byte') return values.map((_, code) => code);
  for (const [value, character] of Array.from(MODES[mode].values).entries())
    values[character.charCodeAt(0)] = value;
  return values;
}

/** The number that `size` characters make; -1 when one of them is not in the mode. */
function unitValue(payload: string, unit: Unit, codes: Int16Array, radix: number): number {
  let value = 0;
  for (let at = unit.start; at < unit.start + unit.length; at += 1) {
    const digit = codes[payload.charCodeAt(at)] ?? -1;
    if (digit < 0) return -1;
    value = value * radix + digit;
  }
  return value;
}

function learn(
  shape: PayloadShape,
  template: string,
  reference: Omit<ReferenceOptions, 'text'>,
  alignment: Alignment,
  units: readonly Unit[],
): AffineTable | undefined {
  const { bits, radix } = MODES[alignment.mode];
  const codes = valuesByCode(alignment.mode);
  const isVarying = (at: number) => at >= shape.prefix.length && at < shape.prefix.length + shape.length;
  const texts = units.map(() => new Map<number, string>());
  const choices = (unit: Unit, alphabet: string) => {
    let texts = [''];
    for (let at = unit.start; at < unit.start + unit.length; at += 1) {
      const characters = isVarying(at) ? Array.from(alphabet) : [template[at]!];
      texts = texts.flatMap((text) => characters.map((character) => text + character));
    }
    return texts;
  };
  const values = function* (index: number, alphabet: string) {
    const unit = units[index]!;
    for (const text of choices(unit, alphabet)) {
      const value = unitValue(text, { start: 0, length: text.length }, codes, radix);
      texts[index]!.set(value, text);
      yield value;
    }
  };
  return learnAffineTable({
    widths: units.map((unit) => bits[unit.length]!),
    template: units.map((unit) => unitValue(template, unit, codes, radix)),
    ordinary: (index) => values(index, alignment.mode === 'byte' ? BYTE_ONLY : templateAlphabet(shape)),
    reachable: (index) => values(index, shape.alphabet),
    encode(wanted) {
      let text = template;
      for (const [index, value] of wanted.entries()) {
        const unit = units[index]!;
        const part = texts[index]!.get(value) ?? template.slice(unit.start, unit.start + unit.length);
        text = text.slice(0, unit.start) + part + text.slice(unit.start + unit.length);
      }
      return encodeReference({ ...reference, bcid: 'qrcode', text });
    },
  });
}

function reader(shape: PayloadShape, alignment: Alignment, units: readonly Unit[]): QrTable['read'] {
  const { radix } = MODES[alignment.mode];
  const codes = valuesByCode(alignment.mode);
  const allowed = new Uint8Array(128);
  for (const character of shape.alphabet) allowed[character.charCodeAt(0)] = 1;
  const start = shape.prefix.length;
  const end = start + shape.length;
  const length = end + shape.suffix.length;
  return (payload, values) => {
    if (payload.length !== length || !payload.startsWith(shape.prefix)) return false;
    if (!payload.endsWith(shape.suffix)) return false;
    for (let at = start; at < end; at += 1) if (allowed[payload.charCodeAt(at)] !== 1) return false;
    for (let index = 0; index < units.length; index += 1) {
      values[index] = unitValue(payload, units[index]!, codes, radix);
    }
    return true;
  };
}

/**
 * bwip-js's optimizer leaves alphanumeric mode for runs of 7 digits and more, byte mode for 3 digits at the end or
 * 6 within, and for 6 alphanumeric characters (its tables modeANbeforeE, modeBNbeforeE, modeBNbeforeB, modeBAbeforeE
 * at version 1; the bounds only rise with the version); and a segment before or after may draw in characters that it
 * can hold too. Where all payloads are of digits, all are alike. Where alphanumeric mode begins in mid-text, the first digit
 * may decide where: probes tell, and then only payloads with letters and digits where the template has them are surely alike.
 */
function comparability(
  shape: PayloadShape,
  { mode }: Alignment,
  template: string,
  learned: Omit<QrTable, 'isComparable'>,
): QrTable['isComparable'] {
  if (mode === 'numeric') return () => true;
  const start = shape.prefix.length;
  const end = start + shape.length;
  const other = mode === 'byte' ? '[0-9A-Z $%*+\\-./:]' : '[0-9]';
  const otherMode = mode === 'byte' ? new RegExp(`[0-9]{3}|${other}{6}`) : /[0-9]{4}/;
  const atStart = new RegExp(`^${other}`);
  const atEnd = new RegExp(`${other}$`);
  const throughout = new RegExp(`^${other}+$`);
  const isLikely = (payload: string): boolean => {
    const varying = payload.slice(start, end);
    if (atEnd.test(shape.prefix) && atStart.test(varying)) return false;
    if (atStart.test(shape.suffix) && atEnd.test(varying)) return false;
    return !otherMode.test(varying) && !throughout.test(varying);
  };
  const likely = probePayloads(shape).filter(isLikely);
  if (likely.every((payload) => isExact(learned, payload))) return isLikely;
  return (payload) => classesOf(payload) === classesOf(template);
}

/** What decides the segmentation: which modes can hold each character. */
function classesOf(payload: string): string {
  return payload.replace(/./gsu, (one) => {
    if (one >= '0' && one <= '9') return 'N';
    return QR_ALPHANUMERIC.includes(one) ? 'A' : 'B';
  });
}

const PROBES = 12;

/** Payloads with every character of the alphabet in turn. */
function probePayloads({ prefix, length, alphabet, suffix }: PayloadShape): string[] {
  return Array.from({ length: PROBES }, (_, probe) => {
    const place = (at: number) => alphabet[(probe * 41 + at * (probe + 7)) % alphabet.length]!;
    return prefix + Array.from({ length }, (_unit, at) => place(at)).join('') + suffix;
  });
}

function isExact({ table, reference, units, read }: Omit<QrTable, 'isComparable'>, payload: string): boolean {
  const values = new Uint16Array(units);
  read(payload, values);
  const made = emptyMatrix(table.width, table.height);
  table.evaluate(values, matrixWords(made));
  const theirs = whereItFits(() => encodeReference({ ...reference, bcid: 'qrcode', text: payload }));
  return theirs !== undefined && sameMatrix(made, theirs);
}

/**
 * bwip-js's optimizer may spend some bits more on another payload than on the template, and where that fills its version to the last of
 * them, it refuses what another segmentation holds. @returns undefined then.
 */
function whereItFits<Made>(make: () => Made): Made | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof BarcodeError && error.code === 'BARCODE_UNENCODABLE') return undefined;
    throw error;
  }
}
