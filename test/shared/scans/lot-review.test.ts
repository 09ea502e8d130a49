import { expect } from 'chai';
import type { Pool } from '../../../shared/db.ts';
import { decodeId } from '../../../shared/ids.ts';
import { applyOrganizationRetention } from '../../../shared/retention/service.ts';
import { decideUnit } from '../../../shared/scans/decisions.ts';
import { reviewLots } from '../../../shared/scans/lot-review.ts';
import { applyRetention } from '../../../shared/scans/retention.ts';
import { scoreWaitingScans } from '../../../shared/scans/scoring.ts';
import { sweep } from '../../../workers/sweep/sweep.ts';
import { createTestApi, type TestApi, type TestOrganization, type TestUnit } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { ADDRESSES } from '../../support/places.ts';

/** A pool of a scorer that has judged its scans, and waits with writing that down. */
function heldWithVerdicts(pool: Pool) {
  let reach = () => undefined as void;
  let goOn = () => undefined as void;
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const gate = new Promise<void>((resolve) => (goOn = resolve));
  const db = {
    connect: async () => {
      const client = await pool.connect();
      return {
        query: async (...args: Parameters<typeof client.query>) => {
          const [statement] = args as unknown[];
          if (typeof statement === 'string' && statement.includes('update scans s')) {
            reach();
            await gate;
          }
          return client.query(...args);
        },
        release: (error?: Error) => client.release(error),
      };
    },
  } as unknown as Pool;
  return { db, reached, goOn };
}

