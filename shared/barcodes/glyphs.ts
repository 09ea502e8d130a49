import bwipjs from 'bwip-js/node';
import type { ModuleMatrix } from './module-matrix.ts';
import { keepSome } from '../keep-some.ts';

/** The extent of a line of text in pixels; `ascent` above and `descent` below the baseline. */
export interface TextExtent {
  readonly width: number;
  readonly ascent: number;
  readonly descent: number;
}

/** Coverage (0 to 255) from which a pixel of a glyph is dark, there being no grey in a symbol's image. */
const DARK_FROM = 112;

/** Measures one line in a font of bwip-js (`OCR-B`, `OCR-A`), `size` pixels high; `spacing` is added per character. */
export function measureText(text: string, font: string, size: number, spacing = 0): TextExtent {
  const fontId = bwipjs.FontLib.lookup(font);
  let width = 0;
  let ascent = 0;
  let descent = 0;
  for (let at = 0; at < text.length; at += 1) {
    const glyph = glyphExtent(fontId, text.charCodeAt(at), size);
    ascent = Math.max(ascent, glyph.top);
    descent = Math.max(descent, glyph.height - glyph.top);
    width += at === text.length - 1 ? glyph.left + glyph.width : glyph.advance + spacing;
  }
  return { width, ascent, descent };
}

interface GlyphExtent {
  readonly top: number;
  readonly left: number;
  readonly width: number;
  readonly height: number;
  readonly advance: number;
}

/** Some 400 KB. */
const MOST_KNOWN = 4_096;
const known = new Map<number, GlyphExtent>();

/** Kept, as bwip-js draws a letter to measure it; the same few are measured for every unit of a job. */
function glyphExtent(fontId: number, char: number, size: number): GlyphExtent {
  const key = (fontId * 65_536 + char) * 65_536 + size;
  const found = known.get(key);
  if (found !== undefined) return found;
  const { top, left, width, height, advance } = bwipjs.FontLib.getglyph(fontId, char, size, size);
  const extent = { top, left, width, height, advance };
  keepSome(known, key, extent, MOST_KNOWN);
  return extent;
}

/** Draws one line of text into an image, its baseline starting at (x, y); what falls outside is left out. */
export function drawText(
  image: ModuleMatrix,
  text: string,
  x: number,
  y: number,
  font: string,
  size: number,
  spacing = 0,
): void {
  const fontId = bwipjs.FontLib.lookup(font);
  let pen = x;
  for (let at = 0; at < text.length; at += 1) {
    const glyph = bwipjs.FontLib.getglyph(fontId, text.charCodeAt(at), size, size);
    for (let row = 0; row < glyph.height; row += 1) {
      for (let column = 0; column < glyph.width; column += 1) {
        if ((glyph.bytes[glyph.offset + row * glyph.width + column] ?? 0) < DARK_FROM) continue;
        setDark(image, pen + glyph.left + column, y - glyph.top + row);
      }
    }
    pen += glyph.advance + spacing;
  }
}

/** Makes one pixel dark, if it is inside the image. */
export function setDark(image: ModuleMatrix, x: number, y: number): void {
  if (x < 0 || y < 0 || x >= image.width || y >= image.height) return;
  image.bits[y * image.stride + (x >>> 3)]! |= 0x80 >>> (x & 7);
}
