import { refusal, type FieldError, type Refusal } from '../field-errors.ts';
import { signatureHeader, standardWebhooksHeaders } from './signature.ts';

const MAX_CUSTOM_HEADERS = 20;
const MAX_NAME_LENGTH = 100;
const MAX_VALUE_LENGTH = 1024;

/** RFC 9110 §5.6.2, "token". */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Printable ASCII without leading or trailing space: no CR, LF or NUL, and nothing that two parsers read in two ways. */
const HEADER_VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** Ours by name; what begins with one of {@link OUR_PREFIXES} is ours too. */
const OURS = new Set(['user-agent', 'content-type', 'content-length', 'content-encoding', 'host', 'date']);
const OUR_PREFIXES = ['x-service-', 'webhook-'];

/** Those that end at the next hop or steer the connection (RFC 9110 §7.6.1, RFC 9112); a proxy may act on them. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'http2-settings',
  'max-forwards',
]);

/**
 * Checks the headers that an endpoint's owner wants on every delivery (an `Authorization` for their gateway, say).
 * @returns one entry for each problem, with its path below `headers`; empty if all are fine.
 */
export function validateCustomHeaders(headers: Readonly<Record<string, string>>): FieldError[] {
  const names = Object.keys(headers);
  const problems: FieldError[] = [];
  if (names.length > MAX_CUSTOM_HEADERS) {
    const message = `At most ${MAX_CUSTOM_HEADERS} headers are allowed.`;
    problems.push({ path: 'headers', ...refusal('TOO_MANY', message, { maximum: MAX_CUSTOM_HEADERS }) });
  }
  const seen = new Set<string>();
  for (const name of names) {
    const lower = name.toLowerCase();
    const refused = seen.has(lower)
      ? refusal('REPEATED', 'The header is given twice.')
      : problemOf(lower, headers[name] ?? '');
    seen.add(lower);
    if (refused !== null) problems.push({ path: `headers.${name}`, ...refused });
  }
  return problems;
}

function problemOf(name: string, value: string): Refusal | null {
  if (!HEADER_NAME.test(name) || name.length > MAX_NAME_LENGTH)
    return refusal('HEADER_NAME', 'This is not a header name.');
  if (OURS.has(name) || OUR_PREFIXES.some((prefix) => name.startsWith(prefix))) {
    return refusal('HEADER_RESERVED', 'The service sets this header itself.');
  }
  if (HOP_BY_HOP.has(name))
    return refusal('HEADER_OF_CONNECTION', 'This header belongs to the connection and cannot be set.');
  if (value.length > MAX_VALUE_LENGTH)
    return refusal('TOO_LONG', `The value is longer than ${MAX_VALUE_LENGTH} characters.`, {
      maximum: MAX_VALUE_LENGTH,
    });
  return HEADER_VALUE.test(value)
    ? null
    : refusal('HEADER_VALUE', 'The value must be printable ASCII, without spaces at its ends.');
}

export interface DeliveryHeaderInput {
  eventId: string;
  eventType: string;
  /** Unique for each attempt. */
  deliveryId: string;
  userAgent: string;
  /** The endpoint's valid secrets, newest first. */
  secrets: readonly string[];
  unixSeconds: number;
  /** The body exactly as it will be sent. */
  rawBody: Buffer;
  /** The endpoint's own headers, as {@link validateCustomHeaders} accepted them. */
  custom?: Readonly<Record<string, string>>;
}

/** Those that follow from the attempt, whoever signs it and when. */
export const fixedHeaders = (
  input: Pick<DeliveryHeaderInput, 'eventId' | 'eventType' | 'deliveryId'>,
): Record<string, string> => ({
  'Content-Type': 'application/json',
  'X-Service-Event': input.eventType,
  'X-Service-Event-Id': input.eventId,
  'X-Service-Delivery': input.deliveryId,
  'webhook-id': input.eventId,
});

/** All headers of one delivery but those of HTTP itself. Ours win over custom ones. */
export function deliveryHeaders(input: DeliveryHeaderInput): Record<string, string> {
  return {
    ...input.custom,
    'User-Agent': input.userAgent,
    ...fixedHeaders(input),
    'X-Service-Signature': signatureHeader(input.secrets, input.unixSeconds, input.rawBody),
    ...standardWebhooksHeaders(input.secrets, input.eventId, input.unixSeconds, input.rawBody),
  };
}
