import { correctBatch, createBatch, getBatch, listBatches } from '../../shared/batches/service.ts';
import { encodeId } from '../../shared/ids.ts';
import { liftRecallOf, startRecall } from '../../shared/recalls/service.ts';
import { listBody, listOf, pageRequest } from '../list.ts';
import { created, needs, ok, operation } from '../operation.ts';
import { countUnitsByStatus } from '../../shared/units/service.ts';
import { recallBody } from '../recalls/schema.ts';
import {
  batchSchema,
  unitCountsSchema,
  correctBatchBody,
  createBatchBody,
  listBatchesQuery,
  presentBatch,
} from './schema.ts';

const tag = 'Batches';

export const batchOperations = [
  operation({
    method: 'get',
    path: '/api/v1/batches',
    operationId: 'listBatches',
    tag,
    summary: 'List batches, newest first',
    access: needs('products.read'),
    query: listBatchesQuery,
    responses: { 200: { description: 'A page of batches', schema: listOf(batchSchema) } },
    handle: async ({ db, actor, query }) =>
      ok(listBody('batches', await listBatches(db, actor.orgId, query, pageRequest(query)), presentBatch)),
  }),
  operation({
    method: 'post',
    path: '/api/v1/batches',
    operationId: 'createBatch',
    tag,
    summary: 'Create a batch of units',
    description: 'The units come into being with a barcode job.',
    access: needs('batches.write'),
    body: createBatchBody,
    idempotent: true,
    responses: { 201: { description: 'The batch', schema: batchSchema } },
    errors: ['CONFLICT'],
    handle: async ({ deps, db, actor, body }) => {
      const batch = await createBatch(deps, db, actor.orgId, body);
      return created(presentBatch(batch), `/api/v1/batches/${encodeId('batch', batch.id)}`);
    },
  }),
  operation({
    method: 'get',
    path: '/api/v1/batches/{id}',
    operationId: 'getBatch',
    tag,
    summary: 'Read a batch',
    access: needs('products.read'),
    ids: { id: 'batch' },
    responses: { 200: { description: 'The batch', schema: batchSchema } },
    handle: async ({ db, actor, ids }) => ok(presentBatch(await getBatch(db, actor.orgId, ids.id))),
  }),
  operation({
    method: 'patch',
    path: '/api/v1/batches/{id}',
    operationId: 'correctBatch',
    tag,
    summary: 'Correct lot, dates, markets, hidden codes or NFC tags of a batch',
    description:
      'Scans tell the new lot and expiry at once, and are judged by the new markets; those before stay as they were judged. What is printed keeps what it says, and codes that name the old lot stay good. Lot, expiry, hidden codes and NFC tags cannot change while codes of the batch are being made.',
    access: needs('batches.write'),
    ids: { id: 'batch' },
    body: correctBatchBody,
    responses: { 200: { description: 'The corrected batch', schema: batchSchema } },
    errors: ['CONFLICT'],
    handle: async ({ deps, db, actor, ids, body }) =>
      ok(presentBatch(await correctBatch(deps, db, actor.orgId, ids.id, body))),
  }),
  operation({
    method: 'get',
    path: '/api/v1/batches/{id}/unit-counts',
    operationId: 'getBatchUnitCounts',
    tag,
    summary: 'Count the units of a batch by state',
    description: 'Counted at the moment of asking; a recall lies over the states and is not among them.',
    access: needs('products.read'),
    ids: { id: 'batch' },
    responses: { 200: { description: 'How many units are in each state', schema: unitCountsSchema } },
    handle: async ({ db, actor, ids }) => {
      await getBatch(db, actor.orgId, ids.id);
      return ok(await countUnitsByStatus(db, actor.orgId, ids.id));
    },
  }),
  operation({
    method: 'post',
    path: '/api/v1/batches/{id}/recall',
    operationId: 'recallBatch',
    tag,
    summary: 'Recall every unit of a batch',
    description: 'Lies over the units’ own states; recalling a recalled batch changes nothing.',
    access: needs('product_units.write'),
    ids: { id: 'batch' },
    body: recallBody,
    responses: { 200: { description: 'The recalled batch', schema: batchSchema } },
    handle: async ({ deps, db, afterCommit, actor, ids, body }) => {
      await startRecall(deps, { db, afterCommit }, actor.orgId, { scope: 'batch', id: ids.id }, body);
      return ok(presentBatch(await getBatch(db, actor.orgId, ids.id)));
    },
  }),
  operation({
    method: 'post',
    path: '/api/v1/batches/{id}/lift-recall',
    operationId: 'liftBatchRecall',
    tag,
    summary: 'Lift the recall of a batch',
    description: 'Restores what was: the units’ own states show again.',
    access: needs('product_units.write'),
    ids: { id: 'batch' },
    responses: { 200: { description: 'The batch', schema: batchSchema } },
    handle: async ({ deps, db, actor, ids }) => {
      await liftRecallOf(deps, db, actor.orgId, { scope: 'batch', id: ids.id });
      return ok(presentBatch(await getBatch(db, actor.orgId, ids.id)));
    },
  }),
];
