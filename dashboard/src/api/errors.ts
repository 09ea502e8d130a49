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
  /** By whose provider to sign in, for `SINGLE_SIGN_ON_REQUIRED`. */
  readonly organizationId: string | null;
  /** Whether it was given up after a long silence: whoever has waited so long is told before it is tried again. */
  readonly isLate: boolean;

  constructor(
    fields: Pick<ApiError, 'status' | 'code' | 'message'> &
      Partial<Pick<ApiError, 'requestId' | 'fields' | 'retryAfterSeconds' | 'organizationId' | 'isLate'>>,
  ) {
    super(fields.message);
    this.name = 'ApiError';
    this.status = fields.status;
    this.code = fields.code;
    this.requestId = fields.requestId ?? null;
    this.fields = fields.fields ?? [];
    this.retryAfterSeconds = fields.retryAfterSeconds ?? null;
    this.organizationId = fields.organizationId ?? null;
    this.isLate = fields.isLate ?? false;
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
    organizationId: (problem as { organizationId?: string }).organizationId ?? null,
  });
}

/** @throws ApiError `UNAVAILABLE` for what the service never answers: a page that a proxy shows in its place */
export function parseJson(text: string, { status }: Response): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ApiError({ status, code: 'UNAVAILABLE', message: `HTTP ${status} without JSON` });
  }
}

/** Of silence before an answer, and for the rest of one in JSON. */
export const READ_SILENCE_MS = 30_000;
/** For the rest of a picture or a file: nothing tells how far one is. */
const DOWNLOAD_MS = 30 * 60_000;
/** The service gives up on its database after 65 s, and then says whether something was done. */
const CHANGE_SILENCE_MS = 70_000;
/** What the service cuts an upload for that is slower; nothing tells how far one is. */
const SLOWEST_BYTES_PER_MS = 2;

const sizeOf = (sent: unknown): number => {
  if (sent instanceof FormData) return [...sent.values()].reduce((size, part) => size + sizeOf(part), 0);
  return sent instanceof Blob ? sent.size : 0;
};

function patienceFor({ method = 'GET', body }: RequestInit): number {
  if (method === 'GET') return READ_SILENCE_MS;
  return CHANGE_SILENCE_MS + sizeOf(body) / SLOWEST_BYTES_PER_MS;
}

/**
 * @returns the response once it has arrived whole: what breaks amid the body is no answer either. Not read in parts or as a Blob, of
 *   which the browser's tools for developers would show nothing.
 */
async function whole(response: Response): Promise<Response> {
  const body = await response.arrayBuffer();
  // An answer that must be empty (204) takes no body, not even an empty one.
  return new Response(body.byteLength === 0 ? null : body, response);
}

const isJson = ({ headers }: Response): boolean =>
  /[/+]json\b/.test(headers.get('content-type') ?? 'application/json');

/**
 * Fetches; no answer at all, a part of one, or a long silence is an `ApiError` like any other.
 * @throws ApiError `NETWORK`, or what the signal was aborted with
 */
export async function reach(
  address: string,
  init: RequestInit,
  silenceMs = patienceFor(init),
): Promise<Response> {
  // AbortSignal.any would say it in a line, and browsers of 2023 do not have it.
  const end = new AbortController();
  const giveUp = () => end.abort();
  const { signal = null } = init;
  let isLate = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waitFor = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      isLate = true;
      giveUp();
    }, ms);
  };
  waitFor(silenceMs);
  signal?.addEventListener('abort', giveUp);
  try {
    signal?.throwIfAborted();
    const response = await fetch(address, { ...init, signal: end.signal });
    waitFor(isJson(response) ? READ_SILENCE_MS : DOWNLOAD_MS);
    return await whole(response);
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason;
    throw new ApiError({ status: 0, code: 'NETWORK', message: (error as Error).message, isLate });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  }
}
