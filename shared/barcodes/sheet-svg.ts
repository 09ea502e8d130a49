import { BarcodeError } from './barcode-error.ts';
import { forEachDarkRun } from './dark-runs.ts';
import { helveticaWidth } from './helvetica.ts';
import { placeLabel, type Label } from './label-placement.ts';
import type { Renderer } from './renderer.ts';
import { labelBox, type SheetLayout, sheetPoints, validateSheetLayout } from './sheet-layout.ts';

const EDGE = '#b9b2a5';

const number = (value: number): string => String(Math.round(value * 1000) / 1000);

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/**
 * A page of labels as a picture for people: what the PDF holds, with the labels' edges. All of them show one label,
 * drawn once.
 * @param most a page of more labels shows the first of them.
 * @throws BarcodeError `BARCODE_LAYOUT` when the labels do not lie on the page.
 */
export function sheetSvg(renderer: Renderer, layout: SheetLayout, label: Label, most: number): string {
  const [problem] = validateSheetLayout(layout);
  if (problem !== undefined) throw new BarcodeError('BARCODE_LAYOUT', `${problem.path}: ${problem.message}`);
  const sheet = sheetPoints(layout);
  const { labelWidth: width, labelHeight: height } = sheet;
  const drawn = labelElements(renderer, label, width, height);
  let uses = '';
  for (let place = 0; place < Math.min(sheet.columns * sheet.rows, most); place++) {
    const { x, y } = labelBox(sheet, place);
    uses += `<use href="#label" x="${number(x)}" y="${number(sheet.pageHeight - y - height)}"/>`;
  }
  const size = `${number(sheet.pageWidth)} ${number(sheet.pageHeight)}`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size}" width="${number(sheet.pageWidth)}" ` +
    `height="${number(sheet.pageHeight)}"><path fill="#fff" d="M0 0h${number(sheet.pageWidth)}v${number(sheet.pageHeight)}H0z"/>` +
    `<defs><g id="label"><rect width="${number(width)}" height="${number(height)}" rx="3" fill="none" stroke="${EDGE}" ` +
    `stroke-width=".5" stroke-dasharray="2 2"/>${drawn}</g></defs>${uses}</svg>\n`
  );
}

/** One label at the origin; y runs down. */
function labelElements(renderer: Renderer, label: Label, width: number, height: number): string {
  const { symbol, text } = placeLabel(renderer, label, { x: 0, y: 0, width, height });
  const { foreground, background } = renderer.spec;
  const { matrix, quiet } = symbol;
  const [across, down] = [matrix.width + 2 * quiet, matrix.height + 2 * quiet];
  let path = '';
  forEachDarkRun(matrix, (column, row, length, tall) => {
    path += `M${column + quiet} ${row + quiet}h${length}v${tall}h-${length}z`;
  });
  const at = `translate(${number(symbol.x)} ${number(height - symbol.top)}) scale(${symbol.module.toFixed(5)})`;
  const lines = text?.lines.map(({ x, y, text: words }) => {
    const fit = `textLength="${number(Math.max(0.1, helveticaWidth(words) * text.size))}" lengthAdjust="spacingAndGlyphs"`;
    return `<text x="${number(x)}" y="${number(height - y)}" ${fit}>${escaped(words)}</text>`;
  });
  return (
    `<g transform="${at}" shape-rendering="crispEdges"><path fill="${background}" d="M0 0h${across}v${down}H0z"/>` +
    `<path fill="${foreground}" d="${path}"/></g>` +
    (lines === undefined || text === null
      ? ''
      : `<g font-family="Helvetica, Arial, sans-serif" font-size="${number(text.size)}">${lines.join('')}</g>`)
  );
}
