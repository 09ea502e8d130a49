/** The errors of each operation, from what it declares; and the shared responses that describe them. */
import { z } from 'zod';
import { ERROR_CATALOGUE, type ErrorCode } from '../../shared/errors.ts';
import { refusal } from '../../shared/field-errors.ts';
import type { Operation } from '../operation.ts';

const BODY_CODES = ['MALFORMED_JSON', 'BAD_REQUEST', 'UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE'] as const;

/** Whether whatever a caller adds to the query is taken. */
const takesAnyQuery = ({ query }: Operation): boolean =>
  query instanceof z.ZodObject && query.def.catchall instanceof z.ZodUnknown;

/** The errors that an operation may answer: its own, and those of everything of its kind. */
export function errorCodesOf(operation: Operation): ErrorCode[] {
  const { access, method } = operation;
  const codes = new Set<ErrorCode>(['UNAVAILABLE', 'INTERNAL', ...(operation.errors ?? [])]);
  const add = (...more: ErrorCode[]) => more.forEach((code) => codes.add(code));
  if (access.kind === 'scope') add('UNAUTHENTICATED', 'INSUFFICIENT_SCOPE', 'RATE_LIMITED');
  if (access.kind === 'session') add('UNAUTHENTICATED', 'FORBIDDEN', 'RATE_LIMITED');
  if (access.kind === 'operator') add('UNAUTHENTICATED', 'RATE_LIMITED');
  if (operation.ids !== undefined) add('NOT_FOUND');
  // A path that is no UTF-8.
  if (operation.path.includes('{')) add('BAD_REQUEST');
  if (method !== 'get') add(...BODY_CODES, 'VALIDATION_FAILED');
  if (!takesAnyQuery(operation)) add('VALIDATION_FAILED');
  if (operation.idempotent === true) add('CONFLICT', 'IDEMPOTENCY_KEY_REUSED');
  return [...codes];
}

/** `NOT_FOUND` becomes `NotFound`. */
const pascal = (code: string): string =>
  code
    .split('_')
    .map((word) => word[0] + word.slice(1).toLowerCase())
    .join('');

/** Codes by status, both in the catalogue's order, so that the same set has the same name wherever it stands. */
export function codesByStatus(codes: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of Object.keys(ERROR_CATALOGUE) as ErrorCode[]) {
    if (!codes.includes(code)) continue;
    const { status } = ERROR_CATALOGUE[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
}

/** Name of the shared response for these codes of one status. */
export const responseName = (codes: readonly ErrorCode[]): string => codes.map(pascal).join('Or');

const REQUEST_ID = '01999d2c-7a50-7c3e-9f7b-2f6a4b1d8e90';

function exampleOf(code: ErrorCode): Record<string, unknown> {
  const { status, title } = ERROR_CATALOGUE[code];
  return {
    type: `urn:touchstone:error:${code.toLowerCase().replaceAll('_', '-')}`,
    title,
    status,
    detail: title,
    code,
    requestId: REQUEST_ID,
    ...(code === 'VALIDATION_FAILED'
      ? {
          errors: [
            {
              path: 'query.limit',
              ...refusal('TOO_LARGE', 'must be at most 200', { maximum: 200 }),
            },
          ],
        }
      : {}),
    ...(code === 'INVALID_TRANSITION' ? { from: 'voided', to: 'active' } : {}),
  };
}

const header = (name: string) => ({ $ref: `#/components/headers/${name}` });

/** Headers that a response of this status carries beside those of its operation. */
export const headersOfStatus = (status: number): Record<string, { $ref: string }> => ({
  'X-Request-Id': header('RequestId'),
  ...(status === 401 ? { 'WWW-Authenticate': header('WwwAuthenticate') } : {}),
  ...(status === 429 || status === 503 ? { 'Retry-After': header('RetryAfter') } : {}),
});

/** A response for `components.responses`. */
export function errorResponse(codes: readonly [ErrorCode, ...ErrorCode[]] | readonly ErrorCode[]) {
  const { status } = ERROR_CATALOGUE[codes[0]!];
  return {
    description: codes.map((code) => `\`${code}\`: ${ERROR_CATALOGUE[code].title}`).join('. '),
    headers: {
      ...headersOfStatus(status),
      RateLimit: header('RateLimit'),
      'RateLimit-Policy': header('RateLimitPolicy'),
      ...(codes.includes('UNAUTHENTICATED') ? { 'Set-Cookie': header('ClearedCookie') } : {}),
    },
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }])),
      },
    },
  };
}
