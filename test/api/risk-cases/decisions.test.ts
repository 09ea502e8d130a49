import { expect } from 'chai';
import { encodeId } from '../../../shared/ids.ts';
import { addToConfirmedCases } from '../../../shared/risk-cases/repository.ts';
import { startCaseStand, type CaseStand } from '../../support/case-stand.ts';
import { profileOf, whileHeld } from '../../support/held-row.ts';

describe('decisions on risk cases', () => {
  let stand: CaseStand;

  before(async () => {
    stand = await startCaseStand();
  });
  after(() => stand?.close());

  beforeEach(() => stand.renew());

  const reasonsOf = async (caseId: string) =>
    (await stand.call('GET', `/api/v1/risk-cases/${caseId}`)).body.decisions.map(
      ({ closingReason }: { closingReason: string }) => closingReason,
    );

  it('close with a reason that belongs to the outcome', async () => {
    for (const [body, code] of [
      [{ status: 'dismissed' }, 'REQUIRED'],
      [{ status: 'dismissed', closingReason: 'copied_code' }, 'UNKNOWN_CHOICE'],
      [{ status: 'open', closingReason: 'resold' }, 'ONLY_WHEN_CLOSED'],
      [{ status: 'closed' }, 'UNKNOWN_CHOICE'],
      [{}, 'NOTHING_TO_CHANGE'],
      [{ status: 'open', orgId: 'x' }, 'UNKNOWN_FIELD'],
    ] as const) {
      const refused = await stand.change(body);
      expect([refused.status, refused.body.errors?.[0].code], JSON.stringify(body)).to.deep.equal([
        422,
        code,
      ]);
    }
    const closed = await stand.change({ status: 'dismissed', closingReason: 'shop_display' });
    expect(closed.body).to.include({ status: 'dismissed', closingReason: 'shop_display' });
    expect(closed.body.closedAt).to.equal(stand.now().toISOString());
    const reopened = await stand.change({ status: 'open' });
    expect([reopened.status, reopened.body.code]).to.deep.equal([409, 'INVALID_TRANSITION']);
    stand.advance(60_000);
    const again = await stand.change({ status: 'dismissed' });
    expect(again.status).to.equal(200);
    expect(again.body).to.include({ closingReason: 'shop_display', closedAt: closed.body.closedAt });
    // Another reason is a decision of its own, and the same one again is none.
    const corrected = await stand.change({ status: 'dismissed', closingReason: 'resold' });
    expect(corrected.body.closedAt).to.equal(closed.body.closedAt);
    expect(await reasonsOf(stand.caseId)).to.deep.equal(['shop_display', 'resold']);
  });

  it('are kept with who made them, the one in force last', async () => {
    const made = [
      { status: 'confirmed', closingReason: 'counterfeit_seen' },
      { status: 'confirmed', closingReason: 'copied_code' },
      { status: 'dismissed', closingReason: 'resold' },
    ];
    for (const decision of made) {
      stand.advance(60_000);
      await stand.change(decision);
    }
    const { decisions } = (await stand.call('GET', `/api/v1/risk-cases/${stand.caseId}`)).body;
    expect(decisions).to.have.length(3);
    for (const [index, { status, closingReason }] of made.entries())
      expect(decisions[index]).to.include({ decision: status, closingReason });
    for (const { author } of decisions) expect(author).to.match(/^key_/);
    expect(decisions[2].at).to.equal(stand.now().toISOString());
  });

  it('dismissed: what spoke against the unit counts no more, and new evidence opens a new case', async () => {
    stand.advance(60_000);
    expect((await stand.scan('198.51.10.7')).result).to.equal('suspicious');
    await stand.score();
    await stand.change({ status: 'dismissed', closingReason: 'wrong_position' });
    stand.advance(60_000);
    expect((await stand.scan('198.51.10.7')).result).to.equal('genuine');
    await stand.score();
    const { rows } = await stand.database.pool.query(
      'select state, decision from unit_risk_profiles where unit_id = $1',
      [stand.unit.unitId],
    );
    expect(rows).to.deep.equal([{ state: 'clear', decision: 'dismissed' }]);
    expect(await stand.cases()).to.have.length(1);
    await stand.copies(60);
    await stand.copies(80);
    const cases = await stand.cases();
    expect(cases.map((each: { status: string }) => each.status)).to.deep.equal(['open', 'dismissed']);
  });

  it('confirmed: every scan is suspicious, counted on the same case, and no rule takes it back', async () => {
    await stand.change({ status: 'confirmed', closingReason: 'counterfeit_seen' });
    stand.advance(86_400_000);
    const { body: before } = await stand.call('GET', `/api/v1/risk-cases/${stand.caseId}`);
    expect((await stand.scan('198.51.10.7')).result).to.equal('suspicious');
    await stand.score();
    const [after, ...others] = await stand.cases();
    expect(others).to.deep.equal([]);
    expect(after).to.include({ status: 'confirmed', suspiciousScans: before.suspiciousScans + 1 });
    // A decision can be corrected.
    expect((await stand.change({ status: 'dismissed', closingReason: 'resold' })).status).to.equal(200);
    stand.advance(60_000);
    expect((await stand.scan('198.51.10.7')).result).to.equal('genuine');
  });

  it('confirmed: begin with the earliest suspicious scan, however late that is scored', async () => {
    const confirmed = await stand.change({ status: 'confirmed', closingReason: 'counterfeit_seen' });
    const { db, unit } = { db: stand.database.pool, unit: stand.unit };
    const { rows } = await db.query(
      'select org_id, batch_id, first_scan_id, last_scan_id from risk_cases where unit_id = $1',
      [unit.unitId],
    );
    const earlier = '01900000-0000-7000-8000-000000000000';
    const [{ org_id: orgId, batch_id: batchId }] = rows;
    const late = {
      ...unit,
      orgId,
      batchId,
      maxScore: 1,
      signals: [],
      scans: 1,
      firstScanId: earlier,
      lastScanId: earlier,
    };
    await addToConfirmedCases(db, [late], stand.now());
    const { body } = await stand.call('GET', `/api/v1/risk-cases/${stand.caseId}`);
    expect(rows[0].first_scan_id > earlier).to.equal(true);
    expect(body).to.include({
      firstScanId: encodeId('scan', earlier),
      lastScanId: encodeId('scan', rows[0].last_scan_id),
      maxScore: confirmed.body.maxScore,
    });
  });

  it('are not dismissed while another of the same unit is confirmed, which goes on saying so', async () => {
    await stand.change({ status: 'dismissed', closingReason: 'resold' });
    stand.advance(60_000);
    await stand.copies(60);
    await stand.copies(80);
    const [newer] = await stand.cases();
    await stand.change({ status: 'confirmed', closingReason: 'copied_code' });
    const refused = await stand.change({ status: 'dismissed', closingReason: 'resold' }, newer.id);
    expect([refused.status, refused.body.code]).to.deep.equal([409, 'CONFLICT']);
    expect(refused.body.detail).to.contain(stand.caseId);
    expect((await stand.scan('198.51.10.7')).result).to.equal('suspicious');
    // The decision itself can be corrected, and then the other one closed.
    await stand.change({ status: 'dismissed', closingReason: 'resold' });
    expect((await stand.change({ status: 'dismissed', closingReason: 'resold' }, newer.id)).status).to.equal(
      200,
    );
  });

  it('are corrected together where several of a unit are confirmed: it has one decision', async () => {
    await stand.change({ status: 'dismissed', closingReason: 'resold' });
    stand.advance(60_000);
    await stand.copies(60);
    await stand.copies(80);
    const [newer] = await stand.cases();
    for (const id of [newer.id, stand.caseId])
      expect((await stand.change({ status: 'confirmed', closingReason: 'copied_code' }, id)).status).to.equal(
        200,
      );
    const counted = async () =>
      (await stand.cases()).map((each: { suspiciousScans: number }) => each.suspiciousScans);
    const [before, older] = await counted();
    await stand.copies(100);
    const [after, same] = await counted();
    // Only the newest of them gathers what comes.
    expect([after! > before!, same]).to.deep.equal([true, older]);
    expect((await stand.change({ status: 'dismissed', closingReason: 'resold' })).status).to.equal(200);
    const at = stand.now().toISOString();
    for (const each of await stand.cases())
      expect(each).to.include({ status: 'dismissed', closedAt: at, updatedAt: at });
    expect(await reasonsOf(newer.id)).to.deep.equal(['copied_code', 'resold']);
    expect(await reasonsOf(stand.caseId)).to.deep.equal(['resold', 'copied_code', 'resold']);
    // The log has the other's change, too.
    const { rows } = await stand.database.pool.query(
      `select before, after from audit_log where resource = $1 order by id desc limit 1`,
      [newer.id],
    );
    expect(rows[0].before).to.include({ status: 'confirmed', closingReason: 'copied_code' });
    expect(rows[0].after).to.include({ status: 'dismissed', closingReason: 'resold' });
    stand.advance(60_000);
    expect((await stand.scan('198.51.10.7')).result).to.equal('genuine');
  });

  it('leave the next visitor the verdict, and claim nothing while they are open', async () => {
    const next = async () => {
      stand.advance(60_000);
      const response = await fetch(`${stand.origin}/v/${stand.unit.token}`, {
        headers: { 'x-forwarded-for': '10.0.0.1' },
      });
      return (await response.json()) as { result: string; message: string };
    };
    stand.unit = await stand.mintUnit();
    await stand.scan('198.51.1.7');
    stand.advance(50_000);
    expect((await stand.scan('203.0.1.7')).result).to.equal('suspicious');
    await stand.score();
    // An address without a place, about which the rules have nothing to say.
    expect(await next()).to.include({
      result: 'genuine',
      message: 'This code was issued by the brand for this product.',
    });
    const [{ id }] = await stand.cases();
    await stand.change({ status: 'dismissed', closingReason: 'resold' }, id);
    expect((await next()).message).to.match(/nothing unusual is known about it\.$/);
  });

  it('are not closed by two people at once who do not know of each other', async () => {
    const closings = [
      { status: 'confirmed', closingReason: 'copied_code', expectedStatus: 'open' },
      { status: 'dismissed', closingReason: 'resold', expectedStatus: 'open' },
    ];
    const answers = await Promise.all(closings.map((closing) => stand.change(closing)));
    expect(answers.map(({ status }) => status)).to.have.members([200, 409]);
    const refused = answers.find(({ status }) => status === 409)!.body;
    expect(refused.code).to.equal('CONFLICT');
    expect(refused.errors).to.have.length(1);
    expect(refused.errors[0]).to.include({ path: 'status', code: 'CHANGED_MEANWHILE' });
    expect(refused.detail).to.match(/^the case is "(confirmed|dismissed)" by now, not "open"/);
    const { status } = (await stand.call('GET', `/api/v1/risk-cases/${stand.caseId}`)).body;
    expect(status).to.equal(answers.find((answer) => answer.status === 200)!.body.status);
    expect((await stand.change({ note: 'late', expectedStatus: 'open' })).status).to.equal(409);
    expect((await stand.change({ expectedStatus: status })).status).to.equal(422);
  });

  it('have in the log what a person changed, and not what came while that waited for the unit', async () => {
    await whileHeld(
      stand.database.pool,
      profileOf(stand.unit.unitId),
      async ({ holder, waiting, release }) => {
        const noting = stand.change({ note: 'Looks odd' });
        await waiting(1);
        await holder.query(
          'update risk_cases set suspicious_scans = suspicious_scans + 5 where unit_id = $1',
          [stand.unit.unitId],
        );
        await release();
        expect((await noting).status).to.equal(200);
      },
    );
    const { rows } = await stand.database.pool.query(
      'select after from audit_log where resource = $1 order by id desc limit 1',
      [stand.caseId],
    );
    expect(Object.keys(rows[0].after)).to.deep.equal(['note']);
  });

  it('tell of the first suspicion after a dismissal, cool-down or not: it is another case', async () => {
    await stand.database.pool.query(
      `insert into risk_policies (org_id, product_id, policy, alert_cooldown_minutes, updated_at) values ($1, $2, '{}', 10080, now())`,
      [stand.orgId, stand.unit.productId],
    );
    const casesTold = async () =>
      (
        await stand.database.pool.query<{ case: string }>(
          `select data ->> 'caseId' as case from events
            where type = 'suspicious_scan.detected' and data ->> 'productUnitId' = $1 order by id`,
          [encodeId('unit', stand.unit.unitId)],
        )
      ).rows.map((row) => row.case);
    const before = await casesTold();
    stand.advance(60_000);
    await stand.change({ status: 'dismissed', closingReason: 'resold' });
    stand.advance(60_000);
    await stand.copies(60);
    await stand.copies(80);
    const [newer] = await stand.cases();
    expect(newer.id).not.to.equal(stand.caseId);
    expect((await casesTold()).slice(before.length)).to.deep.equal([newer.id]);
  });
});
