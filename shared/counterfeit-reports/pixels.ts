/** Decoded pixels of any kind become opaque RGBA, and few enough to work on. */
import { JsColorType } from '@napi-rs/image';

export interface Decoded {
  width: number;
  height: number;
  colorType: JsColorType;
  /** Rows from the top, without padding; 16-bit samples in the machine's order. */
  pixels: Buffer;
}

export interface Opaque {
  width: number;
  height: number;
  rgba: Uint8Array;
}

/** Samples of a pixel and bytes of a sample. Floats, which none of the three formats has, are not among them. */
const LAYOUTS = new Map<JsColorType, { samples: number; bytes: number }>([
  [JsColorType.L8, { samples: 1, bytes: 1 }],
  [JsColorType.La8, { samples: 2, bytes: 1 }],
  [JsColorType.Rgb8, { samples: 3, bytes: 1 }],
  [JsColorType.Rgba8, { samples: 4, bytes: 1 }],
  [JsColorType.L16, { samples: 1, bytes: 2 }],
  [JsColorType.La16, { samples: 2, bytes: 2 }],
  [JsColorType.Rgb16, { samples: 3, bytes: 2 }],
  [JsColorType.Rgba16, { samples: 4, bytes: 2 }],
]);

/**
 * Lays the image over white and averages squares of n × n pixels, n the greatest that leaves the longer edge at or above
 * `edge`; what is left over at the right and the bottom (less than n pixels) is dropped.
 * @throws RangeError where the pixels are not as many as the size says
 */
export function flattenAndShrink({ width, height, colorType, pixels }: Decoded, edge: number): Opaque {
  const layout = LAYOUTS.get(colorType);
  if (layout === undefined || pixels.length !== width * height * layout.samples * layout.bytes)
    throw new RangeError('pixels do not fit their size');
  const { samples, bytes } = layout;
  const n = Math.max(1, Math.min(Math.floor(Math.max(width, height) / edge), width, height));
  const small = { width: Math.floor(width / n), height: Math.floor(height / n) };
  const rgba = new Uint8Array(small.width * small.height * 4);
  const hasAlpha = samples === 2 || samples === 4;
  const green = samples >= 3 ? bytes : 0;
  const blue = green * 2;
  const alpha = (samples - 1) * bytes;
  // The more significant byte of a 16-bit sample is the second one on a little-endian machine, as all supported ones are.
  const first = bytes - 1;
  const count = n * n;
  for (let row = 0, to = 0; row < small.height; row += 1) {
    for (let column = 0; column < small.width; column += 1, to += 4) {
      let r = 0;
      let g = 0;
      let b = 0;
      for (let dy = 0; dy < n; dy += 1) {
        let at = ((row * n + dy) * width + column * n) * samples * bytes + first;
        for (let dx = 0; dx < n; dx += 1, at += samples * bytes) {
          const opacity = hasAlpha ? pixels[at + alpha]! : 255;
          const white = 255 * (255 - opacity);
          r += pixels[at]! * opacity + white;
          g += pixels[at + green]! * opacity + white;
          b += pixels[at + blue]! * opacity + white;
        }
      }
      const scale = 1 / (255 * count);
      rgba[to] = r * scale + 0.5;
      rgba[to + 1] = g * scale + 0.5;
      rgba[to + 2] = b * scale + 0.5;
      rgba[to + 3] = 255;
    }
  }
  return { ...small, rgba };
}
