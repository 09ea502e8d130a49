import { BarcodeError } from './barcode-error.ts';
import { forEachDarkRun } from './dark-runs.ts';
import { helveticaWidth } from './helvetica.ts';
import type { ModuleMatrix } from './module-matrix.ts';
import { createPdfWriter, pdfNumber, pdfString, type PdfSummary } from './pdf-writer.ts';
import type { Renderer } from './renderer.ts';
import { type SheetLayout, sheetPoints, validateSheetLayout } from './sheet-layout.ts';
import { symbologyTraits } from './symbology.ts';

export interface Label {
  readonly payload: string;
  /** What stands beneath the bars of a linear symbol whose specification asks for text, if not the data. */
  readonly caption?: string;
  /** Lines of text beside or below the symbol, the most important first: name, lot, expiry, serial. */
  readonly lines: readonly string[];
}

/** Sheets in the making: labels go in row by row, a page leaves when it is full. */
export interface LabelSheets {
  /** @returns a promise when a page was written: await it, so that a slow disk slows the producer. */
  add(label: Label): Promise<void> | undefined;
  finish(): Promise<PdfSummary & { readonly labels: number }>;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Printers feed by up to half a millimetre aside, so nothing stands closer to a label's edge than 1.5 mm. */
const PADDING = 4.25;
const TEXT_MAX = 9;
const TEXT_MIN = 4;
const LINE_SPACING = 1.2;

/**
 * Lays symbols out on sheets of labels, as a vector PDF.
 * @param write receives the document page by page.
 * @param title shown by readers.
 * @throws BarcodeError `BARCODE_LAYOUT` when the labels do not lie on the page: see {@link validateSheetLayout}.
 */
export function createLabelSheets(
  renderer: Renderer,
  layout: SheetLayout,
  write: (block: Buffer) => Promise<void> | void,
  title = 'Labels',
): LabelSheets {
  const [problem] = validateSheetLayout(layout);
  if (problem !== undefined) throw new BarcodeError('BARCODE_LAYOUT', `${problem.path}: ${problem.message}`);
  const sheet = sheetPoints(layout);
  const perPage = sheet.columns * sheet.rows;
  const pdf = createPdfWriter(write, title);
  let content: string[] = [];
  let labels = 0;
  const flush = (): Promise<void> => {
    const page = content.join('');
    content = [];
    return pdf.addPage(sheet.pageWidth, sheet.pageHeight, page);
  };

  return {
    add(label) {
      const place = labels % perPage;
      const column = place % sheet.columns;
      const row = Math.floor(place / sheet.columns);
      content.push(
        labelContent(renderer, label, {
          x: sheet.marginLeft + column * (sheet.labelWidth + sheet.gapX),
          y: sheet.pageHeight - sheet.marginTop - row * (sheet.labelHeight + sheet.gapY) - sheet.labelHeight,
          width: sheet.labelWidth,
          height: sheet.labelHeight,
        }),
      );
      labels += 1;
      return labels % perPage === 0 ? flush() : undefined;
    },
    async finish() {
      if (content.length > 0 || labels === 0) await flush();
      return { ...(await pdf.finish()), labels };
    },
  };
}

/** One label: the symbol on the left of a wide label, else on top; the lines in what room remains. */
function labelContent(renderer: Renderer, { payload, caption, lines }: Label, box: Box): string {
  const inner = {
    x: box.x + PADDING,
    y: box.y + PADDING,
    width: box.width - 2 * PADDING,
    height: box.height - 2 * PADDING,
  };
  const matrix = renderer.matrix(payload, caption);
  const { spec } = renderer;
  const quiet = symbologyTraits(spec.type).kind === 'bars' ? 0 : spec.quietZone;
  const across = matrix.width + 2 * quiet;
  const down = matrix.height + 2 * quiet;
  const wide = inner.width > 1.3 * inner.height && across < 1.5 * down;
  const textHeight = wide || lines.length === 0 ? 0 : Math.min(lines.length * 8 + 2, inner.height * 0.4);
  const widest = wide && lines.length > 0 ? inner.width * 0.6 : inner.width;
  const module = Math.min(widest / across, (inner.height - textHeight) / down);
  const symbol = {
    x: wide ? inner.x : inner.x + (inner.width - across * module) / 2,
    top: wide ? inner.y + (inner.height + down * module) / 2 : inner.y + inner.height,
  };
  const text = wide
    ? { ...inner, x: inner.x + across * module + 3, width: inner.width - across * module - 3 }
    : { ...inner, height: inner.height - down * module };
  return (
    symbolContent(matrix, symbol.x, symbol.top, module, quiet, spec.foreground, spec.background) +
    textContent(lines, text)
  );
}

/** The symbol in its own coordinates: a module is 1, and y runs down from the upper edge of the quiet zone. */
function symbolContent(
  matrix: ModuleMatrix,
  x: number,
  top: number,
  module: number,
  quiet: number,
  foreground: string,
  background: string,
): string {
  const scale = module.toFixed(5);
  let content = `q ${scale} 0 0 -${scale} ${pdfNumber(x)} ${pdfNumber(top)} cm\n`;
  if (background.toLowerCase() !== '#ffffff') {
    content += `${fill(background)} 0 0 ${matrix.width + 2 * quiet} ${matrix.height + 2 * quiet} re f\n`;
  }
  content += `${fill(foreground)}\n`;
  forEachDarkRun(matrix, (column, row, length, height) => {
    content += `${column + quiet} ${row + quiet} ${length} ${height} re\n`;
  });
  return `${content}f Q\n`;
}

/** Each line as large as its box allows, all of one size; what is too long even at the smallest ends in dots. */
function textContent(lines: readonly string[], box: Box): string {
  if (lines.length === 0 || box.width < 10) return '';
  const room = box.height / lines.length / LINE_SPACING;
  const widest = Math.max(...lines.map(helveticaWidth), 0.001);
  const size = Math.max(TEXT_MIN, Math.min(TEXT_MAX, room, box.width / widest));
  const shown = lines.slice(0, Math.max(1, Math.floor(box.height / (size * LINE_SPACING) + 1e-6)));
  let y = box.y + (box.height + shown.length * size * LINE_SPACING) / 2 - size;
  let content = `0 g BT /Sans ${pdfNumber(size)} Tf\n`;
  for (const line of shown) {
    content += `1 0 0 1 ${pdfNumber(box.x)} ${pdfNumber(y)} Tm ${pdfString(shorten(line, box.width / size))} Tj\n`;
    y -= size * LINE_SPACING;
  }
  return `${content}ET\n`;
}

function shorten(line: string, width: number): string {
  if (helveticaWidth(line) <= width + 1e-6) return line;
  let kept = line.length;
  while (kept > 0 && helveticaWidth(`${line.slice(0, kept)}...`) > width) kept -= 1;
  return `${line.slice(0, kept)}...`;
}

function fill(colour: string): string {
  const channel = (at: number) => pdfNumber(Number.parseInt(colour.slice(at, at + 2), 16) / 255);
  return `${channel(1)} ${channel(3)} ${channel(5)} rg`;
}
