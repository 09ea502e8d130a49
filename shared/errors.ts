import { isDeepStrictEqual } from 'node:util';
import { refusal, type FieldError, type Refusal } from './field-errors.ts';

/**
 * The one catalogue of errors: code → HTTP status and title. Callers branch on codes, never on messages.
 * `docs/errors.md` lists the same codes; a test holds the two together.
 */
export const ERROR_CATALOGUE = {
  MALFORMED_JSON: { status: 400, title: 'The body is not valid JSON' },
  BAD_REQUEST: { status: 400, title: 'The request is malformed' },
  UNAUTHENTICATED: { status: 401, title: 'A valid credential is needed' },
  SECOND_FACTOR_REQUIRED: { status: 401, title: 'A code of the second factor is needed' },
  SINGLE_SIGN_ON_REQUIRED: { status: 403, title: 'The organization signs its people in by single sign-on' },
  INSUFFICIENT_SCOPE: { status: 403, title: 'The credential lacks the scope for this operation' },
  FORBIDDEN: { status: 403, title: 'This caller may not do that' },
  NOT_FOUND: { status: 404, title: 'There is nothing here' },
  METHOD_NOT_ALLOWED: { status: 405, title: 'This method is not supported here' },
  REQUEST_TIMEOUT: { status: 408, title: 'The request came too slowly' },
  CONFLICT: { status: 409, title: 'The request conflicts with the current state' },
  INVALID_TRANSITION: { status: 409, title: 'This state cannot be reached from the current one' },
  PAYLOAD_TOO_LARGE: { status: 413, title: 'The body is too large' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, title: 'This type of body is not supported here' },
  VALIDATION_FAILED: { status: 422, title: 'The request is not valid' },
  IDEMPOTENCY_KEY_REUSED: { status: 422, title: 'The Idempotency-Key was used with another request' },
  RATE_LIMITED: { status: 429, title: 'Too many requests' },
  HEADERS_TOO_LARGE: { status: 431, title: 'The headers are too large' },
  INTERNAL: { status: 500, title: 'Something went wrong on our side' },
  UNAVAILABLE: { status: 503, title: 'The service cannot answer right now' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof ERROR_CATALOGUE;

export interface AppErrorOptions {
  /** What happened here, for a person; free of secrets and of other organizations' data. */
  detail?: string;
  errors?: FieldError[];
  /** Extra members of the problem document, e.g. the two states of an INVALID_TRANSITION. */
  extensions?: Record<string, string | number | boolean | null>;
  headers?: Record<string, string>;
  cause?: unknown;
}

/** An error that a caller may see, as an entry of {@link ERROR_CATALOGUE}. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly options: AppErrorOptions;

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(options.detail ?? ERROR_CATALOGUE[code].title, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.options = options;
  }

  get status(): number {
    return ERROR_CATALOGUE[this.code].status;
  }
}

const MAX_DETAIL = 500;
/** As many as a list of units has entries; a body of nothing but unknown fields has a hundred thousand. */
const MAX_FIELD_ERRORS = 1000;

/** What a message without a subject, "is required", is about where no field is named. */
const ofBody = (message: string): string =>
  /^(?:is|must|has) /.test(message) ? `the body ${message}` : message;

/** @returns a VALIDATION_FAILED for several fields, or for one. */
export function invalidFields(all: readonly FieldError[]): AppError {
  const errors = all.slice(0, MAX_FIELD_ERRORS);
  return new AppError('VALIDATION_FAILED', {
    detail: errors
      .map(({ path, message }) => (path === '' ? ofBody(message) : `${path}: ${message}`))
      .join('; ')
      .slice(0, MAX_DETAIL),
    errors,
  });
}

/** @returns a VALIDATION_FAILED for one field. */
export const invalidField = (path: string, refusal: Refusal): AppError =>
  invalidFields([{ path, ...refusal }]);

/**
 * What a body names and nobody has is the body's fault.
 * @throws AppError VALIDATION_FAILED for `path` in place of NOT_FOUND
 */
export async function must<Found>(found: Promise<Found>, path: string, refused: Refusal): Promise<Found> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') throw invalidField(path, refused);
    throw error;
  }
}

