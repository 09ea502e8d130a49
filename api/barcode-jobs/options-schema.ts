/** What a caller may ask of symbols: the fields of a job's body and of an image's query. */
import { z } from 'zod';
import {
  DEFAULT_SHEET,
  SHEET_FIELDS,
  SYMBOLOGY_NAMES,
  type SheetRequest,
  type SymbolLook,
} from '../../shared/barcode-jobs/options.ts';
import { SHEET_PRESETS, type SheetPreset } from '../../shared/barcodes/sheet-layout.ts';
import { refusal, ruled } from '../../shared/field-errors.ts';
import { given } from '../../shared/given.ts';
import { isCset82 } from '../../shared/gs1/cset-82.ts';
import { matching } from '../fields.ts';

export const symbologyField = z
  .enum(SYMBOLOGY_NAMES)
  .default('qr')
  .meta({ description: '`qr` is a QR code with the verification address' });

const colour = matching(/^#[0-9a-fA-F]{6}$/, refusal('NOT_A_COLOR', 'must be a colour such as #1a2b3c'));

/** Ranges and combinations that depend on the symbology are checked by the service. */
export const lookFields = {
  errorCorrection: z.enum(['L', 'M', 'Q', 'H']).meta({ description: 'QR only; M by default' }),
  scale: z
    .number()
    .int()
    .min(1)
    .max(32)
    .meta({ description: 'Pixels (PNG) or printer dots (ZPL) along a module’s side; 4 by default' }),
  dpi: z
    .number()
    .int()
    .min(72)
    .max(2400)
    .meta({ description: 'Dots per inch: PNG, SVG and EPS say with it how large they print' }),
  quietZone: z
    .number()
    .int()
    .min(0)
    .max(64)
    .meta({ description: 'Light modules around the symbol; the standard’s by default' }),
  text: z.boolean().meta({ description: 'Human-readable text beneath the symbol' }),
  foreground: colour.meta({ description: 'Black by default' }),
  background: colour.meta({ description: 'White by default' }),
};

/** Without the members that were not given: their absence means the default. */
export function lookOf(options: { [Name in keyof SymbolLook]?: SymbolLook[Name] | undefined }): SymbolLook {
  const { errorCorrection, scale, dpi, quietZone, text, foreground, background } = options;
  return given({ errorCorrection, scale, dpi, quietZone, text, foreground, background });
}

const lengthMm = z.number().min(0).max(1200);

export const layoutField = z.union([
  z.enum(Object.keys(SHEET_PRESETS) as [SheetPreset, ...SheetPreset[]]).meta({ id: 'SheetPreset' }),
  z
    .strictObject({
      pageWidth: lengthMm,
      pageHeight: lengthMm,
      columns: z.number().int().min(1).max(50),
      rows: z.number().int().min(1).max(100),
      labelWidth: lengthMm,
      labelHeight: lengthMm,
      gapX: lengthMm.default(0),
      gapY: lengthMm.default(0),
      marginLeft: lengthMm.optional(),
      marginTop: lengthMm.optional(),
    })
    .meta({ id: 'SheetLayout', outputId: 'SheetMeasures' }),
]);

export const sheetField = z
  .strictObject({
    // Its default stands in the words: that of a union is code that does not compile to some who write clients from this.
    layout: layoutField.default('a4-avery-l7160').meta({
      description: 'A sheet in common use, by default `a4-avery-l7160`, or one of your own in millimetres',
      override: { default: undefined },
    }),
    fields: z
      .array(z.enum(SHEET_FIELDS))
      .max(8)
      .optional()
      .meta({
        description: `Lines of text on each label, all of which must fit; left out: ${DEFAULT_SHEET.fields.join(', ')}, those of them that fit`,
      }),
  })
  .meta({ description: 'Label sheets of the format `pdf`' });

/** As the service takes it: members of a layout that were not given are left out rather than undefined. */
export function sheetOf({ layout, fields: given }: z.output<typeof sheetField>): SheetRequest {
  const fields = given ?? null;
  if (typeof layout === 'string') return { layout, fields };
  const { marginLeft, marginTop, ...rest } = layout;
  const margins = {
    ...(marginLeft === undefined ? {} : { marginLeft }),
    ...(marginTop === undefined ? {} : { marginTop }),
  };
  return { layout: { ...rest, ...margins }, fields };
}

const MAX_NUMBER = 10 ** 15;

export const serialsField = z
  .discriminatedUnion('source', [
    z.strictObject({ source: z.literal('random') }).meta({ id: 'RandomSerials' }),
    z
      .strictObject({
        source: z.literal('sequential'),
        prefix: z
          .string()
          .max(19)
          .refine(
            (text) => text === '' || isCset82(text),
            ruled(refusal('NOT_GS1_TEXT', 'must be of GS1 character set 82')),
          )
          .default(''),
        first: z.number().int().min(0).max(MAX_NUMBER).default(1),
        digits: z
          .number()
          .int()
          .min(1)
          .max(16)
          .default(8)
          .meta({ description: 'Numbers are padded with zeros to this width' }),
      })
      .meta({ id: 'SequentialSerials' }),
    z.strictObject({ source: z.literal('uploaded') }).meta({ id: 'UploadedSerials' }),
  ])
  .meta({
    description:
      'Where serials come from: random ones, numbers with a prefix, or those uploaded for the batch. Left out: what the batch’s earlier job used, else an upload, else random',
  });
