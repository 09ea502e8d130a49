import { drawText, measureText } from './glyphs.ts';
import { emptyMatrix, isDark, type ModuleMatrix } from './module-matrix.ts';

const FONT = 'OCR-B';

/**
 * A two-dimensional symbol with a line of text beneath, as an image in pixels with its quiet zone. The text is as
 * large as fits the symbol's width, at most a twelfth of it high, and stands below the quiet zone's first half.
 */
export function captionedImage(
  matrix: ModuleMatrix,
  caption: string,
  { scale, quietZone }: { readonly scale: number; readonly quietZone: number },
): ModuleMatrix {
  const margin = quietZone * scale;
  const width = matrix.width * scale + 2 * margin;
  const room = width - 2 * Math.ceil(margin / 2);
  let size = Math.max(8, Math.round(width / 9));
  while (size > 6 && measureText(caption, FONT, size).width > room) size -= 1;
  const extent = measureText(caption, FONT, size);
  const gap = Math.max(2, Math.ceil(margin / 2));
  const image = emptyMatrix(
    width,
    margin + matrix.height * scale + margin + extent.ascent + extent.descent + gap,
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
  const baseline = image.height - gap - extent.descent;
  drawText(image, caption, Math.max(0, Math.floor((width - extent.width) / 2)), baseline, FONT, size);
  return image;
}
