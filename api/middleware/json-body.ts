/** JSON bodies: only JSON, of limited size and depth, without what Postgres or a prototype would choke on. */
import { isUtf8 } from 'node:buffer';
import express, { type Request, type RequestHandler } from 'express';
import { AppError, invalidField } from '../../shared/errors.ts';
import { refusal } from '../../shared/field-errors.ts';

const MAX_BYTES = 256 * 1024;
const MAX_DEPTH = 32;
/** A body that takes longer is a slow loris, or a line too poor for any answer. */
const MAX_MS = 30_000;

/** What is no UTF-8, as ISO 8859-1 with an umlaut, would be stored with U+FFFD in the place of what was sent. */
function refuseOtherEncodings(_req: unknown, _res: unknown, bytes: Buffer, charset: string | null): void {
  if ((charset ?? 'utf-8') === 'utf-8' && !isUtf8(bytes))
    throw Object.assign(new Error('the body is not valid UTF-8'), { type: 'entity.not.utf8' });
}

const parse = express.json({
  limit: MAX_BYTES,
  strict: false,
  type: () => true,
  verify: refuseOtherEncodings,
});

/**
 * Refuses nesting beyond 32 levels, `__proto__` keys, NUL characters (Postgres cannot store them) and lone surrogates
 * (they are not Unicode text). Iterative: a hostile body must not be able to exhaust the stack.
 * @throws AppError VALIDATION_FAILED
 */
export function vetJson(root: unknown, rootPath = ''): void {
  const pending: { value: unknown; path: string; depth: number }[] = [
    { value: root, path: rootPath, depth: 0 },
  ];
  for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
    const { value, path, depth } = item;
    if (typeof value === 'string') vetText(value, path);
    if (typeof value !== 'object' || value === null) continue;
    if (depth === MAX_DEPTH)
      throw invalidField(
        path.split('.').slice(0, 3).join('.'),
        refusal('TOO_DEEP', `is nested deeper than ${MAX_DEPTH} levels`, { maximum: MAX_DEPTH }),
      );
    for (const [key, child] of Object.entries(value)) {
      if (key === '__proto__')
        throw invalidField(path, refusal('FORBIDDEN_KEY', 'has a key that is not allowed'));
      vetText(key, path);
      pending.push({ value: child, path: path === '' ? key : `${path}.${key}`, depth: depth + 1 });
    }
  }
}

function vetText(text: string, path: string): void {
  if (text.includes('\0')) throw invalidField(path, refusal('NUL_CHARACTER', 'contains a NUL character'));
  if (!text.isWellFormed()) throw invalidField(path, refusal('LONE_SURROGATE', 'contains a lone surrogate'));
}

/** One of no bytes is none: clients send it with a method that may have one. */
const hasBody = (req: Request): boolean =>
  req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;

export const hasOtherBody = (req: Request): boolean =>
  hasBody(req) && req.is(['application/json', 'application/*+json']) === false;

/** @param accepted what the operation takes, which the catalogue's own words do not name */
export const unsupportedType = (accepted: readonly string[]): AppError =>
  new AppError('UNSUPPORTED_MEDIA_TYPE', {
    detail: `send ${accepted.length > 1 ? 'one of ' : ''}${accepted.join(', ')}`,
  });

/** Parses a body where there is one. @throws AppError UNSUPPORTED_MEDIA_TYPE, MALFORMED_JSON, PAYLOAD_TOO_LARGE */
export const jsonBody: RequestHandler = (req, res, next) => {
  if (!hasBody(req)) {
    next();
    return;
  }
  if (hasOtherBody(req)) throw unsupportedType(['application/json']);
  const deadline = setTimeout(() => req.destroy(), MAX_MS);
  parse(req, res, (error?: unknown) => {
    clearTimeout(deadline);
    if (error) {
      next(error);
      return;
    }
    // body-parser calls back from an event: what is thrown here would end the process.
    try {
      vetJson(req.body);
    } catch (refusal) {
      next(refusal);
      return;
    }
    next();
  });
};
