import { expect } from 'chai';
import { encodeId, newUuid } from '../../../shared/ids.ts';
import { profileOf, whileHeld } from '../../support/held-row.ts';
import { startStand, type MintedUnit, type Stand } from '../../support/verification-stand.ts';

const USUAL = /nothing unusual is known/;
const BERLIN = '198.51.100.7';
const TOKYO = '203.0.113.7';

describe('cases that people open', () => {
  let stand: Stand;
  let unit: MintedUnit;
  let productUnitId: string;

  before(async () => {
    stand = await startStand();
  });
  after(() => stand?.close());
  beforeEach(async () => {
    stand.resetClock();
    take(await stand.mintUnit());
  });

  const take = (minted: MintedUnit) => {
    unit = minted;
    productUnitId = encodeId('unit', unit.unitId);
  };
  const open = (body: object = {}, key?: string) =>
    stand.call('POST', '/api/v1/risk-cases', { productUnitId, ...body }, key);
  const close = (id: string, status: 'confirmed' | 'dismissed') =>
    stand.call('PATCH', `/api/v1/risk-cases/${id}`, {
      status,
      closingReason: status === 'confirmed' ? 'counterfeit_seen' : 'other_harmless',
    });
  const scan = async (ip: string, code = unit.token) => {
    stand.advance(3 * 86_400_000);
    const response = await fetch(`${stand.origin}/v/${code}`, { headers: { 'x-forwarded-for': ip } });
    const { scanId, ...said } = (await response.json()) as any;
    await stand.score();
    const { body } = await stand.call('GET', `/api/v1/scans/${scanId}`);
    return { said, kept: body as { result: string; risk: { score: number; signals: { type: string }[] } } };
  };
  /** Visitors on three continents within two hours. */
  const copies = async () => {
    for (const ip of [BERLIN, TOKYO, '192.0.2.7', '198.51.3.7', '203.0.4.7', '192.0.5.7']) {
      stand.advance(20 * 60_000);
      await fetch(`${stand.origin}/v/${unit.token}`, { headers: { 'x-forwarded-for': ip } });
    }
    await stand.score();
  };
  const risk = async () => (await stand.call('GET', `/api/v1/product-units/${productUnitId}`)).body.risk;

  it('put a unit under suspicion that nobody has scanned, and make no scan suspicious', async () => {
    const { status, body } = await open({ note: 'Seized at the border with forty others' });
    expect(status).to.equal(201);
    expect(body).to.deep.include({
      productUnitId,
      status: 'open',
      suspiciousScans: 0,
      maxScore: 0,
      signals: [],
      firstScanId: null,
      lastScanId: null,
      reportId: null,
      evidence: [],
    });
    expect(body.openedBy).to.match(/^key_/);
    expect(body.notes).to.have.length(1);
    expect(body.notes[0]).to.include({
      author: body.openedBy,
      text: 'Seized at the border with forty others',
    });
    expect(await risk()).to.equal('suspect');
    const { said, kept } = await scan(BERLIN);
    expect(said.result).to.equal('genuine');
    expect(said.scan).to.include({ count: 1, firstScannedAt: stand.now().toISOString() });
    expect(said.message).not.to.match(USUAL);
    expect(kept).to.include({ result: 'genuine' });
    expect(kept.risk.score).to.equal(0);
  });

  it('say nothing of a unit’s usual words before, and all of them again once it is dismissed', async () => {
    expect((await scan(BERLIN)).said.message).to.match(USUAL);
    const { body } = await open();
    expect((await scan(BERLIN)).said.message).not.to.match(USUAL);
    expect((await close(body.id, 'dismissed')).status).to.equal(200);
    expect(await risk()).to.equal('clear');
    expect((await scan(BERLIN)).said.message).to.match(USUAL);
  });

  it('keep a scan abroad from being a diversion, until they are dismissed', async () => {
    const ofAnother = await stand.mintUnit({ markets: ['DE'] });
    expect((await scan(TOKYO, ofAnother.token)).kept.result).to.equal('diverted');
    take(await stand.mintUnit({ markets: ['DE'] }));
    const { body } = await open();
    expect((await scan(TOKYO)).kept.result).to.equal('genuine');
    await close(body.id, 'dismissed');
    expect((await scan('203.0.114.7')).kept.result).to.equal('diverted');
  });

  it('begin when they were opened first, whatever more is learned before a scan is scored', async () => {
    take(await stand.mintUnit({ markets: ['DE'] }));
    await open();
    stand.advance(60_000);
    await fetch(`${stand.origin}/v/${unit.token}`, { headers: { 'x-forwarded-for': TOKYO } });
    stand.advance(60_000);
    await open({ note: 'Another one was seen' });
    await stand.score();
    const { data } = (await stand.call('GET', `/api/v1/scans?unitId=${productUnitId}`)).body;
    expect(data.map(({ result }: { result: string }) => result)).to.deep.equal(['genuine']);
  });

  it('are later than a dismissal for which they waited', async () => {
    take(await stand.mintUnit({ markets: ['DE'] }));
    const { body: first } = await open();
    await whileHeld(stand.database.pool, profileOf(unit.unitId), async ({ waiting, release }) => {
      stand.advance(1000);
      const closing = close(first.id, 'dismissed');
      await waiting(1);
      const opening = open();
      await waiting(2);
      stand.advance(1000);
      await release();
      expect((await closing).status).to.equal(200);
      const { body: second } = await opening;
      expect(second.id).not.to.equal(first.id);
    });
    expect(await risk()).to.equal('suspect');
    expect((await scan(TOKYO)).kept.result).to.equal('genuine');
  });

  it('go on where another one of the unit is corrected', async () => {
    const { body: first } = await open();
    await close(first.id, 'dismissed');
    stand.advance(60_000);
    const { body: second } = await open();
    await close(first.id, 'confirmed');
    expect(await risk()).to.equal('confirmed');
    await close(first.id, 'dismissed');
    expect(await risk()).to.equal('suspect');
    expect((await scan(BERLIN)).said.message).not.to.match(USUAL);
    await close(second.id, 'dismissed');
    expect(await risk()).to.equal('clear');
  });

  it('wait before all others for somebody, until scans say how bad it is', async () => {
    await copies();
    take(await stand.mintUnit());
    const { body } = await open();
    const { cases } = (await stand.call('GET', '/api/v1/attention')).body;
    expect(cases.top[0]).to.include({ productUnitId, id: body.id, openedBy: body.openedBy, reportId: null });
    await stand.call('PATCH', `/api/v1/risk-cases/${body.id}`, { status: 'investigating' });
    const { top } = (await stand.call('GET', '/api/v1/attention')).body.cases;
    expect(top[0].id, 'once it is in hand').not.to.equal(body.id);
  });

  it('make every scan suspicious once they are confirmed', async () => {
    const { body } = await open();
    const { status, body: confirmed } = await close(body.id, 'confirmed');
    expect([status, confirmed.status, confirmed.evidence]).to.deep.equal([200, 'confirmed', []]);
    const { said, kept } = await scan(BERLIN);
    expect(kept.result).to.equal('suspicious');
    // Nobody had scanned it: there is nothing to say of how it was.
    expect(said.message)
      .to.match(/which has found that it is being misused/)
      .and.not.to.match(/scanned/);
    const { body: after } = await stand.call('GET', `/api/v1/risk-cases/${body.id}`);
    expect(after).to.include({ suspiciousScans: 1, maxScore: 100 });
    expect(after.firstScanId)
      .to.equal(after.lastScanId)
      .and.match(/^scan_/);
  });

  it('gather the suspicious scans that come afterwards, with their evidence', async () => {
    const { body } = await open({ note: 'Seen in a shop' });
    await copies();
    const { body: after } = await stand.call('GET', `/api/v1/risk-cases/${body.id}`);
    expect(after.suspiciousScans).to.be.above(0);
    expect(after.signals).to.include('clone');
    expect(after.evidence.map(({ type }: { type: string }) => type)).to.have.members(after.signals);
    expect(after).to.include({ openedBy: body.openedBy, openedAt: body.openedAt });
  });

  it('are the one that is open, with the note in it, where there is one', async () => {
    await copies();
    const { data } = (await stand.call('GET', `/api/v1/risk-cases?unitId=${productUnitId}`)).body;
    const other = newUuid();
    await stand.database.pool.query(
      `insert into users (id, org_id, email, password_digest, role) values ($1, $2, $3, 'x', 'analyst')`,
      [other, stand.orgId, `${other}@example.com`],
    );
    const { status, body } = await open({
      note: 'A fake of it was brought to us',
      assigneeId: encodeId('user', other),
    });
    expect(status).to.equal(201);
    expect(body.assigneeId, 'whose it is').to.equal(null);
    expect(body).to.deep.include({
      id: data[0].id,
      openedBy: null,
      suspiciousScans: data[0].suspiciousScans,
    });
    expect(body.notes[0].text).to.equal('A fake of it was brought to us');
  });

  it('are opened once in the audit log, and get a note there where somebody opens them again', async () => {
    const { body: opened } = await open();
    await open({ note: 'Another one was seen', assigneeId: null });
    const { rows } = await stand.database.pool.query(
      'select action, before, after from audit_log where resource = $1 order by id',
      [opened.id],
    );
    const [first, second, ...others] = rows;
    expect(others).to.deep.equal([]);
    expect(first).to.deep.include({ action: 'openRiskCase', before: null });
    expect(second).to.deep.include({ action: 'changeRiskCase', before: {} });
    expect(second.after.note).to.include({ author: opened.openedBy, characters: 20 });
    expect(Object.keys(second.after)).to.deep.equal(['note']);
  });

  it('are one where two people open them at once', async () => {
    const both = await Promise.all([open({ note: 'one' }), open({ note: 'two' }), open()]);
    expect(both.map(({ status }) => status)).to.deep.equal([201, 201, 201]);
    expect(new Set(both.map(({ body }) => body.id)).size).to.equal(1);
    const { body } = await stand.call('GET', `/api/v1/risk-cases/${both[0]!.body.id}`);
    expect(body.notes.map(({ text }: { text: string }) => text)).to.have.members(['one', 'two']);
  });

  it('wait for the scoring of the unit, and are not passed by it', async () => {
    await scan(BERLIN);
    await whileHeld(stand.database.pool, profileOf(unit.unitId), async ({ waiting, release }) => {
      const opening = open();
      await waiting(1);
      await release();
      expect((await opening).status).to.equal(201);
    });
    expect(await risk()).to.equal('suspect');
  });

  it('are refused beside a confirmed one, and change nothing', async () => {
    const { body } = await open();
    await close(body.id, 'confirmed');
    const again = await open({ note: 'Again' });
    expect([again.status, again.body.code]).to.deep.equal([409, 'CONFLICT']);
    expect(again.body.detail).to.include(body.id);
    const { data } = (await stand.call('GET', `/api/v1/risk-cases?unitId=${productUnitId}`)).body;
    expect(data).to.have.length(1);
    expect(await risk()).to.equal('confirmed');
  });

  it('are refused for units and people that are not one’s own', async () => {
    const stranger = encodeId('unit', newUuid());
    const of = async (body: object) => {
      const { status, body: problem } = await open(body);
      return [status, ...problem.errors.map((each: any) => `${each.path}: ${each.code}`)];
    };
    expect(await of({ productUnitId: stranger })).to.deep.equal([422, 'productUnitId: NO_SUCH_UNIT']);
    expect(await of({ assigneeId: encodeId('user', newUuid()) })).to.deep.equal([
      422,
      'assigneeId: NO_SUCH_USER',
    ]);
    expect(await of({ productUnitId: 'unit_x' })).to.deep.equal([422, 'productUnitId: NOT_AN_ID']);
    expect(await risk()).to.equal('clear');
    const reader = await stand.createKey('scans.read');
    expect((await open({}, reader)).status).to.equal(403);
  });

  it('are the same answer to a request that is sent again with its key', async () => {
    const send = () =>
      fetch(`${stand.origin}/api/v1/risk-cases`, {
        method: 'POST',
        headers: {
          'x-api-key': stand.apiKey,
          'content-type': 'application/json',
          'idempotency-key': unit.unitId,
        },
        body: JSON.stringify({ productUnitId, note: 'Once' }),
      }).then((response) => response.json() as Promise<any>);
    const [first, second] = [await send(), await send()];
    expect(second).to.deep.equal(first);
    const { body } = await stand.call('GET', `/api/v1/risk-cases/${first.id}`);
    expect(body.notes).to.have.length(1);
  });

  it('stand in the unit’s life with who opened them', async () => {
    const { body } = await open();
    const { data } = (await stand.call('GET', `/api/v1/product-units/${productUnitId}/timeline`)).body;
    expect(data.find(({ type }: { type: string }) => type === 'flagged')).to.deep.include({
      caseId: body.id,
      signals: [],
      firstScanId: null,
      openedBy: body.openedBy,
    });
  });

  describe('by confirming a report', () => {
    let reports = 0;
    const report = async () => {
      const response = await fetch(`${stand.origin}/v/${unit.token}/reports`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `192.0.3.${(reports += 1)}` },
        body: JSON.stringify({ description: `The print is blurred ${reports}` }),
      });
      return ((await response.json()) as { reportId: string }).reportId;
    };
    const settle = (id: string, resolution: string, status = 'confirmed') =>
      stand.call('PATCH', `/api/v1/counterfeit-reports/${id}`, { status, resolution });
    const cases = async () =>
      (await stand.call('GET', `/api/v1/risk-cases?unitId=${productUnitId}`)).body.data;

    it('as a counterfeit name it, are in the audit log, and take the page’s usual words', async () => {
      expect((await scan(BERLIN)).said.message).to.match(USUAL);
      const id = await report();
      const { status, body } = await settle(id, 'counterfeit');
      expect(status).to.equal(200);
      const [opened, ...others] = await cases();
      expect(others).to.deep.equal([]);
      expect(opened).to.include({ reportId: id, status: 'open', suspiciousScans: 0, firstScanId: null });
      expect(body.riskCases.map((each: { id: string }) => each.id)).to.deep.equal([opened.id]);
      const { rows } = await stand.database.pool.query<{ action: string; actor_id: string }>(
        'select action, actor_id from audit_log where resource = $1',
        [opened.id],
      );
      expect(rows).to.deep.equal([{ action: 'openRiskCase', actor_id: opened.openedBy }]);
      expect((await scan(BERLIN)).said.message).not.to.match(USUAL);
    });

    it('name it also where somebody opens them from there, and no report of another unit', async () => {
      const id = await report();
      expect((await open({ reportId: id })).body).to.include({ reportId: id });
      const another = await stand.mintUnit();
      const { status, body } = await open({ productUnitId: encodeId('unit', another.unitId), reportId: id });
      expect([status, body.errors[0].code]).to.deep.equal([422, 'NO_SUCH_REPORT']);
      const { data } = (await stand.call('GET', `/api/v1/product-units/${productUnitId}/timeline`)).body;
      expect(data.find(({ type }: { type: string }) => type === 'flagged')).to.include({ reportId: id });
    });

    it('do not wait for each other with one that a colleague opens from the report', async () => {
      const id = await report();
      await open({ note: 'So that there is a profile' }).then(({ body }) => close(body.id, 'dismissed'));
      stand.advance(60_000);
      await whileHeld(stand.database.pool, profileOf(unit.unitId), async ({ waiting, release }) => {
        const opening = open({ reportId: id });
        await waiting(1);
        const confirming = settle(id, 'counterfeit');
        await waiting(2);
        await release();
        expect([(await opening).status, (await confirming).status]).to.deep.equal([201, 200]);
      });
      expect((await cases()).map(({ status }: { status: string }) => status)).to.deep.equal([
        'open',
        'dismissed',
      ]);
    });

    it('open none for other reasons, and none for a second report', async () => {
      for (const resolution of ['tampered', 'grey_market', 'stolen'])
        await settle(await report(), resolution);
      await settle(await report(), 'duplicate', 'dismissed');
      expect(await cases()).to.deep.equal([]);
      expect(await risk()).to.equal('clear');
      const first = await report();
      await settle(first, 'counterfeit');
      await settle(await report(), 'counterfeit');
      expect((await cases()).map(({ reportId }: { reportId: string }) => reportId)).to.deep.equal([first]);
    });

    it('stay when the report is dismissed after all: a person decides them', async () => {
      const id = await report();
      await settle(id, 'counterfeit');
      await settle(id, 'genuine', 'dismissed');
      expect((await cases()).map(({ status }: { status: string }) => status)).to.deep.equal(['open']);
      expect(await risk()).to.equal('suspect');
    });

    it('leave a confirmed unit as it is', async () => {
      await close((await open()).body.id, 'confirmed');
      expect((await settle(await report(), 'counterfeit')).status).to.equal(200);
      expect(await cases()).to.have.length(1);
      expect(await risk()).to.equal('confirmed');
    });

    it('open a new one after a dismissal', async () => {
      await close((await open()).body.id, 'dismissed');
      stand.advance(60_000);
      await settle(await report(), 'counterfeit');
      expect((await cases()).map(({ status }: { status: string }) => status)).to.deep.equal([
        'open',
        'dismissed',
      ]);
      expect(await risk()).to.equal('suspect');
    });
  });
});
