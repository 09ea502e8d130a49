import bwipjs, { type DrawingContext, type RenderOptions } from 'bwip-js/node';
import { BarcodeError } from './barcode-error.ts';
import { drawText, measureText, setDark } from './glyphs.ts';
import { emptyMatrix, type ModuleMatrix } from './module-matrix.ts';
import { describe } from './reference-encoder.ts';

export interface BarsOptions {
  /** bwip-js's name of the symbology. */
  readonly bcid: string;
  /** Pixels along the narrowest bar. */
  readonly scale: number;
  /** Light on the left and right, and half of it above and below, in widths of the narrowest bar. */
  readonly quietZone: number;
  /** Whether the data stand beneath the bars; `caption` replaces them. */
  readonly text: boolean;
  readonly caption?: string;
  /** The text holds `^FNC1`. */
  readonly parseFnc?: boolean;
  /** Code 93's two check characters, which bwip-js leaves out unless told. */
  readonly includeCheck?: boolean;
}

/** Bars are 15 mm high at scale 1 and 72 pixels per inch (42 pixels), and in proportion at other scales. */
const BAR_HEIGHT_MM = 15;

/**
 * Draws a linear symbol, bars and text, as an image of dark and light pixels, quiet zone included.
 * @throws BarcodeError `BARCODE_UNENCODABLE` when bwip-js refuses the data.
 */
export function drawBars(data: string, options: BarsOptions): ModuleMatrix {
  const request: RenderOptions = {
    bcid: options.bcid,
    text: data,
    scale: options.scale,
    height: BAR_HEIGHT_MM,
    includetext: options.text,
    guardwhitespace: false,
    parsefnc: options.parseFnc ?? false,
    includecheck: options.includeCheck ?? false,
  };
  if (options.text && options.caption !== undefined) request.alttext = options.caption;
  try {
    return bwipjs.render(request, imageContext(options));
  } catch (cause) {
    throw new BarcodeError('BARCODE_UNENCODABLE', `${options.bcid}: ${describe(cause)}`, { cause });
  }
}

/** bwip-js's drawing commands as pixels. Linear symbols are made of upright or level lines, and of text. */
function imageContext({ scale, quietZone }: BarsOptions): DrawingContext<ModuleMatrix> {
  const left = quietZone * scale;
  const top = Math.ceil((quietZone * scale) / 2);
  let image = emptyMatrix(1, 1);
  const frames: [number, number][][] = [];
  const unsupported = (): never => {
    throw new BarcodeError('BARCODE_UNENCODABLE', 'not a linear symbology');
  };
  return {
    scale: (sx, sy) => [Math.trunc(sx) || 1, Math.trunc(sy) || 1],
    measure: (text, font, _width, height) => measureText(text, font, Math.trunc(height)),
    init(width, height) {
      image = emptyMatrix(Math.ceil(width) + 2 * left, Math.ceil(height) + 2 * top);
    },
    line(x0, y0, x1, y1, thickness) {
      const wide = Math.max(1, Math.round(thickness));
      const half = Math.trunc(wide / 2);
      let [fromX, toX] = [Math.trunc(Math.min(x0, x1)), Math.trunc(Math.max(x0, x1))];
      let [fromY, toY] = [Math.trunc(Math.min(y0, y1)), Math.trunc(Math.max(y0, y1))];
      if (fromX === toX) {
        fromX -= wide - half;
        toX += half - 1;
      } else {
        fromY -= half;
        toY += wide - half - 1;
      }
      for (let y = fromY; y <= toY; y += 1) {
        for (let x = fromX; x <= toX; x += 1) setDark(image, left + x, top + y);
      }
    },
    text(x, y, text, _rgb, font) {
      const size = Math.trunc(font.height);
      drawText(image, text, left + Math.trunc(x), top + Math.trunc(y), font.name, size, Math.trunc(font.dx));
    },
    polygon(points) {
      frames.push(points);
    },
    hexagon: unsupported,
    ellipse: unsupported,
    fill() {
      fillFrames(image, frames.splice(0), left, top);
    },
    end: () => image,
  };
}

/** Fills rectangles by the even-odd rule: ITF-14's bearer bars are a rectangle within another. */
function fillFrames(
  image: ModuleMatrix,
  frames: readonly (readonly [number, number])[][],
  left: number,
  top: number,
): void {
  const boxes = frames.map((points) => {
    const xs = points.map(([x]) => Math.trunc(x));
    const ys = points.map(([, y]) => Math.trunc(y));
    return { x0: Math.min(...xs), x1: Math.max(...xs), y0: Math.min(...ys), y1: Math.max(...ys) };
  });
  // Row by row the same boxes count from one edge to the next: pixels one by one take a second at scale 32.
  const edges = [...new Set(boxes.flatMap(({ x0, x1 }) => [x0, x1]))].sort((a, b) => a - b);
  for (let y = -top; y < image.height - top; y += 1) {
    const crossed = boxes.filter(({ y0, y1 }) => y >= y0 && y < y1);
    for (let edge = 1; edge < edges.length; edge += 1) {
      const [from, to] = [edges[edge - 1]!, edges[edge]!];
      if (crossed.filter(({ x0, x1 }) => from >= x0 && from < x1).length % 2 === 0) continue;
      for (let x = from; x < to; x += 1) setDark(image, left + x, top + y);
    }
  }
}
