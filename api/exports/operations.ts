/** The four operations of an export, whatever it is of. */
import type { z } from 'zod';
import type { Actor } from '../../shared/actor.ts';
import type { UnitOfWork } from '../../shared/db.ts';
import { EXPORT_ID_PREFIXES, type ExportKind } from '../../shared/exports/kinds.ts';
import {
  cancelExport,
  getExport,
  listExports,
  type ExportFormat,
  type ExportRow,
} from '../../shared/exports/service.ts';
import { encodeId } from '../../shared/ids.ts';
import type { ApiDeps } from '../deps.ts';
import { listBody, listOf, pageRequest } from '../list.ts';
import { accepted, ok, operation, type Access } from '../operation.ts';
import { exportSchema, listExportsQuery, presentExport } from './schema.ts';

type ScopeAccess = Extract<Access, { kind: 'scope' }>;

export function exportOperations<
  Body extends z.ZodType<{ format: ExportFormat }>,
  More extends z.ZodRawShape,
>({
  kind,
  list,
  schemaId,
  tag,
  startDescription,
  access,
  more,
  moreOf,
  mayHave,
  mayCount,
  body,
  start,
}: {
  kind: ExportKind;
  /** Of the path, and of the cursors. */
  list: 'scan-exports' | 'unit-exports';
  /** Also the last part of the operations' ids. */
  schemaId: 'ScanExport' | 'UnitExport';
  tag: string;
  startDescription: string;
  access: ScopeAccess;
  /** What an export of the kind tells beside what each does, and how. */
  more: More;
  moreOf(row: ExportRow): z.input<z.ZodObject<More>>;
  /** Whether a reader may have the file. */
  mayHave(actor: Actor, row: ExportRow): boolean;
  /** Whether a reader may hear how many rows match the filters. */
  mayCount(actor: Actor, row: ExportRow): boolean;
  body: Body;
  start(deps: ApiDeps, uow: UnitOfWork, actor: Actor, asked: z.output<Body>): Promise<ExportRow>;
}) {
  const prefix = EXPORT_ID_PREFIXES[kind];
  const schema = exportSchema(kind, schemaId, more);
  const path = `/api/v1/${list}` as const;
  const presenter =
    ({ clock, config, links }: ApiDeps, actor: Actor) =>
    (row: ExportRow) => ({
      ...presentExport(row, {
        links,
        linksExpireAt: new Date(clock.now().getTime() + config.ARTIFACT_LINK_SECONDS * 1000),
        retentionDays: config.ARTIFACT_RETENTION_DAYS,
        mayHave: mayHave(actor, row),
        mayCount: mayCount(actor, row),
      }),
      ...moreOf(row),
    });
  return [
    operation({
      method: 'post',
      path,
      operationId: `start${schemaId}`,
      tag,
      summary: `Export ${kind} as CSV or NDJSON`,
      description: startDescription,
      access,
      body,
      idempotent: true,
      responses: {
        202: {
          description: 'The export, queued',
          schema,
          headers: {
            Location: { description: 'Where to poll it' },
            'Retry-After': { description: 'Seconds until the next poll' },
          },
        },
      },
      errors: ['CONFLICT'],
      handle: async ({ deps, db, afterCommit, actor, body: asked }) => {
        const row = await start(deps, { db, afterCommit }, actor, asked);
        return accepted(presenter(deps, actor)(row), `${path}/${encodeId(prefix, row.id)}`);
      },
    }),
    operation({
      method: 'get',
      path,
      operationId: `list${schemaId}s`,
      tag,
      summary: `List exports of ${kind}, newest first`,
      access,
      query: listExportsQuery(list),
      responses: { 200: { description: 'A page of exports', schema: listOf(schema) } },
      handle: async ({ deps, db, actor, query }) => {
        const page = await listExports(db, kind, actor.orgId, query, pageRequest(query));
        return ok(listBody(list, page, presenter(deps, actor)));
      },
    }),
    operation({
      method: 'get',
      path: `${path}/{id}`,
      operationId: `get${schemaId}`,
      tag,
      summary: `Read an export of ${kind}`,
      access,
      ids: { id: prefix },
      responses: {
        200: {
          description: 'The export',
          schema,
          headers: { 'Retry-After': { description: 'Seconds, while it is not finished' } },
        },
      },
      handle: async ({ deps, db, actor, ids }) => {
        const row = await getExport(db, kind, actor.orgId, ids.id);
        return ok(presenter(deps, actor)(row), row.finished_at === null ? { 'Retry-After': '1' } : {});
      },
    }),
    operation({
      method: 'post',
      path: `${path}/{id}/cancel`,
      operationId: `cancel${schemaId}`,
      tag,
      summary: `Cancel an export of ${kind}`,
      description: 'Nothing of the file stays.',
      access,
      ids: { id: prefix },
      responses: { 200: { description: 'The cancelled export', schema } },
      errors: ['INVALID_TRANSITION'],
      handle: async ({ deps, db, actor, ids }) => {
        return ok(presenter(deps, actor)(await cancelExport(deps, db, kind, actor.orgId, ids.id)));
      },
    }),
  ];
}
