import { expect } from 'chai';
import { createPool, isLockTimeout, type Pool } from '../../../shared/db.ts';
import { createVerifier } from '../../../shared/scans/verifier.ts';
import { profileOf, whileHeld } from '../../support/held-row.ts';
import { startStand, type MintedUnit, type Stand } from '../../support/verification-stand.ts';

/** How long a statement waits for a lock here. */
const LOCK_MS = 4_000;

describe('a unit whose row is held by a scorer that was stopped', () => {
  let stand: Stand;
  let pool: Pool;
  before(async () => {
    stand = await startStand();
    pool = createPool({
      databaseUrl: stand.database.url,
      max: 6,
      applicationName: 'verifier',
      lockMs: LOCK_MS,
      onError: () => undefined,
    });
  });
  after(async () => {
    await pool?.end();
    await stand?.close();
  });

  it('holds up its own visitors, and of others those alone who came with the first of them, who are answered', async () => {
    const verifier = createVerifier({
      ...stand.deps,
      db: pool,
      tokenKeys: stand.deps.config.TOKEN_KEYS,
      networkKey: Buffer.alloc(32, 3),
      places: { locate: () => null },
      sameScanMs: 600_000,
    });
    const answered: string[] = [];
    const look = async ({ token }: MintedUnit, who: string) => {
      const visitor = { ip: '198.51.100.7', userAgent: null, session: null };
      const { scan } = await verifier.verify({ token }, visitor).finally(() => answered.push(who));
      return scan;
    };
    const [unit, known, fresh] = [await stand.mintUnit(), await stand.mintUnit(), await stand.mintUnit()];
    await Promise.all([look(unit, 'before'), look(known, 'before')]);
    await whileHeld(stand.database.pool, profileOf(unit.unitId), async ({ waiting, release }) => {
      const beside = await Promise.allSettled([look(unit, 'own'), look(known, 'beside'), look(fresh, 'new')]);
      expect(beside.map(({ status }) => status)).to.deep.equal(['rejected', 'fulfilled', 'fulfilled']);
      expect(beside[0]).to.have.property('reason').that.satisfies(isLockTimeout);

      answered.length = 0;
      const own = [];
      for (const count of [1, 2]) {
        own.push(look(unit, 'own'));
        await waiting(count);
      }
      await look(known, 'other');
      expect(answered).to.deep.equal(['other']);
      await release();
      for (const scan of await Promise.all(own)) expect(scan).not.to.equal(null);
    });
    const { rows } = await stand.database.pool.query(
      'select scan_count from unit_risk_profiles where unit_id = any($1) order by scan_count',
      [[unit.unitId, known.unitId, fresh.unitId]],
    );
    expect(rows.map((row) => row.scan_count as number)).to.deep.equal([1, 3, 3]);
  });
});
