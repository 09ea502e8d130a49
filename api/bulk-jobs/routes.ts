import {
  cancelBulkJob,
  getBulkJob,
  holdBulkJob,
  listBulkJobs,
  startBulkJob,
} from '../../shared/bulk-jobs/service.ts';
import { invalidField } from '../../shared/errors.ts';
import { refusal } from '../../shared/field-errors.ts';
import { encodeId } from '../../shared/ids.ts';
import { adoptFiles } from '../../shared/storage/intake.ts';
import { authorize } from '../middleware/authenticate.ts';
import { listBody, listOf, pageRequest } from '../list.ts';
import { accepted, needs, ok, operation } from '../operation.ts';
import {
  bulkJobSchema,
  bulkListBody,
  bulkUnitsBody,
  bulkUnitsQuery,
  listBulkJobsQuery,
  listOrUpload,
  presentBulkJob,
} from './schema.ts';
import { bulkSelection, uploadSelection } from './selection.ts';
import { discardUnits, readUnits, UploadedList } from './upload.ts';

const tag = 'Bulk jobs';
const readers = needs('product_units.write', 'consignments.read', 'consignments.write');

export const bulkJobOperations = [
  operation({
    method: 'post',
    path: '/api/v1/product-units/bulk',
    operationId: 'bulkUnits',
    tag,
    summary: 'Activate, suspend or recall many units',
    description:
      'A job does it, a slice at a time: to a batch, or to listed units, by their ids, their serials or their codes (JSON), or by an uploaded list: `text/csv` with a heading, or NDJSON, up to a million lines. What cannot be done to a unit is told in `problems` and does not stop the others. A whole batch is recalled, and its recall lifted, at once.',
    access: needs('product_units.write'),
    query: bulkUnitsQuery,
    body: bulkUnitsBody,
    readBody: readUnits,
    discardBody: discardUnits,
    accepts: listOrUpload(bulkListBody),
    idempotent: true,
    responses: { 202: { description: 'The job', schema: bulkJobSchema } },
    errors: ['NOT_FOUND'],
    handle: async ({ deps, db, afterCommit, actor, query, body }) => {
      const isUpload = body instanceof UploadedList;
      const { action, reason = null } = isUpload ? query : body;
      if (!isUpload && (query.action ?? query.reason) !== undefined) {
        const fields = ['action', 'query.action', 'query.reason'];
        throw invalidField('query', refusal('AT_MOST_ONE_OF', 'is for a file: the body says it', { fields }));
      }
      if (action === undefined)
        throw invalidField('query.action', refusal('REQUIRED', 'is needed, as a file does not say it'));
      if (reason !== null && action !== 'recall')
        throw invalidField(
          isUpload ? 'query.reason' : 'reason',
          refusal('ONLY_FOR_RECALL', `is kept of a recall only, and not of ${action}`, { action }),
        );
      const selection = isUpload
        ? await uploadSelection(db, actor.orgId, body, query)
        : await bulkSelection(db, actor.orgId, deps.config.TOKEN_KEYS, body);
      const request = { action, selection, params: { reason } };
      const job = await startBulkJob(deps, { db, afterCommit }, actor.orgId, request);
      if (isUpload) await adoptFiles(db, body.prefix);
      return accepted(presentBulkJob(job), `/api/v1/bulk-jobs/${encodeId('bulk', job.id)}`);
    },
  }),
  operation({
    method: 'get',
    path: '/api/v1/bulk-jobs',
    operationId: 'listBulkJobs',
    tag,
    summary: 'List bulk jobs, newest first',
    access: readers,
    query: listBulkJobsQuery,
    responses: { 200: { description: 'A page of jobs', schema: listOf(bulkJobSchema) } },
    handle: async ({ db, actor, query }) =>
      ok(
        listBody('bulk-jobs', await listBulkJobs(db, actor.orgId, query, pageRequest(query)), presentBulkJob),
      ),
  }),
  operation({
    method: 'get',
    path: '/api/v1/bulk-jobs/{id}',
    operationId: 'getBulkJob',
    tag,
    summary: 'Read a bulk job',
    access: readers,
    ids: { id: 'bulk' },
    responses: {
      200: {
        description: 'The job',
        schema: bulkJobSchema,
        headers: { 'Retry-After': { description: 'Seconds, while the job is not finished' } },
      },
    },
    handle: async ({ db, actor, ids }) => {
      const job = await getBulkJob(db, actor.orgId, ids.id);
      return ok(presentBulkJob(job), job.finished_at === null ? { 'Retry-After': '1' } : {});
    },
  }),
  operation({
    method: 'post',
    path: '/api/v1/bulk-jobs/{id}/cancel',
    operationId: 'cancelBulkJob',
    tag,
    summary: 'Cancel a bulk job',
    description:
      'What is done stays done, and is counted: whole slices of 5,000 units. Nothing is left half in a consignment: a job that adds units to one takes them back first, and is `running` with its `cancelRequestedAt` until it is `cancelled`. Such a job needs the scope `consignments.write`, all others `product_units.write`.',
    access: needs('product_units.write', 'consignments.write'),
    ids: { id: 'bulk' },
    // The slice that is being stored is waited for: what it does is no change of this caller.
    lock: ({ db, actor, ids }) => holdBulkJob(db, actor.orgId, ids.id),
    responses: { 200: { description: 'The job, cancelled or about to be', schema: bulkJobSchema } },
    errors: ['INVALID_TRANSITION'],
    handle: async ({ deps, db, afterCommit, actor, ids }) => {
      const { action } = await getBulkJob(db, actor.orgId, ids.id);
      authorize(actor, needs(action === 'consign' ? 'consignments.write' : 'product_units.write'));
      return ok(presentBulkJob(await cancelBulkJob(deps, { db, afterCommit }, actor.orgId, ids.id)));
    },
  }),
];
