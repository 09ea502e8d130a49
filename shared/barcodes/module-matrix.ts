/**
 * A symbol as dark and light modules, without its quiet zone. Row 0 is the top row; within a row the leftmost
 * module is the highest bit of the first byte; 1 is dark. `bits` holds `height * stride` bytes, and then zeros
 * up to a multiple of four, so that whole symbols can be combined word by word.
 */
export interface ModuleMatrix {
  readonly width: number;
  readonly height: number;
  /** Bytes in a row: `ceil(width / 8)`. */
  readonly stride: number;
  readonly bits: Uint8Array;
}

/** An all-light matrix of the given size, backed by a buffer of its own that 32-bit views can be laid over. */
export function emptyMatrix(width: number, height: number): ModuleMatrix {
  const stride = (width + 7) >>> 3;
  return { width, height, stride, bits: new Uint8Array((height * stride + 3) & ~3) };
}

/** Packs one number per module (0 light, anything else dark), row by row; each row is repeated `tall` times. */
export function packModules(
  modules: ArrayLike<number>,
  width: number,
  rows: number,
  tall: number,
): ModuleMatrix {
  const matrix = emptyMatrix(width, rows * tall);
  for (let y = 0; y < rows * tall; y += 1) {
    const row = Math.floor(y / tall) * width;
    for (let x = 0; x < width; x += 1) {
      if (modules[row + x] !== 0) matrix.bits[y * matrix.stride + (x >>> 3)]! |= 0x80 >>> (x & 7);
    }
  }
  return matrix;
}

/** Whether the module in column `x` of row `y` is dark; outside the symbol everything is light. */
export function isDark(matrix: ModuleMatrix, x: number, y: number): boolean {
  if (x < 0 || y < 0 || x >= matrix.width || y >= matrix.height) return false;
  return (matrix.bits[y * matrix.stride + (x >>> 3)]! & (0x80 >>> (x & 7))) !== 0;
}

/** Whether two symbols agree in size and in every module. */
export function sameMatrix(a: ModuleMatrix, b: ModuleMatrix): boolean {
  return (
    a.width === b.width && a.height === b.height && a.bits.every((byte, index) => byte === b.bits[index])
  );
}

/** A 32-bit view of a matrix's bits, for XOR. */
export function matrixWords(matrix: ModuleMatrix): Uint32Array {
  return new Uint32Array(matrix.bits.buffer, matrix.bits.byteOffset, matrix.bits.length >>> 2);
}
