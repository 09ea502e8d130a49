import { z } from 'zod';
import { checkDatabase } from '../../shared/db.ts';
import { inTime } from '../../shared/in-time.ts';
import { isPublic, ok, operation } from '../operation.ts';

const TIMEOUT_MS = 2_000;

const within = (check: Promise<unknown>): Promise<'ok' | 'unreachable'> =>
  inTime(check, TIMEOUT_MS).then(
    () => 'ok' as const,
    () => 'unreachable' as const,
  );

const readiness = z
  .object({ status: z.enum(['ready', 'unavailable']), postgres: z.string(), redis: z.string() })
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
      503: { description: 'One of them does not', schema: readiness },
    },
    handle: async ({ deps }) => {
      const [postgres, redis] = await Promise.all([
        within(checkDatabase(deps.db)),
        within(deps.redis.ping()),
      ]);
      const ready = postgres === 'ok' && redis === 'ok';
      return {
        status: ready ? 200 : 503,
        body: { status: ready ? 'ready' : 'unavailable', postgres, redis },
      };
    },
  }),
];
