import { startBulkJob, type Selection } from '../../shared/bulk-jobs/service.ts';
import { encodeId } from '../../shared/ids.ts';
import {
  correctRecall,
  getRecall,
  liftRecall,
  listRecalls,
  requireTarget,
  startRecall,
  type RecallTarget,
} from '../../shared/recalls/service.ts';
import { bulkJobSchema, presentBulkJob } from '../bulk-jobs/schema.ts';
import { listSelection } from '../bulk-jobs/selection.ts';
import { listBody, listOf, pageRequest } from '../list.ts';
import { accepted, created, needs, ok, operation } from '../operation.ts';
import {
  correctRecallBody,
  createRecallBody,
  listRecallsQuery,
  presentRecall,
  previewRecallBody,
  recallSchema,
  targetOf,
} from './schema.ts';

const tag = 'Recalls';

/** The units that a recall of the target would lie over. */
function unitsOf({ scope, id }: RecallTarget): Selection {
  switch (scope) {
    case 'unit':
      return listSelection([id]);
    case 'batch':
      return { kind: 'batch', batchId: id };
    case 'consignment':
      return { kind: 'consignment', consignmentId: id };
    case 'product':
    default:
      return { kind: 'serials', productId: id, from: null, to: null };
  }
}

export const recallOperations = [
  operation({
    method: 'get',
    path: '/api/v1/recalls',
    operationId: 'listRecalls',
    tag,
    summary: 'List recalls, newest first',
    description: 'With the id of a unit, batch, consignment or product: the recalls of just that.',
    access: needs('products.read'),
    query: listRecallsQuery,
    responses: { 200: { description: 'A page of recalls', schema: listOf(recallSchema) } },
    handle: async ({ db, actor, query }) => {
      const { scope, inForce, unitId, batchId, consignmentId, productId } = query;
      const filter = { scope, inForce, targetId: unitId ?? batchId ?? consignmentId ?? productId };
      return ok(
        listBody('recalls', await listRecalls(db, actor.orgId, filter, pageRequest(query)), presentRecall),
      );
    },
  }),
  operation({
    method: 'post',
    path: '/api/v1/recalls',
    operationId: 'createRecall',
    tag,
    summary: 'Recall a unit, a batch, a consignment or a product',
    description:
      'Lies over the units’ own states from the next verification on. A target that is recalled already is left as it is, and its recall is the answer. A recall that was to begin later is brought forward, with what this one says.',
    access: needs('product_units.write'),
    body: createRecallBody,
    idempotent: true,
    responses: { 201: { description: 'The recall', schema: recallSchema } },
    errors: ['NOT_FOUND', 'INVALID_TRANSITION'],
    handle: async ({ deps, db, afterCommit, actor, body }) => {
      const { reason, messages, contact, startsAt } = body;
      const text = { reason, messages, contact };
      const { recall, isChanged } = await startRecall(
        deps,
        { db, afterCommit },
        actor.orgId,
        targetOf(body),
        text,
        startsAt,
      );
      const reply = created(presentRecall(recall), `/api/v1/recalls/${encodeId('rcl', recall.id)}`);
      return isChanged ? reply : { ...reply, insteadOfNew: 'createRecall' };
    },
  }),
  operation({
    method: 'post',
    path: '/api/v1/recall-previews',
    operationId: 'previewRecall',
    tag,
    summary: 'Count what a recall would lie over',
    description:
      'Changes nothing. A job counts the units and where they were scanned; poll it and read its `result`.',
    access: needs('product_units.write'),
    body: previewRecallBody,
    idempotent: true,
    responses: { 202: { description: 'The counting job', schema: bulkJobSchema } },
    errors: ['NOT_FOUND'],
    handle: async ({ deps, db, afterCommit, actor, body }) => {
      const target = targetOf(body);
      await requireTarget(db, actor.orgId, target);
      const job = await startBulkJob(deps, { db, afterCommit }, actor.orgId, {
        action: 'preview-recall',
        selection: unitsOf(target),
      });
      return accepted(presentBulkJob(job), `/api/v1/bulk-jobs/${encodeId('bulk', job.id)}`);
    },
  }),
  operation({
    method: 'get',
    path: '/api/v1/recalls/{id}',
    operationId: 'getRecall',
    tag,
    summary: 'Read a recall',
    access: needs('products.read'),
    ids: { id: 'rcl' },
    responses: { 200: { description: 'The recall', schema: recallSchema } },
    handle: async ({ db, actor, ids }) => ok(presentRecall(await getRecall(db, actor.orgId, ids.id))),
  }),
  operation({
    method: 'patch',
    path: '/api/v1/recalls/{id}',
    operationId: 'correctRecall',
    tag,
    summary: 'Correct what a recall says',
    description:
      'Consumers are told the new words from the next verification on; its units stay recalled, and no event is sent. `messages` take the place of those that are there. A lifted recall stays as it was told.',
    access: needs('product_units.write'),
    ids: { id: 'rcl' },
    body: correctRecallBody,
    responses: { 200: { description: 'The corrected recall', schema: recallSchema } },
    errors: ['CONFLICT'],
    handle: async ({ db, actor, ids, body }) =>
      ok(presentRecall(await correctRecall(db, actor.orgId, ids.id, body))),
  }),
  operation({
    method: 'post',
    path: '/api/v1/recalls/{id}/lift',
    operationId: 'liftRecall',
    tag,
    summary: 'Lift a recall',
    description: 'Restores what was. Lifting a lifted recall changes nothing.',
    access: needs('product_units.write'),
    ids: { id: 'rcl' },
    responses: { 200: { description: 'The recall', schema: recallSchema } },
    handle: async ({ deps, db, actor, ids }) =>
      ok(presentRecall(await liftRecall(deps, db, actor.orgId, ids.id))),
  }),
];
