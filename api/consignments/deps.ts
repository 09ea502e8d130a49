import type { ConsignmentDeps } from '../../shared/consignments/service.ts';
import { deriveKey } from '../../shared/wiring.ts';
import type { ApiDeps } from '../deps.ts';

export const consignmentDeps = (deps: ApiDeps): ConsignmentDeps => ({
  clock: deps.clock,
  waker: deps.waker,
  random: (bytes) => deps.random(bytes),
  linkKey: deriveKey(deps.config.API_KEY_PEPPER, 'consignment-links'),
  tokenKeys: deps.config.TOKEN_KEYS,
});
