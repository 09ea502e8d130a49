/** Outcomes of webhook attempts, as the sender reports them. */
import type { AttemptErrorClass, AttemptOutcome } from '../../shared/webhooks/attempt.ts';

const timings = { dnsMs: 1, connectMs: 2, tlsMs: 3, firstByteMs: 4, totalMs: 5 };

/** A receiver that answered with this status. */
export function answered(status: number, body = '', retryAfter: string | null = null): AttemptOutcome {
  const ok = status >= 200 && status < 300;
  return {
    ok,
    errorClass: ok ? null : 'status',
    error: ok ? null : `The receiver answered ${status}.`,
    status,
    responseHeaders: { 'content-type': 'text/plain' },
    responseBody: body,
    responseTruncated: false,
    retryAfter,
    timings,
  };
}

/** An attempt without an answer. */
export const failed = (errorClass: AttemptErrorClass): AttemptOutcome => ({
  ...answered(500),
  errorClass,
  error: 'No answer.',
  status: null,
  responseHeaders: {},
});
