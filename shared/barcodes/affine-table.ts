import { emptyMatrix, type ModuleMatrix, matrixWords } from './module-matrix.ts';

/*
 * Why a symbol can be made by XOR.
 *
 * Fix a QR symbol's version, error correction level, mask and segmentation, or a Data Matrix symbol's size and
 * encodation. What remains is a function from data bits d to modules, and every step of it is linear over GF(2),
 * the field {0, 1} where addition is XOR:
 *   - Reed-Solomon: over GF(256) the check bytes are a matrix times the data bytes. Multiplying by a constant of
 *     GF(256) distributes over its addition, which is XOR of bytes; so each check bit is an XOR of data bits.
 *   - Interleaving and placement move bits about. A permutation is linear.
 *   - The mask, the finder and timing patterns, format and version bits, mode, length and padding do not depend
 *     on d: together they XOR a constant c.
 * So S(d) = L(d) ^ c, and for any template t: S(d) = S(t) ^ L(d ^ t), where L of a difference is the XOR of one
 * pattern for each bit that differs, and such a pattern is S(t) ^ S(t with that bit flipped). bwip-js makes S(t)
 * and enough of its neighbours once; afterwards no encoder runs. The bits arrive in units (a pair of characters
 * in 11 bits, say), so the patterns of each half of a unit are summed beforehand into a table: two look-ups a unit.
 */

/** How to learn one family of symbols that differ only in the values of some units of data bits. */
export interface AffineSource {
  /** The width of each unit in bits, at most 16. */
  readonly widths: readonly number[];
  /** The template's value of each unit. */
  readonly template: readonly number[];
  /** Values to learn from that may all occur together without the encoder changing its mode. */
  ordinary(unit: number): Iterable<number>;
  /** Every value that will be asked for; learned from, one at a time, where the ordinary ones do not span them. */
  reachable(unit: number): Iterable<number>;
  /** Makes the symbol with bwip-js. */
  encode(values: readonly number[]): ModuleMatrix;
}

/** Makes any symbol of a family in about a microsecond. */
export interface AffineTable {
  readonly width: number;
  readonly height: number;
  /** XORs the symbol with these unit values into `out`, which the caller owns and which is overwritten. */
  evaluate(values: ArrayLike<number>, out: Uint32Array): void;
}

interface BasisVector {
  difference: number;
  pattern: Uint32Array;
}

/**
 * Learns a family from bwip-js: at most one encoding per bit of each unit, plus the template.
 * @returns undefined when the source is not affine in these units after all (it changed the symbol's size, or
 * two units together did not give the XOR of their patterns), or the encoder cannot be brought to show what is needed.
 */
export function learnAffineTable(source: AffineSource): AffineTable | undefined {
  const first = source.encode(source.template);
  const origin = matrixWords(first);
  const tables: { low: Uint32Array[]; high: Uint32Array[] }[] = [];
  const extraordinary: number[] = [];
  const halves = source.widths.map((width) => (width + 1) >>> 1);

  const table: AffineTable = {
    width: first.width,
    height: first.height,
    evaluate(values, out) {
      out.set(origin);
      for (let unit = 0; unit < tables.length; unit += 1) {
        const difference = values[unit]! ^ source.template[unit]!;
        if (difference === 0) continue;
        const half = halves[unit]!;
        const low = tables[unit]!.low[difference & ((1 << half) - 1)]!;
        const high = tables[unit]!.high[difference >>> half]!;
        for (let word = 0; word < out.length; word += 1) out[word]! ^= low[word]! ^ high[word]!;
      }
    },
  };

  for (let unit = 0; unit < source.widths.length; unit += 1) {
    const learned = learnUnit(source, unit, first, origin);
    if (learned === undefined) return undefined;
    const { basis } = learned;
    if (!learned.isOrdinary) extraordinary.push(unit);
    const width = source.widths[unit]!;
    const half = halves[unit]!;
    const columns = columnsOf(basis, width, origin.length);
    tables.push({
      low: sumsOf(columns.slice(0, half), origin.length),
      high: sumsOf(columns.slice(half), origin.length),
    });
    // Two units that are one in truth (a wrong guess of the alignment) show here, after a tenth of the work.
    if (unit === 1 && !agreesWithSource(source, table, tables.length)) return undefined;
  }
  const isRight =
    agreesWithSource(source, table, tables.length) &&
    extraordinary.every((unit) => agreesWithSource(source, table, tables.length, unit));
  return isRight ? table : undefined;
}