describe('a batch that turns out to be sold outside its markets', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
  });
  after(() => api.close());

  const scan = async (unit: TestUnit, from: string): Promise<void> => {
    api.clock.advance(60_000);
    await api.verify(unit.token, from).expect(200);
  };
  const scoreOnly = async (): Promise<void> => {
    while ((await scoreWaitingScans(api.workerDeps, 200)).units > 0);
  };
  const results = async (unit: TestUnit): Promise<string[]> => {
    const { body } = await org.get(`/scans?unitId=${unit.id}`);
    return body.data.map((each: { result: string }) => each.result);
  };
  const told = async (unit: TestUnit): Promise<string[]> => {
    const { rows } = await api.database.pool.query<{ type: string }>(
      `select type from events where data->>'productUnitId' = $1 order by id`,
      [unit.id],
    );
    return rows.map(({ type }) => type);
  };
  const figures = async (productId: string) => {
    const { rows } = await api.database.pool.query<{ result: string; scans: number }>(
      `select result, sum(amount)::integer as scans from analytics_deltas
        where product_id = $1 and kind = 'scan' group by result having sum(amount) <> 0 order by result`,
      [decodeId('prod', productId)],
    );
    return Object.fromEntries(rows.map(({ result, scans }) => [result, scans]));
  };
  const open = async (): Promise<number> =>
    (await api.database.pool.query('select 1 from lot_reviews where done_at is null')).rows.length;

  const locksAwaited = async (): Promise<number> =>
    (
      await api.database.pool.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
    ).rows.length;

  /** Four units at home, one in a third country, seven abroad, the first of which is let pass; not yet reviewed. */
  const turn = async () => {
    const { units, productId } = await org.mintUnits(12, { product: { markets: ['DE'] } });
    const [atHome, abroad, elsewhere] = [units.slice(0, 4), units.slice(4, 11), units[11]!];
    for (const unit of atHome) await scan(unit, ADDRESSES.DE);
    await scan(elsewhere, ADDRESSES.JP);
    await scoreOnly();
    for (const unit of abroad) {
      await scan(unit, ADDRESSES.BR);
      await scoreOnly();
    }
    expect(await results(abroad[0]!)).to.deep.equal(['genuine']);
    expect(await results(abroad.at(-1)!)).to.deep.equal(['diverted']);
    expect(await open()).to.equal(1);
    return { atHome, abroad, elsewhere, productId };
  };

  it('has them judged again, too, when it turned by what was scored together, after the worker was away', async () => {
    const { units } = await org.mintUnits(14, { product: { markets: ['DE'] } });
    for (const unit of units.slice(0, 4)) await scan(unit, ADDRESSES.DE);
    const abroad = units.slice(4);
    for (const unit of abroad) await scan(unit, ADDRESSES.BR);
    await scoreOnly();
    expect(await results(abroad[0]!)).to.deep.equal(['genuine']);
    expect(await open()).to.equal(1);
    await api.score();
    for (const unit of abroad) expect(await results(unit)).to.deep.equal(['diverted']);
  });

  it('has the scans judged again that were let pass, and tells what is new of them, once', async () => {
    const { atHome, abroad, elsewhere, productId } = await turn();
    await api.score();
    expect(await results(abroad[0]!)).to.deep.equal(['diverted']);
    expect(await told(abroad[0]!)).to.deep.equal(['scan.recorded', 'product.diverted']);
    // A visitor in another country stays what it was, and so do those at home.
    expect(await results(elsewhere)).to.deep.equal(['genuine']);
    expect(await results(atHome[0]!)).to.deep.equal(['genuine']);
    expect(await figures(productId)).to.deep.equal({ diverted: 7, genuine: 5 });
    await scan(abroad[1]!, ADDRESSES.BR);
    await api.score();
    expect(await open(), 'asked again').to.equal(0);
    expect(await told(abroad[0]!)).to.deep.equal(['scan.recorded', 'product.diverted']);
  });

  it('is gone through by pages, each for itself, whoever else is at it', async () => {
    const { abroad, productId } = await turn();
    expect(await reviewLots(api.workerDeps, 5)).to.equal(true);
    // A worker that dies leaves the rest to the next one.
    let asked = 0;
    const now = () => {
      asked += 1;
      if (asked === 2) throw Object.assign(new Error('of the test'), { code: '57P01' });
      return api.clock.now();
    };
    const died = await reviewLots({ ...api.workerDeps, clock: { now } }, 5).catch((error: Error) => error);
    expect(died).to.have.property('message', 'of the test');
    while ((await Promise.all([1, 2, 3].map(() => reviewLots(api.workerDeps, 5)))).some(Boolean));
    await scoreOnly();
    expect(await results(abroad[0]!)).to.deep.equal(['diverted']);
    expect(await told(abroad[0]!)).to.deep.equal(['scan.recorded', 'product.diverted']);
    expect(await figures(productId)).to.deep.equal({ diverted: 7, genuine: 5 });
  });

  it('keeps in the figures what is deleted on its way to being judged again', async () => {
    const { abroad, productId } = await turn();
    const { pool } = api.database;
    await pool.query('update organizations set scan_retention_days = 30');
    while (await reviewLots(api.workerDeps));
    const clock = { now: () => new Date(Date.now() + 31 * 86_400_000) };
    const retain = () => applyOrganizationRetention({ ...api.workerDeps, clock });
    await retain();
    await scoreOnly();
    expect(await figures(productId)).to.deep.equal({ diverted: 7, genuine: 5 });
    await retain();
    await scoreOnly();
    expect(await results(abroad[0]!)).to.deep.equal([]);
    expect(await figures(productId)).to.deep.equal({ diverted: 7, genuine: 5 });
  });

  it('is set aside for an hour where its page cannot be done, and holds up no other', async () => {
    const failing = await turn();
    let asked = 0;
    const now = () => {
      asked += 1;
      if (asked === 2) throw new Error('of the test');
      return api.clock.now();
    };
    const logged: unknown[] = [];
    const log = { ...api.workerDeps.log, error: (fields: unknown) => void logged.push(fields) };
    const deps = { ...api.workerDeps, clock: { now }, log: log as typeof api.workerDeps.log };
    expect(await reviewLots(deps)).to.equal(true);
    expect(logged).to.have.length(1);
    expect(await reviewLots(api.workerDeps), 'while it is set aside').to.equal(false);

    api.clock.advance(3_600_000);
    await api.score();
    expect(await results(failing.abroad[0]!)).to.deep.equal(['diverted']);
    expect(await open()).to.equal(0);
  });

  it('waits for units that another scorer is at, who may not know of the turn yet', async () => {
    const { units } = await org.mintUnits(12, { product: { markets: ['DE'] } });
    for (const unit of units.slice(0, 4)) await scan(unit, ADDRESSES.DE);
    await scoreOnly();
    const late = units[4]!;
    await scan(late, ADDRESSES.BR);
    const slow = heldWithVerdicts(api.workerDeps.db);
    const scoring = scoreWaitingScans({ ...api.workerDeps, db: slow.db }, 200);
    await slow.reached;
    for (const unit of units.slice(5)) {
      if ((await open()) > 0) break;
      await scan(unit, ADDRESSES.BR);
      await scoreOnly();
    }
    let isDone = false;
    const review = (async () => {
      while (await reviewLots(api.workerDeps));
      isDone = true;
    })();
    await eventually('the review ends, or waits', async () => isDone || (await locksAwaited()) > 0);
    slow.goOn();
    await Promise.all([scoring, review]);
    expect(await results(late)).to.deep.equal(['genuine']);
    await scoreOnly();
    expect(await results(late)).to.deep.equal(['diverted']);
  });

  it('leaves what a unit was at the time of its scan, whatever it has become since', async () => {
    const { abroad, productId } = await turn();
    await org.post(`/product-units/${abroad[0]!.id}/suspend`).expect(200);
    await api.score();
    expect(await results(abroad[0]!)).to.deep.equal(['diverted']);
    expect(await told(abroad[0]!)).to.include('product.diverted');
    expect(await figures(productId)).to.deep.equal({ diverted: 7, genuine: 5 });
  });

  it('leaves units alone that are themselves doubtful', async () => {
    const { abroad, productId } = await turn();
    const before = await told(abroad[0]!);
    await decideUnit(api.database.pool, abroad[0]!.uuid, 'confirmed', api.clock.now());
    await api.score();
    expect(await results(abroad[0]!)).to.deep.equal(['genuine']);
    expect(await told(abroad[0]!)).to.deep.equal(before);
    expect(await figures(productId)).to.deep.equal({ diverted: 6, genuine: 6 });
  });

  describe('where a visitor has added a position', () => {
    const firstLook = async (unit: TestUnit): Promise<string> => {
      api.clock.advance(60_000);
      const { text } = await api.verify(unit.token, ADDRESSES.BR).set('Accept', 'text/html').expect(200);
      return /data-nonce="([^"]+)"/.exec(text)![1]!;
    };
    const addPosition = async (
      unit: TestUnit,
      nonce: string,
      at: (place: { lat: number; lon: number }) => object,
    ) => {
      const { rows } = await api.database.pool.query('select lat, lon from scans where unit_id = $1', [
        unit.uuid,
      ]);
      await api
        .http()
        .post(`/v/${unit.token}/position`)
        .set('X-Forwarded-For', ADDRESSES.BR)
        .send({ nonce, accuracyM: 20, ...at(rows[0]) })
        .expect(204);
    };

    it('tells of a diversion once, also where the unit was taken for a traveller’s in between', async () => {
      const { units } = await org.mintUnits(14, { product: { markets: ['DE'] } });
      const first = units[0]!;
      const nonce = await firstLook(first);
      await scoreOnly();
      expect(await results(first)).to.deep.equal(['diverted']);
      for (const unit of units.slice(1, 7)) await scan(unit, ADDRESSES.DE);
      await scoreOnly();
      await addPosition(first, nonce, ({ lat, lon }) => ({ lat: lat + 0.01, lon }));
      await scoreOnly();
      expect(await results(first)).to.deep.equal(['genuine']);
      for (const unit of units.slice(7)) {
        await scan(unit, ADDRESSES.BR);
        await scoreOnly();
      }
      await api.score();
      expect(await results(first)).to.deep.equal(['diverted']);
      expect(await told(first)).to.deep.equal(['scan.recorded', 'product.diverted']);
    });

    it('takes back of the figures what was counted, also after the position was made coarse', async () => {
      const { units, productId } = await org.mintUnits(14, { product: { markets: ['DE'] } });
      for (const unit of units.slice(0, 4)) await scan(unit, ADDRESSES.DE);
      await scoreOnly();
      const first = units[4]!;
      const nonce = await firstLook(first);
      await scoreOnly();
      // Rounded to one decimal it is in the next cell of the map.
      await addPosition(first, nonce, ({ lat, lon }) => ({ lat: Math.ceil(lat) - 0.03, lon }));
      await scoreOnly();
      const inAMonth = { now: () => new Date(Date.now() + 31 * 86_400_000) };
      await applyRetention(
        { db: api.database.pool, clock: inAMonth },
        { addressDays: 30, pseudonymDays: 400 },
      );
      const { rows: scans } = await api.database.pool.query(
        'select lat, result, place_source from scans where unit_id = $1',
        [first.uuid],
      );
      expect(scans[0]).to.include({ result: 'genuine', place_source: 'gps' });
      expect(scans[0].lat).to.equal(Math.round(scans[0].lat));
      for (const unit of units.slice(5)) {
        await scan(unit, ADDRESSES.BR);
        await scoreOnly();
      }
      await api.score();
      expect(await results(first)).to.deep.equal(['diverted']);
      const { rows } = await api.database.pool.query(
        `select cell, result, sum(amount)::integer as scans from analytics_deltas
          where product_id = $1 and kind = 'scan' group by cell, result having sum(amount) <> 0`,
        [decodeId('prod', productId)],
      );
      expect(rows.map((row) => [row.result, row.scans])).to.have.deep.members([
        ['diverted', 1],
        ['diverted', 9],
        ['genuine', 4],
      ]);
    });
  });

  it('is remembered where the wake-up was lost', async () => {
    const { abroad } = await turn();
    let wakeUps = 0;
    const waker = {
      ...api.workerDeps.waker,
      scoreScans: async () => {
        wakeUps += 1;
      },
    };
    await sweep({ ...api.workerDeps, waker });
    expect(wakeUps).to.equal(1);
    await api.score();
    await sweep({ ...api.workerDeps, waker });
    expect(wakeUps, 'with nothing left').to.equal(1);
    expect(await results(abroad[0]!)).to.deep.equal(['diverted']);
  });
});
