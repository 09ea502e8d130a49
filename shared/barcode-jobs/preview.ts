/**
 * What a job would print, before there is one: the real symbol of a sample unit, and the first sheet of labels. One symbol is
 * made, so that it is fit for a web process.
 */
import { reachOf, type AddressReach } from '../barcodes/address-reach.ts';
import type { Label } from '../barcodes/label-placement.ts';
import { createLabelSheets } from '../barcodes/label-sheet.ts';
import type { SheetLayout } from '../barcodes/sheet-layout.ts';
import { sheetSvg } from '../barcodes/sheet-svg.ts';
import {
  payloadShape,
  SAMPLE_TOKEN,
  symbolCaption,
  symbolPayload,
  TOKEN_ALPHABET,
} from '../barcodes/payload.ts';
import { createRenderer, type Renderer } from '../barcodes/renderer.ts';
import { symbologyTraits } from '../barcodes/symbology.ts';
import { getBatch } from '../batches/service.ts';
import type { Db } from '../db.ts';
import { invalidField } from '../errors.ts';
import { refusal } from '../field-errors.ts';
import { getProduct } from '../products/service.ts';
import { checkRequest } from './check-request.ts';
import { chooseSerials, RANDOM_SAMPLES, type SerialSamples } from './choose-serials.ts';
import { labelLines, type LabelSubject } from './label-lines.ts';
import { DEFAULT_SHEET, layoutOf, sequentialSerial, symbologyTypeOf, type SerialRequest } from './options.ts';
import type { JobRequest } from './service.ts';

const SAMPLE_SERIAL = 'K7Q2M9XW3D5R';
/** A page of more labels shows the first of them. */
const MOST_LABELS = 300;
const NO_PRODUCT: LabelSubject = {
  productName: 'Product',
  brand: null,
  sku: 'SKU',
  gtin: null,
  lot: null,
  expiresOn: null,
};

export interface PreviewRequest extends Pick<JobRequest, 'symbology' | 'look' | 'sheet' | 'serials'> {
  /** UUIDs; what the symbol and the labels hold comes from the batch, or from the product alone. */
  batchId: string | null;
  productId: string | null;
}

export interface Preview {
  /** What the symbol holds. */
  payload: string;
  /** Who can open the address in it. */
  reach: AddressReach;
  serial: string;
  draw(as: 'png' | 'svg'): Buffer;
  /** One page. */
  drawSheet(as: 'pdf' | 'svg'): Promise<Buffer>;
}

interface Subject {
  label: LabelSubject;
  /** What must fit. */
  serials: SerialSamples;
  /** What is shown: of random ones a usual one. */
  serial: string;
}

function serialsWithoutBatch(request: SerialRequest | null): SerialSamples {
  if (request?.source === 'uploaded')
    throw invalidField(
      'serials',
      refusal('SERIALS_NEED_BATCH', 'uploaded serials belong to a batch: name it'),
    );
  if (request?.source !== 'sequential') return RANDOM_SAMPLES;
  return {
    characters: [...new Set(`${request.prefix}0123456789`)].join(''),
    examples: [sequentialSerial(request, 0)],
  };
}

async function findSubject(db: Db, orgId: string, request: PreviewRequest): Promise<Subject> {
  const { batchId } = request;
  const batch = batchId === null ? null : await getBatch(db, orgId, batchId);
  const productId = batch?.product_id ?? request.productId;
  const product = productId === null ? null : await getProduct(db, orgId, productId);
  const label =
    product === null
      ? NO_PRODUCT
      : {
          productName: product.name,
          brand: product.brand,
          sku: product.sku,
          gtin: product.gtin,
          lot: batch?.lot ?? null,
          expiresOn: batch?.expires_on ?? null,
        };
  const serials =
    batch === null
      ? serialsWithoutBatch(request.serials)
      : (await chooseSerials(db, batch, request.serials)).samples;
  return { label, serials, serial: serials === RANDOM_SAMPLES ? SAMPLE_SERIAL : serials.examples[0]! };
}

/** @throws AppError NOT_FOUND; VALIDATION_FAILED with everything that is impossible, with paths of the request; CONFLICT */
export async function planPreview(
  db: Db,
  orgId: string,
  baseUrl: string,
  request: PreviewRequest,
): Promise<Preview> {
  const { label, serials, serial } = await findSubject(db, orgId, request);
  const { symbology, look } = request;
  const subject = {
    baseUrl,
    ...(label.gtin === null ? {} : { gtin: label.gtin }),
    ...(label.lot === null ? {} : { lot: label.lot }),
    ...(label.expiresOn === null ? {} : { expiresOn: label.expiresOn }),
  };
  const formats = request.sheet === null ? (['svg'] as const) : (['pdf'] as const);
  const sheet = checkRequest(
    { symbology, formats, look, sheet: request.sheet },
    { ...label, baseUrl },
    serials,
  );
  const type = symbologyTypeOf(symbology);
  const unit = { serial, token: SAMPLE_TOKEN };
  const payload = symbolPayload(type, subject, unit);
  const caption = symbolCaption(type, subject, unit);
  // As for a unit's image: every address has one shape, other shapes would be learned for one picture.
  const { content } = symbologyTraits(type);
  const shape = content === 'address' ? payloadShape(type, subject, unit, TOKEN_ALPHABET) : undefined;
  const renderer = () => createRenderer({ ...look, type }, shape);
  return {
    payload,
    reach: reachOf(content, baseUrl),
    serial: unit.serial,
    draw: (as) =>
      as === 'png' ? renderer().png(payload, caption) : Buffer.from(renderer().svg(payload, caption)),
    drawSheet: async (as) => {
      const { fields, ...options } = sheet ?? DEFAULT_SHEET;
      const layout = layoutOf(options);
      const sample = { payload, caption, lines: labelLines(fields, label, unit) };
      return as === 'pdf'
        ? firstSheet(renderer(), layout, sample)
        : Buffer.from(sheetSvg(renderer(), layout, sample, MOST_LABELS));
    },
  };
}

async function firstSheet(renderer: Renderer, layout: SheetLayout, sample: Label): Promise<Buffer> {
  const blocks: Buffer[] = [];
  const matrix = renderer.matrix(sample.payload, sample.caption);
  // The labels of a page are alike but for the code: one symbol stands for all.
  const sheets = createLabelSheets({ ...renderer, matrix: () => matrix }, layout, (block) => {
    blocks.push(block);
  });
  for (let label = 0; label < Math.min(layout.columns * layout.rows, MOST_LABELS); label++)
    await sheets.add(sample);
  await sheets.finish();
  return Buffer.concat(blocks);
}
