import { deflateSync } from 'node:zlib';
import type { ModuleMatrix } from './module-matrix.ts';
import { isGreyscale, PNG_END, pngChunk, pngHead, type PngLook } from './png-chunks.ts';

/**
 * Writes an image, one pixel per module, as PNG with one bit per pixel. For images that hold more than modules
 * (text, bars of different heights); symbols alone go through {@link createMatrixPng}, which is faster.
 */
export function imagePng(image: ModuleMatrix, look: PngLook): Buffer {
  const { stride, height, bits } = image;
  const flip = isGreyscale(look) ? 255 : 0;
  const raw = Buffer.alloc(height * (stride + 1));
  for (let y = 0; y < height; y += 1) {
    // Filter "up": rows of bars and of modules are mostly equal to the row above.
    const row = y * (stride + 1);
    raw[row] = 2;
    for (let at = 0; at < stride; at += 1) {
      const above = y === 0 ? 0 : bits[(y - 1) * stride + at]! ^ flip;
      raw[row + 1 + at] = (bits[y * stride + at]! ^ flip) - above;
    }
  }
  const data = pngChunk('IDAT', deflateSync(raw, { level: 6 }));
  return Buffer.concat([pngHead(image.width, height, look), data, PNG_END]);
}
