import { z } from 'zod';
import { matching } from '../fields.ts';
import { refusal } from '../../shared/field-errors.ts';
import { encodeId } from '../../shared/ids.ts';
import {
  KEPT_DAYS,
  LINES_PER_MINUTE,
  listRequestErrors,
  type RequestErrorRow,
} from '../../shared/request-errors/service.ts';
import { idField, instant, listBody, listOf, listQuery, pageRequest } from '../list.ts';
import { ok, operation, session } from '../operation.ts';

const listRequestErrorsQuery = listQuery('request-errors', {
  status: z.coerce.number().int().min(400).max(599).optional(),
  code: matching(/^[A-Z_]{1,40}$/, refusal('WRONG_FORMAT', 'is not a code')).optional(),
  keyId: idField('key').optional(),
  requestId: matching(/^[A-Za-z0-9._-]{1,128}$/, refusal('WRONG_FORMAT', 'is not a request id')).optional(),
});

const requestErrorSchema = z
  .object({
    at: instant,
    method: z.string(),
    route: z.string().meta({ description: 'The pattern of the path' }),
    status: z.number().int(),
    code: z.string().nullable(),
    detail: z
      .string()
      .nullable()
      .meta({ description: 'What the answer said; null where it named fields, as its words may quote them' }),
    paths: z.array(z.string()).meta({ description: 'The fields that were refused, up to 20' }),
    requestId: z.string(),
    actor: z.object({ kind: z.enum(['key', 'user']), id: z.string(), name: z.string().nullable() }),
    network: z.string().nullable().meta({ description: 'Of the caller: IPv4 cut to /24, IPv6 to /48' }),
  })
  .meta({ id: 'RequestError' });

const present = (row: RequestErrorRow): z.input<typeof requestErrorSchema> => ({
  at: row.at.toISOString(),
  method: row.method,
  route: row.route,
  status: row.status,
  code: row.code,
  detail: row.detail,
  paths: row.paths,
  requestId: row.request_id,
  actor: { kind: row.actor_kind, id: encodeId(row.actor_kind, row.actor_id), name: row.actor_name },
  network: row.ip,
});

export const requestErrorOperations = [
  operation({
    method: 'get',
    path: '/api/v1/request-errors',
    operationId: 'listRequestErrors',
    tag: 'API keys',
    summary: 'List requests in error, newest first',
    description: `Answers of 400 and above to the organization’s keys and people, for ${KEPT_DAYS} days; at most ${LINES_PER_MINUTE} a minute are kept by each process. Neither bodies nor query parameters are: of a refused field only its name.`,
    access: session('api_keys.manage'),
    query: listRequestErrorsQuery,
    responses: { 200: { description: 'A page of requests', schema: listOf(requestErrorSchema) } },
    handle: async ({ deps, db, actor, query }) => {
      // What this process has not written yet: whoever looks here has often just made the request.
      await deps.requestErrors.flush();
      return ok(
        listBody(
          'request-errors',
          await listRequestErrors(db, actor.orgId, query, pageRequest(query)),
          present,
        ),
      );
    },
  }),
];
