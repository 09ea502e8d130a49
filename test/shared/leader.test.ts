import type { Socket } from 'node:net';
import { expect } from 'chai';
import type { PoolClient } from 'pg';
import { runAlone } from '../../shared/leader.ts';
import { createPool, type Pool } from '../../shared/db.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';

describe('one process at a time', () => {
  let database: TestDatabase;
  let one: Pool;
  let other: Pool;

  before(async () => {
    database = await createTestDatabase();
    [one, other] = [1, 2].map(() =>
      createPool({ databaseUrl: database.url, max: 2, applicationName: 'leader', onError: () => undefined }),
    ) as [Pool, Pool];
  });
  after(async () => {
    await one.end();
    await other.end();
    await database.drop();
  });

  it('runs the work of the first and sends the second away, for the same name only', async () => {
    const ran: string[] = [];
    const result = await runAlone(one, 'chores', async () => {
      ran.push('first');
      expect(await runAlone(other, 'chores', async () => void ran.push('second'))).to.equal(false);
      expect(await runAlone(other, 'other chores', async () => void ran.push('third'))).to.equal(true);
    });
    expect(result).to.equal(true);
    expect(ran).to.deep.equal(['first', 'third']);
    expect(await runAlone(other, 'chores', async () => undefined)).to.equal(true);
  });

  it('lets go when the work fails', async () => {
    const error = await runAlone(one, 'failing', () => Promise.reject(new Error('no'))).catch(
      (e: Error) => e,
    );
    expect((error as Error).message).to.equal('no');
    expect(await runAlone(other, 'failing', async () => undefined)).to.equal(true);
  });

  it('lets go when its connection dies', async () => {
    await runAlone(one, 'dying', async () => {
      await database.pool.query(
        `select pg_terminate_backend(pid, 10000) from pg_locks where locktype = 'advisory' and pid <> pg_backend_pid()`,
      );
    }).catch(() => undefined);
    expect(await runAlone(other, 'dying', async () => undefined)).to.equal(true);
  });

  it('lets go of a connection that went silent, before the lock was told or after the work', async () => {
    const silent = createPool({
      databaseUrl: database.url,
      max: 2,
      applicationName: 'silent leader',
      answerMs: 200,
      onError: () => undefined,
    });
    const fallSilent = (client: PoolClient) =>
      (client as PoolClient & { connection: { stream: Socket } }).connection.stream.pause();
    try {
      for (const isTold of [false, true]) {
        let asked: PoolClient;
        silent.once('acquire', (client) => {
          asked = client;
          if (!isTold) fallSilent(client);
        });
        const error = await runAlone(silent, 'silent', async () => void fallSilent(asked)).catch(
          (e: Error) => e,
        );
        expect((error as Error).message).to.equal('Query read timeout');
        expect(await runAlone(silent, 'something else', async () => undefined)).to.equal(true);
        await eventually('the lock to be free', () => runAlone(other, 'silent', async () => undefined));
      }
    } finally {
      await silent.end();
    }
  });
});
