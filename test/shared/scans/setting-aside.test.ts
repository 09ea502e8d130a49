import { expect } from 'chai';
import { isPassing } from '../../../shared/errors.ts';
import { scoreWaitingScans } from '../../../shared/scans/scoring.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';
import { ADDRESSES } from '../../support/places.ts';

describe('a unit that the rules cannot judge', () => {
  let api: TestApi;

  before(async () => {
    api = await createTestApi({ lockMs: 100 });
  });
  after(() => api.close());

  // The rules throw where the one is missing, and come to no number without the other.
  for (const part of ['recent', 'lastAt'])
    it(`takes nobody’s answer with it but its own visitors’: a profile without ${part}`, async () => {
      const [org, other] = [await api.createOrganization(), await api.createOrganization()];
      const [bad] = (await org.mintUnits(1)).units;
      const { units: good } = await other.mintUnits(40);
      await api.verify(bad!.token, ADDRESSES.DE).expect(200);
      while ((await scoreWaitingScans(api.workerDeps, 200)).units > 0);
      await api.verify(bad!.token, ADDRESSES.JP).expect(200);
      // As a mistake of ours, or a profile of another release, would make it.
      await api.database.pool.query(
        'update unit_risk_profiles set profile = profile - $2 where unit_id = $1',
        [bad!.uuid, part],
      );
      const ask = async (token: string, i: number) => (await api.verify(token, `198.51.100.${i}`)).status;
      const [ofGood, ofBad] = await Promise.all([
        Promise.all(good.map(({ token }, i) => ask(token, i))),
        Promise.all([200, 201, 202].map((i) => ask(bad!.token, i))),
      ]);
      expect(ofGood).to.deep.equal(good.map(() => 200));
      expect(ofBad).to.deep.equal([500, 500, 500]);
    });

  it('is none whose connection to Postgres ended between two statements: it is scored as soon as there is another', async () => {
    while ((await scoreWaitingScans(api.workerDeps, 200)).units > 0);
    const { token, uuid } = (await (await api.createOrganization()).mintUnits(1)).units[0]!;
    await api.verify(token, ADDRESSES.DE).expect(200);
    const { db } = api.workerDeps;
    const connect = async () => {
      const client = await db.connect();
      const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
      const ended = new Promise((resolve) => client.once('end', resolve));
      return Object.assign(client, {
        query: async (...args: unknown[]) => {
          const result = await query(...args);
          const { name } = args[0] as { name?: string };
          if (name?.startsWith('lock-waiting-units') === true) {
            await api.database.pool.query(
              `select pg_terminate_backend(pid, 10000) from pg_stat_activity
                where datname = current_database() and state = 'idle in transaction'`,
            );
            await ended;
          }
          return result;
        },
      });
    };
    const cut = Object.create(db, {
      connect: { value: connect },
      query: { value: db.query.bind(db) },
    }) as typeof db;
    const error = await scoreWaitingScans({ ...api.workerDeps, db: cut }, 200).catch((e: unknown) => e);
    expect(error).to.satisfy(isPassing);
    expect((await scoreWaitingScans(api.workerDeps, 200)).scans).to.equal(1);
    const { rows } = await api.database.pool.query('select assessment from scans where unit_id = $1', [uuid]);
    expect(rows).to.deep.equal([{ assessment: 'final' }]);
  });

  it('is none that waited for a lock of somebody else: it is scored as soon as that is gone', async () => {
    while ((await scoreWaitingScans(api.workerDeps, 200)).units > 0);
    const { units } = await (await api.createOrganization()).mintUnits(2);
    for (const { token } of units) await api.verify(token, ADDRESSES.DE).expect(200);
    const locker = await api.database.pool.connect();
    try {
      await locker.query('begin');
      await locker.query('lock table events in access exclusive mode');
      const error = await scoreWaitingScans(api.workerDeps, 200).catch((e: unknown) => e);
      expect(error).to.satisfy(isPassing);
    } finally {
      await locker.query('rollback');
      locker.release();
    }
    expect((await scoreWaitingScans(api.workerDeps, 200)).scans).to.equal(2);
  });
});
