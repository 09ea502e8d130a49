import { z } from 'zod';
import { refusal, ruled } from '../field-errors.ts';
import type { AttemptOutcome } from './attempt.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Seconds to wait after the first, second, … failed attempt: ten attempts over three days (71.3 h), as Stripe
 * keeps at it. Quick at first for a restart or a deploy, then slow enough to outlast a weekend.
 */
export const DEFAULT_RETRY_DELAYS_SECONDS: readonly number[] = [
  5,
  30,
  2 * MINUTE,
  15 * MINUTE,
  HOUR,
  4 * HOUR,
  12 * HOUR,
  24 * HOUR,
  30 * HOUR,
];

/** Each delay is spread by this share either way, so that a thousand failures do not come back in one second. */
const RETRY_JITTER = 0.2;

/** A receiver may ask for more patience with `Retry-After`, but for no more than this. */
export const MAX_RETRY_AFTER_SECONDS = DAY;

/** An endpoint's own schedule: whole seconds after each failed attempt; an empty list means one attempt only. */
export const retryDelaysSchema = z
  .array(
    z
      .number()
      .int()
      .min(1)
      .max(2 * DAY),
  )
  .max(30)
  .refine(
    (delays) => delays.reduce((sum, delay) => sum + delay, 0) <= 7 * DAY,
    ruled(refusal('DELAYS_TOO_LONG', 'the delays together must not exceed seven days', { days: 7 })),
  );

export interface FailedAttempt {
  /** Attempts made so far for this dispatch, the failed one included: 1 after the first. */
  attempts: number;
  /** When it failed; the wait starts here. */
  now: Date;
  /** The endpoint's own schedule; {@link DEFAULT_RETRY_DELAYS_SECONDS} if left out. */
  delaysSeconds?: readonly number[];
  /** Uniform in [0, 1); injected so that tests can fix it. */
  random: () => number;
}

/** When to try a failed dispatch again, or null when its schedule is exhausted. */
export function nextAttempt(failed: FailedAttempt): Date | null {
  const delays = failed.delaysSeconds ?? DEFAULT_RETRY_DELAYS_SECONDS;
  const delay = delays[failed.attempts - 1];
  if (delay === undefined) return null;
  const jittered = delay * (1 + RETRY_JITTER * (2 * failed.random() - 1));
  return new Date(failed.now.getTime() + Math.round(jittered * 1000));
}

/**
 * Until when a 429 or 503 asks for patience, at most {@link MAX_RETRY_AFTER_SECONDS} ahead; null if it does not. It holds beside the
 * schedule and only postpones: were it able to hasten, a receiver that always says "1" would burn through its own three days of
 * retries in ten seconds.
 */
export function retryAfterAt(
  { status, retryAfter }: Pick<AttemptOutcome, 'status' | 'retryAfter'>,
  now: Date,
): Date | null {
  if (status !== 429 && status !== 503) return null;
  const asked = parseRetryAfter(retryAfter, now);
  if (asked === null) return null;
  return new Date(now.getTime() + Math.round(Math.min(asked, MAX_RETRY_AFTER_SECONDS) * 1000));
}

/** The three date forms of RFC 9110 §5.6.7 all begin with the day's name; nothing else is handed to `Date.parse`. */
const HTTP_DATE = /^(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?,? [\w :-]{15,30}$/;

/**
 * Seconds that a `Retry-After` value asks for (RFC 9110 §10.2.3: delay in seconds or an HTTP-date), counted
 * from `now`; null if it is absent, malformed or in the past.
 */
export function parseRetryAfter(value: string | null, now: Date): number | null {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  if (!HTTP_DATE.test(text)) return null;
  // asctime, the one form without a zone, is UTC too; Date.parse would take it for local time.
  const milliseconds = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  const seconds = (milliseconds - now.getTime()) / 1000;
  return seconds > 0 ? seconds : null;
}
