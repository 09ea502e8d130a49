import { forEachDarkRun } from './dark-runs.ts';
import type { ModuleMatrix } from './module-matrix.ts';

export interface VectorOptions {
  /** Pixels (SVG) or points (EPS) along a module's side; dots where `dpi` says how large those are. */
  readonly scale: number;
  readonly dpi?: number | undefined;
  /** Light modules on each side. */
  readonly quietZone: number;
  /** `#rrggbb` */
  readonly foreground: string;
  readonly background: string;
  /** A line of text beneath the symbol. */
  readonly caption?: string;
}

/** Height of the caption's letters, in modules, for a symbol so many modules across. */
function captionSize(across: number, caption: string): number {
  // The letters of a monospaced font are 0.6 of their size wide.
  return Math.min(across / 9, across / (0.62 * Math.max(1, caption.length)));
}

const POINTS_PER_INCH = 72;

/** At most seven significant digits, so that what is exact is written so. */
const decimal = (value: number): number => Number(value.toPrecision(7));

/**
 * The symbol as SVG: one path of the runs of dark modules, in module units, upright, with crisp edges, on a
 * rectangle of the background's colour.
 */
export function matrixSvg(matrix: ModuleMatrix, options: VectorOptions): string {
  const { scale, dpi, quietZone, foreground, background, caption } = options;
  const across = matrix.width + 2 * quietZone;
  const symbolDown = matrix.height + 2 * quietZone;
  const size = caption === undefined ? 0 : captionSize(across, caption);
  const down = Math.ceil(symbolDown + size * 1.3);
  const length = (modules: number) =>
    dpi === undefined ? `${modules * scale}` : `${decimal((modules * scale) / dpi)}in`;
  let path = '';
  forEachDarkRun(matrix, (x, y, length, height) => {
    path += `M${x + quietZone} ${y + quietZone}h${length}v${height}h-${length}z`;
  });
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${length(across)}" height="${length(down)}" ` +
    `viewBox="0 0 ${across} ${down}" shape-rendering="crispEdges">` +
    `<path fill="${background}" d="M0 0h${across}v${down}H0z"/><path fill="${foreground}" d="${path}"/>` +
    (caption === undefined
      ? ''
      : captionElement(caption, across / 2, symbolDown + size * 0.8, size, foreground)) +
    '</svg>\n'
  );
}

function captionElement(text: string, x: number, y: number, size: number, colour: string): string {
  const escaped = text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return (
    `<text x="${x}" y="${y.toFixed(2)}" font-family="monospace" font-size="${size.toFixed(2)}" ` +
    `text-anchor="middle" fill="${colour}">${escaped}</text>`
  );
}

/** The symbol as encapsulated PostScript, one filled rectangle for each run; the origin is the lower left corner. */
export function matrixEps(matrix: ModuleMatrix, options: VectorOptions): string {
  const { dpi, quietZone, foreground, background, caption } = options;
  const scale = dpi === undefined ? options.scale : decimal((options.scale * POINTS_PER_INCH) / dpi);
  const across = matrix.width + 2 * quietZone;
  const size = caption === undefined ? 0 : captionSize(across, caption);
  const textDown = Math.ceil(size * 1.3);
  const down = matrix.height + 2 * quietZone + textDown;
  const lines: string[] = [];
  forEachDarkRun(matrix, (x, y, length, height) => {
    lines.push(`${x + quietZone} ${down - quietZone - y - height} ${length} ${height} r`);
  });
  if (caption !== undefined) {
    const escaped = caption.replace(/[()\\]/g, (character) => `\\${character}`);
    lines.push(
      `/Courier findfont ${size.toFixed(2)} scalefont setfont`,
      `(${escaped}) dup stringwidth pop 2 div ${across / 2} exch sub ${(textDown - size * 0.8).toFixed(2)} moveto show`,
    );
  }
  return [
    '%!PS-Adobe-3.0 EPSF-3.0',
    `%%BoundingBox: 0 0 ${Math.ceil(across * scale)} ${Math.ceil(down * scale)}`,
    `%%HiResBoundingBox: 0 0 ${decimal(across * scale)} ${decimal(down * scale)}`,
    '%%Pages: 1',
    '%%EndComments',
    'gsave',
    `${scale} ${scale} scale`,
    `${postScriptColour(background)} setrgbcolor`,
    `0 0 ${across} ${down} rectfill`,
    `${postScriptColour(foreground)} setrgbcolor`,
    '/r { rectfill } bind def',
    ...lines,
    'grestore',
    '%%EOF',
    '',
  ].join('\n');
}

function postScriptColour(colour: string): string {
  return [1, 3, 5].map((at) => (Number.parseInt(colour.slice(at, at + 2), 16) / 255).toFixed(4)).join(' ');
}
