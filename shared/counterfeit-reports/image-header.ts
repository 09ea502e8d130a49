/**
 * What a JPEG, PNG or WebP says of itself before anything of it is decoded: its size, so that a flood of pixels never
 * reaches a decoder, and how it is to be turned. Where a file names several sizes, the greatest counts.
 */
import type { ImageKind } from './sniff.ts';

export interface ImageHeader {
  width: number;
  height: number;
  /** EXIF, 1 to 8; 1 is upright. */
  orientation: number;
  /** Of a decoded sample. */
  sampleBytes: 1 | 2;
}

/** @returns null where the file has no size that could be found. Reads no byte beyond its end. */
export function readImageHeader(bytes: Buffer, kind: Exclude<ImageKind, 'heic'>): ImageHeader | null {
  const header: ImageHeader = { width: 0, height: 0, orientation: 1, sampleBytes: 1 };
  READERS[kind](bytes, header);
  return header.width > 0 && header.height > 0 ? header : null;
}

function grow(header: ImageHeader, width: number, height: number): void {
  header.width = Math.max(header.width, width);
  header.height = Math.max(header.height, height);
}

/** ITU-T T.81 B.1: segments of a marker and a length, up to the first scan; size in each frame header (SOFn). */
function readJpeg(bytes: Buffer, header: ImageHeader): void {
  for (let at = 2; at + 4 <= bytes.length;) {
    if (bytes[at] !== 0xff) return;
    const marker = bytes[at + 1]!;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const length = bytes.readUInt16BE(at + 2);
    const body = bytes.subarray(at + 4, at + 2 + length);
    // C4, C8 and CC are tables and extensions among the frame headers.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame && body.length >= 5) grow(header, body.readUInt16BE(3), body.readUInt16BE(1));
    if (marker === 0xe1 && body.subarray(0, 6).equals(EXIF))
      header.orientation = readOrientation(body.subarray(6));
    if (marker === 0xda || length < 2) return;
    at += 2 + length;
  }
}

/** PNG 3rd edition §5.3, §11.2: chunks of length, type, data, CRC; IHDR comes first. */
function readPng(bytes: Buffer, header: ImageHeader): void {
  for (let at = 8; at + 8 <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const body = bytes.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR' && body.length >= 9) {
      grow(header, body.readUInt32BE(0), body.readUInt32BE(4));
      if (body[8] === 16) header.sampleBytes = 2;
    }
    if (type === 'eXIf') header.orientation = readOrientation(body);
    at += 12 + length;
  }
}

/** RFC 9649 §2: RIFF chunks; the canvas in VP8X, else the frame in VP8 (RFC 6386 §9.1) or VP8L. */
function readWebp(bytes: Buffer, header: ImageHeader): void {
  for (let at = 12; at + 8 <= bytes.length;) {
    const type = bytes.toString('latin1', at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    const body = bytes.subarray(at + 8, at + 8 + length);
    if (type === 'VP8X' && body.length >= 10)
      grow(header, body.readUIntLE(4, 3) + 1, body.readUIntLE(7, 3) + 1);
    if (type === 'VP8 ' && body.length >= 10)
      grow(header, body.readUInt16LE(6) & 0x3fff, body.readUInt16LE(8) & 0x3fff);
    if (type === 'VP8L' && body.length >= 5) {
      const bits = body.readUInt32LE(1);
      grow(header, (bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
    }
    if (type === 'EXIF')
      header.orientation = readOrientation(body.subarray(0, 6).equals(EXIF) ? body.subarray(6) : body);
    at += 8 + length + (length & 1);
  }
}

const READERS = { jpeg: readJpeg, png: readPng, webp: readWebp };
const EXIF = Buffer.from('Exif\0\0', 'latin1');
const ORIENTATION = 0x0112;

/** Tag 0112 of the first directory of a TIFF (EXIF 3.0 §4.6). @returns 1 for whatever is not well-formed. */
function readOrientation(tiff: Buffer): number {
  if (tiff.length < 8) return 1;
  const order = tiff.toString('latin1', 0, 2);
  if (order !== 'II' && order !== 'MM') return 1;
  const isLittle = order === 'II';
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (directory + 2 > tiff.length) return 1;
  const entries = short(directory);
  for (let index = 0; index < entries; index += 1) {
    const at = directory + 2 + index * 12;
    if (at + 12 > tiff.length) return 1;
    if (short(at) !== ORIENTATION) continue;
    const value = short(at + 8);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}
