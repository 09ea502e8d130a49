/** What a person does to an endpoint: new secret, test, enable, disable. */
import { encodeId } from '../../shared/ids.ts';
import {
  disableEndpoint,
  enableEndpoint,
  rotateSecret,
  sendTestEvent,
} from '../../shared/webhooks/operate.ts';
import { accepted, needs, ok, operation } from '../operation.ts';
import {
  endpointSchema,
  presentEndpoint,
  rotatedEndpointSchema,
  rotateSecretBody,
  testEventSchema,
} from './schema.ts';

const tag = 'Webhooks';

export const webhookOperateOperations = [
  operation({
    method: 'post',
    path: '/api/v1/webhook-endpoints/{id}/rotate-secret',
    operationId: 'rotateWebhookSecret',
    tag,
    summary: 'Give an endpoint a new signing secret',
    description:
      'The answer carries it, this once. During the overlap every request has one signature for each valid secret.',
    access: needs('webhooks.write'),
    ids: { id: 'whep' },
    body: rotateSecretBody,
    idempotent: true,
    responses: { 200: { description: 'The endpoint, with its new secret', schema: rotatedEndpointSchema } },
    errors: ['CONFLICT'],
    handle: async ({ deps, db, actor, ids, body }) => {
      const { endpoint, secret, previousValidUntil } = await rotateSecret(
        deps,
        db,
        actor.orgId,
        ids.id,
        body.overlapSeconds,
      );
      return ok({
        ...presentEndpoint(endpoint, deps.clock.now()),
        secret,
        previousValidUntil: previousValidUntil.toISOString(),
      });
    },
  }),
  operation({
    method: 'post',
    path: '/api/v1/webhook-endpoints/{id}/test',
    operationId: 'testWebhookEndpoint',
    tag,
    summary: 'Send a test event to an endpoint',
    description:
      'A `webhook.test` event, to this endpoint alone, before all that wait for it (in FIFO order behind them). The answer is the same whatever is at the address; see the delivery log. While the circuit is open or the endpoint is held, it waits too: `nextAttemptAt` says until when.',
    access: needs('webhooks.write'),
    ids: { id: 'whep' },
    responses: { 202: { description: 'The event is on its way', schema: testEventSchema } },
    errors: ['CONFLICT', 'RATE_LIMITED'],
    handle: async ({ deps, db, afterCommit, actor, ids }) => {
      const sent = await sendTestEvent(deps, { db, afterCommit }, actor.orgId, ids.id);
      const eventId = encodeId('evt', sent.eventId);
      return accepted(
        { eventId, nextAttemptAt: sent.nextAttemptAt.toISOString() },
        `/api/v1/webhook-endpoints/${encodeId('whep', ids.id)}/deliveries?eventId=${eventId}`,
      );
    },
  }),
  operation({
    method: 'post',
    path: '/api/v1/webhook-endpoints/{id}/enable',
    operationId: 'enableWebhookEndpoint',
    tag,
    summary: 'Let events go to an endpoint again',
    description: 'Closes its circuit from a clean slate; what waited is sent.',
    access: needs('webhooks.write'),
    ids: { id: 'whep' },
    responses: { 200: { description: 'The endpoint', schema: endpointSchema } },
    handle: async ({ deps, db, afterCommit, actor, ids }) =>
      ok(
        presentEndpoint(
          await enableEndpoint(deps, { db, afterCommit }, actor.orgId, ids.id),
          deps.clock.now(),
        ),
      ),
  }),
  operation({
    method: 'post',
    path: '/api/v1/webhook-endpoints/{id}/disable',
    operationId: 'disableWebhookEndpoint',
    tag,
    summary: 'Stop sending to an endpoint',
    description: 'Events are kept and wait until it is enabled.',
    access: needs('webhooks.write'),
    ids: { id: 'whep' },
    responses: { 200: { description: 'The endpoint', schema: endpointSchema } },
    handle: async ({ deps, db, actor, ids }) =>
      ok(presentEndpoint(await disableEndpoint(deps, db, actor.orgId, ids.id), deps.clock.now())),
  }),
];
