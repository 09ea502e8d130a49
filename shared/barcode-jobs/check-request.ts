/** Whether a job can be carried out: everything wrong is found when it is created, with paths of the request. */
import { validateSheetLayout } from '../barcodes/sheet-layout.ts';
import { type SymbologySpec, symbologyTraits } from '../barcodes/symbology.ts';
import { validateSymbology, type SymbologySubject } from '../barcodes/validate-symbology.ts';
import { invalidFields } from '../errors.ts';
import { refusal, type FieldError } from '../field-errors.ts';
import type { SerialSamples } from './choose-serials.ts';
import {
  symbologyTypeOf,
  type Format,
  type SheetOptions,
  type SymbolLook,
  type SymbologyName,
} from './options.ts';

export interface CheckedRequest {
  symbology: SymbologyName;
  formats: readonly Format[];
  look: SymbolLook;
  sheet: SheetOptions | null;
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

/** @throws AppError VALIDATION_FAILED with every problem at once */
export function checkRequest(
  { symbology, formats, look, sheet }: CheckedRequest,
  subject: Omit<SymbologySubject, 'serial'>,
  serials: SerialSamples,
): void {
  const errors = [
    ...symbolErrors({ ...look, type: symbologyTypeOf(symbology) }, subject, serials),
    ...sheetErrors(formats, sheet),
  ];
  if (errors.length > 0) throw invalidFields(errors);
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
    message: path === 'lot' || path === 'expiresOn' || path === 'gtin' ? `${path}: ${message}` : message,
  }));
  return errors.filter(
    ({ path, message }, at) => errors.findIndex((one) => one.path === path && one.message === message) === at,
  );
}

function sheetErrors(formats: readonly Format[], sheet: SheetOptions | null): FieldError[] {
  if (sheet === null) return [];
  if (!formats.includes('pdf'))
    return [{ path: 'sheet', ...refusal('SHEET_WITHOUT_PDF', 'only the format pdf has sheets') }];
  if (typeof sheet.layout === 'string') return [];
  return validateSheetLayout(sheet.layout).map((error) => ({
    ...error,
    path: `sheet.layout.${error.path}`,
  }));
}
