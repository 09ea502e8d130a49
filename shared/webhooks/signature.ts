import { createHmac, randomBytes as nodeRandomBytes } from 'node:crypto';

/** Every signing secret starts with this; what follows is base64 of {@link SECRET_BYTES} random bytes. */
const SECRET_PREFIX = 'whsec_';

/** 32 bytes: as long as SHA-256's output, and within the 24–64 that Standard Webhooks asks for. */
const SECRET_BYTES = 32;

/** The headers of the Standard Webhooks specification (https://www.standardwebhooks.com). */
export interface StandardWebhooksHeaders {
  'webhook-id': string;
  'webhook-timestamp': string;
  'webhook-signature': string;
}

/**
 * A new signing secret: `whsec_` and 44 characters of base64.
 * @param randomBytes source of randomness, replaceable in tests; must return exactly `size` bytes.
 */
export function generateSecret(randomBytes: (size: number) => Buffer = nodeRandomBytes): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/**
 * The value of `X-Service-Signature`: `t=<unix seconds>,v1=<hex>`, with one more `,v1=<hex>` for each further
 * secret while a rotation overlaps. Each hex is the lower-case HMAC-SHA256, keyed with the whole `whsec_…`
 * string, over `<t>` + `.` + the raw body bytes as sent (the scheme that Stripe uses).
 * @param secrets the endpoint's valid secrets, newest first; at least one.
 * @throws RangeError without a secret, or if `unixSeconds` is not a whole number of seconds.
 */
export function signatureHeader(secrets: readonly string[], unixSeconds: number, rawBody: Buffer): string {
  requireSignable(secrets, unixSeconds);
  let header = `t=${unixSeconds}`;
  for (const secret of secrets) {
    header += `,v1=${createHmac('sha256', secret).update(`${unixSeconds}.`).update(rawBody).digest('hex')}`;
  }
  return header;
}

/**
 * The Standard Webhooks headers for the same body, so that receivers can use any off-the-shelf verifier.
 * Each signature is `v1,<base64>` over `<id>.<t>.<body>`, keyed with the *decoded* bytes behind `whsec_`;
 * several secrets give several signatures, separated by spaces.
 * @param messageId the event's id: the specification wants it identical across retries.
 * @throws RangeError as {@link signatureHeader} does.
 */
export function standardWebhooksHeaders(
  secrets: readonly string[],
  messageId: string,
  unixSeconds: number,
  rawBody: Buffer,
): StandardWebhooksHeaders {
  requireSignable(secrets, unixSeconds);
  const prefix = `${messageId}.${unixSeconds}.`;
  let signatures = '';
  for (const secret of secrets) {
    const digest = createHmac('sha256', secretBytes(secret)).update(prefix).update(rawBody).digest('base64');
    signatures += signatures === '' ? `v1,${digest}` : ` v1,${digest}`;
  }
  return {
    'webhook-id': messageId,
    'webhook-timestamp': String(unixSeconds),
    'webhook-signature': signatures,
  };
}

function secretBytes(secret: string): Buffer {
  return Buffer.from(
    secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret,
    'base64',
  );
}

function requireSignable(secrets: readonly string[], unixSeconds: number): void {
  if (secrets.length === 0) throw new RangeError('at least one signing secret is needed');
  if (!Number.isSafeInteger(unixSeconds) || unixSeconds < 0) {
    throw new RangeError('the signature time must be whole seconds since 1970');
  }
}
