import { createHmac, timingSafeEqual } from 'node:crypto';

const SIGNATURE_HEADER = 'x-service-signature';

/** Far more than a rotation needs; without a limit a header of 16 KB would buy 200 comparisons. */
const MAX_SIGNATURES = 16;

export class WebhookVerificationError extends Error {
  constructor(code, message) {
    super(message);
    this.name = 'WebhookVerificationError';
    this.code = code;
  }
}

export function verifyWebhook(rawBody, headers, secret, { toleranceSeconds = 300, now = Date.now() } = {}) {
  const body = bytesOf(rawBody);
  const secrets = secretsOf(secret);
  const nowMs = now instanceof Date ? now.getTime() : now;
  if (!Number.isFinite(nowMs) || !(toleranceSeconds > 0)) {
    throw new WebhookVerificationError('INVALID_ARGUMENT', 'now and toleranceSeconds must be numbers');
  }
  const { timestamp, signatures } = parseSignature(headerOf(headers, SIGNATURE_HEADER));
  if (!isSignedByAny(secrets, timestamp, body, signatures)) {
    throw new WebhookVerificationError(
      'SIGNATURE_MISMATCH',
      'no signature fits this body; is it the raw body, and the secret of this endpoint?',
    );
  }
  // After the signature, so that only we can learn from the answer what the receiver's clock says.
  if (Math.abs(nowMs - Number(timestamp) * 1000) >= toleranceSeconds * 1000) {
    throw new WebhookVerificationError(
      'TIMESTAMP_OUT_OF_TOLERANCE',
      `the delivery was signed ${toleranceSeconds} seconds or more from now`,
    );
  }
  return eventOf(body);
}

function bytesOf(rawBody) {
  if (typeof rawBody === 'string') return Buffer.from(rawBody, 'utf8');
  if (rawBody instanceof Uint8Array)
    return Buffer.from(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength);
  if (rawBody instanceof ArrayBuffer) return Buffer.from(rawBody);
  throw new WebhookVerificationError(
    'INVALID_ARGUMENT',
    'rawBody must be the bytes as received; a parsed body cannot be verified',
  );
}

function secretsOf(secret) {
  const secrets = Array.isArray(secret) ? secret : [secret];
  if (secrets.length === 0 || secrets.some((one) => typeof one !== 'string' || one === '')) {
    throw new WebhookVerificationError('INVALID_ARGUMENT', 'a signing secret is needed');
  }
  return secrets;
}

function headerOf(headers, name) {
  const value =
    typeof headers?.get === 'function'
      ? headers.get(name)
      : Object.entries(headers ?? {}).find(([key]) => key.toLowerCase() === name)?.[1];
  // A header sent twice arrives as a list, or joined with a comma; the signature's own form allows the join.
  const text = Array.isArray(value) ? value.join(',') : value;
  if (typeof text !== 'string' || text === '') {
    throw new WebhookVerificationError('MISSING_SIGNATURE', 'the X-Service-Signature header is missing');
  }
  return text;
}

function parseSignature(header) {
  const timestamps = [];
  const signatures = [];
  for (const part of header.split(',')) {
    const [key, value = ''] = part.trim().split('=', 2);
    if (key === 't') timestamps.push(value);
    // Other keys are schemes of the future, which this version does not know and does not trust.
    else if (key === 'v1' && /^[0-9a-f]{64}$/.test(value)) signatures.push(Buffer.from(value, 'hex'));
  }
  const [timestamp] = timestamps;
  const isWellFormed =
    timestamps.length === 1 &&
    /^[0-9]{1,12}$/.test(timestamp) &&
    signatures.length > 0 &&
    signatures.length <= MAX_SIGNATURES;
  if (!isWellFormed) {
    throw new WebhookVerificationError(
      'MALFORMED_SIGNATURE',
      'X-Service-Signature is not t=<seconds>,v1=<hex>',
    );
  }
  return { timestamp, signatures };
}

function isSignedByAny(secrets, timestamp, body, signatures) {
  let isSigned = false;
  // Every pair is compared, whichever fits: the time taken says nothing about which secret is in use.
  for (const secret of secrets) {
    const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
    for (const signature of signatures) isSigned = timingSafeEqual(expected, signature) || isSigned;
  }
  return isSigned;
}

function eventOf(body) {
  let event;
  try {
    event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new WebhookVerificationError('INVALID_PAYLOAD', 'the body is not JSON');
  }
  const isEvent =
    typeof event === 'object' &&
    event !== null &&
    typeof event.id === 'string' &&
    typeof event.type === 'string' &&
    typeof event.createdAt === 'string' &&
    typeof event.data === 'object' &&
    event.data !== null;
  if (!isEvent) throw new WebhookVerificationError('INVALID_PAYLOAD', 'the body is not an event');
  return event;
}
