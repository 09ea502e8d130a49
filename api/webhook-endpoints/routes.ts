import { encodeId } from '../../shared/ids.ts';
import {
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  listEndpointDeliveries,
  listEndpoints,
  updateEndpoint,
  vetChangedUrl,
  vetNewUrl,
} from '../../shared/webhooks/service.ts';
import { listBody, listOf, pageRequest } from '../list.ts';
import { created, needs, noContent, ok, operation } from '../operation.ts';
import {
  createdEndpointSchema,
  createEndpointBody,
  deliverySchema,
  endpointSchema,
  listDeliveriesQuery,
  listEndpointsQuery,
  presentDelivery,
  presentEndpoint,
  updateEndpointBody,
} from './schema.ts';

const tag = 'Webhooks';

export const webhookEndpointOperations = [
  operation({
    method: 'get',
    path: '/api/v1/webhook-endpoints',
    operationId: 'listWebhookEndpoints',
    tag,
    summary: 'List webhook endpoints, newest first',
    access: needs('webhooks.read', 'webhooks.write'),
    query: listEndpointsQuery,
    responses: { 200: { description: 'A page of endpoints', schema: listOf(endpointSchema) } },
    handle: async ({ deps, db, actor, query }) => {
      const now = deps.clock.now();
      return ok(
        listBody('webhook-endpoints', await listEndpoints(db, actor.orgId, pageRequest(query)), (row) =>
          presentEndpoint(row, now),
        ),
      );
    },
  }),
  operation({
    method: 'post',
    path: '/api/v1/webhook-endpoints',
    operationId: 'createWebhookEndpoint',
    tag,
    summary: 'Create a webhook endpoint',
    description: 'The answer carries the signing secret, this once.',
    access: needs('webhooks.write'),
    body: createEndpointBody,
    idempotent: true,
    responses: { 201: { description: 'The endpoint, with its secret', schema: createdEndpointSchema } },
    errors: ['CONFLICT'],
    prepare: ({ deps, db, actor, body }) => vetNewUrl(deps, db, actor.orgId, body.url),
    handle: async ({ deps, db, actor, body, prepared: url }) => {
      const { endpoint, secret } = await createEndpoint(deps, db, actor.orgId, { ...body, url });
      return created(
        { ...presentEndpoint(endpoint, deps.clock.now()), secret },
        `/api/v1/webhook-endpoints/${encodeId('whep', endpoint.id)}`,
      );
    },
  }),
  operation({
    method: 'get',
    path: '/api/v1/webhook-endpoints/{id}',
    operationId: 'getWebhookEndpoint',
    tag,
    summary: 'Read a webhook endpoint',
    access: needs('webhooks.read', 'webhooks.write'),
    ids: { id: 'whep' },
    responses: { 200: { description: 'The endpoint', schema: endpointSchema } },
    handle: async ({ deps, db, actor, ids }) =>
      ok(presentEndpoint(await getEndpoint(db, actor.orgId, ids.id), deps.clock.now())),
  }),
  operation({
    method: 'patch',
    path: '/api/v1/webhook-endpoints/{id}',
    operationId: 'updateWebhookEndpoint',
    tag,
    summary: 'Change some fields of a webhook endpoint',
    description:
      'A new URL is tried at once where the circuit was open; a disabled endpoint stays disabled until it is enabled, see `circuit` in the answer.',
    access: needs('webhooks.write'),
    ids: { id: 'whep' },
    body: updateEndpointBody,
    responses: { 200: { description: 'The changed endpoint', schema: endpointSchema } },
    errors: ['CONFLICT'],
    prepare: async ({ deps, db, actor, ids, body }) =>
      body.url === undefined ? undefined : vetChangedUrl(deps, db, actor.orgId, ids.id, body.url),
    handle: async ({ deps, db, afterCommit, actor, ids, body, prepared: url }) => {
      const changes = { ...body, url };
      const endpoint = await updateEndpoint(deps, { db, afterCommit }, actor.orgId, ids.id, changes);
      return ok(presentEndpoint(endpoint, deps.clock.now()));
    },
  }),
  operation({
    method: 'delete',
    path: '/api/v1/webhook-endpoints/{id}',
    operationId: 'deleteWebhookEndpoint',
    tag,
    summary: 'Delete a webhook endpoint',
    description: 'What waits for it is discarded; its secret is destroyed.',
    access: needs('webhooks.write'),
    ids: { id: 'whep' },
    responses: { 204: { description: 'It is gone' } },
    handle: async ({ deps, db, actor, ids }) => {
      await deleteEndpoint(deps, db, actor.orgId, ids.id);
      return noContent();
    },
  }),
  operation({
    method: 'get',
    path: '/api/v1/webhook-endpoints/{id}/deliveries',
    operationId: 'listDeliveries',
    tag,
    summary: 'List the attempts to deliver to an endpoint, newest first',
    description: 'Also of an endpoint that was deleted, for as long as attempts are kept.',
    access: needs('webhooks.read', 'webhooks.write'),
    ids: { id: 'whep' },
    query: listDeliveriesQuery,
    responses: { 200: { description: 'A page of attempts', schema: listOf(deliverySchema) } },
    handle: async ({ db, actor, ids, query }) =>
      ok(
        listBody(
          'deliveries',
          await listEndpointDeliveries(db, actor.orgId, ids.id, query, pageRequest(query)),
          presentDelivery,
        ),
      ),
  }),
];
