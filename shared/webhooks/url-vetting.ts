/** Vets the URLs that organizations save, each of them a few at a time: whoever has a slow name server waits for it alone. */
import { AppError } from '../errors.ts';
import { vetUrl, type Resolve, type UrlVerdict } from './address-guard.ts';

/** In one process; a look-up takes milliseconds, and 1.5 s where a name server does not answer. */
export const MOST_AT_A_TIME = 10;
const RETRY_AFTER_SECONDS = 2;

/** @throws AppError RATE_LIMITED while {@link MOST_AT_A_TIME} URLs of the organization are being vetted */
export type VetUrlOf = (orgId: string, raw: string) => Promise<UrlVerdict>;

export function createUrlVetting(options: { allowedCidrs: readonly string[]; resolve: Resolve }): VetUrlOf {
  const underWay = new Map<string, number>();
  return async (orgId, raw) => {
    const own = underWay.get(orgId) ?? 0;
    if (own >= MOST_AT_A_TIME) {
      throw new AppError('RATE_LIMITED', {
        detail: `${own} URLs of webhook endpoints are being looked up; try again in ${RETRY_AFTER_SECONDS} s`,
        headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
      });
    }
    underWay.set(orgId, own + 1);
    try {
      return await vetUrl(raw, options);
    } finally {
      const left = underWay.get(orgId)! - 1;
      if (left === 0) underWay.delete(orgId);
      else underWay.set(orgId, left);
    }
  };
}
