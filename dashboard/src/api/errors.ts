/** What a request may fail with, as the service words it (RFC 9457). */
import type { Schemas } from './types.gen.ts';

export type ErrorCode = Schemas['Problem']['code'] | 'NETWORK' | 'UNEXPECTED';

export type FieldError = NonNullable<Schemas['Problem']['errors']>[number];

/** A refusal of the service, or no answer at all (`NETWORK`). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorCode;
  /** To quote to the operator; null where there was no answer. */
  readonly requestId: string | null;
  /** Which fields are wrong, for `VALIDATION_FAILED`. */
  readonly fields: readonly FieldError[];
  readonly retryAfterSeconds: number | null;

  constructor(
    fields: Pick<ApiError, 'status' | 'code' | 'message'> &
      Partial<Pick<ApiError, 'requestId' | 'fields' | 'retryAfterSeconds'>>,
  ) {
    super(fields.message);
    this.name = 'ApiError';
    this.status = fields.status;
    this.code = fields.code;
    this.requestId = fields.requestId ?? null;
    this.fields = fields.fields ?? [];
    this.retryAfterSeconds = fields.retryAfterSeconds ?? null;
  }

  get isForbidden(): boolean {
    return this.code === 'FORBIDDEN' || this.code === 'INSUFFICIENT_SCOPE';
  }

  /** Whether the same GET may well succeed in a moment. */
  get isPassing(): boolean {
    return this.code === 'NETWORK' || this.code === 'UNAVAILABLE' || this.code === 'RATE_LIMITED';
  }
}

/** What is meant where no word of the service's came along: a proxy before it answers with a page of its own. */
const CODES_OF_PROXIES: Readonly<Record<number, ErrorCode>> = {
  413: 'PAYLOAD_TOO_LARGE',
  429: 'RATE_LIMITED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'UNAVAILABLE',
};

/** @returns the error of a response that is not 2xx. */
export async function errorOf(response: Response): Promise<ApiError> {
  const requestId = response.headers.get('x-request-id');
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  const retryAfterSeconds = Number.isFinite(retryAfter) ? retryAfter : null;
  const problem = (await response.json().catch(() => null)) as Schemas['Problem'] | null;
  if (typeof problem?.code !== 'string') {
    const { status } = response;
    const code = CODES_OF_PROXIES[status] ?? 'UNEXPECTED';
    return new ApiError({ status, code, message: `HTTP ${status}`, requestId, retryAfterSeconds });
  }
  return new ApiError({
    status: response.status,
    code: problem.code,
    message: problem.detail || problem.title,
    requestId: problem.requestId ?? requestId,
    fields: problem.errors ?? [],
    retryAfterSeconds,
  });
}

/** Fetches; no answer at all is an `ApiError` like any other. @throws ApiError `NETWORK`, or what the signal was aborted with */
export async function reach(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    throw new ApiError({ status: 0, code: 'NETWORK', message: (error as Error).message });
  }
}
