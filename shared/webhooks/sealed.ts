/** The sealed secrets of webhook endpoints, for when they are sealed again. */
import { replaceSealed } from '../reseal-repository.ts';
import { sealedIn, type SealedKind } from '../reseal.ts';
import { headersOwner } from './custom-headers.ts';
import { listStaleSecrets } from './secret-repository.ts';
import { secretOwner } from './secret-owner.ts';

export const SIGNING_SECRETS: SealedKind = {
  listStale: async (...page) =>
    (await listStaleSecrets(...page)).map(({ id, sealed, org_id, endpoint_id }) => ({
      id,
      sealed,
      owner: secretOwner(org_id, endpoint_id),
    })),
  replace: (db, row, resealed) =>
    replaceSealed(db, { table: 'webhook_secrets', column: 'sealed' }, row, resealed),
};

export const ENDPOINT_HEADERS = sealedIn(
  { table: 'webhook_endpoints', column: 'sealed_headers' },
  ({ id, org_id }) => headersOwner(org_id, id),
);
