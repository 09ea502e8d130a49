import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { profileOf, whileHeld } from '../../support/held-row.ts';
import { newCookie, startStand, type MintedUnit, type Stand } from '../../support/verification-stand.ts';

const VISITORS = 8;

describe('a flood of taps and hidden codes at one unit', () => {
  let stand: Stand;
  let unit: MintedUnit;

  before(async () => {
    stand = await startStand({ DATABASE_POOL_MAX: '4' });
    unit = await stand.mintUnit({ nfcTag: true, hiddenCode: true });
  });
  after(() => stand?.close());

  it('waits for the unit’s row without the connections that everybody else needs', async () => {
    const visitors = Array.from({ length: VISITORS }, (_, n) => ({
      cookie: newCookie(),
      'x-forwarded-for': `203.0.${n}.5`,
    }));
    for (const headers of visitors) await fetch(`${stand.origin}/v/${unit.token}`, { headers });
    const scoring = await stand.database.pool.connect();
    await scoring.query('begin');
    await scoring.query('select 1 from unit_risk_profiles where unit_id = $1 for update', [unit.unitId]);
    const body = JSON.stringify({ hiddenCode: unit.hiddenCode });
    const answers = visitors.map((headers, n) =>
      n % 2 === 0
        ? fetch(`${stand.origin}/v/${unit.token}?${unit.tag.tap()}`, { headers })
        : fetch(`${stand.origin}/v/${unit.token}/hidden-code`, {
            method: 'POST',
            headers: { ...headers, 'content-type': 'application/json' },
            body,
          }),
    );
    try {
      await eventually('the first to wait for the row', async () => {
        const { rows } = await stand.database.pool.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return rows.length > 0;
      });
      const others = await Promise.all(
        Array.from({ length: 20 }, () => stand.call('GET', '/api/v1/products')),
      );
      expect(others.map(({ status }) => status)).to.deep.equal(Array(20).fill(200));
    } finally {
      await scoring.query('rollback');
      scoring.release();
    }
    const told = await Promise.all(
      answers.map(async (answer) => (await (await answer).json()) as { nfcTap?: object; outcome?: string }),
    );
    expect(told.filter(({ nfcTap }) => nfcTap !== undefined)).to.have.length(VISITORS / 2);
    expect(told.filter(({ outcome }) => outcome === 'first')).to.have.length(1);
    expect(told.filter(({ outcome }) => outcome === 'repeated')).to.have.length(VISITORS / 2 - 1);
  });

  it('is refused after as long as a caller waits for a lock, and takes nothing from who comes after it', async () => {
    const headers = { cookie: newCookie(), 'x-forwarded-for': '198.51.100.7' };
    const tap = unit.tag.tap();
    let end = (): void => undefined;
    const before = stand.deps.unitTurns.take(
      unit.unitId,
      () => new Promise<void>((resolve) => (end = resolve)),
    );
    const real = performance.now.bind(performance);
    const late = fetch(`${stand.origin}/v/${unit.token}?${tap}`, { headers });
    await eventually('the scan', async () => {
      const { rows } = await stand.database.pool.query(
        'select count(*)::int as n from scans where unit_id = $1',
        [unit.unitId],
      );
      return rows[0].n > VISITORS;
    });
    // Long enough for it to stand in the queue.
    await fetch(`${stand.origin}/v/${unit.token}`, { headers });
    try {
      performance.now = () => real() + 60_000;
      end();
      await before;
      expect((await late).status).to.equal(503);
    } finally {
      performance.now = real;
    }
    const again = await fetch(`${stand.origin}/v/${unit.token}?${tap}`, { headers });
    expect(((await again.json()) as { nfcTap: object }).nfcTap).to.include({ outcome: 'fresh' });
  });

  it('is judged behind what another process judges at the same time', async () => {
    const copied = await stand.mintUnit({ nfcTag: true, hiddenCode: true });
    const path = `${stand.origin}/v/${copied.token}`;
    // Of a visit that was scanned: a scan waits by itself.
    const headers = { cookie: newCookie() };
    await fetch(path, { headers });
    const body = JSON.stringify({ hiddenCode: copied.hiddenCode });
    for (const [inserted, ask, told] of [
      [
        `insert into nfc_taps (scan_id, counter, org_id, unit_id, at, visitor, is_linked)
         values (uuidv7(), 1, $1, $2, $3, 1, false)`,
        () => fetch(`${path}?${copied.tag.tap()}`, { headers }),
        'replayed',
      ],
      [
        `insert into hidden_code_entries (scan_id, org_id, unit_id, at, is_right, visitor, wrong_attempts)
         values (uuidv7(), $1, $2, $3, true, 1, 0)`,
        () =>
          fetch(`${path}/hidden-code`, {
            method: 'POST',
            headers: { ...headers, 'content-type': 'application/json' },
            body,
          }),
        'repeated',
      ],
    ] as const)
      await whileHeld(stand.database.pool, profileOf(copied.unitId), async ({ holder, waiting, release }) => {
        await holder.query(inserted, [stand.orgId, copied.unitId, stand.now()]);
        const answer = ask();
        await waiting(1);
        await release();
        const { nfcTap, outcome } = (await (await answer).json()) as any;
        expect(nfcTap?.outcome ?? outcome).to.equal(told);
      });
  });
});
