/** What the minting form holds, and how the service is asked for it. */
import type { BodyOf } from '../../api/client.ts';
import { ApiError, type FieldError } from '../../api/errors.ts';
import { SYMBOLOGIES, type Symbology } from './symbologies.ts';

export type JobBody = BodyOf<'/api/v1/batches/{id}/barcode-jobs'>;
type Sheet = NonNullable<NonNullable<JobBody>['sheet']>;

export const FORMATS = ['png', 'svg', 'eps', 'zpl', 'pdf'] as const;
export const SHEET_FIELDS = ['product', 'brand', 'sku', 'gtin', 'lot', 'expiry', 'serial', 'token'] as const;
export const OWN_SHEET = 'own';
/** Of a layout of one's own, in millimetres (and labels). */
export const LENGTHS = [
  'pageWidth',
  'pageHeight',
  'columns',
  'rows',
  'labelWidth',
  'labelHeight',
  'gapX',
  'gapY',
] as const;

const NUMBER = '' as number | '';

export const INITIAL = {
  batchId: '',
  symbology: 'qr' as Symbology,
  formats: ['png'] as string[],
  errorCorrection: 'M',
  scale: 4 as number | '',
  dpi: NUMBER,
  quietZone: NUMBER,
  text: false,
  foreground: '#000000',
  background: '#ffffff',
  layout: 'a4-avery-l7160',
  fields: ['product', 'lot', 'expiry', 'serial'] as string[],
  pageWidth: 210 as number | '',
  pageHeight: 297 as number | '',
  columns: 3 as number | '',
  rows: 8 as number | '',
  labelWidth: 60 as number | '',
  labelHeight: 30 as number | '',
  gapX: 2 as number | '',
  gapY: 2 as number | '',
  serials: 'kept' as 'kept' | 'random' | 'sequential' | 'uploaded',
  prefix: '',
  first: 1 as number | '',
  digits: 8 as number | '',
  /** The files of serials that this form sent: the last one's batch, and how many. */
  upload: null as { batchId: string; files: number } | null,
  activate: false,
};

export type Values = typeof INITIAL;

const given = <T extends Record<string, unknown>>(
  members: T,
): Partial<{ [K in keyof T]: Exclude<T[K], '' | undefined> }> =>
  Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== '' && value !== undefined),
  ) as never;

export const hasSheet = ({ formats }: Values): boolean => formats.includes('pdf');

function sheetOf(values: Values): Sheet {
  const own = Object.fromEntries(LENGTHS.map((name) => [name, values[name]]));
  const layout = values.layout === OWN_SHEET ? given(own) : values.layout;
  return { layout, fields: values.fields } as Sheet;
}

function serialsOf({ serials, prefix, first, digits }: Values): NonNullable<JobBody>['serials'] {
  if (serials === 'kept') return undefined;
  if (serials !== 'sequential') return { source: serials };
  return { source: serials, prefix, ...given({ first, digits }) } as NonNullable<JobBody>['serials'];
}

/** What job and preview have in common. */
function lookOf(values: Values) {
  const { symbology, errorCorrection, scale, dpi, quietZone, text, foreground, background } = values;
  const serials = serialsOf(values);
  return {
    symbology,
    ...given({ scale, dpi, quietZone, foreground, background }),
    ...(SYMBOLOGIES[symbology].isQr ? { errorCorrection: errorCorrection as 'M' } : {}),
    text,
    ...(serials === undefined ? {} : { serials }),
  };
}

export const jobBody = (values: Values): NonNullable<JobBody> => ({
  ...lookOf(values),
  formats: values.formats as NonNullable<NonNullable<JobBody>['formats']>,
  ...(hasSheet(values) ? { sheet: sheetOf(values) } : {}),
  activate: values.activate,
});

/** Serials that are about to come from a file are no mistake yet: until then the preview shows what the batch has. */
const awaitsFile = ({ serials, upload, batchId }: Values): boolean =>
  serials === 'uploaded' && upload?.batchId !== batchId;

export const previewBody = (values: Values, as: 'svg' | 'sheet-svg') => ({
  as,
  ...lookOf(awaitsFile(values) ? { ...values, serials: 'kept' } : values),
  ...(values.batchId === '' ? {} : { batchId: values.batchId }),
  ...(as === 'sheet-svg' ? { sheet: sheetOf(values) } : {}),
});

/** The form's name of what a path of the request is about: its members are flat. */
function fieldOf(path: string, values: Values): string {
  const parts = path.split('.');
  const last = parts.at(-1)!;
  if (path.startsWith('sheet.layout'))
    return values.layout === OWN_SHEET && last in INITIAL ? last : 'layout';
  if (path.startsWith('sheet')) return parts[1] === 'fields' ? 'fields' : 'layout';
  if (path.startsWith('serials')) return ['prefix', 'first', 'digits'].includes(last) ? last : 'serials';
  return parts[0]!;
}

/** What the form calls a line of the labels, in the reader's language. */
export type LineName = (field: (typeof SHEET_FIELDS)[number]) => string;

function paramsInForm({ code, params = {} }: FieldError, lineName: LineName): FieldError['params'] {
  const { missing } = params;
  if (code !== 'LINES_DO_NOT_FIT' || !Array.isArray(missing)) return params;
  return {
    ...params,
    missing: SHEET_FIELDS.filter((field) => missing.includes(field)).map(lineName),
  };
}

export const inForm = (errors: readonly FieldError[], values: Values, lineName: LineName): FieldError[] =>
  errors.map((error) => ({
    ...error,
    path: fieldOf(error.path, values),
    params: paramsInForm(error, lineName),
  }));

/** The same refusal, with the form's names. */
export function refusalInForm(error: unknown, values: Values, lineName: LineName): unknown {
  if (!(error instanceof ApiError)) return error;
  const { status, code, message, requestId, fields } = error;
  return new ApiError({ status, code, message, requestId, fields: inForm(fields, values, lineName) });
}
