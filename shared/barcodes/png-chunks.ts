import { crc32 } from 'node:zlib';

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** What a two-colour PNG looks like, apart from its pixels. Colours are `#rrggbb`. */
export interface PngLook {
  readonly foreground: string;
  readonly background: string;
  /** Pixels per inch, written to pHYs; left out when not given. */
  readonly dpi?: number | undefined;
}

/** One chunk: length, type, data, CRC over type and data (PNG specification, 5.3). */
export function pngChunk(type: string, data: Uint8Array): Buffer {
  const chunk = Buffer.alloc(data.length + 12);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(type, 4, 'latin1');
  chunk.set(data, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, data.length + 8)), data.length + 8);
  return chunk;
}

/** Black on white is greyscale, where a 1 bit is white; other colours take a palette, where a 1 bit is dark. */
export function isGreyscale(look: PngLook): boolean {
  return look.foreground.toLowerCase() === '#000000' && look.background.toLowerCase() === '#ffffff';
}

/** Everything before the pixels: signature, IHDR with 1 bit per pixel, PLTE for colours, pHYs for a resolution. */
export function pngHead(width: number, height: number, look: PngLook): Buffer {
  const grey = isGreyscale(look);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, grey ? 0 : 3, 0, 0, 0], 8);
  const chunks = [PNG_SIGNATURE, pngChunk('IHDR', header)];
  if (!grey) {
    const palette = Buffer.from(look.background.slice(1) + look.foreground.slice(1), 'hex');
    chunks.push(pngChunk('PLTE', palette));
  }
  if (look.dpi !== undefined) {
    const physical = Buffer.alloc(9);
    const perMetre = Math.round(look.dpi / 0.0254);
    physical.writeUInt32BE(perMetre, 0);
    physical.writeUInt32BE(perMetre, 4);
    physical[8] = 1;
    chunks.push(pngChunk('pHYs', physical));
  }
  return Buffer.concat(chunks);
}

export const PNG_END = pngChunk('IEND', new Uint8Array(0));
