import { encodeId } from '../../shared/ids.ts';
import { cancelExport, getExport, listExports, type ExportRow } from '../../shared/exports/service.ts';
import { startScanExport } from '../../shared/exports/scans.ts';
import type { ApiDeps } from '../deps.ts';
import { listBody, listOf, pageRequest } from '../list.ts';
import { accepted, needs, ok, operation } from '../operation.ts';
import { exportSchema, listExportsQuery, presentExport, startExportBody } from './schema.ts';

const tag = 'Scans';
const access = needs('scans.read');

const presenter =
  ({ clock, config, links }: ApiDeps) =>
  (row: ExportRow) =>
    presentExport(row, {
      links,
      linksExpireAt: new Date(clock.now().getTime() + config.ARTIFACT_LINK_SECONDS * 1000),
      retentionDays: config.ARTIFACT_RETENTION_DAYS,
    });

export const scanExportOperations = [
  operation({
    method: 'post',
    path: '/api/v1/scan-exports',
    operationId: 'startScanExport',
    tag,
    summary: 'Export scans as CSV or NDJSON',
    description:
      'A worker writes one file of all scans that match the filters, newest first. Poll the export at `Location`. Scans made after the request are not in it.',
    access,
    body: startExportBody,
    idempotent: true,
    responses: {
      202: {
        description: 'The export, queued',
        schema: exportSchema,
        headers: {
          Location: { description: 'Where to poll it' },
          'Retry-After': { description: 'Seconds until the next poll' },
        },
      },
    },
    errors: ['CONFLICT'],
    handle: async ({ deps, db, afterCommit, actor, body }) => {
      const { format, ...filter } = body;
      const row = await startScanExport(deps, { db, afterCommit }, actor.orgId, { format, filter });
      return accepted(presenter(deps)(row), `/api/v1/scan-exports/${encodeId('exp', row.id)}`);
    },
  }),
  operation({
    method: 'get',
    path: '/api/v1/scan-exports',
    operationId: 'listScanExports',
    tag,
    summary: 'List exports of scans, newest first',
    access,
    query: listExportsQuery,
    responses: { 200: { description: 'A page of exports', schema: listOf(exportSchema) } },
    handle: async ({ deps, db, actor, query }) =>
      ok(
        listBody(
          'scan-exports',
          await listExports(db, 'scans', actor.orgId, query, pageRequest(query)),
          presenter(deps),
        ),
      ),
  }),
  operation({
    method: 'get',
    path: '/api/v1/scan-exports/{id}',
    operationId: 'getScanExport',
    tag,
    summary: 'Read an export of scans',
    access,
    ids: { id: 'exp' },
    responses: {
      200: {
        description: 'The export',
        schema: exportSchema,
        headers: { 'Retry-After': { description: 'Seconds, while it is not finished' } },
      },
    },
    handle: async ({ deps, db, actor, ids }) => {
      const row = await getExport(db, 'scans', actor.orgId, ids.id);
      return ok(presenter(deps)(row), row.finished_at === null ? { 'Retry-After': '1' } : {});
    },
  }),
  operation({
    method: 'post',
    path: '/api/v1/scan-exports/{id}/cancel',
    operationId: 'cancelScanExport',
    tag,
    summary: 'Cancel an export of scans',
    description: 'Nothing of the file stays.',
    access,
    ids: { id: 'exp' },
    responses: { 200: { description: 'The cancelled export', schema: exportSchema } },
    errors: ['INVALID_TRANSITION'],
    handle: async ({ deps, db, actor, ids }) =>
      ok(presenter(deps)(await cancelExport(deps, db, 'scans', actor.orgId, ids.id))),
  }),
];
