/** Headers as any framework has them: a plain object, Node's `request.headers`, or a `Headers`. Case does not matter. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** One event, as the body of a delivery. `id` is the same on every retry: use it to drop repetitions. */
export interface WebhookEvent<Data = Record<string, unknown>> {
  /** `evt_…` */
  id: string;
  /** E.g. `scan.recorded`. */
  type: string;
  /** ISO 8601, UTC. */
  createdAt: string;
  data: Data;
}

export interface VerifyOptions {
  /** A timestamp this many seconds (or more) away from now, in either direction, is refused. Default 300. */
  toleranceSeconds?: number;
  /** The present, as a Date or in milliseconds since 1970; for tests. Default: the clock. */
  now?: Date | number;
}

/**
 * - `INVALID_ARGUMENT`: called wrongly (a body that was parsed already, no secret)
 * - `MISSING_SIGNATURE`: there is no `X-Service-Signature` header
 * - `MALFORMED_SIGNATURE`: the header is not `t=…,v1=…`
 * - `TIMESTAMP_OUT_OF_TOLERANCE`: too old or too far ahead: a replay, or a wrong clock
 * - `SIGNATURE_MISMATCH`: no signature belongs to this body and any of the secrets
 * - `INVALID_PAYLOAD`: the signature is good, but the body is not an event
 */
export type WebhookVerificationErrorCode =
  | 'INVALID_ARGUMENT'
  | 'MISSING_SIGNATURE'
  | 'MALFORMED_SIGNATURE'
  | 'TIMESTAMP_OUT_OF_TOLERANCE'
  | 'SIGNATURE_MISMATCH'
  | 'INVALID_PAYLOAD';

export declare class WebhookVerificationError extends Error {
  readonly name: 'WebhookVerificationError';
  readonly code: WebhookVerificationErrorCode;
  /** For tests of what a receiver does with it. */
  constructor(code: WebhookVerificationErrorCode, message?: string);
}

/**
 * Verifies a delivery and returns its event.
 * @param rawBody the body's bytes exactly as received; text is taken as UTF-8
 * @param headers the request's headers
 * @param secret the endpoint's signing secret (`whsec_…`), or several while one is being replaced
 * @throws WebhookVerificationError with a `code`; answer such a request with 400
 */
export declare function verifyWebhook<Data = Record<string, unknown>>(
  rawBody: Uint8Array | ArrayBuffer | string,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options?: VerifyOptions,
): WebhookEvent<Data>;
