/** The sealed secrets of webhook endpoints, for when they are sealed again. */
import type { SealedKind } from '../reseal.ts';
import { headersOwner } from './custom-headers.ts';
import {
  listStaleHeaders,
  listStaleSecrets,
  replaceSealedHeaders,
  replaceSealedSecret,
} from './secret-repository.ts';
import { secretOwner } from './secret-owner.ts';

export const SIGNING_SECRETS: SealedKind = {
  listStale: async (...page) =>
    (await listStaleSecrets(...page)).map(({ id, sealed, org_id, endpoint_id }) => ({
      id,
      sealed,
      owner: secretOwner(org_id, endpoint_id),
    })),
  replace: replaceSealedSecret,
};

export const ENDPOINT_HEADERS: SealedKind = {
  listStale: async (...page) =>
    (await listStaleHeaders(...page)).map(({ id, sealed, org_id }) => ({
      id,
      sealed,
      owner: headersOwner(org_id, id),
    })),
  replace: replaceSealedHeaders,
};
