import { refusal, type FieldError } from '../field-errors.ts';
import { given } from '../given.ts';
import { BarcodeError } from './barcode-error.ts';
import { contrastRatio, redContrastRatio } from './contrast.ts';
import { normalizeGtin } from '../gs1/check-digit.ts';
import { isCset82 } from '../gs1/cset-82.ts';
import { isDotSegment } from '../gs1/digital-link.ts';
import { symbolPayload } from './payload.ts';
import { createRenderer } from './renderer.ts';
import {
  namesUnitByGtin,
  SYMBOLOGIES,
  type SymbologySpec,
  type SymbologyTraits,
  symbologyTraits,
} from './symbology.ts';

/** What the symbols will be about, as far as it is known when a job is created. */
export interface SymbologySubject {
  readonly baseUrl: string;
  readonly gtin?: string | undefined;
  readonly lot?: string | undefined;
  /** `YYYY-MM-DD` */
  readonly expiresOn?: string | undefined;
  /** A serial as long as the job's longest. */
  readonly serial: string;
}

/**
 * WCAG 2's ratio for text (AA); symbols need about as much. ISO/IEC 15415 grades a symbol contrast of 70% and more
 * as best, 40% as fair; 4.5 to 1 on white is a foreground that reflects less than 19%.
 */
const MIN_CONTRAST = 4.5;
/** GS1-128 holds at most 48 characters, separators included (GS1 General Specifications, 5.4). */
const GS1_128_MAX = 48;
const QR_LEVELS = ['L', 'M', 'Q', 'H'];
/** Two digits are taken for a year from so many back to so many ahead of the reader's (GS1 General Specifications, 7.12). */
const GS1_YEARS = { back: 49, ahead: 50 };

/**
 * Whether symbols can be made as asked: every wrong combination is found here, when a job is created, and none
 * when it runs. The last check is to make one.
 * @returns what is wrong, with paths relative to the specification (`scale`, `foreground`) and, for the subject,
 * `gtin`, `lot`, `expiresOn`, `serial`, `baseUrl`; empty when all is well.
 */
export function validateSymbology(spec: SymbologySpec, subject: SymbologySubject): FieldError[] {
  if (!Object.hasOwn(SYMBOLOGIES, spec.type)) {
    const choices = Object.keys(SYMBOLOGIES);
    return [
      { path: 'type', ...refusal('UNKNOWN_CHOICE', `must be one of ${choices.join(', ')}`, { choices }) },
    ];
  }
  const traits = symbologyTraits(spec.type);
  const errors = [
    ...lookErrors(spec, traits),
    ...gtinErrors(traits, subject.gtin),
    ...elementErrors(traits, subject),
    ...serialErrors(spec, traits, subject.serial),
  ];
  return errors.length > 0 ? errors : trialErrors(spec, subject);
}

function lookErrors(spec: SymbologySpec, traits: SymbologyTraits): FieldError[] {
  const errors: FieldError[] = [];
  const inRange = (path: 'scale' | 'dpi' | 'quietZone', least: number, most: number): void => {
    const value = spec[path];
    if (value === undefined || (Number.isInteger(value) && value >= least && value <= most)) return;
    const range = { minimum: least, maximum: most };
    errors.push({
      path,
      ...refusal('OUT_OF_RANGE', `must be a whole number from ${least} to ${most}`, range),
    });
  };
  inRange('scale', 1, 32);
  inRange('dpi', 72, 2400);
  inRange('quietZone', 0, 64);
  if (spec.errorCorrection !== undefined) {
    if (traits.kind !== 'qr') {
      const message = `${spec.type} has no levels of error correction`;
      errors.push({
        path: 'errorCorrection',
        ...refusal('NO_ERROR_CORRECTION', message, { symbology: spec.type }),
      });
    } else if (!QR_LEVELS.includes(spec.errorCorrection)) {
      errors.push({
        path: 'errorCorrection',
        ...refusal('UNKNOWN_CHOICE', 'must be L, M, Q or H', { choices: QR_LEVELS }),
      });
    }
  }
  return [...errors, ...colourErrors(spec, traits)];
}

