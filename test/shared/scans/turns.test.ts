import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { REDIS_DEADLINE_MS, type Redis } from '../../../shared/redis.ts';
import { createTurns } from '../../../shared/scans/turns.ts';

describe('the turns of a session', () => {
  it('leave no lock behind in a Redis that was too slow for them', async () => {
    const asked: string[] = [];
    const redis = {
      set: () => {
        asked.push('lock');
        return sleep(REDIS_DEADLINE_MS + 100, 'OK');
      },
      eval: () => {
        asked.push('release');
        return Promise.reject(new Error('Command timed out'));
      },
    } as unknown as Redis;
    const turns = createTurns({ redis, prefix: 'test' });
    expect(await turns.take('slow', () => Promise.resolve(1))).to.equal(1);
    expect(asked).to.deep.equal(['lock', 'release']);
    // It is left alone for a while.
    expect(await turns.take('slow', () => Promise.resolve(2))).to.equal(2);
    expect(asked).to.deep.equal(['lock', 'release']);
  });
});
