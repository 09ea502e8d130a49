import { getScan, listScans } from '../../shared/scans/service.ts';
import { listBody, listOf, pageRequest } from '../list.ts';
import { needs, ok, operation } from '../operation.ts';
import { listScansQuery, presentScan, scanSchema } from './schema.ts';

const tag = 'Scans';

export const scanOperations = [
  operation({
    method: 'get',
    path: '/api/v1/scans',
    operationId: 'listScans',
    tag,
    summary: 'List scans, newest first',
    access: needs('scans.read'),
    query: listScansQuery,
    responses: { 200: { description: 'A page of scans', schema: listOf(scanSchema) } },
    handle: async ({ deps, actor, query }) =>
      ok(listBody('scans', await listScans(deps.db, actor.orgId, query, pageRequest(query)), presentScan)),
  }),
  operation({
    method: 'get',
    path: '/api/v1/scans/{id}',
    operationId: 'getScan',
    tag,
    summary: 'Read a scan',
    access: needs('scans.read'),
    ids: { id: 'scan' },
    responses: { 200: { description: 'The scan', schema: scanSchema } },
    handle: async ({ db, actor, ids }) => ok(presentScan(await getScan(db, actor.orgId, ids.id))),
  }),
];
