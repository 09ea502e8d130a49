import type { AccountDeps } from '../shared/accounts/deps.ts';
import { createCounter } from '../shared/rate-limits/counter.ts';
import { deriveKey } from '../shared/wiring.ts';
import type { ApiDeps } from './deps.ts';

/** What the handlers of sign-in, sign-up and the like hand on. */
export function accountDeps(deps: ApiDeps): AccountDeps {
  const { clock, config, db, log, random, redis, secretBox, waker, accessTokens } = deps;
  return {
    db,
    clock,
    log,
    random,
    secretBox,
    waker,
    accessTokens,
    counter: createCounter(redis, config.QUEUE_PREFIX),
    publicUrl: config.PUBLIC_URL,
    refreshKey: deriveKey(config.API_KEY_PEPPER, 'refresh-tokens'),
    tokenKey: deriveKey(config.API_KEY_PEPPER, 'one-time-tokens'),
    deviceKey: deriveKey(config.API_KEY_PEPPER, 'devices'),
    failuresPerAddress: config.RATE_LIMIT_SIGN_IN_PER_ADDRESS,
    failuresPerAccount: config.RATE_LIMIT_SIGN_IN_PER_ACCOUNT,
  };
}
