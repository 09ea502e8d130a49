import { expect } from 'chai';
import {
  findLastVisitor,
  findFirstTap,
  findOvertakenSince,
  findOwnTap,
} from '../../../shared/nfc/repository.ts';
import { rowsReadBy } from '../../support/rows-read.ts';
import { startStand, type MintedUnit, type Stand } from '../../support/verification-stand.ts';

const COPIES = 20_000;

describe('many taps of one NFC tag', () => {
  let stand: Stand;
  let unit: MintedUnit;
  let scan: Parameters<typeof findOvertakenSince>[1];

  const ever = { until: new Date(Date.now() + 60_000), ownFrom: new Date(0) };

  before(async () => {
    stand = await startStand();
    unit = await stand.mintUnit({ nfcTag: true });
    scan = { unit_id: unit.unitId, session_id: 'somebody', network_id: 'n', user_agent: 'ua' };
    // Two taps, each the first of a flood of copies: half of them say the lower counter, and came before the others.
    await stand.database.pool.query(
      `with made as (
         insert into scans (id, org_id, unit_id, product_id, batch_id, at, session_id, network_id, user_agent, result, nfc_tap, risk_level,
                            risk_score, signals, assessment)
         select uuidv7(), $1, $2, $3, (select batch_id from product_units where id = $2), now() - ($4 - n) * interval '1 second', 's' || n,
                'n' || n, 'ua', 'genuine', 'replayed', 'none', 0, '[]', 'final' from generate_series(1, $4::integer) n
         returning id, at, substring(session_id, 2)::integer as n
       )
       insert into nfc_taps (scan_id, counter, org_id, unit_id, at, visitor, stale_since, is_linked)
       select id, case when n <= $4 / 2 then 1 else 5 end, $1, $2, at, n, case when n % ($4 / 2) <> 1 then at end, false from made`,
      [stand.orgId, unit.unitId, unit.productId, COPIES],
    );
    await stand.database.pool.query('analyze scans; analyze nfc_taps');
  });
  after(() => stand?.close());

  const read = (work: Parameters<typeof rowsReadBy>[1]) => rowsReadBy(stand.database.pool, work);

  it('are not read for what one more says', async () => {
    for (const counter of [1, 3, 5, 6]) {
      expect(await read((db) => findOwnTap(db, scan, counter))).to.be.lessThan(5);
      expect(await read((db) => findFirstTap(db, unit.unitId, counter))).to.be.lessThan(5);
      expect(await read((db) => findOvertakenSince(db, scan, counter, ever))).to.be.lessThan(5);
    }
    expect(await read((db) => findLastVisitor(db, unit.unitId))).to.be.lessThan(5);
  });

  it('are told apart as few are', async () => {
    const { pool } = stand.database;
    const firstOf = async (counter: number) =>
      (await pool.query('select min(at) as at from nfc_taps where counter = $1', [counter])).rows[0].at;
    expect((await findFirstTap(pool, unit.unitId, 1))!.at).to.deep.equal(await firstOf(1));
    expect(await findOvertakenSince(pool, scan, 3, ever)).to.deep.equal(await firstOf(5));
    expect(await findOvertakenSince(pool, scan, 5, ever)).to.equal(null);
    expect(await findOwnTap(pool, { ...scan, session_id: 's7' }, 5)).to.equal(null);
    expect((await findOwnTap(pool, { ...scan, session_id: 's7' }, 1))!.stale_since).to.be.an.instanceOf(Date);
    expect(await findLastVisitor(pool, unit.unitId)).to.equal(COPIES);
  });

  it('that are new are not all read for an old one', async () => {
    const shown = await stand.mintUnit({ nfcTag: true });
    await stand.database.pool.query(
      `insert into nfc_taps (scan_id, counter, org_id, unit_id, at, visitor, stale_since, is_linked)
       select uuidv7(), n, $1, $2, now() - ($3 - n) * interval '1 second', n, null, false from generate_series(1, $3::integer) n`,
      [stand.orgId, shown.unitId, COPIES],
    );
    await stand.database.pool.query('analyze nfc_taps');
    const old = { ...scan, unit_id: shown.unitId };
    for (const counter of [0, COPIES / 2, COPIES - 1])
      expect(await read((db) => findOvertakenSince(db, old, counter, ever))).to.be.lessThan(400);
    const { pool } = stand.database;
    const next = await pool.query('select at from nfc_taps where unit_id = $1 and counter = 7', [
      shown.unitId,
    ]);
    expect(await findOvertakenSince(pool, old, 6, ever)).to.deep.equal(next.rows[0].at);
  });
});
