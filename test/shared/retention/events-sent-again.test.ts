import { expect } from 'chai';
import { decodeId, uuidFloor } from '../../../shared/ids.ts';
import type { Db } from '../../../shared/db.ts';
import { deleteEvents } from '../../../shared/retention/repository.ts';
import { applyOrganizationRetention } from '../../../shared/retention/service.ts';
import { replayDispatches } from '../../../shared/webhooks/dispatch-repository.ts';
import { recoverEvents } from '../../../shared/webhooks/recovery-repository.ts';
import { whileHeld } from '../../support/held-row.ts';
import { startStand, type Stand } from '../../support/verification-stand.ts';

const DAY = 86_400_000;

describe('events that are sent again while they come of age', () => {
  let stand: Stand;
  let endpointId: string;

  before(async () => {
    stand = await startStand();
    const { token } = await stand.mintUnit();
    await fetch(`${stand.origin}/v/${token}`);
    await stand.score();
    // From after the events: only what is sent again makes dispatches for it.
    const url = 'https://example.com/hook';
    const made = await stand.call('POST', '/api/v1/webhook-endpoints', { url, events: ['*'] });
    endpointId = decodeId('whep', made.body.id)!;
    await stand.database.pool.query('update organizations set event_retention_days = 7');
  });
  after(() => stand?.close());

  beforeEach(async () => {
    const { pool } = stand.database;
    await pool.query('create table if not exists kept as select * from events');
    await pool.query('insert into events select * from kept on conflict do nothing');
    await pool.query('delete from webhook_dispatches');
  });

  const eventId = async (): Promise<string> =>
    (await stand.database.pool.query('select id from events order by id limit 1')).rows[0].id;
  const dispatches = async () =>
    (await stand.database.pool.query('select event_id from webhook_dispatches')).rows;
  const inAWeek = () => new Date(stand.now().getTime() + 8 * DAY);
  const deleteOld = () =>
    applyOrganizationRetention({ ...stand.deps, clock: { now: inAWeek } }, { batch: 100, mostBatches: 100 });

  const SENT_AGAIN: Record<string, (db: Db) => Promise<unknown>> = {
    'a replay': async (db) =>
      replayDispatches(db, { id: await eventId(), orgId: stand.orgId }, [endpointId], stand.now()),
    'a recovery': (db) =>
      recoverEvents(
        db,
        endpointId,
        {
          orgId: stand.orgId,
          afterId: uuidFloor(new Date(stand.now().getTime() - DAY)),
          beforeId: uuidFloor(inAWeek()),
          types: ['scan.recorded'],
          productIds: null,
        },
        { mostExamined: 100, limit: 100, now: stand.now(), inEventOrder: true },
      ),
  };

  for (const [name, sendAgain] of Object.entries(SENT_AGAIN)) {
    it(`go with the dispatch that ${name} is making`, async () => {
      const row = { text: 'select 1', values: [] };
      await whileHeld(stand.database.pool, row, async ({ holder, waiting, release }) => {
        await sendAgain(holder);
        const deletion = deleteOld();
        await Promise.race([deletion, waiting(1).catch(() => undefined)]);
        await release();
        expect((await deletion).events).to.be.greaterThan(0);
      });
      expect(await dispatches()).to.deep.equal([]);
    });

    it(`are not sent again by ${name} that waited for their end`, async () => {
      const row = { text: 'select 1', values: [] };
      await whileHeld(stand.database.pool, row, async ({ holder, waiting, release }) => {
        await deleteEvents(holder, stand.orgId, uuidFloor(inAWeek()), 100);
        const sent = sendAgain(stand.database.pool);
        await Promise.race([sent, waiting(1).catch(() => undefined)]);
        await release();
        await sent;
      });
      expect(await dispatches()).to.deep.equal([]);
    });
  }
});
