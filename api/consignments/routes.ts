import { overdueBefore, receivedSince } from '../../shared/attention/service.ts';
import { correctConsignment } from '../../shared/consignments/correct.ts';
import { receiveConsignment } from '../../shared/consignments/receive.ts';
import {
  addUnits,
  cancelConsignment,
  createConsignment,
  dispatchConsignment,
  getConsignment,
  holdConsignment,
  listConsignments,
  listConsignmentUnits,
  renewLink,
  revokeLink,
  type WithLink,
} from '../../shared/consignments/service.ts';
import type { Db } from '../../shared/db.ts';
import { encodeId, encodeNullableId } from '../../shared/ids.ts';
import { liftRecallOf, startRecall } from '../../shared/recalls/service.ts';
import { adoptFiles } from '../../shared/storage/intake.ts';
import { bulkJobSchema, listOrUpload, presentBulkJob } from '../bulk-jobs/schema.ts';
import { uploadSelection } from '../bulk-jobs/selection.ts';
import { discardUnits, readUnits, UploadedList } from '../bulk-jobs/upload.ts';
import type { ApiDeps } from '../deps.ts';
import { listBody, listOf, pageRequest } from '../list.ts';
import { authorize } from '../middleware/authenticate.ts';
import { accepted, created, needs, ok, operation } from '../operation.ts';
import { recallBody } from '../recalls/schema.ts';
import { consignmentDeps } from './deps.ts';
import {
  addUnitsBody,
  addUnitsQuery,
  consignmentSchema,
  consignmentUnitSchema,
  correctConsignmentBody,
  createConsignmentBody,
  dispatchBody,
  dispatchedSchema,
  listConsignmentsQuery,
  listConsignmentUnitsQuery,
  presentConsignment,
  presentConsignmentUnit,
  receiveBody,
  renewLinkBody,
  unitsField,
} from './schema.ts';
import { selectionOf } from './selection.ts';

const tag = 'Consignments';
const reading = needs('consignments.read', 'consignments.write');
const writing = needs('consignments.write');
const responses = { 200: { description: 'The consignment', schema: consignmentSchema } };
const withLink = { 200: { description: 'The consignment with its link', schema: dispatchedSchema } };

/** The distributor, and the job that adds units, wait as well: what they do is no change of this caller. */
const lock = ({ db, actor, ids }: { db: Db; actor: { orgId: string }; ids: { id: string } }) =>
  holdConsignment(db, actor.orgId, ids.id);

const presentWithLink = ({ config }: ApiDeps, { row, linkToken }: WithLink) => ({
  ...presentConsignment(row),
  receiveUrl: linkToken === null ? null : `${config.PUBLIC_URL}/c/${linkToken}`,
});

