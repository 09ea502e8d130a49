/** What the handlers are given. */
import type { Config } from '../shared/config.ts';
import type { Clock } from '../shared/clock.ts';
import type { Pool } from '../shared/db.ts';
import type { Logger } from '../shared/logger.ts';
import type { Queues, Waker } from '../shared/queues.ts';
import type { Redis } from '../shared/redis.ts';

export interface ApiDeps {
  config: Config;
  clock: Clock;
  random(bytes: number): Buffer;
  db: Pool;
  redis: Redis;
  queues: Queues;
  waker: Waker;
  log: Logger;
}
