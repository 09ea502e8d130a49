import { z } from 'zod';
import { checkDatabase, type Pool } from '../../shared/db.ts';
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