export const consignmentOperations = [
  operation({
    method: 'get',
    path: '/api/v1/consignments',
    operationId: 'listConsignments',
    tag,
    summary: 'List consignments, newest first',
    access: reading,
    query: listConsignmentsQuery,
    responses: { 200: { description: 'A page of consignments', schema: listOf(consignmentSchema) } },
    handle: async ({ deps, db, actor, query }) => {
      const now = deps.clock.now();
      const { overdue, hasDiscrepancy, receivedWithinDays, ...rest } = query;
      const filter = {
        ...rest,
        dispatchedBefore: overdue === undefined ? undefined : overdueBefore(now),
        hasDiscrepancy: hasDiscrepancy === undefined ? undefined : true,
        receivedSince: receivedWithinDays === undefined ? undefined : receivedSince(now, receivedWithinDays),
      };
      return ok(
        listBody(
          'consignments',
          await listConsignments(db, actor.orgId, filter, pageRequest(query)),
          presentConsignment,
        ),
      );
    },
  }),
  operation({
    method: 'post',
    path: '/api/v1/consignments',
    operationId: 'createConsignment',
    tag,
    summary: 'Create a draft',
    description: 'With `units`, a job begins to add them: `GET bulk-jobs?consignmentId=…` finds it.',
    access: writing,
    body: createConsignmentBody,
    idempotent: true,
    responses: { 201: { description: 'The draft', schema: consignmentSchema } },
    errors: ['CONFLICT'],
    handle: async ({ deps, db, afterCommit, actor, body }) => {
      const { units, ...fields } = body;
      const row = await createConsignment(deps, db, actor.orgId, fields);
      if (units !== undefined) {
        const selection = await selectionOf(db, actor.orgId, units, 'units.');
        await addUnits(consignmentDeps(deps), { db, afterCommit }, actor.orgId, row.id, selection);
      }
      return created(presentConsignment(row), `/api/v1/consignments/${encodeId('cons', row.id)}`);
    },
  }),
  operation({
    method: 'get',
    path: '/api/v1/consignments/{id}',
    operationId: 'getConsignment',
    tag,
    summary: 'Read a consignment',
    access: reading,
    ids: { id: 'cons' },
    responses,
    handle: async ({ db, actor, ids }) =>
      ok(presentConsignment(await getConsignment(db, actor.orgId, ids.id))),
  }),
  operation({
    method: 'patch',
    path: '/api/v1/consignments/{id}',
    operationId: 'correctConsignment',
    tag,
    summary: 'Correct a draft',
    description:
      'What is not given stays as it is. `origin` and `destination` are given whole; `expectedMarkets` and `references` take the place of those that are there. Units are added under `units`, and a job that is at that goes on. From dispatch on a consignment stays as it left (CONFLICT).',
    access: writing,
    ids: { id: 'cons' },
    body: correctConsignmentBody,
    lock,
    responses: { 200: { description: 'The corrected draft', schema: consignmentSchema } },
    errors: ['CONFLICT'],
    handle: async ({ db, actor, ids, body }) =>
      ok(presentConsignment(await correctConsignment(db, actor.orgId, ids.id, body))),
  }),
  operation({
    method: 'get',
    path: '/api/v1/consignments/{id}/units',
    operationId: 'listConsignmentUnits',
    tag,
    summary: 'List the units of a consignment, newest first',
    description: 'With `condition`, only those that were missing, or damaged.',
    access: reading,
    ids: { id: 'cons' },
    query: listConsignmentUnitsQuery,
    responses: { 200: { description: 'A page of units', schema: listOf(consignmentUnitSchema) } },
    handle: async ({ db, actor, ids, query }) => {
      await getConsignment(db, actor.orgId, ids.id);
      const page = await listConsignmentUnits(db, ids.id, query, pageRequest(query));
      return ok(listBody('consignment-units', page, presentConsignmentUnit));
    },
  }),
  operation({
    method: 'post',
    path: '/api/v1/consignments/{id}/units',
    operationId: 'addConsignmentUnits',
    tag,
    summary: 'Add units to a draft',
    description:
      'By batch, ids or a range of serials (JSON), or by an uploaded list: `text/csv` with a heading, or NDJSON, up to a million lines. A job adds all of them or, where one cannot be added, none; `problems` tells the lines.',
    access: writing,
    ids: { id: 'cons' },
    query: addUnitsQuery,
    body: addUnitsBody,
    readBody: readUnits,
    discardBody: discardUnits,
    accepts: listOrUpload(unitsField),
    idempotent: true,
    responses: { 202: { description: 'The job', schema: bulkJobSchema } },
    errors: ['CONFLICT'],
    handle: async ({ deps, db, afterCommit, actor, ids, query, body }) => {
      const uow = { db, afterCommit };
      await getConsignment(db, actor.orgId, ids.id);
      const selection =
        body instanceof UploadedList
          ? await uploadSelection(db, actor.orgId, body, query)
          : await selectionOf(db, actor.orgId, body);
      const job = await addUnits(consignmentDeps(deps), uow, actor.orgId, ids.id, selection);
      if (body instanceof UploadedList) await adoptFiles(db, body.prefix);
      return accepted(presentBulkJob(job), `/api/v1/bulk-jobs/${encodeId('bulk', job.id)}`);
    },
  }),
  operation({
    method: 'post',
    path: '/api/v1/consignments/{id}/dispatch',
    operationId: 'dispatchConsignment',
    tag,
    summary: 'Send a consignment on its way',
    description:
      'Makes the link on which the distributor confirms receipt, shown this once. With `activateUnits`, which needs the scope `product_units.write` as well, a job activates the units that were only minted. Dispatching again changes nothing.',
    access: writing,
    ids: { id: 'cons' },
    body: dispatchBody,
    lock,
    responses: withLink,
    errors: ['INVALID_TRANSITION', 'CONFLICT'],
    handle: async ({ deps, db, afterCommit, actor, ids, body }) => {
      if (body.activateUnits) authorize(actor, needs('product_units.write'));
      const uow = { db, afterCommit };
      const result = await dispatchConsignment(consignmentDeps(deps), uow, actor.orgId, ids.id, body);
      return ok({
        ...presentWithLink(deps, result),
        activationJobId: encodeNullableId('bulk', result.activation?.id ?? null),
      });
    },
  }),
  operation({
    method: 'post',
    path: '/api/v1/consignments/{id}/renew-link',
    operationId: 'renewConsignmentLink',
    tag,
    summary: 'Make a new link for the distributor',
    description: 'The old one stops working.',
    access: writing,
    ids: { id: 'cons' },
    body: renewLinkBody,
    lock,
    responses: withLink,
    errors: ['CONFLICT'],
    handle: async ({ deps, db, actor, ids, body }) =>
      ok(presentWithLink(deps, await renewLink(consignmentDeps(deps), db, actor.orgId, ids.id, body))),
  }),
  operation({
    method: 'post',
    path: '/api/v1/consignments/{id}/revoke-link',
    operationId: 'revokeConsignmentLink',
    tag,
    summary: 'Take the distributor’s link away',
    access: writing,
    ids: { id: 'cons' },
    lock,
    responses,
    handle: async ({ db, actor, ids }) => ok(presentConsignment(await revokeLink(db, actor.orgId, ids.id))),
  }),
  operation({
    method: 'post',
    path: '/api/v1/consignments/{id}/receive',
    operationId: 'receiveConsignment',
    tag,
    summary: 'Confirm receipt',
    description: 'Once. What is missing or damaged is kept, and shown under `units`.',
    access: writing,
    ids: { id: 'cons' },
    body: receiveBody,
    lock,
    idempotent: true,
    responses,
    errors: ['INVALID_TRANSITION'],
    handle: async ({ deps, db, afterCommit, actor, ids, body }) => {
      const { receivedCount, ...receipt } = body;
      const row = await receiveConsignment(
        consignmentDeps(deps),
        { db, afterCommit },
        actor.orgId,
        ids.id,
        { ...receipt, counted: receivedCount },
        'key',
      );
      return ok(presentConsignment(row));
    },
  }),
  operation({
    method: 'post',
    path: '/api/v1/consignments/{id}/recall',
    operationId: 'recallConsignment',
    tag,
    summary: 'Recall every unit of a consignment',
    description: 'Lies over the units’ own states; recalling a recalled consignment changes nothing.',
    access: writing,
    ids: { id: 'cons' },
    body: recallBody,
    lock,
    responses,
    errors: ['INVALID_TRANSITION'],
    handle: async ({ deps, db, afterCommit, actor, ids, body }) => {
      const target = { scope: 'consignment', id: ids.id } as const;
      await startRecall(deps, { db, afterCommit }, actor.orgId, target, body);
      return ok(presentConsignment(await getConsignment(db, actor.orgId, ids.id)));
    },
  }),
  operation({
    method: 'post',
    path: '/api/v1/consignments/{id}/lift-recall',
    operationId: 'liftConsignmentRecall',
    tag,
    summary: 'Lift the recall of a consignment',
    description: 'Restores what was.',
    access: writing,
    ids: { id: 'cons' },
    lock,
    responses,
    handle: async ({ deps, db, actor, ids }) => {
      await liftRecallOf(deps, db, actor.orgId, { scope: 'consignment', id: ids.id });
      return ok(presentConsignment(await getConsignment(db, actor.orgId, ids.id)));
    },
  }),
  operation({
    method: 'post',
    path: '/api/v1/consignments/{id}/cancel',
    operationId: 'cancelConsignment',
    tag,
    summary: 'Call a consignment off',
    description: 'A draft, or one under way: its units are free for another.',
    access: writing,
    ids: { id: 'cons' },
    lock,
    responses,
    errors: ['INVALID_TRANSITION', 'CONFLICT'],
    handle: async ({ deps, db, actor, ids }) =>
      ok(presentConsignment(await cancelConsignment(deps, db, actor.orgId, ids.id))),
  }),
];
