/** Where symbol and text lie on a label, for whatever draws it. */
import { helveticaWidth } from './helvetica.ts';
import { emptyMatrix, type ModuleMatrix } from './module-matrix.ts';
import type { Renderer } from './renderer.ts';
import { POINTS_PER_MM } from './sheet-layout.ts';
import { type CompleteSpec, symbologyTraits } from './symbology.ts';

export interface Label {
  readonly payload: string;
  /** What stands beneath the bars of a linear symbol whose specification asks for text, if not the data. */
  readonly caption?: string;
  /** Lines of text beside or below the symbol, the most important first: name, lot, expiry, serial. */
  readonly lines: readonly string[];
}

/** In points; y runs up, as in PDF. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface PlacedSymbol {
  readonly matrix: ModuleMatrix;
  /** The upper left corner of the quiet zone. */
  readonly x: number;
  readonly top: number;
  /** Points along a module's side. */
  readonly module: number;
  /** Modules; 0 where the matrix holds its quiet zone. */
  readonly quiet: number;
}

export interface PlacedText {
  /** Of the letters, in points. */
  readonly size: number;
  /** x and y of the base line's start. */
  readonly lines: readonly { readonly x: number; readonly y: number; readonly text: string }[];
}

/** Printers feed by up to half a millimetre aside, so nothing stands closer to a label's edge than 1.5 mm. */
const PADDING = 4.25;
const TEXT_MAX = 9;
const TEXT_MIN = 4;
const LINE_SPACING = 1.2;

/** The symbol on the left of a wide label, else on top; the lines in what room remains. */
export function placeLabel(
  { matrix: encode, spec }: Renderer,
  { payload, caption, lines }: Label,
  box: Box,
): { symbol: PlacedSymbol; text: PlacedText | null } {
  const inner = {
    x: box.x + PADDING,
    y: box.y + PADDING,
    width: box.width - 2 * PADDING,
    height: box.height - 2 * PADDING,
  };
  const isBars = symbologyTraits(spec.type).kind === 'bars';
  const drawn = encode(payload, caption);
  const quiet = isBars ? 0 : spec.quietZone;
  const across = drawn.width + 2 * quiet;
  const wide = inner.width > 1.3 * inner.height && across < 1.5 * (drawn.height + 2 * quiet);
  const textHeight = wide || lines.length === 0 ? 0 : Math.min(lines.length * 8 + 2, inner.height * 0.4);
  const widest = wide && lines.length > 0 ? inner.width * 0.6 : inner.width;
  const legible = Math.min(widest, (across / spec.scale) * LEGIBLE_BAR);
  const matrix = isBars ? shortenBars(drawn, ((inner.height - textHeight) * across) / legible) : drawn;
  const down = matrix.height + 2 * quiet;
  const module = Math.min(widest / across, (inner.height - textHeight) / down);
  const symbol = {
    matrix,
    x: wide ? inner.x : inner.x + (inner.width - across * module) / 2,
    top: wide ? inner.y + (inner.height + down * module) / 2 : inner.y + inner.height,
    module,
    quiet,
  };
  const room = wide
    ? { ...inner, x: inner.x + across * module + 3, width: inner.width - across * module - 3 }
    : { ...inner, height: inner.height - down * module };
  return { symbol, text: placeText(lines, room) };
}

/** How wide the narrowest bar, or a module, of a symbol prints, in millimetres. */
export function moduleMm({ module }: PlacedSymbol, { type, scale }: CompleteSpec): number {
  const pixels = symbologyTraits(type).kind === 'bars' ? scale : 1;
  return (module * pixels) / POINTS_PER_MM;
}

/** Bars are no lower than this share of the symbol's width, as ISO/IEC 15417 has it of Code 128: lower ones are hard to hit with a laser. */
const LEAST_BAR_HEIGHT = 0.15;

/** The narrowest bar of EAN-13 at its nominal size, 0.33 mm, in points: every scanner and telephone reads that. */
const LEGIBLE_BAR = 0.33 * POINTS_PER_MM;

/**
 * Bars lose little by being lower, and all by being narrower: on a low label rows of them are left out, so that the symbol can
 * be wider.
 */
function shortenBars(image: ModuleMatrix, rows: number): ModuleMatrix {
  const surplus = Math.ceil(image.height - rows);
  if (surplus <= 0) return image;
  const bars = longestEqualRows(image);
  const least = Math.min(bars.count, Math.ceil(image.width * LEAST_BAR_HEIGHT));
  const left = Math.max(least, bars.count - surplus);
  const shorter = emptyMatrix(image.width, image.height - bars.count + left);
  const { stride } = image;
  shorter.bits.set(image.bits.subarray(0, (bars.first + left) * stride));
  shorter.bits.set(
    image.bits.subarray((bars.first + bars.count) * stride, image.height * stride),
    (bars.first + left) * stride,
  );
  return shorter;
}

function longestEqualRows({ bits, stride, height }: ModuleMatrix): { first: number; count: number } {
  const rows = Buffer.from(bits.buffer, bits.byteOffset, bits.byteLength);
  let longest = { first: 0, count: 0 };
  for (let first = 0, y = 1; y <= height; y += 1) {
    const isSame =
      y < height &&
      rows.compare(rows, first * stride, (first + 1) * stride, y * stride, (y + 1) * stride) === 0;
    if (isSame) continue;
    if (y - first > longest.count) longest = { first, count: y - first };
    first = y;
  }
  return longest;
}

/**
 * Each line as large as its box allows, all of one size. What is too long even at the smallest ends in dots, and lines for
 * which there is no room are left out: that none of those that matter are is checked when a job is created.
 */
function placeText(lines: readonly string[], box: Box): PlacedText | null {
  if (lines.length === 0 || box.width < 10) return null;
  const room = box.height / lines.length / LINE_SPACING;
  const widest = Math.max(...lines.map(helveticaWidth), 0.001);
  const size = Math.max(TEXT_MIN, Math.min(TEXT_MAX, room, box.width / widest));
  const shown = lines.slice(0, Math.max(1, Math.floor(box.height / (size * LINE_SPACING) + 1e-6)));
  const first = box.y + (box.height + shown.length * size * LINE_SPACING) / 2 - size;
  return {
    size,
    lines: shown.map((line, index) => ({
      x: box.x,
      y: first - index * size * LINE_SPACING,
      text: shorten(line, box.width / size),
    })),
  };
}

function shorten(line: string, width: number): string {
  if (helveticaWidth(line) <= width + 1e-6) return line;
  let kept = line.length;
  while (kept > 0 && helveticaWidth(`${line.slice(0, kept)}...`) > width) kept -= 1;
  return `${line.slice(0, kept)}...`;
}
