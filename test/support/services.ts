/**
 * Postgres and Redis for one run of the tests: started when the first test file asks, shared by all, stopped by
 * the root hooks. A run of pure unit tests starts nothing.
 */
import { randomBytes } from 'node:crypto';
import { type Services, startServices } from '../../launcher/services.ts';

/** Part of every name made on a server that outlives the run. */
export const runId = randomBytes(4).toString('hex');

let started: Promise<Services> | undefined;
const cleanUps: (() => Promise<void>)[] = [];

/**
 * Addresses of the run's services, also put into TEST_DATABASE_URL and TEST_REDIS_URL for programs that a test
 * starts. DATABASE_URL and REDIS_URL, where set, are used instead of private servers.
 */
export function testServices(): Promise<Services> {
  const throwAway = { dataDir: '', ephemeral: true, inMemory: true };
  started ??= startServices({ ...throwAway, log: console.log, env: process.env }).then((services) => {
    process.env['TEST_DATABASE_URL'] = services.databaseUrl;
    process.env['TEST_REDIS_URL'] = services.redisUrl;
    return services;
  });
  return started;
}

/** Runs before the services stop; the newest first. */
export function beforeServicesStop(cleanUp: () => Promise<void>): void {
  cleanUps.push(cleanUp);
}

/** For the root hooks alone. Goes through with every step and throws all that went wrong. */
export async function stopTestServices(): Promise<void> {
  const problems: unknown[] = [];
  for (const cleanUp of cleanUps.toReversed()) {
    await cleanUp().catch((error: unknown) => problems.push(error));
  }
  // A start that failed has failed its tests already, and has cleaned up after itself.
  const services = await started?.catch(() => undefined);
  await services?.stop().catch((error: unknown) => problems.push(error));
  if (problems.length > 0) throw new AggregateError(problems, problems.map(String).join('\n'));
}
