import { crc32 } from 'node:zlib';
import { type BitPieces, type BlockCodes, blockCodes, concatPieces } from './deflate-block.ts';
import type { ModuleMatrix } from './module-matrix.ts';
import { isGreyscale, PNG_END, pngHead, type PngLook } from './png-chunks.ts';

export interface MatrixPngOptions extends PngLook {
  /** Pixels along a module's side. */
  readonly scale: number;
  /** Light modules on each side. */
  readonly quietZone: number;
}

/*
 * How a symbol's PNG is written without compressing it.
 *
 * A module row is `scale` equal pixel rows: one with filter "none", then rows with filter "up", all zeros. So all
 * that deflate could find is known beforehand: literals for the first, one copy (of the zeros of the module row
 * before) for the rest. Only literals depend on the symbol, and they are few: at scale 4 a byte is two modules
 * and has four values. Hence the Huffman codes are chosen once, from a sample symbol with every possible byte
 * counted in; the bits for each group of eight modules (`scale` bytes) come from a table of 256, and so does
 * the group's part in Adler-32. A whole file then takes about 7 us, where zlib's
 * deflate alone takes 18 at level 1 and 64 at level 9, most of the former for setting itself up; and it is as small
 * as zlib can make it, give or take: 247 bytes of pixels for a version 3 QR symbol against 284 (level 1), 240 (9).
 */

/**
 * Prepares to write symbols of one size as PNG, one bit per pixel.
 * @param sample any symbol of that size: its statistics choose the codes.
 * @returns a function from a symbol of the sample's size to its PNG file.
 */
export function createMatrixPng(
  options: MatrixPngOptions,
  sample: ModuleMatrix,
): (matrix: ModuleMatrix) => Buffer {
  const { scale, quietZone } = options;
  const { width, height, stride } = sample;
  const across = (width + 2 * quietZone) * scale;
  const down = (height + 2 * quietZone) * scale;
  const rowBytes = (across + 7) >>> 3;
  const groups = (width + 2 * quietZone + 7) >>> 3;
  const lastBytes = rowBytes - (groups - 1) * scale;
  const groupBytes = pixelGroups(scale, isGreyscale(options));
  const codes = chooseCodes(options, sample, groupBytes, rowBytes, lastBytes);
  const full = groupTable(groupBytes, scale, codes);
  const last = groupTable(groupBytes, lastBytes, codes);

  const upRows = scale - 1;
  const distance = scale * (rowBytes + 1);
  const explicit = upRowPieces(codes, upRows, rowBytes);
  const repeat = distance <= 32_768 && upRows > 0 ? codes.copy(upRows * (rowBytes + 1), distance) : explicit;
  const rowStart = codes.literal(0);
  const quiet = quietBlock(codes, quietZone * scale, rowBytes, groupBytes[0]!);
  const quietSums = blockSums(quietZone * scale, rowBytes, groupBytes[0]!);

  const head = Buffer.concat([pngHead(across, down, options), Buffer.from('\0\0\0\0IDAT\x78\x01', 'latin1')]);
  const scratch = Buffer.alloc(head.length + 1024 + down * rowBytes * 2 + height * 32);
  scratch.set(head);
  const dataStart = head.length - 2;
  const shift = quietZone & 7;
  const shiftBytes = quietZone >>> 3;

  return (matrix) => {
    const { bits } = matrix;
    let position = head.length;
    let accumulator = 0;
    let held = 0;
    const append = (value: number, size: number): void => {
      accumulator |= value << held;
      held += size;
      while (held >= 8) {
        scratch[position++] = accumulator;
        accumulator >>>= 8;
        held -= 8;
      }
    };
    const appendAll = ({ values, widths }: BitPieces): void => {
      for (let piece = 0; piece < values.length; piece += 1) append(values[piece]!, widths[piece]!);
    };
    // Adler-32: `a` is 1 plus the sum of all bytes, `b` the sum of every intermediate `a`.
    let a = 1;
    let b = 0;
    const addQuiet = (): void => {
      b = (b + quietSums.count * a + quietSums.weighted) % 65_521;
      a = (a + quietSums.sum) % 65_521;
    };

    appendAll(codes.header);
    appendAll(quiet);
    addQuiet();
    for (let y = 0; y < height; y += 1) {
      appendAll(rowStart);
      b += a;
      const row = y * stride;
      let previous = 0;
      for (let group = 0; group < groups; group += 1) {
        const at = group - shiftBytes;
        const current = at >= 0 && at < stride ? bits[row + at]! : 0;
        const modules = ((previous << (8 - shift)) | (current >>> shift)) & 255;
        previous = current;
        const table = group === groups - 1 ? last : full;
        const pieceEnd = (modules + 1) * table.pieces;
        for (let piece = modules * table.pieces; piece < pieceEnd; piece += 1) {
          append(table.values[piece]!, table.widths[piece]!);
        }
        b += table.bytes * a + table.weighted[modules]!;
        a += table.sums[modules]!;
      }
      appendAll(y === 0 && quietZone === 0 ? explicit : repeat);
      b = (b + (rowBytes + 1) * (upRows * a + upRows * (upRows + 1))) % 65_521;
      a = (a + 2 * upRows) % 65_521;
    }
    appendAll(quiet);
    addQuiet();
    appendAll(codes.endOfBlock);
    if (held > 0) scratch[position++] = accumulator;

    scratch.writeUInt32BE(((b << 16) | a) >>> 0, position);
    position += 4;
    scratch.writeUInt32BE(position - dataStart, dataStart - 8);
    scratch.writeUInt32BE(crc32(scratch.subarray(dataStart - 4, position)), position);
    position += 4;
    scratch.set(PNG_END, position);
    return Buffer.from(scratch.subarray(0, position + PNG_END.length));
  };
}

