import type { ModuleMatrix } from './module-matrix.ts';

/**
 * Calls `visit` for each horizontal run of dark modules, top row first, left to right. Equal rows below one another
 * (the bars of a linear symbol) give one run of their common height.
 * `x` and `y` count from the upper left corner, in modules, without quiet zone.
 */
export function forEachDarkRun(
  matrix: ModuleMatrix,
  visit: (x: number, y: number, length: number, height: number) => void,
): void {
  const { width, height, stride, bits } = matrix;
  for (let y = 0; y < height;) {
    const row = y * stride;
    let tall = 1;
    while (y + tall < height && sameRow(bits, row, row + tall * stride, stride)) tall += 1;
    let start = -1;
    for (let x = 0; x < width; x += 1) {
      const dark = bits[row + (x >>> 3)]! & (0x80 >>> (x & 7));
      if (dark !== 0) {
        if (start < 0) start = x;
      } else if (start >= 0) {
        visit(start, y, x - start, tall);
        start = -1;
      }
    }
    if (start >= 0) visit(start, y, width - start, tall);
    y += tall;
  }
}

function sameRow(bits: Uint8Array, a: number, b: number, length: number): boolean {
  for (let at = 0; at < length; at += 1) if (bits[a + at] !== bits[b + at]) return false;
  return true;
}
