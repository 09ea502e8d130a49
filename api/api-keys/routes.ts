import {
  createApiKey,
  getApiKey,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
  type ApiKeyDeps,
} from '../../shared/api-keys/service.ts';
import { encodeId } from '../../shared/ids.ts';
import { lockOrganizationFor } from '../../shared/organizations/service.ts';
import type { ApiDeps } from '../deps.ts';
import { listBody, listOf, pageRequest } from '../list.ts';
import { created, ok, operation, session } from '../operation.ts';
import {
  apiKeySchema,
  apiKeyWithSecretSchema,
  createApiKeyBody,
  listApiKeysQuery,
  presentApiKey,
  rotateApiKeyBody,
} from './schema.ts';

const tag = 'API keys';
const access = session('api_keys.manage');
const uncached = { 'Cache-Control': 'no-store' };

const keyDeps = ({ clock, config, random }: ApiDeps): ApiKeyDeps => ({
  clock,
  random,
  pepper: config.API_KEY_PEPPER,
});

// What changes keys holds the organization: a request that was under way when its sender was disabled would leave them a secret.
export const apiKeyOperations = [
  operation({
    method: 'get',
    path: '/api/v1/api-keys',
    operationId: 'listApiKeys',
    tag,
    summary: 'List API keys, newest first',
    description: 'Revoked and expired ones too. A secret cannot be read again.',
    access,
    query: listApiKeysQuery,
    responses: { 200: { description: 'A page of keys', schema: listOf(apiKeySchema) } },
    handle: async ({ deps, db, actor, query }) =>
      ok(
        listBody(
          'api-keys',
          await listApiKeys(db, actor.orgId, deps.clock.now(), query.q, pageRequest(query)),
          presentApiKey,
        ),
      ),
  }),
  operation({
    method: 'post',
    path: '/api/v1/api-keys',
    operationId: 'createApiKey',
    tag,
    summary: 'Create an API key',
    description: 'The answer carries the secret, this once.',
    access,
    body: createApiKeyBody,
    idempotent: true,
    responses: { 201: { description: 'The key, with its secret', schema: apiKeyWithSecretSchema } },
    handle: async ({ deps, db, actor, body }) => {
      await lockOrganizationFor(db, actor);
      const { id, secret } = await createApiKey(keyDeps(deps), db, actor.orgId, {
        ...body,
        createdBy: actor.userId,
        grantable: actor.scopes,
      });
      const key = await getApiKey(deps, db, actor.orgId, id);
      const reply = created({ ...presentApiKey(key), secret }, `/api/v1/api-keys/${encodeId('key', id)}`);
      return { ...reply, headers: { ...reply.headers, ...uncached } };
    },
  }),
  operation({
    method: 'get',
    path: '/api/v1/api-keys/{id}',
    operationId: 'getApiKey',
    tag,
    summary: 'Read an API key',
    access,
    ids: { id: 'key' },
    responses: { 200: { description: 'The key', schema: apiKeySchema } },
    handle: async ({ deps, db, actor, ids }) =>
      ok(presentApiKey(await getApiKey(deps, db, actor.orgId, ids.id))),
  }),
  operation({
    method: 'post',
    path: '/api/v1/api-keys/{id}/rotate',
    operationId: 'rotateApiKey',
    tag,
    summary: 'Give an API key a new secret',
    description:
      'The old secret works on for a grace period, so that no request fails. A key that was revoked or has expired gets none. Takes an empty body too.',
    access,
    ids: { id: 'key' },
    body: rotateApiKeyBody,
    idempotent: true,
    responses: { 200: { description: 'The key, with its new secret', schema: apiKeyWithSecretSchema } },
    errors: ['INVALID_TRANSITION'],
    handle: async ({ deps, db, actor, ids, body }) => {
      await lockOrganizationFor(db, actor);
      const { secret } = await rotateApiKey(keyDeps(deps), db, actor.orgId, ids.id, body.graceSeconds);
      return ok({ ...presentApiKey(await getApiKey(deps, db, actor.orgId, ids.id)), secret }, uncached);
    },
  }),
  operation({
    method: 'post',
    path: '/api/v1/api-keys/{id}/revoke',
    operationId: 'revokeApiKey',
    tag,
    summary: 'Disable an API key at once',
    description: 'Every secret of it, for good: the next request is 401. Revoking it again changes nothing.',
    access,
    ids: { id: 'key' },
    responses: { 200: { description: 'The revoked key', schema: apiKeySchema } },
    handle: async ({ deps, db, actor, ids }) => {
      await lockOrganizationFor(db, actor);
      await revokeApiKey(deps, db, actor.orgId, ids.id);
      return ok(presentApiKey(await getApiKey(deps, db, actor.orgId, ids.id)));
    },
  }),
];
