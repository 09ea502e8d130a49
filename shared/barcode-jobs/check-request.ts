/** Whether a job can be carried out: everything wrong is found when it is created, with paths of the request. */
import { validateSheetLayout } from '../barcodes/sheet-layout.ts';
import { type SymbologySpec, symbologyTraits } from '../barcodes/symbology.ts';
import { validateSymbology, type SymbologySubject } from '../barcodes/validate-symbology.ts';
import { invalidFields } from '../errors.ts';
import { refusal, type FieldError } from '../field-errors.ts';
import type { SerialSamples } from './choose-serials.ts';
import { planSheet, type JobSubject } from './plan-sheet.ts';
import {
  symbologyTypeOf,
  type Format,
  type SheetOptions,
  type SheetRequest,
  type SymbolLook,
  type SymbologyName,
} from './options.ts';

export interface CheckedRequest {
  symbology: SymbologyName;
  formats: readonly Format[];
  look: SymbolLook;
  sheet: SheetRequest | null;
}

/** Paths of the renderer's checks, in the request's terms: the GTIN, lot and expiry come with the batch. */
const REQUEST_PATHS: Record<string, string> = {
  type: 'symbology',
  gtin: 'symbology',
  lot: 'symbology',
  expiresOn: 'symbology',
  baseUrl: 'symbology',
  serial: 'serials',
};

/**
 * @returns the sheet as it is to be printed
 * @throws AppError VALIDATION_FAILED with every problem at once; where symbol or layout are impossible, nothing is said of how
 *   the one fits the other
 */
export function checkRequest(
  { symbology, formats, look, sheet }: CheckedRequest,
  { baseUrl, ...subject }: JobSubject,
  serials: SerialSamples,
): SheetOptions | null {
  const spec = { ...look, type: symbologyTypeOf(symbology) };
  const data = {
    baseUrl,
    gtin: subject.gtin ?? undefined,
    lot: subject.lot ?? undefined,
    expiresOn: subject.expiresOn ?? undefined,
  };
  const errors = [...symbolErrors(spec, data, serials), ...sheetErrors(formats, sheet)];
  if (errors.length > 0) throw invalidFields(errors);
  if (sheet === null) return null;
  const planned = planSheet(sheet, spec, { ...subject, baseUrl }, serials.examples);
  if (planned.errors.length > 0) throw invalidFields(planned.errors);
  return planned.sheet;
}

/** What is wrong with a symbology, its look and its data, with paths of a request. */
export function symbolErrors(
  spec: SymbologySpec,
  subject: Omit<SymbologySubject, 'serial'>,
  { characters, examples }: SerialSamples,
): FieldError[] {
  const byExample = examples.flatMap((serial) => validateSymbology(spec, { ...subject, serial }));
  const traits = symbologyTraits(spec.type);
  const allowed = traits.content === 'serial' ? traits.characters : undefined;
  const holdsAll = allowed === undefined || new RegExp(`^${allowed}*$`).test(characters);
  const found = holdsAll
    ? byExample
    : [
        ...byExample.filter(({ path }) => path !== 'serial'),
        {
          path: 'serial',
          ...refusal(
            'SYMBOL_CHARACTERS',
            `${spec.type} holds only the characters ${allowed}: ask for sequential serials, or upload your own`,
            { symbology: spec.type, characters: allowed },
          ),
        },
      ];
  const errors = found.map(({ path, message, ...rest }) => ({
    ...rest,
    path: REQUEST_PATHS[path] ?? path,
    // What is wrong is the product's or the batch's; that there is no GTIN is told in full.
    message:
      rest.code !== 'GTIN_NEEDED' && ['lot', 'expiresOn', 'gtin'].includes(path)
        ? `${path}: ${message}`
        : message,
  }));
  return errors.filter(
    ({ path, message }, at) => errors.findIndex((one) => one.path === path && one.message === message) === at,
  );
}

function sheetErrors(formats: readonly Format[], sheet: SheetRequest | null): FieldError[] {
  if (sheet === null) return [];
  if (!formats.includes('pdf'))
    return [{ path: 'sheet', ...refusal('SHEET_WITHOUT_PDF', 'only the format pdf has sheets') }];
  if (typeof sheet.layout === 'string') return [];
  return validateSheetLayout(sheet.layout).map((error) => ({
    ...error,
    path: `sheet.layout.${error.path}`,
  }));
}
