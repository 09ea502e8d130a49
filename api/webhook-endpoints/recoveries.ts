/** Recoveries of an endpoint: start, list, read, cancel. */
import { z } from 'zod';
import { encodeId } from '../../shared/ids.ts';
import {
  cancelRecovery,
  DEFAULT_RECOVERY_RATE,
  getRecovery,
  listEndpointRecoveries,
  startRecovery,
  type RecoveryRow,
} from '../../shared/webhooks/recoveries.ts';
import { instant, listBody, listOf, listQuery, moment, pageRequest } from '../list.ts';
import { accepted, needs, ok, operation } from '../operation.ts';

const tag = 'Webhooks';
const read = needs('webhooks.read', 'webhooks.write');
const path = '/api/v1/webhook-endpoints/{id}';

const recoverBody = z.strictObject({
  since: moment.meta({ description: 'Events from this time on; those that are still kept' }),
  ratePerSecond: z
    .number()
    .int()
    .min(1)
    .max(1000)
    .default(DEFAULT_RECOVERY_RATE)
    .meta({ description: 'Events that become due per second' }),
});

const recoverySchema = z
  .object({
    id: z.string(),
    endpointId: z.string(),
    status: z.enum(['queued', 'running', 'completed', 'cancelled']),
    since: instant,
    until: instant,
    ratePerSecond: z.number().int(),
    progress: z.object({
      done: z.number().int().meta({ description: 'Events looked at' }),
      total: z.number().int().nullable().meta({ description: 'Null until they are counted' }),
      recovered: z.number().int().meta({ description: 'Events that are sent again, or for the first time' }),
    }),
    createdAt: instant,
    startedAt: instant.nullable(),
    finishedAt: instant.nullable(),
  })
  .meta({ id: 'WebhookRecovery' });

const presentRecovery = (row: RecoveryRow): z.input<typeof recoverySchema> => ({
  id: encodeId('rcv', row.id),
  endpointId: encodeId('whep', row.endpoint_id),
  status: row.status,
  since: row.since.toISOString(),
  until: row.until.toISOString(),
  ratePerSecond: row.rate_per_second,
  progress: { done: row.examined, total: row.total, recovered: row.recovered },
  createdAt: row.created_at.toISOString(),
  startedAt: row.started_at?.toISOString() ?? null,
  finishedAt: row.finished_at?.toISOString() ?? null,
});

export const recoveryOperations = [
  operation({
    method: 'post',
    path: `${path}/recover`,
    operationId: 'recoverWebhookEndpoint',
    tag,
    summary: 'Send again what did not arrive since a time',
    description:
      'Every event since then that passes the endpoint’s present filter and was not delivered: exhausted, discarded, waiting for a later attempt (it goes now; in FIFO order the endpoint waits no longer for the event in front, where that is among them), or never tried because the endpoint did not exist or had not asked for it. What was delivered is not sent again. Poll the recovery at `Location`.',
    access: needs('webhooks.write'),
    ids: { id: 'whep' },
    body: recoverBody,
    idempotent: true,
    responses: {
      202: {
        description: 'The recovery, queued',
        schema: recoverySchema,
        headers: {
          Location: { description: 'Where to poll the recovery' },
          'Retry-After': { description: 'Seconds until the next poll' },
        },
      },
    },
    errors: ['CONFLICT'],
    handle: async ({ deps, db, afterCommit, actor, ids, body }) => {
      const recovery = await startRecovery(deps, { db, afterCommit }, actor.orgId, ids.id, body);
      const endpointId = encodeId('whep', ids.id);
      return accepted(
        presentRecovery(recovery),
        `/api/v1/webhook-endpoints/${endpointId}/recoveries/${encodeId('rcv', recovery.id)}`,
      );
    },
  }),
  operation({
    method: 'get',
    path: `${path}/recoveries`,
    operationId: 'listWebhookRecoveries',
    tag,
    summary: 'List the recoveries of an endpoint, newest first',
    access: read,
    ids: { id: 'whep' },
    query: listQuery('recoveries', {}),
    responses: { 200: { description: 'A page of recoveries', schema: listOf(recoverySchema) } },
    handle: async ({ db, actor, ids, query }) =>
      ok(
        listBody(
          'recoveries',
          await listEndpointRecoveries(db, actor.orgId, ids.id, pageRequest(query)),
          presentRecovery,
        ),
      ),
  }),
  operation({
    method: 'get',
    path: `${path}/recoveries/{recoveryId}`,
    operationId: 'getWebhookRecovery',
    tag,
    summary: 'Read a recovery',
    access: read,
    ids: { id: 'whep', recoveryId: 'rcv' },
    responses: { 200: { description: 'The recovery', schema: recoverySchema } },
    handle: async ({ db, actor, ids }) =>
      ok(presentRecovery(await getRecovery(db, actor.orgId, ids.id, ids.recoveryId))),
  }),
  operation({
    method: 'post',
    path: `${path}/recoveries/{recoveryId}/cancel`,
    operationId: 'cancelWebhookRecovery',
    tag,
    summary: 'Cancel a recovery',
    description: 'What it made due so far is sent all the same.',
    access: needs('webhooks.write'),
    ids: { id: 'whep', recoveryId: 'rcv' },
    responses: { 200: { description: 'The cancelled recovery', schema: recoverySchema } },
    errors: ['INVALID_TRANSITION'],
    handle: async ({ deps, db, actor, ids }) =>
      ok(presentRecovery(await cancelRecovery(deps, db, actor.orgId, ids.id, ids.recoveryId))),
  }),
];
