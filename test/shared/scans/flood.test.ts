import { expect } from 'chai';
import { withTransaction } from '../../../shared/db.ts';
import { newUuids } from '../../../shared/ids.ts';
import { addPosition, positionNonce } from '../../../shared/scans/position.ts';
import { insertScans, type NewScan } from '../../../shared/scans/repository.ts';
import { MAX_SCANS_OF_UNIT, scoreWaitingScans } from '../../../shared/scans/scoring.ts';
import { MAX_FOLDED } from '../../../shared/scans/known-units.ts';
import { startStand, type MintedUnit, type Stand } from '../../support/verification-stand.ts';

describe('a flood of one code', () => {
  let stand: Stand;
  let hot: MintedUnit;
  let quiet: MintedUnit;

  before(async () => {
    stand = await startStand();
  });
  after(() => stand?.close());
  beforeEach(async () => {
    stand.resetClock();
    await stand.score();
    [hot, quiet] = [await stand.mintUnit(), await stand.mintUnit()];
  });

  const look = async ({ token }: MintedUnit, ip = '198.51.100.7') =>
    (await (await fetch(`${stand.origin}/v/${token}`, { headers: { 'x-forwarded-for': ip } })).json()) as {
      scanId: string;
      result: string;
    };
  /** Waiting scans, each by another network, ten milliseconds apart. @returns their ids, in order. */
  const flood = async (count: number): Promise<string[]> => {
    const { pool } = stand.database;
    const { rows } = await pool.query<{ batch_id: string }>(
      'select batch_id from product_units where id = $1',
      [hot.unitId],
    );
    const ids = newUuids(count);
    await insertScans(
      pool,
      ids.map((id, index): NewScan => ({
        id,
        orgId: stand.orgId,
        unitId: hot.unitId,
        productId: hot.productId,
        batchId: rows[0]!.batch_id,
        at: new Date(stand.now().getTime() + index * 10),
        sessionId: null,
        networkId: `network-${index}`,
        ip: null,
        userAgent: null,
        country: 'DE',
        lat: 52.5,
        lon: 13.4,
        accuracyKm: 16,
        placeSource: 'ip-fixed',
        result: 'genuine',
        riskLevel: 'none',
        riskScore: 0,
        signals: [],
      })),
    );
    return ids;
  };
  const scoreOnce = () => scoreWaitingScans(stand.deps, 100);
  const scorings = async () =>
    (
      await stand.database.pool.query<{ id: string; scorings: number }>(
        'select id, scorings from scans where unit_id = $1 order by id',
        [hot.unitId],
      )
    ).rows;
  const profile = async () =>
    (
      await stand.database.pool.query<{ profile: { visitors: number; lastAt: number } }>(
        'select profile from unit_risk_profiles where unit_id = $1',
        [hot.unitId],
      )
    ).rows[0]!.profile;
  const tolds = async () =>
    (
      await stand.database.pool.query<{ scans: number; events: number }>(
        `select count(distinct data->>'scanId')::int as scans, count(*)::int as events from events
          where type = 'scan.recorded' and data->>'serial' = $1`,
        [hot.serial],
      )
    ).rows[0]!;

  it('is scored in turns, in order and each scan once, and other units between them', async () => {
    const ids = await flood(2 * MAX_SCANS_OF_UNIT + 50);
    await look(quiet);
    expect(await scoreOnce()).to.deep.equal({ units: 2, scans: MAX_SCANS_OF_UNIT + 1 });
    const first = (await scorings()).filter((scan) => scan.scorings === 1).map(({ id }) => id);
    expect(first).to.deep.equal(ids.slice(0, MAX_SCANS_OF_UNIT));
    expect(await profile()).to.include({ visitors: MAX_SCANS_OF_UNIT });

    await look(quiet);
    expect(await scoreOnce()).to.deep.equal({ units: 2, scans: MAX_SCANS_OF_UNIT + 1 });
    expect(await stand.score()).to.equal(50);
    expect((await scorings()).every((scan) => scan.scorings === 1)).to.equal(true);
    expect(await tolds()).to.deep.equal({ scans: ids.length, events: ids.length });
    expect(await profile()).to.include({
      visitors: ids.length,
      lastAt: stand.now().getTime() + (ids.length - 1) * 10,
    });
  });

  it('is folded in once, though a position has its beginning scored again', async () => {
    const ids = await flood(3 * MAX_SCANS_OF_UNIT);
    await scoreOnce();
    const nonceKey = Buffer.alloc(32, 5);
    await withTransaction(stand.database.pool, (uow) =>
      addPosition({ ...stand.deps, nonceKey }, uow, hot.code, positionNonce(nonceKey, ids[0]!), {
        lat: 52.51,
        lon: 13.41,
        accuracyM: 30,
      }),
    );
    await stand.score();
    expect((await scorings()).map((scan) => scan.scorings)).to.deep.equal([
      2,
      ...Array<number>(ids.length - 1).fill(1),
    ]);
    expect(await profile()).to.include({ visitors: ids.length });
    expect(await tolds()).to.deep.equal({ scans: ids.length, events: ids.length });
  });

  it('makes a look-up read no more than the newest scans', async () => {
    await flood(200);
    const { db } = stand.deps;
    const read: number[] = [];
    const query = db.query.bind(db) as (...args: unknown[]) => Promise<{ rows: unknown[] }>;
    Object.assign(db, {
      query: async (...args: unknown[]) => {
        const result = await query(...args);
        read.push(result.rows.length);
        return result;
      },
    });
    await look(hot);
    Object.assign(db, { query });
    expect(Math.max(...read)).to.equal(MAX_FOLDED);
  });

  it('makes scans of other units wait for none of its own', async () => {
    await flood(MAX_FOLDED);
    const { pool } = stand.database;
    const scorer = await pool.connect();
    await scorer.query('begin');
    await scorer.query('select 1 from unit_risk_profiles where unit_id = $1 for update', [hot.unitId]);
    const waiting = async (count: number) => {
      for (;;) {
        const { rows } = await pool.query<{ n: number }>(
          `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        if (rows[0]!.n === count) return;
      }
    };
    // As many statements as there are under way at a time, and each waits for the scorer.
    const held: ReturnType<typeof look>[] = [];
    for (const n of [1, 2]) {
      held.push(look(hot, `198.51.101.${n}`));
      await waiting(n);
    }
    const other = await look(quiet);
    expect(other.result).to.equal('genuine');
    await scorer.query('commit');
    scorer.release();
    expect((await Promise.all(held)).map(({ scanId }) => scanId)).to.not.include(undefined);
    expect(await stand.score()).to.equal(MAX_FOLDED + 3);
  });
});
