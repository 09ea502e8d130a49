import type { ModuleMatrix } from './module-matrix.ts';

/**
 * Calls `visit` for each horizontal run of dark modules, top row first, left to right.
 * `x` and `y` count from the symbol's upper left corner, in modules, without quiet zone.
 */
export function forEachDarkRun(
  matrix: ModuleMatrix,
  visit: (x: number, y: number, length: number) => void,
): void {
  const { width, height, stride, bits } = matrix;
  for (let y = 0; y < height; y += 1) {
    let start = -1;
    for (let x = 0; x < width; x += 1) {
      const dark = bits[y * stride + (x >>> 3)]! & (0x80 >>> (x & 7));
      if (dark !== 0) {
        if (start < 0) start = x;
      } else if (start >= 0) {
        visit(start, y, x - start);
        start = -1;
      }
    }
    if (start >= 0) visit(start, y, width - start);
  }
}
