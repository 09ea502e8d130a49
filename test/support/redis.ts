/** A corner of the run's Redis for each test file. */
import { Redis } from 'ioredis';
import { runId, testServices } from './services.ts';

export interface TestRedis {
  url: string;
  /** For queues, limiters and keys of this file; hash-tagged, as BullMQ wants it on a cluster. */
  prefix: string;
  /** For the test itself. */
  client: Redis;
  /** Deletes every key below the prefix and disconnects. */
  drop: () => Promise<void>;
}

let lastNumber = 0;

/** Call in `before`, and `drop` in `after`, when the queues and workers are closed. */
export async function createTestRedis(): Promise<TestRedis> {
  const { redisUrl } = await testServices();
  lastNumber += 1;
  const prefix = `{test-${runId}-${lastNumber}}`;
  const client = new Redis(redisUrl, { maxRetriesPerRequest: null });
  return {
    url: redisUrl,
    prefix,
    client,
    drop: async () => {
      let cursor = '0';
      do {
        const [next, keys] = await client.scan(cursor, 'MATCH', `*${prefix}*`, 'COUNT', 1000);
        if (keys.length > 0) await client.unlink(...keys);
        cursor = next;
      } while (cursor !== '0');
      await client.quit();
    },
  };
}
