import { expect } from 'chai';
import { withTransaction } from '../../../shared/db.ts';
import { MAX_RECENT } from '../../../shared/risk/visitors.ts';
import { addPosition, positionNonce } from '../../../shared/scans/position.ts';
import { applyRetention } from '../../../shared/scans/retention.ts';
import { startStand, type MintedUnit, type Stand } from '../../support/verification-stand.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NETWORKS = ['203.0.113', '198.51.100', '192.0.2'];
const nonceKey = Buffer.alloc(32, 9);

describe('a unit whose scans are forgotten in part', () => {
  let stand: Stand;
  let unit: MintedUnit;

  before(async () => {
    stand = await startStand();
  });
  after(() => stand?.close());

  const look = (ip: string) =>
    fetch(`${stand.origin}/v/${unit.token}`, { headers: { 'x-forwarded-for': ip } });
  const scan = async (ip: string) => {
    const answer = await look(ip);
    await stand.score();
    return (await answer.json()) as { result: string };
  };
  const profile = async () => {
    const { rows } = await stand.database.pool.query<{
      state: string;
      profile: { visitors: number; evidence: { far: number } };
    }>('select state, profile from unit_risk_profiles where unit_id = $1', [unit.unitId]);
    const { visitors, evidence } = rows[0]!.profile;
    return { state: rows[0]!.state, visitors, far: evidence.far };
  };
  const newest = async () =>
    (
      await stand.database.pool.query<{ id: string; result: string; scorings: number }>(
        'select id, result, scorings from scans where unit_id = $1 order by id desc limit 1',
        [unit.unitId],
      )
    ).rows[0]!;
  const sharePosition = async (of?: { id: string }) => {
    const { id } = of ?? (await newest());
    const { db, clock, waker } = stand.deps;
    await withTransaction(db, (uow) =>
      addPosition({ clock, waker, nonceKey }, uow, unit.code, positionNonce(nonceKey, id), {
        lat: 52.5,
        lon: 13.4,
        accuracyM: 30,
      }),
    );
    await stand.score();
  };

  const forget = {
    deleted: () => stand.database.pool.query('delete from scans where unit_id = $1', [unit.unitId]),
    'without their sessions': () => applyRetention(stand.deps, { addressDays: 30, pseudonymDays: 400 }),
    'without their networks': () => applyRetention(stand.deps, { addressDays: 30, pseudonymDays: 30 }),
  };
  for (const [how, forgetScans] of Object.entries(forget))
    describe(`(${how})`, () => {
      beforeEach(async () => {
        stand.resetClock();
        unit = await stand.mintUnit();
        for (let i = 0; i < 9; i++) {
          await scan(`${NETWORKS[i % 3]!.replace(/\d+$/, String(10 + i))}.7`);
          stand.advance(8 * HOUR);
        }
        stand.advance(40 * DAY);
        await forgetScans();
      });

      it('stays under suspicion when a visitor adds a position', async () => {
        expect((await scan('198.51.200.7')).result).to.equal('suspicious');
        const before = await profile();
        expect(before).to.include({ state: 'suspect', visitors: 10 });
        await sharePosition();
        expect(await newest()).to.include({ result: 'suspicious', scorings: 2 });
        expect(await profile()).to.deep.equal(before);
        stand.advance(HOUR);
        expect((await scan('192.0.77.7')).result).to.equal('suspicious');
      });

      it('counts a visitor once whose position comes when the rules remember later ones alone', async () => {
        await scan('198.51.200.7');
        const first = await newest();
        for (let i = 0; i < MAX_RECENT; i++) await look(`203.0.${i}.7`);
        await stand.score();
        const before = await profile();
        await sharePosition(first);
        expect(await profile()).to.deep.equal(before);
      });

      it('and when a scan comes late, which counts', async () => {
        await scan('198.51.200.7');
        const before = await profile();
        stand.advance(-7_000);
        await scan('198.51.201.7');
        const after = await profile();
        expect(after).to.include({ state: 'suspect', visitors: before.visitors + 1 });
        expect(after.far).to.be.greaterThan(before.far - 3);
      });
    });
});
