import { drawText, measureText } from './glyphs.ts';
import { emptyMatrix, isDark, type ModuleMatrix } from './module-matrix.ts';

const FONT = 'OCR-B';

/** Below this, letters of so few pixels run together: a longer text takes more lines instead. */
const LEAST = 8;
/** Is measured in under a millisecond, and rounds little. */
const SMALL = 64;

/**
 * A two-dimensional symbol with text beneath, as an image in pixels with its quiet zone. The text is as large as fits
 * the symbol's width, at most a ninth of it high, on as many lines as it needs; no letter of it is ever cut.
 */
export function captionedImage(
  matrix: ModuleMatrix,
  caption: string,
  { scale, quietZone }: { readonly scale: number; readonly quietZone: number },
): ModuleMatrix {
  const margin = quietZone * scale;
  const width = matrix.width * scale + 2 * margin;
  const room = width - 2 * Math.ceil(margin / 2);
  const size = largestThatFits(caption, Math.max(LEAST, Math.round(width / 9)), room);
  const lines = linesThatFit(caption, size, room);
  const extent = measureText(caption, FONT, size);
  const gap = Math.max(2, Math.ceil(margin / 2));
  const lineHeight = extent.ascent + extent.descent + 2;
  const image = emptyMatrix(
    width,
    margin + matrix.height * scale + margin + lines.length * lineHeight - 2 + gap,
  );
  for (let y = 0; y < matrix.height; y += 1) {
    const first = (margin + y * scale) * image.stride;
    for (let x = 0; x < matrix.width * scale; x += 1) {
      if (!isDark(matrix, Math.floor(x / scale), y)) continue;
      image.bits[first + ((margin + x) >>> 3)]! |= 0x80 >>> ((margin + x) & 7);
    }
    for (let copy = 1; copy < scale; copy += 1) {
      image.bits.copyWithin(first + copy * image.stride, first, first + image.stride);
    }
  }
  const baseline = image.height - gap - extent.descent - (lines.length - 1) * lineHeight;
  for (const [index, line] of lines.entries()) {
    const left = Math.max(0, Math.floor((width - measureText(line, FONT, size).width) / 2));
    drawText(image, line, left, baseline + index * lineHeight, FONT, size);
  }
  return image;
}

/**
 * The largest size at which a text takes no more than `room`. To measure is to draw every letter, which takes 50 ms at 500
 * pixels: a small one tells about how large it can be, a large one all but the rounding of each letter, and only the rest is tried.
 */
function largestThatFits(text: string, most: number, room: number): number {
  const rounding = text.length + 2;
  const boundBy = (size: number): number => {
    const { width } = measureText(text, FONT, size);
    return width <= rounding ? most : Math.floor((size * (room + rounding)) / (width - rounding));
  };
  let size = Math.min(most, boundBy(Math.min(most, SMALL)));
  size = Math.min(size, boundBy(size));
  while (size > LEAST && measureText(text, FONT, size).width > room) size -= 1;
  return Math.max(LEAST, size);
}

/** Lines of about the same length. */
function linesThatFit(text: string, size: number, room: number): string[] {
  for (let count = 1; ; count += 1) {
    const most = Math.ceil(text.length / count);
    const lines = Array.from({ length: Math.ceil(text.length / most) }, (_, index) =>
      text.slice(index * most, (index + 1) * most),
    );
    if (most <= 1 || lines.every((line) => measureText(line, FONT, size).width <= room)) return lines;
  }
}
