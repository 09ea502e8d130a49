import { expect } from 'chai';
import { encodeId } from '../../../shared/ids.ts';
import { startStand, type MintedUnit, type Stand } from '../../support/verification-stand.ts';
import { profileOf, whileHeld } from '../../support/held-row.ts';

describe('decisions on risk cases', () => {
  let stand: Stand;
  let unit: MintedUnit;
  let caseId: string;

  before(async () => {
    stand = await startStand();
  });
  after(() => stand?.close());

  const scan = async (ip: string) => {
    const response = await fetch(`${stand.origin}/v/${unit.token}`, { headers: { 'x-forwarded-for': ip } });
    return (await response.json()) as { result: string; risk: { level: string } };
  };
  /** Visitors on three continents within an hour, from networks that begin with `from`. */
  const copies = async (from: number) => {
    for (let i = 0; i < 6; i++) {
      await scan(`${['198.51', '203.0', '192.0'][i % 3]}.${from + i}.7`);
      stand.advance(20 * 60_000);
    }
    await stand.score();
  };
  const ofUnit = async () =>
    (await stand.call('GET', `/api/v1/risk-cases?unitId=${encodeId('unit', unit.unitId)}`)).body.data;
  const change = (body: object, id = caseId) => stand.call('PATCH', `/api/v1/risk-cases/${id}`, body);

  beforeEach(async () => {
    stand.resetClock();
    unit = await stand.mintUnit();
    await copies(10);
    const [only, ...others] = await ofUnit();
    expect(others).to.deep.equal([]);
    caseId = only.id;
  });

  it('close with a reason that belongs to the outcome', async () => {
    for (const body of [
      { status: 'dismissed' },
      { status: 'dismissed', closingReason: 'copied_code' },
      { status: 'open', closingReason: 'resold' },
      { status: 'closed' },
      {},
      { status: 'open', orgId: 'x' },
    ])
      expect((await change(body)).status, JSON.stringify(body)).to.equal(422);
    const closed = await change({ status: 'dismissed', closingReason: 'shop_display' });
    expect(closed.body).to.include({ status: 'dismissed', closingReason: 'shop_display' });
    expect(closed.body.closedAt).to.equal(stand.now().toISOString());
    const reopened = await change({ status: 'open' });
    expect([reopened.status, reopened.body.code]).to.deep.equal([409, 'INVALID_TRANSITION']);
    expect((await change({ status: 'dismissed' })).status).to.equal(200);
  });

  it('dismissed: what spoke against the unit counts no more, and new evidence opens a new case', async () => {
    stand.advance(60_000);
    expect((await scan('198.51.10.7')).result).to.equal('suspicious');
    await stand.score();
    await change({ status: 'dismissed', closingReason: 'wrong_position' });
    stand.advance(60_000);
    expect((await scan('198.51.10.7')).result).to.equal('genuine');
    await stand.score();
    const { rows } = await stand.database.pool.query(
      'select state, decision from unit_risk_profiles where unit_id = $1',
      [unit.unitId],
    );
    expect(rows).to.deep.equal([{ state: 'clear', decision: 'dismissed' }]);
    expect(await ofUnit()).to.have.length(1);
    await copies(60);
    await copies(80);
    const cases = await ofUnit();
    expect(cases.map((each: { status: string }) => each.status)).to.deep.equal(['open', 'dismissed']);
  });

  it('confirmed: every scan is suspicious, counted on the same case, and no rule takes it back', async () => {
    await change({ status: 'confirmed', closingReason: 'counterfeit_seen' });
    stand.advance(86_400_000);
    const { body: before } = await stand.call('GET', `/api/v1/risk-cases/${caseId}`);
    expect((await scan('198.51.10.7')).result).to.equal('suspicious');
    await stand.score();
    const [after, ...others] = await ofUnit();
    expect(others).to.deep.equal([]);
    expect(after).to.include({ status: 'confirmed', suspiciousScans: before.suspiciousScans + 1 });
    // A decision can be corrected.
    expect((await change({ status: 'dismissed', closingReason: 'resold' })).status).to.equal(200);
    stand.advance(60_000);
    expect((await scan('198.51.10.7')).result).to.equal('genuine');
  });

  it('are not dismissed while another of the same unit is confirmed, which goes on saying so', async () => {
    await change({ status: 'dismissed', closingReason: 'resold' });
    stand.advance(60_000);
    await copies(60);
    await copies(80);
    const [newer] = await ofUnit();
    await change({ status: 'confirmed', closingReason: 'copied_code' });
    const refused = await change({ status: 'dismissed', closingReason: 'resold' }, newer.id);
    expect([refused.status, refused.body.code]).to.deep.equal([409, 'CONFLICT']);
    expect(refused.body.detail).to.contain(caseId);
    expect((await scan('198.51.10.7')).result).to.equal('suspicious');
    // The decision itself can be corrected, and then the other one closed.
    await change({ status: 'dismissed', closingReason: 'resold' });
    expect((await change({ status: 'dismissed', closingReason: 'resold' }, newer.id)).status).to.equal(200);
  });

  it('are corrected together where several of a unit are confirmed: it has one decision', async () => {
    await change({ status: 'dismissed', closingReason: 'resold' });
    stand.advance(60_000);
    await copies(60);
    await copies(80);
    const [newer] = await ofUnit();
    for (const id of [newer.id, caseId])
      expect((await change({ status: 'confirmed', closingReason: 'copied_code' }, id)).status).to.equal(200);
    expect((await change({ status: 'dismissed', closingReason: 'resold' })).status).to.equal(200);
    expect((await ofUnit()).map((each: { status: string }) => each.status)).to.deep.equal([
      'dismissed',
      'dismissed',
    ]);
    // The log has the other's change, too.
    const { rows } = await stand.database.pool.query(
      `select before, after from audit_log where resource = $1 order by id desc limit 1`,
      [newer.id],
    );
    expect(rows[0].before).to.include({ status: 'confirmed', closingReason: 'copied_code' });
    expect(rows[0].after).to.include({ status: 'dismissed', closingReason: 'resold' });
    stand.advance(60_000);
    expect((await scan('198.51.10.7')).result).to.equal('genuine');
  });

  it('leave the next visitor the verdict, and claim nothing while they are open', async () => {
    const next = async () => {
      stand.advance(60_000);
      const response = await fetch(`${stand.origin}/v/${unit.token}`, {
        headers: { 'x-forwarded-for': '10.0.0.1' },
      });
      return (await response.json()) as { result: string; message: string };
    };
    unit = await stand.mintUnit();
    await scan('198.51.1.7');
    stand.advance(50_000);
    expect((await scan('203.0.1.7')).result).to.equal('suspicious');
    await stand.score();
    // An address without a place, about which the rules have nothing to say.
    expect(await next()).to.include({
      result: 'genuine',
      message: 'This code was issued by the brand for this product.',
    });
    const [{ id }] = await ofUnit();
    await change({ status: 'dismissed', closingReason: 'resold' }, id);
    expect((await next()).message).to.match(/nothing unusual is known about it\.$/);
  });

  it('are not closed by two people at once who do not know of each other', async () => {
    const closings = [
      { status: 'confirmed', closingReason: 'copied_code', expectedStatus: 'open' },
      { status: 'dismissed', closingReason: 'resold', expectedStatus: 'open' },
    ];
    const answers = await Promise.all(closings.map((closing) => change(closing)));
    expect(answers.map(({ status }) => status)).to.have.members([200, 409]);
    const refused = answers.find(({ status }) => status === 409)!.body;
    expect(refused.code).to.equal('INVALID_TRANSITION');
    expect(refused.detail).to.match(/^the case is "(confirmed|dismissed)" by now, not "open"/);
    const { status } = (await stand.call('GET', `/api/v1/risk-cases/${caseId}`)).body;
    expect(status).to.equal(answers.find((answer) => answer.status === 200)!.body.status);
    expect((await change({ note: 'late', expectedStatus: 'open' })).status).to.equal(409);
    expect((await change({ expectedStatus: status })).status).to.equal(422);
  });

  it('have in the log what a person changed, and not what came while that waited for the unit', async () => {
    await whileHeld(stand.database.pool, profileOf(unit.unitId), async ({ holder, waiting, release }) => {
      const noting = change({ note: 'Looks odd' });
      await waiting(1);
      await holder.query('update risk_cases set suspicious_scans = suspicious_scans + 5 where unit_id = $1', [
        unit.unitId,
      ]);
      await release();
      expect((await noting).status).to.equal(200);
    });
    const { rows } = await stand.database.pool.query(
      'select after from audit_log where resource = $1 order by id desc limit 1',
      [caseId],
    );
    expect(Object.keys(rows[0].after)).to.deep.equal(['note']);
  });

  it('tell of the first suspicion after a dismissal, cool-down or not: it is another case', async () => {
    await stand.database.pool.query(
      `insert into risk_policies (org_id, product_id, policy, alert_cooldown_minutes, updated_at) values ($1, $2, '{}', 10080, now())`,
      [stand.orgId, unit.productId],
    );
    const casesTold = async () =>
      (
        await stand.database.pool.query<{ case: string }>(
          `select data ->> 'caseId' as case from events
            where type = 'suspicious_scan.detected' and data ->> 'productUnitId' = $1 order by id`,
          [encodeId('unit', unit.unitId)],
        )
      ).rows.map((row) => row.case);
    const before = await casesTold();
    stand.advance(60_000);
    await change({ status: 'dismissed', closingReason: 'resold' });
    stand.advance(60_000);
    await copies(60);
    await copies(80);
    const [newer] = await ofUnit();
    expect(newer.id).not.to.equal(caseId);
    expect((await casesTold()).slice(before.length)).to.deep.equal([newer.id]);
  });
});
