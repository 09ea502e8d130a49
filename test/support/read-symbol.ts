import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { inflateSync } from 'node:zlib';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

const wasm = readFileSync(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'));
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer } });

/** Reads the symbols in a PNG with an independent decoder: their formats and exact bytes as Latin-1. */
export async function readSymbol(png: Uint8Array): Promise<{ format: string; text: string }[]> {
  const found = await readBarcodes(new Uint8Array(png), { tryHarder: true });
  return found.map(({ format, bytes }) => ({
    format,
    text: Buffer.from(bytes).toString('latin1'),
  }));
}

export interface DecodedPng {
  readonly width: number;
  readonly height: number;
  readonly chunks: Map<string, Buffer>;
  /** 1 bit of each pixel as stored. */
  bit(x: number, y: number): number;
}

/** Decodes a PNG of one bit per pixel, checking its structure as strictly as a decoder may. */
export function decodePng(png: Buffer): DecodedPng {
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    chunks.set(png.toString('latin1', at + 4, at + 8), png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const header = chunks.get('IHDR')!;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const stride = (width + 7) >>> 3;
  // inflateSync checks Adler-32 too.
  const raw = inflateSync(chunks.get('IDAT')!);
  if (raw.length !== height * (stride + 1)) throw new Error(`${raw.length} bytes of pixels`);
  const rows: Uint8Array[] = [];
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)];
    const row = Uint8Array.from(raw.subarray(y * (stride + 1) + 1, (y + 1) * (stride + 1)));
    if (filter === 2) for (let x = 0; x < stride; x += 1) row[x]! += rows[y - 1]?.[x] ?? 0;
    else if (filter !== 0) throw new Error(`filter ${filter}`);
    rows.push(row);
  }
  return { width, height, chunks, bit: (x, y) => (rows[y]![x >>> 3]! >>> (7 - (x & 7))) & 1 };
}
