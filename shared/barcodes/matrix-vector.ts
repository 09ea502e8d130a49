import { forEachDarkRun } from './dark-runs.ts';
import type { ModuleMatrix } from './module-matrix.ts';

export interface VectorOptions {
  /** Pixels (SVG) or points (EPS) along a module's side. */
  readonly scale: number;
  /** Light modules on each side. */
  readonly quietZone: number;
  /** `#rrggbb` */
  readonly foreground: string;
  readonly background: string;
}

/**
 * The symbol as SVG: one path of the runs of dark modules, in module units, upright, with crisp edges, on a
 * rectangle of the background's colour. Contains no text from outside, so nothing is to be escaped.
 */
export function matrixSvg(matrix: ModuleMatrix, options: VectorOptions): string {
  const { scale, quietZone, foreground, background } = options;
  const across = matrix.width + 2 * quietZone;
  const down = matrix.height + 2 * quietZone;
  let path = '';
  forEachDarkRun(matrix, (x, y, length) => {
    path += `M${x + quietZone} ${y + quietZone}h${length}v1h-${length}z`;
  });
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${across * scale}" height="${down * scale}" ` +
    `viewBox="0 0 ${across} ${down}" shape-rendering="crispEdges">` +
    `<path fill="${background}" d="M0 0h${across}v${down}H0z"/><path fill="${foreground}" d="${path}"/></svg>\n`
  );
}

/** The symbol as encapsulated PostScript, one filled rectangle for each run; the origin is the lower left corner. */
export function matrixEps(matrix: ModuleMatrix, options: VectorOptions): string {
  const { scale, quietZone, foreground, background } = options;
  const across = matrix.width + 2 * quietZone;
  const down = matrix.height + 2 * quietZone;
  const lines: string[] = [];
  forEachDarkRun(matrix, (x, y, length) => {
    lines.push(`${x + quietZone} ${down - quietZone - y - 1} ${length} 1 r`);
  });
  return [
    '%!PS-Adobe-3.0 EPSF-3.0',
    `%%BoundingBox: 0 0 ${Math.ceil(across * scale)} ${Math.ceil(down * scale)}`,
    `%%HiResBoundingBox: 0 0 ${across * scale} ${down * scale}`,
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
