/** Vets the URLs that organizations save, each of them a few at a time: whoever has a slow name server waits for it alone. */
import { AppError } from '../errors.ts';
import { createUnderWay } from '../under-way.ts';
import { vetUrl, type Resolve, type UrlVerdict } from '../egress/address-guard.ts';

/** In one process; a look-up takes milliseconds, and 1.5 s where a name server does not answer. */
export const MOST_AT_A_TIME = 10;
const RETRY_AFTER_SECONDS = 2;

/** @throws AppError RATE_LIMITED while {@link MOST_AT_A_TIME} URLs of the organization are being vetted */
export type VetUrlOf = (orgId: string, raw: string) => Promise<UrlVerdict>;

export function createUrlVetting(options: { allowedCidrs: readonly string[]; resolve: Resolve }): VetUrlOf {
  const underWay = createUnderWay();
  return async (orgId, raw) => {
    const own = underWay.of(orgId);
    if (own >= MOST_AT_A_TIME) {
      throw new AppError('RATE_LIMITED', {
        detail: `${own} URLs of webhook endpoints are being looked up; try again in ${RETRY_AFTER_SECONDS} s`,
        headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
      });
    }
    const end = underWay.begin(orgId);
    try {
      return await vetUrl(raw, options);
    } finally {
      end();
    }
  };
}
