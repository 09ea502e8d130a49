import { prefixCode, type PrefixCode } from './huffman.ts';

/** Bits to be appended to a deflate stream: each piece's value, lowest bit first, and its width (at most 24). */
export interface BitPieces {
  readonly values: number[];
  readonly widths: number[];
}

/** What a block is made of, for choosing its codes: how often each literal, and each copy, occurs. */
export interface BlockStatistics {
  readonly literals: ReadonlyMap<number, number>;
  /** Copies of `length` bytes (3 to 258) from `distance` bytes back. */
  readonly copies: readonly { length: number; distance: number; count: number }[];
}

/** One dynamic Huffman block of deflate (RFC 1951) whose codes are fixed beforehand, for many streams alike. */
export interface BlockCodes {
  /** Block header: final block, dynamic codes, and the codes' lengths. */
  readonly header: BitPieces;
  literal(byte: number): BitPieces;
  /** A copy of any length: as many of deflate's copies, of 3 to 258 bytes, as it takes. */
  copy(length: number, distance: number): BitPieces;
  readonly endOfBlock: BitPieces;
}

const LENGTH_BASES = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
  227, 258,
];
const LENGTH_EXTRA = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCE_BASES = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
  6145, 8193, 12_289, 16_385, 24_577,
];
const CODE_LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const END_OF_BLOCK = 256;

/** Splits a long copy so that no rest is shorter than deflate's shortest copy of 3. */
function copyLengths(length: number): number[] {
  const lengths: number[] = [];
  let rest = length;
  while (rest > 258) {
    const part = rest - 258 < 3 ? 255 : 258;
    lengths.push(part);
    rest -= part;
  }
  return [...lengths, rest];
}

/** Chooses codes for streams with these statistics. Every literal and copy used later must occur in them. */
export function blockCodes(statistics: BlockStatistics): BlockCodes {
  const literalCounts = new Uint32Array(286);
  const distanceCounts = new Uint32Array(30);
  literalCounts[END_OF_BLOCK] = 1;
  for (const [byte, count] of statistics.literals) literalCounts[byte] = count;
  for (const { length, distance, count } of statistics.copies) {
    for (const part of copyLengths(length)) {
      literalCounts[257 + lastAtMost(LENGTH_BASES, part)]! += count;
      distanceCounts[lastAtMost(DISTANCE_BASES, distance)]! += count;
    }
  }
  const literals = prefixCode(literalCounts, 15);
  const distances = prefixCode(distanceCounts, 15);

  return {
    header: blockHeader(literals, distances),
    literal: (byte) => pieces([[literals.codes[byte]!, literals.lengths[byte]!]]),
    copy(length, distance) {
      const parts: [number, number][] = [];
      for (const part of copyLengths(length)) {
        const l = lastAtMost(LENGTH_BASES, part);
        const d = lastAtMost(DISTANCE_BASES, distance);
        parts.push([literals.codes[257 + l]!, literals.lengths[257 + l]!]);
        parts.push([part - LENGTH_BASES[l]!, LENGTH_EXTRA[l]!]);
        parts.push([distances.codes[d]!, distances.lengths[d]!]);
        parts.push([distance - DISTANCE_BASES[d]!, Math.max(0, (d >>> 1) - 1)]);
      }
      return pieces(parts);
    },
    endOfBlock: pieces([[literals.codes[END_OF_BLOCK]!, literals.lengths[END_OF_BLOCK]!]]),
  };
}

function lastAtMost(bases: readonly number[], value: number): number {
  return bases.findLastIndex((base) => base <= value);
}

/** Puts runs of bits together, as wide pieces as 24 bits allow, so that a writer has few to append. */
function pieces(parts: Iterable<readonly [value: number, width: number]>): BitPieces {
  const joined: BitPieces = { values: [], widths: [] };
  for (const [value, width] of parts) {
    if (width === 0) continue;
    const last = joined.values.length - 1;
    if (last >= 0 && joined.widths[last]! + width <= 24) {
      joined.values[last]! |= value << joined.widths[last]!;
      joined.widths[last]! += width;
    } else {
      joined.values.push(value);
      joined.widths.push(width);
    }
  }
  return joined;
}

/** Several sequences of bits as one. */
export function concatPieces(sequences: Iterable<BitPieces>): BitPieces {
  const parts: [number, number][] = [];
  for (const { values, widths } of sequences) {
    for (const [index, value] of values.entries()) parts.push([value, widths[index]!]);
  }
  return pieces(parts);
}

/** RFC 1951, 3.2.7; runs of unused symbols shrink to symbol 18 (11 to 138 zeros) and 17 (3 to 10). */
function blockHeader(literals: PrefixCode, distances: PrefixCode): BitPieces {
  const literalCount = Math.max(257, literals.lengths.findLastIndex((length) => length > 0) + 1);
  const distanceCount = Math.max(1, distances.lengths.findLastIndex((length) => length > 0) + 1);
  const lengths = [...literals.lengths.slice(0, literalCount), ...distances.lengths.slice(0, distanceCount)];
  const symbols: [symbol: number, extra: number, extraWidth: number][] = [];
  for (let at = 0; at < lengths.length;) {
    let zeros = 0;
    while (at + zeros < lengths.length && lengths[at + zeros] === 0 && zeros < 138) zeros += 1;
    if (zeros >= 11) symbols.push([18, zeros - 11, 7]);
    else if (zeros >= 3) symbols.push([17, zeros - 3, 3]);
    else symbols.push([lengths[at]!, 0, 0]);
    at += zeros >= 3 ? zeros : 1;
  }
  const counts = new Uint32Array(19);
  for (const [symbol] of symbols) counts[symbol]! += 1;
  const code = prefixCode(counts, 7);
  const sent = Math.max(4, CODE_LENGTH_ORDER.findLastIndex((symbol) => code.lengths[symbol]! > 0) + 1);
  return pieces([
    [0b101, 3],
    [literalCount - 257, 5],
    [distanceCount - 1, 5],
    [sent - 4, 4],
    ...CODE_LENGTH_ORDER.slice(0, sent).map((symbol) => [code.lengths[symbol]!, 3] as const),
    ...symbols.flatMap(([symbol, extra, width]) => [
      [code.codes[symbol]!, code.lengths[symbol]!] as const,
      [extra, width] as const,
    ]),
  ]);
}
