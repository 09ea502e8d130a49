import { BarcodeError } from './barcode-error.ts';
import { forEachDarkRun } from './dark-runs.ts';
import { placeLabel, type Box, type Label, type PlacedSymbol, type PlacedText } from './label-placement.ts';
import { createPdfWriter, pdfNumber, pdfString, type PdfSummary } from './pdf-writer.ts';
import type { Renderer } from './renderer.ts';
import { labelBox, type SheetLayout, sheetPoints, validateSheetLayout } from './sheet-layout.ts';

/** Sheets in the making: labels go in row by row, a page leaves when it is full. */
export interface LabelSheets {
  /** @returns a promise when a page was written: await it, so that a slow disk slows the producer. */
  add(label: Label): Promise<void> | undefined;
  finish(): Promise<PdfSummary & { readonly labels: number }>;
}

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
      content.push(labelContent(renderer, label, labelBox(sheet, labels % perPage)));
      labels += 1;
      return labels % perPage === 0 ? flush() : undefined;
    },
    async finish() {
      if (content.length > 0 || labels === 0) await flush();
      return { ...(await pdf.finish()), labels };
    },
  };
}

function labelContent(renderer: Renderer, label: Label, box: Box): string {
  const { symbol, text } = placeLabel(renderer, label, box);
  const { foreground, background } = renderer.spec;
  return symbolContent(symbol, foreground, background) + (text === null ? '' : textContent(text));
}

/** The symbol in its own coordinates: a module is 1, and y runs down from the upper edge of the quiet zone. */
function symbolContent(
  { matrix, x, top, module, quiet }: PlacedSymbol,
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

function textContent({ size, lines }: PlacedText): string {
  let content = `0 g BT /Sans ${pdfNumber(size)} Tf\n`;
  for (const { x, y, text } of lines)
    content += `1 0 0 1 ${pdfNumber(x)} ${pdfNumber(y)} Tm ${pdfString(text)} Tj\n`;
  return `${content}ET\n`;
}

function fill(colour: string): string {
  const channel = (at: number) => pdfNumber(Number.parseInt(colour.slice(at, at + 2), 16) / 255);
  return `${channel(1)} ${channel(3)} ${channel(5)} rg`;
}