function colourErrors(spec: SymbologySpec, traits: SymbologyTraits): FieldError[] {
  const { foreground = '#000000', background = '#ffffff' } = spec;
  const malformed = Object.entries({ foreground, background })
    .filter(([, colour]) => !/^#[0-9a-f]{6}$/i.test(colour))
    .map(([path]) => ({ path, ...refusal('NOT_A_COLOR', 'must be a colour such as #1a2b3c') }));
  if (malformed.length > 0) return malformed;
  if (contrastRatio(background, foreground) < MIN_CONTRAST) {
    const message = `must be darker than the background, by ${MIN_CONTRAST} to 1 or more`;
    return [{ path: 'foreground', ...refusal('LOW_CONTRAST', message, { minimum: MIN_CONTRAST }) }];
  }
  // Laser scanners see by red light (650 to 670 nm): to them a red bar is white.
  if (traits.kind === 'bars' && redContrastRatio(background, foreground) < MIN_CONTRAST) {
    return [
      {
        path: 'foreground',
        ...refusal('PALE_IN_RED', 'must be dark in red light, by which bars are scanned'),
      },
    ];
  }
  return [];
}

function gtinErrors({ needsGtin }: SymbologyTraits, gtin: string | undefined): FieldError[] {
  if (needsGtin === undefined) return [];
  if (gtin === undefined)
    return [{ path: 'gtin', ...refusal('GTIN_NEEDED', 'this symbology needs a product with a GTIN') }];
  const normal = normalizeGtin(gtin);
  if (normal === null)
    return [{ path: 'gtin', ...refusal('NOT_A_GTIN', 'must be a GTIN with the right check digit') }];
  if (needsGtin !== 'any' && !/^0*$/.test(normal.slice(0, 14 - needsGtin))) {
    const message = `must be a GTIN of ${needsGtin} digits for this symbology`;
    return [{ path: 'gtin', ...refusal('GTIN_LENGTH', message, { digits: needsGtin }) }];
  }
  return [];
}

function elementErrors(traits: SymbologyTraits, { lot, expiresOn, serial }: SymbologySubject): FieldError[] {
  if (!namesUnitByGtin(traits)) return [];
  const errors: FieldError[] = [];
  if (lot !== undefined && (lot.length < 1 || lot.length > 20 || !isCset82(lot))) {
    errors.push({
      path: 'lot',
      ...refusal('LOT_NOT_GS1', 'must be 1 to 20 characters of GS1 character set 82'),
    });
  }
  if (expiresOn !== undefined && !isDate(expiresOn)) {
    errors.push({ path: 'expiresOn', ...refusal('NOT_A_DAY', 'must be a date such as 2027-12-31') });
  } else if (expiresOn !== undefined && !isGs1Year(Number(expiresOn.slice(0, 4)))) {
    const message = `must be at most ${GS1_YEARS.back} years back and ${GS1_YEARS.ahead} ahead, as GS1 writes two digits of a year`;
    errors.push({ path: 'expiresOn', ...refusal('EXPIRY_NOT_GS1', message) });
  }
  if (!isCset82(serial))
    errors.push({ path: 'serial', ...refusal('NOT_GS1_TEXT', 'must be of GS1 character set 82') });
  return traits.content === 'digital-link' ? [...errors, ...dotErrors({ lot, serial })] : errors;
}

function dotErrors(parts: Readonly<Record<'lot' | 'serial', string | undefined>>): FieldError[] {
  return Object.entries(parts)
    .filter(([, value]) => value !== undefined && isDotSegment(value))
    .map(([path]) => ({
      path,
      ...refusal('DOT_SEGMENT', 'must not be "." or "..", which clients remove from a GS1 Digital Link'),
    }));
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function isGs1Year(year: number): boolean {
  const ahead = year - new Date().getUTCFullYear();
  return ahead >= -GS1_YEARS.back && ahead <= GS1_YEARS.ahead;
}

function serialErrors(spec: SymbologySpec, traits: SymbologyTraits, serial: string): FieldError[] {
  if (traits.content === 'gtin' || traits.content === 'address') return [];
  const errors: FieldError[] = [];
  if (serial.length < 1 || serial.length > traits.maxLength) {
    const range = { minimum: 1, maximum: traits.maxLength };
    errors.push({
      path: 'serial',
      ...refusal('WRONG_LENGTH', `must be 1 to ${traits.maxLength} characters`, range),
    });
  }
  if (traits.characters !== undefined && !new RegExp(`^${traits.characters}*$`).test(serial)) {
    const { characters } = traits;
    const message = `${spec.type} holds only the characters ${characters}`;
    errors.push({
      path: 'serial',
      ...refusal('SYMBOL_CHARACTERS', message, { symbology: spec.type, characters }),
    });
  }
  if (spec.type === 'interleaved2of5' && serial.length % 2 === 1) {
    const message = 'interleaved2of5 holds an even number of digits';
    errors.push({ path: 'serial', ...refusal('ODD_DIGITS', message, { symbology: spec.type }) });
  }
  return errors;
}

/** Makes one symbol: whatever the encoder itself refuses (a base address too long, say) is found now. */
function trialErrors(spec: SymbologySpec, subject: SymbologySubject): FieldError[] {
  const { baseUrl, serial, ...known } = subject;
  const payload = symbolPayload(spec.type, { baseUrl, ...given(known) }, { serial, token: 'Z'.repeat(24) });
  if (spec.type === 'gs1-128' && payload.length > GS1_128_MAX) {
    const message = `gs1-128 holds ${GS1_128_MAX} characters, these data have ${payload.length}`;
    const params = { symbology: spec.type, maximum: GS1_128_MAX, length: payload.length };
    return [{ path: 'type', ...refusal('SYMBOL_TOO_LONG', message, params) }];
  }
  try {
    createRenderer(spec).matrix(payload);
    return [];
  } catch (error) {
    if (!(error instanceof BarcodeError)) throw error;
    return [{ path: 'type', ...refusal('SYMBOL_IMPOSSIBLE', `cannot hold these data: ${error.message}`) }];
  }
}