/** @returns an INVALID_TRANSITION that carries both states. */
export function invalidTransition(from: string, to: string): AppError {
  return new AppError('INVALID_TRANSITION', {
    detail: `cannot go from "${from}" to "${to}"`,
    extensions: { from, to },
  });
}

/** Somebody else was faster than a caller who said which status was read. */
export function movedMeanwhile(what: string, expected: string, actual: string): AppError {
  const detail = `the ${what} is "${actual}" by now, not "${expected}": read it again`;
  const refused = refusal('CHANGED_MEANWHILE', `is "${actual}" by now, not "${expected}"`);
  return new AppError('CONFLICT', { detail, errors: [{ path: 'status', ...refused }] });
}

/**
 * Refuses to take something from somebody whom the caller did not know to have it.
 * @param expected id of whom the caller saw, null for nobody; undefined where the caller does not mind
 * @param actual whom it is with by now
 * @param wanted who is to have it; undefined where that stays
 * @throws AppError CONFLICT
 */
export function refuseTaken(
  what: string,
  expected: string | null | undefined,
  actual: string | null,
  wanted: string | null | undefined,
): void {
  if (expected === undefined || expected === actual || wanted === actual) return;
  throw new AppError('CONFLICT', {
    detail: `the ${what} is with ${actual === null ? 'nobody' : 'somebody else'} by now: read it again`,
  });
}

/**
 * Refuses a change by somebody who has read other values than there are by now. A value that is the wanted one already is let
 * be: the answer to the same change may have been lost.
 * @param expected the values that were read, by their fields; undefined where the caller does not mind
 * @param actual those that there are
 * @param wanted those that the change gives
 * @throws AppError CONFLICT, which names the fields
 */
export function refuseOvertaken<Fields extends object>(
  expected: Some<Fields> | undefined,
  actual: Fields,
  wanted: Some<Fields>,
): void {
  const overtaken = (Object.keys(expected ?? {}) as (keyof Fields & string)[]).filter((name) => {
    const values = [expected?.[name], wanted[name]].filter((value) => value !== undefined);
    return values.length > 0 && !values.some((value) => isDeepStrictEqual(value, actual[name]));
  });
  if (overtaken.length === 0) return;
  throw new AppError('CONFLICT', {
    detail: `somebody else has changed ${overtaken.join(', ')} meanwhile: read it again`,
    errors: overtaken.map((path) => ({ path, ...refusal('CHANGED_MEANWHILE', 'was changed meanwhile') })),
  });
}

type Some<Fields> = { [Field in keyof Fields]?: Fields[Field] | undefined };

/** SQLSTATE of a Postgres error, e.g. `23505` for a unique violation; null for anything else. */
export function sqlState(error: unknown): string | null {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : null;
}

/** Name of the constraint that a Postgres error is about, or null. */
export function constraintOf(error: unknown): string | null {
  const constraint = (error as { constraint?: unknown } | null)?.constraint;
  return typeof constraint === 'string' ? constraint : null;
}

const UNREACHABLE = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'EPIPE']);

/** Postgres is away, starting, stopping, full, closed to everybody, locked for too long, or has no connection left: whoever asked may try again. */
export function isOutage(error: unknown): boolean {
  const state = sqlState(error);
  // 25P03: a transaction of ours was left alone for too long, as by a process that was stopped. 55P03: somebody holds a lock.
  if (state !== null && (/^(08|53|57P)/.test(state) || ['25006', '25P03', '55P03'].includes(state)))
    return true;
  const { code, message } = (error ?? {}) as { code?: string; message?: string };
  if (code !== undefined && UNREACHABLE.has(code)) return true;
  // "not queryable": the connection ended between two statements of a transaction, and the second one hears of it.
  return /timeout exceeded when trying to connect|Connection terminated|and is not queryable|Query read timeout|is not currently accepting connections/.test(
    message ?? '',
  );
}

/** Nobody's fault, and another attempt may well succeed: an outage, a serialization failure, or a deadlock that chose this transaction. */
export const isPassing = (error: unknown): boolean =>
  isOutage(error) || sqlState(error)?.startsWith('40') === true;
