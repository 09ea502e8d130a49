/** Whether the labels of a sheet hold what is asked of them: a symbol that can be read, and every line of text. */
import { moduleMm, placeLabel } from '../barcodes/label-placement.ts';
import { payloadShape, SAMPLE_TOKEN, symbolCaption, symbolPayload } from '../barcodes/payload.ts';
import type { PayloadShape } from '../barcodes/payload-shape.ts';
import { createRenderer, type Renderer } from '../barcodes/renderer.ts';
import { serialAlphabet } from '../barcodes/serial-alphabet.ts';
import { sheetPoints } from '../barcodes/sheet-layout.ts';
import { symbologyTraits, type SymbologySpec } from '../barcodes/symbology.ts';
import { refusal, type FieldError } from '../field-errors.ts';
import { labelLines, type LabelSubject, type LabelUnit } from './label-lines.ts';
import { DEFAULT_SHEET, layoutOf, type SheetField, type SheetOptions, type SheetRequest } from './options.ts';

/** What symbols and labels will be about. */
export interface JobSubject extends LabelSubject {
  /** Where units are verified. */
  baseUrl: string;
}

/**
 * The narrowest bar or module that is printed, in millimetres. Two dots of a 300 dpi printer are 0.169 mm, and bars of fewer
 * run together: of ten GS1-128 with bars of 0.099 mm none was read. 0.170 mm is also the least X-dimension that the GS1
 * General Specifications have for printed linear symbols (in healthcare; retail wants 0.264 mm).
 */
export const LEAST_MODULE_MM = 0.17;

/**
 * A symbol that the job makes has room for every unit of its form, and may be a size or two larger than that of a unit alone. To
 * learn its form takes a tenth of a second and more, in which nobody else is answered: it is learned of the largest symbol alone,
 * and only where modules are narrower than this, as it cannot matter elsewhere.
 */
const NARROW_MODULE_MM = 1.5 * LEAST_MODULE_MM;

/** What somebody chose freely may be longer than any label: it ends in dots. Cut off, the others are worth nothing. */
const MAY_BE_CUT: ReadonlySet<SheetField> = new Set(['product', 'brand']);

interface Line {
  field: SheetField;
  text: string;
}

/** Of all samples the worst. */
interface Placed {
  moduleMm: number;
  lines: readonly Line[];
  /** Those that are not on the label, or not whole. */
  lost: readonly Line[];
}

/** A unit's label, for whatever lines; its symbols are made once. */
interface Sample {
  unit: LabelUnit;
  payload: string;
  caption: string;
  /** Of the unit alone. */
  renderer: Renderer;
  /** As the job makes it. */
  asMinted(): Renderer;
}

function makeSample(spec: SymbologySpec, { baseUrl, ...label }: JobSubject, serial: string): Sample {
  const { gtin, lot, expiresOn } = label;
  const subject = {
    baseUrl,
    ...(gtin === null ? {} : { gtin }),
    ...(lot === null ? {} : { lot }),
    ...(expiresOn === null ? {} : { expiresOn }),
  };
  const unit = { serial, token: SAMPLE_TOKEN };
  const payload = symbolPayload(spec.type, subject, unit);
  const caption = symbolCaption(spec.type, subject, unit);
  const drawnOnce = (shape?: PayloadShape): Renderer => {
    const renderer = createRenderer(spec, shape);
    const matrix = renderer.matrix(payload, caption);
    return { ...renderer, matrix: () => matrix };
  };
  const renderer = drawnOnce();
  const { kind } = symbologyTraits(spec.type);
  const isLearned = kind === 'qr' || kind === 'datamatrix';
  let minted = isLearned ? undefined : renderer;
  const asMinted = () =>
    (minted ??= drawnOnce(payloadShape(spec.type, subject, unit, serialAlphabet(serial))));
  return { unit, payload, caption, renderer, asMinted };
}

