/** Bodies of the few operations that a plain HTML form may send as well: JSON or form-encoded. */
import express, { type Request, type RequestHandler } from 'express';
import { AppError } from '../../shared/errors.ts';
import { hasOtherBody, jsonBody, unsupportedType } from './json-body.ts';

export const FORM_OR_JSON = ['application/json', 'application/x-www-form-urlencoded'] as const;

const MAX_BYTES = 256 * 1024;

const urlencoded = express.urlencoded({ extended: false, limit: MAX_BYTES, parameterLimit: 50 });

/** Runs a body parser for one request. Neither of them answers by itself. */
function parseWith(parser: RequestHandler, req: Request): Promise<unknown> {
  return new Promise((resolve, reject) => {
    void parser(req, req.res!, (error?: unknown) => {
      if (error === undefined || error === null) resolve(req.body);
      else reject(error instanceof Error ? error : new AppError('BAD_REQUEST'));
    });
  });
}

/** A request without a body (null) is none. */
export const isForm = (req: Request): boolean =>
  typeof req.is('application/x-www-form-urlencoded') === 'string';

/** For an operation that takes JSON and something else than a form. */
export const readJson = (req: Request): Promise<unknown> => parseWith(jsonBody, req);

/** A line break as one character: a form sends two, and its fields count one (`maxlength`). */
export const typedText = (sent: string): string => sent.replaceAll('\r\n', '\n');

const typed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(typed);
  return typeof value === 'string' ? typedText(value) : value;
};

/** @throws AppError PAYLOAD_TOO_LARGE; BAD_REQUEST */
export async function readForm(req: Request): Promise<Record<string, unknown>> {
  // The parser's object has no prototype and repeats a field as an array; both are the schema's to judge. Of no bytes it makes none.
  const fields = ((await parseWith(urlencoded, req)) ?? {}) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, typed(value)]));
}

/** @throws AppError UNSUPPORTED_MEDIA_TYPE, MALFORMED_JSON, PAYLOAD_TOO_LARGE */
export async function readFormOrJson(req: Request): Promise<unknown> {
  if (isForm(req)) return readForm(req);
  if (hasOtherBody(req)) throw unsupportedType(FORM_OR_JSON);
  return readJson(req);
}
