import { z } from 'zod';
import { listAuditEntries, type AuditFilter, type AuditRow } from '../../shared/audit/service.ts';
import type { Cell } from '../../shared/csv.ts';
import type { Db } from '../../shared/db.ts';
import { encodeId } from '../../shared/ids.ts';
import { allPages, CSV_RESPONSES, sendCsv } from '../csv-download.ts';
import { FORWARD, instant, isForward, listBody, listOf, listQuery, moment, pageRequest } from '../list.ts';
import { ok, operation, session } from '../operation.ts';

const tag = 'Audit log';

const filters = {
  action: z.string().max(100).optional().meta({ description: 'The operation’s id, e.g. `rotateApiKey`' }),
  actor: z.string().max(100).optional().meta({ description: 'Id of a user or a key' }),
  resource: z.string().max(100).optional().meta({ description: 'Id of what was changed' }),
  from: moment.optional().meta({ description: 'At or after' }),
  to: moment.optional().meta({ description: 'Before' }),
};

const entrySchema = z
  .object({
    id: z.string(),
    at: instant,
    actor: z.object({
      kind: z.enum(['user', 'key', 'operator', 'anonymous']),
      id: z.string().nullable(),
      name: z.string().nullable().meta({ description: 'Address of a user, name of a key, as it was then' }),
    }),
    action: z.string(),
    resource: z.string().nullable(),
    ip: z.string().nullable(),
    userAgent: z.string().nullable(),
    requestId: z.string().nullable(),
    before: z.record(z.string(), z.unknown()).nullable().meta({ description: 'Changed fields as they were' }),
    after: z.record(z.string(), z.unknown()).nullable().meta({ description: 'The same fields afterwards' }),
  })
  .meta({ id: 'AuditEntry' });

const present = (row: AuditRow): z.input<typeof entrySchema> => ({
  id: encodeId('log', row.id),
  at: row.at.toISOString(),
  actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
  action: row.action,
  resource: row.resource,
  ip: row.ip,
  userAgent: row.user_agent,
  requestId: row.request_id,
  before: row.before,
  after: row.after,
});

const COLUMNS = [
  'id',
  'at',
  'actorKind',
  'actorId',
  'actorName',
  'action',
  'resource',
  'ip',
  'userAgent',
  'requestId',
  'before',
  'after',
];

async function* rowsOf(db: Db, orgId: string, filter: AuditFilter): AsyncGenerator<Cell[][]> {
  for await (const rows of allPages((page) => listAuditEntries(db, orgId, filter, page)))
    yield rows.map((row) => {
      const { actor, before, after, ...rest } = present(row);
      return [
        rest.id,
        rest.at,
        actor.kind,
        actor.id,
        actor.name,
        rest.action,
        rest.resource,
        rest.ip,
        rest.userAgent,
        rest.requestId,
        before === null ? null : JSON.stringify(before),
        after === null ? null : JSON.stringify(after),
      ];
    });
}

export const auditLogOperations = [
  operation({
    method: 'get',
    path: '/api/v1/audit-log',
    operationId: 'listAuditLog',
    tag,
    summary: 'Read the audit log, newest first',
    access: session('audit_log.read'),
    query: listQuery('audit-log', filters).refine(isForward, FORWARD),
    responses: { 200: { description: 'A page of entries', schema: listOf(entrySchema) } },
    handle: async ({ db, actor, query }) =>
      ok(listBody('audit-log', await listAuditEntries(db, actor.orgId, query, pageRequest(query)), present)),
  }),
  operation({
    method: 'get',
    path: '/api/v1/audit-log/export',
    operationId: 'exportAuditLog',
    tag,
    summary: 'Export the audit log as CSV, newest first',
    access: session('audit_log.read'),
    query: z.strictObject(filters).refine(isForward, FORWARD),
    responses: CSV_RESPONSES,
    handle: ({ db, actor, query, res }) => sendCsv(res, 'audit-log', COLUMNS, rowsOf(db, actor.orgId, query)),
  }),
];