/** Of symbols of the same size, the one that says more. */
function isLarger(one: Sample, other: Sample): boolean {
  const width = ({ renderer, payload, caption }: Sample) => renderer.matrix(payload, caption).width;
  const difference = width(one) - width(other);
  return difference > 0 || (difference === 0 && one.payload.length > other.payload.length);
}

/**
 * Lays out a label for each example of a serial, as the job will.
 * @param serials one of each length, and the widest in print
 * @returns the sheet as it is to be printed, and what is wrong with it, with paths of the request
 */
export function planSheet(
  { layout, fields }: SheetRequest,
  spec: SymbologySpec,
  subject: JobSubject,
  serials: readonly string[],
): { sheet: SheetOptions; errors: FieldError[] } {
  const { labelWidth: width, labelHeight: height } = sheetPoints(layoutOf({ layout }));
  const samples = serials.map((serial) => makeSample(spec, subject, serial));
  const largest = samples.reduce((one, other) => (isLarger(other, one) ? other : one));
  const place = (asked: readonly SheetField[]): Placed => {
    const placed = samples.map((sample) => {
      const { unit, payload, caption, renderer, asMinted } = sample;
      const lines = asked.flatMap((field) =>
        labelLines([field], subject, unit).map((text) => ({ field, text })),
      );
      const label = { payload, caption, lines: lines.map(({ text }) => text) };
      const box = { x: 0, y: 0, width, height };
      const alone = placeLabel(renderer, label, box);
      const isInDoubt = sample === largest && moduleMm(alone.symbol, renderer.spec) < NARROW_MODULE_MM;
      const { symbol, text } = isInDoubt ? placeLabel(asMinted(), label, box) : alone;
      const lost = lines.filter((line, at) => {
        const shown = text?.lines[at]?.text;
        return shown === undefined || (shown !== line.text && !MAY_BE_CUT.has(line.field));
      });
      return { moduleMm: moduleMm(symbol, renderer.spec), lines, lost };
    });
    const poorest = placed.reduce((one, other) => (other.lost.length > one.lost.length ? other : one));
    return { ...poorest, moduleMm: Math.min(...placed.map((one) => one.moduleMm)) };
  };
  const sheet = { layout, fields: fields ?? fitting(DEFAULT_SHEET.fields, place) };
  const placed = place(sheet.fields);
  return { sheet, errors: [...moduleErrors(placed), ...lineErrors(placed)] };
}

/** Without the last of those that do not fit, or that leave the symbol too little room, until all is well. */
function fitting(
  fields: readonly SheetField[],
  place: (fields: readonly SheetField[]) => Placed,
): SheetField[] {
  const { lost, moduleMm: width } = place(fields);
  const dropped = lost.at(-1)?.field ?? (width < LEAST_MODULE_MM ? fields.at(-1) : undefined);
  return dropped === undefined
    ? [...fields]
    : fitting(
        fields.filter((field) => field !== dropped),
        place,
      );
}

function moduleErrors({ moduleMm: width }: Placed): FieldError[] {
  if (width >= LEAST_MODULE_MM) return [];
  // Rounded down, so that what is too little never looks like enough.
  const module = Math.floor(width * 1000) / 1000;
  const message = `on these labels a module of the symbol is ${module} mm wide, and ${LEAST_MODULE_MM} mm is the least that scanners read`;
  return [
    {
      path: 'sheet.layout',
      ...refusal('MODULE_TOO_NARROW', message, { module, minimum: LEAST_MODULE_MM }),
    },
  ];
}

function lineErrors({ lines, lost }: Placed): FieldError[] {
  if (lost.length === 0) return [];
  const fit = lines.length - lost.length;
  const missing = lost.map(({ field }) => field);
  const message = `the labels hold ${fit} of ${lines.length} lines of text; missing or cut off: ${missing.join(', ')}`;
  return [
    {
      path: 'sheet.fields',
      ...refusal('LINES_DO_NOT_FIT', message, { fit, lines: lines.length, missing }),
    },
  ];
}
