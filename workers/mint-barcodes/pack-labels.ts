/** What a printer takes: sheets of labels as one PDF, or all labels of a part as one ZPL file. */
import type { ClaimedChunk } from '../../shared/barcode-jobs/chunks.ts';
import { labelLines } from '../../shared/barcode-jobs/label-lines.ts';
import { DEFAULT_SHEET, layoutOf } from '../../shared/barcode-jobs/options.ts';
import { createLabelSheets } from '../../shared/barcodes/label-sheet.ts';
import type { Pace } from './pace.ts';
import type { Symbols } from './symbols.ts';

/** Sheets of labels; a field without a value takes no line. */
export async function* packSheets(
  chunk: ClaimedChunk,
  { units, rendererOf, slow }: Symbols,
  pace: Pace,
): AsyncGenerator<Uint8Array> {
  const sheet = chunk.options.sheet ?? DEFAULT_SHEET;
  const { product_name: productName, brand, sku, lot, expires_on: expiresOn } = chunk;
  const { gtin, label = { productName, brand, sku } } = chunk.options;
  const subject = { ...label, gtin, lot, expiresOn };
  const blocks: Buffer[] = [];
  // One renderer sets the look of all; payloads that are not of its shape it makes one by one.
  const sheets = createLabelSheets(rendererOf(units[0]!), layoutOf(sheet), (block) => {
    blocks.push(block);
  });
  for (const unit of units) {
    const lines = labelLines(sheet.fields, subject, unit);
    const written = sheets.add({ payload: unit.payload, caption: unit.caption, lines });
    if (written !== undefined) await written;
    if (blocks.length > 0) yield* blocks.splice(0);
    const turn = pace.step(slow);
    if (turn !== undefined) await turn;
  }
  await sheets.finish();
  yield* blocks;
}

const BLOCK = 64 * 1024;

/** Labels for a Zebra printer, one after the other. */
export async function* packZpl({ units, rendererOf, slow }: Symbols, pace: Pace): AsyncGenerator<Uint8Array> {
  let block = '';
  for (const unit of units) {
    block += rendererOf(unit).zpl(unit.payload, unit.caption);
    if (!block.endsWith('\n')) block += '\n';
    if (block.length > BLOCK) {
      yield Buffer.from(block);
      block = '';
    }
    const turn = pace.step(slow);
    if (turn !== undefined) await turn;
  }
  if (block !== '') yield Buffer.from(block);
}
