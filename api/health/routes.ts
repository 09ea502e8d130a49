import { z } from 'zod';
import { checkDatabase, type Pool } from '../../shared/db.ts';
import { AppError } from '../../shared/errors.ts';
import { inTime } from '../../shared/in-time.ts';
import { listMissingMigrations } from '../../shared/schema-changes.ts';
import { isPublic, ok, operation } from '../operation.ts';

const TIMEOUT_MS = 2_000;

/** Those whose schema was found complete: a release that comes later only adds to it. */
const migrated = new WeakSet<Pool>();

/** A process that starts before its release would fail at everything, while those of the release before go on. */
async function checkSchema(db: Pool): Promise<'ok' | 'not migrated'> {
  if (migrated.has(db)) await checkDatabase(db);
  else if ((await listMissingMigrations(db)).length > 0) return 'not migrated';
  migrated.add(db);
  return 'ok';
}

const within = <T extends string>(check: Promise<T>): Promise<T | 'unreachable'> =>
  inTime(check, TIMEOUT_MS).catch(() => 'unreachable' as const);

const readiness = z
  .object({
    status: z.enum(['ready', 'unavailable']),
    postgres: z.string().meta({ description: '`ok`, `unreachable`, or `not migrated`' }),
    redis: z.string(),
  })
  .meta({ id: 'Readiness' });

const hostQuery = z.strictObject({
  domain: z
    .string()
    .max(260)
    .meta({ description: 'Without a port', examples: ['id.example.com'] }),
});

export const healthOperations = [
  operation({
    method: 'get',
    path: '/healthz',
    operationId: 'health',
    tag: 'Health',
    summary: 'Whether the process lives',
    access: isPublic,
    responses: { 200: { description: 'It does', schema: z.object({ status: z.literal('ok') }) } },
    handle: async () => ok({ status: 'ok' }),
  }),
  operation({
    method: 'get',
    path: '/healthz/host',
    operationId: 'servesHost',
    tag: 'Health',
    summary: 'Whether a host is to lead here',
    description:
      'For a proxy that gets certificates as they are asked for, such as Caddy (`on_demand_tls`): the service’s own host, and those of organizations’ codes.',
    access: isPublic,
    query: hostQuery,
    responses: {
      200: {
        description: 'It is',
        schema: z.object({ domain: z.string().meta({ description: 'As it was asked' }) }),
      },
    },
    errors: ['NOT_FOUND'],
    handle: async ({ deps, query: { domain } }) => {
      if (!(await deps.sites.serves(domain))) throw new AppError('NOT_FOUND', { detail: 'no such host' });
      return ok({ domain });
    },
  }),
  operation({
    method: 'get',
    path: '/readyz',
    operationId: 'readiness',
    tag: 'Health',
    summary: 'Whether requests can be served',
    access: isPublic,
    responses: {
      200: { description: 'Postgres and Redis answer', schema: readiness },
      503: {
        description: 'One of them does not, or the schema lacks changes that this release needs',
        schema: readiness,
      },
    },
    handle: async ({ deps }) => {
      const [postgres, redis] = await Promise.all([
        within(checkSchema(deps.db)),
        within(deps.redis.ping().then(() => 'ok' as const)),
      ]);
      const ready = postgres === 'ok' && redis === 'ok';
      return {
        status: ready ? 200 : 503,
        body: { status: ready ? 'ready' : 'unavailable', postgres, redis },
      };
    },
  }),
];