/** Gaussian elimination over GF(2): encodes only values whose difference from the template is new. */
function learnUnit(
  source: AffineSource,
  unit: number,
  first: ModuleMatrix,
  origin: Uint32Array,
): { basis: BasisVector[]; isOrdinary: boolean } | undefined {
  const template = source.template[unit]!;
  const wanted: number[] = [];
  const ordinary = [...source.ordinary(unit)];
  for (const value of ordinary) insertDifference(wanted, value ^ template);
  const spannedByOrdinary = wanted.length;
  for (const value of source.reachable(unit)) insertDifference(wanted, value ^ template);

  const basis: BasisVector[] = [];
  const known: number[] = [];
  for (const value of [...ordinary, ...source.reachable(unit)]) {
    if (known.length === wanted.length) break;
    const before = known.length;
    insertDifference(known, value ^ template);
    if (known.length === before) continue;
    const symbol = source.encode(source.template.with(unit, value));
    if (symbol.width !== first.width || symbol.height !== first.height) return undefined;
    const pattern = matrixWords(symbol).map((word, index) => word ^ origin[index]!);
    basis.push({ difference: value ^ template, pattern });
  }
  return { basis, isOrdinary: spannedByOrdinary === wanted.length };
}

/** Adds a vector to a set in echelon form (each with a highest bit of its own), unless it depends on them. */
function insertDifference(echelon: number[], difference: number): void {
  let rest = difference;
  for (const vector of echelon) rest = Math.min(rest, rest ^ vector);
  if (rest === 0) return;
  echelon.push(rest);
  echelon.sort((a, b) => b - a);
}

/**
 * The pattern of each single bit, from a basis of differences: reduce until each vector alone has its pivot bit.
 * Where the span has no such bit alone, any linear extension agrees on the span; the other bits get zero.
 */
function columnsOf(basis: readonly BasisVector[], width: number, words: number): Uint32Array[] {
  const rows = basis.map(({ difference, pattern }) => ({ difference, pattern: pattern.slice() }));
  const columns = Array.from({ length: width }, () => new Uint32Array(words));
  const done = new Set<BasisVector>();
  for (let bit = width - 1; bit >= 0; bit -= 1) {
    const pivot = rows.find((row) => !done.has(row) && (row.difference >>> bit) & 1);
    if (pivot === undefined) continue;
    done.add(pivot);
    for (const row of rows) {
      if (row === pivot || !((row.difference >>> bit) & 1)) continue;
      row.difference ^= pivot.difference;
      for (let word = 0; word < words; word += 1) row.pattern[word]! ^= pivot.pattern[word]!;
    }
  }
  for (const row of rows) columns[31 - Math.clz32(row.difference)]!.set(row.pattern);
  return columns;
}

/** The XOR of every subset of the columns, indexed by the subset as bits. */
function sumsOf(columns: readonly Uint32Array[], words: number): Uint32Array[] {
  const sums = [new Uint32Array(words)];
  for (const column of columns) {
    sums.push(...sums.map((sum) => sum.map((word, index) => word ^ column[index]!)));
  }
  return sums;
}

/**
 * Many, and from all over each unit's values: three digits in byte mode are no sum of their number's bits, yet a table of those
 * bits is right for one number in ten.
 */
const CHECKED_SYMBOLS = 12;

/**
 * Whether the table gives bwip-js's own symbol where several of the first `units` units change at once.
 * @param probed takes every value that it reaches, not only ordinary ones: one that makes the encoder change its mode has
 * been learned from a symbol in which all that follows stands elsewhere.
 */
function agreesWithSource(source: AffineSource, table: AffineTable, units: number, probed = -1): boolean {
  const out = new Uint32Array(matrixWords(emptyMatrix(table.width, table.height)).length);
  const choices = source.template.map((value, unit) => {
    if (unit >= units) return [value];
    return [...(unit === probed ? source.reachable(unit) : source.ordinary(unit))];
  });
  for (let round = 0; round < CHECKED_SYMBOLS; round += 1) {
    const values = choices.map((all, unit) => {
      const spread = Math.floor(((round + 0.5) * all.length) / CHECKED_SYMBOLS);
      return all[(spread + (unit === probed ? 0 : unit * 17)) % all.length]!;
    });
    const expected = source.encode(values);
    if (expected.width !== table.width || expected.height !== table.height) return false;
    table.evaluate(values, out);
    if (!matrixWords(expected).every((word, index) => word === out[index])) return false;
  }
  return true;
}
