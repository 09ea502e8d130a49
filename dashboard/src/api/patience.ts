/** How long to wait, where the service says so (`Retry-After`). */
import i18next, { type TFunction } from 'i18next';
import { durationIn, localeOf, regional } from '../i18n/phrases.ts';
import { ApiError } from './errors.ts';

const MINUTE_S = 60;

/** "Wait 14 minutes, …" for whoever asked too often: a sign-in may be closed for longer than a test of an endpoint. Whole minutes up, so that nobody is too early. */
export function patienceAsked(error: Error, t: TFunction): string | null {
  if (!(error instanceof ApiError) || error.code !== 'RATE_LIMITED' || !error.retryAfterSeconds) return null;
  const seconds = Math.ceil(error.retryAfterSeconds);
  const shown = seconds < MINUTE_S ? seconds : Math.ceil(seconds / MINUTE_S) * MINUTE_S;
  const locale = localeOf(regional(i18next.language, navigator.languages));
  return t('errors.RATE_LIMITED.adviceAfter', { duration: durationIn(locale)(shown) });
}