/** The pixel bytes of each pattern of eight modules: `scale` bytes, the leftmost pixel in the highest bit. */
function pixelGroups(scale: number, grey: boolean): Uint8Array[] {
  return Array.from({ length: 256 }, (_, modules) => {
    const bytes = new Uint8Array(scale);
    for (let pixel = 0; pixel < 8 * scale; pixel += 1) {
      const dark = (modules & (0x80 >>> Math.floor(pixel / scale))) !== 0;
      if (dark !== grey) bytes[pixel >>> 3]! |= 0x80 >>> (pixel & 7);
    }
    return bytes;
  });
}

interface GroupTable {
  /** Pieces of bits for one group; `values` and `widths` hold so many for each of the 256 patterns. */
  readonly pieces: number;
  readonly values: Int32Array;
  readonly widths: Uint8Array;
  readonly bytes: number;
  /** Adler-32's share: the sum of the bytes, and the sum of each byte times the count of bytes from it on. */
  readonly sums: Int32Array;
  readonly weighted: Int32Array;
}

function groupTable(groupBytes: readonly Uint8Array[], bytes: number, codes: BlockCodes): GroupTable {
  const sequences = groupBytes.map((group) =>
    concatPieces([...group.subarray(0, bytes)].map((byte) => codes.literal(byte))),
  );
  const pieces = Math.max(...sequences.map(({ values }) => values.length));
  const table = {
    pieces,
    values: new Int32Array(256 * pieces),
    widths: new Uint8Array(256 * pieces),
    bytes,
    sums: new Int32Array(256),
    weighted: new Int32Array(256),
  };
  for (const [modules, { values, widths }] of sequences.entries()) {
    table.values.set(values, modules * pieces);
    table.widths.set(widths, modules * pieces);
    for (const [index, byte] of groupBytes[modules]!.subarray(0, bytes).entries()) {
      table.sums[modules]! += byte;
      table.weighted[modules]! += (bytes - index) * byte;
    }
  }
  return table;
}

/** Rows of filter "up" and zeros that follow a row of literals, spelled out where no earlier rows can be copied. */
function upRowPieces(codes: BlockCodes, rows: number, rowBytes: number): BitPieces {
  if (rows === 0) return concatPieces([]);
  const first = [codes.literal(2), codes.literal(0), ...runPieces(codes, 0, rowBytes - 1)];
  if (rows === 1) return concatPieces(first);
  return concatPieces([...first, codes.copy((rows - 1) * (rowBytes + 1), rowBytes + 1)]);
}

/** More of the byte just sent; deflate copies no fewer than 3. */
function runPieces(codes: BlockCodes, byte: number, count: number): BitPieces[] {
  if (count >= 3) return [codes.copy(count, 1)];
  return Array.from({ length: count }, () => codes.literal(byte));
}

function quietBlock(codes: BlockCodes, rows: number, rowBytes: number, light: Uint8Array): BitPieces {
  if (rows === 0) return concatPieces([]);
  return concatPieces([
    codes.literal(0),
    codes.literal(light[0]!),
    ...runPieces(codes, light[0]!, rowBytes - 1),
    upRowPieces(codes, rows - 1, rowBytes),
  ]);
}

/** Adler-32's share of a block of light rows. */
function blockSums(rows: number, rowBytes: number, light: Uint8Array) {
  const sums = { count: rows * (rowBytes + 1), sum: 0, weighted: 0 };
  for (let index = 0; index < sums.count; index += 1) {
    const row = Math.floor(index / (rowBytes + 1));
    const inRow = index % (rowBytes + 1);
    let byte = 0;
    if (inRow === 0) byte = row === 0 ? 0 : 2;
    else if (row === 0) byte = light[0]!;
    sums.sum += byte;
    sums.weighted += (sums.count - index) * byte;
  }
  sums.weighted %= 65_521;
  return sums;
}

/** Counts what the sample's stream is made of, and every byte that another symbol's may be made of, once. */
function chooseCodes(
  { scale, quietZone }: MatrixPngOptions,
  sample: ModuleMatrix,
  groupBytes: readonly Uint8Array[],
  rowBytes: number,
  lastBytes: number,
): BlockCodes {
  const literals = new Map<number, number>();
  const count = (byte: number, by: number) => literals.set(byte, (literals.get(byte) ?? 0) + by);
  count(0, sample.height + 4);
  count(2, 3);
  for (const group of groupBytes) for (const byte of group) if (!literals.has(byte)) count(byte, 1);
  for (let y = 0; y < sample.height; y += 1) {
    for (let at = 0; at < sample.stride; at += 1) {
      const modules = sample.bits[y * sample.stride + at]!;
      const bytes = at === sample.stride - 1 ? lastBytes : scale;
      for (const byte of groupBytes[modules]!.subarray(0, bytes)) count(byte, 1);
    }
  }
  const copies = [{ length: Math.max(3, rowBytes - 1), distance: 1, count: 4 }];
  const lines = rowBytes + 1;
  const addCopy = (rows: number, distance: number, times: number) => {
    if (rows > 0) copies.push({ length: rows * lines, distance, count: times });
  };
  addCopy(scale - 2, lines, 1);
  addCopy(quietZone * scale - 2, lines, 2);
  if (scale * lines <= 32_768) addCopy(scale - 1, scale * lines, sample.height);
  return blockCodes({ literals, copies });
}
