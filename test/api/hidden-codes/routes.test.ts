import { expect } from 'chai';
import { encodeId } from '../../../shared/ids.ts';
import { newCookie, startStand, type MintedUnit, type Stand } from '../../support/verification-stand.ts';

const DAY = 86_400_000;
const BERLIN = '198.51.100.7';
const [TOKYO, OSAKA, KOBE] = ['203.0.113.5', '203.0.1.5', '203.0.2.5'];

describe('a hidden code', () => {
  let stand: Stand;
  let unit: MintedUnit;

  before(async () => {
    stand = await startStand();
  });
  after(() => stand?.close());
  beforeEach(async () => {
    stand.resetClock();
    unit = await stand.mintUnit({ hiddenCode: true });
  });

  const post = async (
    hiddenCode: unknown,
    { ip = BERLIN, path = `/v/${unit.token}/hidden-code`, headers = {} as Record<string, string> } = {},
  ) => {
    const response = await fetch(stand.origin + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': ip, ...headers },
      body: JSON.stringify({ hiddenCode }),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as any };
  };
  const enter = async (ip: string, of = unit) =>
    (await post(of.hiddenCode, { ip, path: `/v/${of.token}/hidden-code` })).body;
  const verify = async (ip = BERLIN, of = unit) =>
    (
      await fetch(`${stand.origin}/v/${of.token}`, { headers: { 'x-forwarded-for': ip } })
    ).json() as Promise<any>;
  const entries = async () =>
    (
      await stand.database.pool.query(
        'select is_right, wrong_attempts from hidden_code_entries where unit_id = $1 order by scan_id',
        [unit.unitId],
      )
    ).rows;
  const scanCount = async () =>
    (
      await stand.database.pool.query('select count(*)::int as n from scans where unit_id = $1', [
        unit.unitId,
      ])
    ).rows[0].n;

  it('is asked for by the verification of a unit whose package has one, and of no other', async () => {
    expect((await verify()).hasHiddenCode).to.equal(true);
    expect((await verify(BERLIN, await stand.mintUnit())).hasHiddenCode).to.equal(false);
    const unknown = await fetch(`${stand.origin}/v/NOSUCHCODE`);
    expect(((await unknown.json()) as any).hasHiddenCode).to.equal(false);
  });

  it('is correct, and nobody’s before: the scan with which it was entered is one as any other', async () => {
    const { status, headers, body } = await post(unit.hiddenCode);
    expect(status).to.equal(200);
    expect(headers.get('cache-control')).to.equal('no-store');
    expect(body).to.deep.include({
      outcome: 'first',
      visitors: 1,
      firstEnteredAt: stand.now().toISOString(),
      message: 'The hidden code is correct, and nobody else has entered it before.',
    });
    expect(await scanCount()).to.equal(1);
    const { body: scan } = await stand.call('GET', `/api/v1/scans/${body.scanId}`);
    expect(scan).to.include({ productUnitId: encodeId('unit', unit.unitId), result: 'genuine' });
    expect(await entries()).to.deep.equal([{ is_right: true, wrong_attempts: 0 }]);
  });

  it('stays the first visitor’s, however often, also once somebody else has entered it', async () => {
    const firstAt = stand.now().toISOString();
    await enter(BERLIN);
    stand.advance(DAY);
    expect(await enter(BERLIN)).to.include({ outcome: 'first', firstEnteredAt: firstAt, visitors: 1 });
    stand.advance(DAY);
    expect(await enter(TOKYO)).to.include({ outcome: 'repeated', firstEnteredAt: firstAt, visitors: 2 });
    stand.advance(DAY);
    expect(await enter(BERLIN)).to.include({ outcome: 'first', firstEnteredAt: firstAt, visitors: 2 });
    expect(await enter(TOKYO)).to.include({ outcome: 'repeated' });
  });

  it('is nobody’s discovery twice: of two who enter it at once one is first', async () => {
    for (let round = 0; round < 5; round += 1) {
      const fresh = await stand.mintUnit({ hiddenCode: true });
      const told = await Promise.all([BERLIN, TOKYO].map((ip) => enter(ip, fresh)));
      expect(new Set(told.map(({ outcome }) => outcome))).to.deep.equal(new Set(['first', 'repeated']));
    }
  });

  it('that is wrong is told as wrong, with no word of who entered the right one', async () => {
    await enter(TOKYO);
    const { status, body } = await post('0000-0000');
    expect(status).to.equal(200);
    expect(body).to.deep.include({ outcome: 'wrong', firstEnteredAt: null, visitors: 0 });
    expect(await enter(BERLIN)).to.include({ outcome: 'repeated', visitors: 2 });
    const other = await stand.mintUnit({ hiddenCode: true });
    expect((await post(other.hiddenCode)).body.outcome).to.equal('wrong');
  });

  it('that is wrong is told while the unit is being scored, and holds that up for nobody', async () => {
    const headers = { cookie: newCookie() };
    await fetch(`${stand.origin}/v/${unit.token}`, { headers: { ...headers, 'x-forwarded-for': BERLIN } });
    const scoring = await stand.database.pool.connect();
    try {
      await scoring.query('begin');
      await scoring.query('select 1 from unit_risk_profiles where unit_id = $1 for update', [unit.unitId]);
      expect((await post('0000-0000', { headers })).body.outcome).to.equal('wrong');
    } finally {
      await scoring.query('rollback');
      scoring.release();
    }
    expect((await post(unit.hiddenCode, { headers })).body.outcome).to.equal('first');
    expect(await entries()).to.deep.equal([{ is_right: true, wrong_attempts: 1 }]);
  });

  it('makes no copy of a unit, however many strangers guess', async () => {
    for (let n = 0; n < 6; n += 1) await post(`0000-000${n}`, { ip: `203.0.${n}.9` });
    await stand.score();
    expect(await verify()).to.deep.include({ result: 'genuine' });
    expect(
      (await stand.call('GET', '/api/v1/risk-cases')).body.data.filter(
        (each: any) => each.productUnitId === encodeId('unit', unit.unitId),
      ),
    ).to.deep.equal([]);
  });

  describe('that visitor after visitor enters', () => {
    const reuse = async () => {
      await verify();
      for (const ip of [BERLIN, TOKYO, '203.0.9.5']) {
        await enter(ip);
        stand.advance(3 * DAY);
      }
      await stand.score();
    };
    const cases = async () =>
      (await stand.call('GET', `/api/v1/risk-cases?unitId=${encodeId('unit', unit.unitId)}`)).body.data;

    const reusedAt = async (): Promise<Date | null> =>
      (
        await stand.database.pool.query(
          'select hidden_code_reused_at from unit_risk_profiles where unit_id = $1',
          [unit.unitId],
        )
      ).rows[0].hidden_code_reused_at;

    it('is on more packages than one from the fourth on: that scan is suspicious, with a case, and those that come later', async () => {
      await reuse();
      expect(await verify()).to.include({ result: 'genuine' });
      expect(await cases()).to.deep.equal([]);
      await stand.score();
      const { scanId } = await enter(OSAKA);
      await stand.score();
      const { body: scan } = await stand.call('GET', `/api/v1/scans/${scanId}`);
      expect(scan).to.include({ result: 'suspicious', assessment: 'final' });
      expect(scan.risk.signals[0]).to.include({ type: 'clone', reason: 'hidden-code' });
      expect((await cases()).map((each: any) => each.status)).to.deep.equal(['open']);
      const told = await verify('192.0.2.9');
      expect(told.result).to.equal('suspicious');
      expect(told.risk.signals.map((signal: any) => signal.reason)).to.include('hidden-code');
      const { rows } = await stand.database.pool.query(
        `select count(*)::int as n from events where type = 'suspicious_scan.detected' and data->>'scanId' = $1`,
        [scanId],
      );
      expect(rows[0].n).to.equal(1);
    });

    it('leaves the scans before as they were judged', async () => {
      const before = await verify();
      await reuse();
      await enter(OSAKA);
      await stand.score();
      const { body: scan } = await stand.call('GET', `/api/v1/scans/${before.scanId}`);
      expect(scan.risk.signals).to.deep.equal([]);
    });

    it('is forgiven where a person finds no copy, until as many have entered it again', async () => {
      await reuse();
      await enter(OSAKA);
      await stand.score();
      const [open] = await cases();
      stand.advance(DAY);
      const dismissed = { status: 'dismissed', closingReason: 'shop_display' };
      expect((await stand.call('PATCH', `/api/v1/risk-cases/${open.id}`, dismissed)).status).to.equal(200);
      stand.advance(DAY);
      for (const ip of [KOBE, BERLIN, TOKYO]) {
        for (let time = 0; time < 2; time += 1)
          expect(await enter(ip)).to.include({ outcome: ip === BERLIN ? 'first' : 'repeated' });
        await stand.score();
        expect(await verify(ip)).to.include({ result: 'genuine' });
        stand.advance(3 * DAY);
      }
      await enter('203.0.7.5');
      await stand.score();
      expect((await cases()).map((each: any) => each.status)).to.deep.equal(['open', 'dismissed']);
      const again = await reusedAt();
      stand.advance(DAY);
      await enter(OSAKA);
      expect(await reusedAt()).to.deep.equal(again);
    });

    it('is so from as many on as the organization says, or for its product', async () => {
      await enter(BERLIN);
      stand.advance(3 * DAY);
      const product = encodeId('prod', unit.productId);
      const put = (clone: object, query = '') =>
        stand.call('PUT', `/api/v1/risk-policies${query}`, { policy: { clone } });
      expect((await put({ hiddenCodeVisitors: 3 })).status).to.equal(200);
      expect((await put({ hiddenCodeVisitors: 2 }, `?productId=${product}`)).status).to.equal(200);
      try {
        const { scanId } = await enter(TOKYO);
        await stand.score();
        expect((await stand.call('GET', `/api/v1/scans/${scanId}`)).body.result).to.equal('suspicious');
        unit = await stand.mintUnit({ hiddenCode: true });
        for (const ip of [BERLIN, TOKYO]) {
          await enter(ip);
          stand.advance(3 * DAY);
        }
        await stand.score();
        expect(await cases()).to.deep.equal([]);
        await enter(OSAKA);
        await stand.score();
        expect(await cases()).to.have.length(1);
      } finally {
        await put({});
      }
      expect((await put({ hiddenCodeVisitors: 1 })).status).to.equal(422);
    });

    it('shows again also with a scan from before the dismissal: those that come later are suspicious', async () => {
      for (const ip of [BERLIN, '198.51.0.7', '198.51.1.7', '198.51.2.7']) await enter(ip);
      await stand.score();
      const [open] = await cases();
      const [path, headers] = [`${stand.origin}/v/${unit.token}`, { cookie: newCookie() }];
      await fetch(path, { headers: { ...headers, 'x-forwarded-for': '198.51.8.7' } });
      stand.advance(1_000);
      const dismissed = { status: 'dismissed', closingReason: 'shop_display' };
      expect((await stand.call('PATCH', `/api/v1/risk-cases/${open.id}`, dismissed)).status).to.equal(200);
      stand.advance(1_000);
      for (const ip of ['198.51.5.7', '198.51.6.7', '198.51.7.7']) await enter(ip);
      expect((await post(unit.hiddenCode, { ip: '198.51.8.7', headers })).body.outcome).to.equal('repeated');
      await stand.score();
      stand.advance(1_000);
      const { risk } = await verify('198.51.9.7');
      expect(risk.signals.map((signal: any) => signal.reason)).to.include('hidden-code');
    });

    it('is one news, not one with each further visitor', async () => {
      await reuse();
      await enter(OSAKA);
      await stand.score();
      stand.woken.length = 0;
      const before = await reusedAt();
      stand.advance(DAY);
      expect(await enter(KOBE)).to.include({ outcome: 'repeated', visitors: 5 });
      expect(await reusedAt()).to.deep.equal(before);
    });
  });

  it('of a unit that is not on sale yet is checked and not noted', async () => {
    unit = await stand.mintUnit({ hiddenCode: true, status: 'minted' });
    expect(await enter(BERLIN)).to.include({ outcome: 'first', firstEnteredAt: null, visitors: 0 });
    expect((await post('0000-0000')).body.outcome).to.equal('wrong');
    expect(await entries()).to.deep.equal([]);
  });

  it('from the organization’s own network is checked and not noted', async () => {
    const { pool } = stand.database;
    await pool.query('update organizations set internal_networks = $2 where id = $1', [
      stand.orgId,
      ['198.51.100.0/24'],
    ]);
    try {
      expect(await enter(BERLIN)).to.include({ outcome: 'first', firstEnteredAt: null, visitors: 0 });
      expect(await entries()).to.deep.equal([]);
      expect(await enter(TOKYO)).to.include({ outcome: 'first', visitors: 1 });
      expect(await enter(BERLIN)).to.include({ outcome: 'repeated', visitors: 1 });
    } finally {
      await pool.query('update organizations set internal_networks = null where id = $1', [stand.orgId]);
    }
  });

  it('is refused where the package has none, where nobody looks, and in a body that makes no sense', async () => {
    unit = await stand.mintUnit();
    expect((await post(unit.hiddenCode)).body).to.include({ status: 409, code: 'CONFLICT' });
    expect(await scanCount()).to.equal(0);
    unit = await stand.mintUnit({ hiddenCode: true });
    const headers = { 'user-agent': 'WhatsApp/2.23' };
    expect((await post(unit.hiddenCode, { headers })).body).to.include({ status: 403, code: 'FORBIDDEN' });
    for (const wrong of [undefined, null, 5, '', 'x'.repeat(101), ['7K3M-Q9TX']])
      expect((await post(wrong)).body, String(wrong)).to.include({ status: 422, code: 'VALIDATION_FAILED' });
    expect(await scanCount()).to.equal(0);
    const nobodys = await post('7K3M-Q9TX', { path: '/v/NOSUCHCODE/hidden-code' });
    expect(nobodys.status).to.equal(404);
    expect(nobodys.body).to.include({ result: 'unknown' });
  });

  it('is unknown once its organization is blocked', async () => {
    const { pool } = stand.database;
    await pool.query(
      "update organizations set blocked_at = now(), block_reason = 'Imitations' where id = $1",
      [stand.orgId],
    );
    try {
      expect((await post(unit.hiddenCode)).status).to.equal(404);
    } finally {
      await pool.query('update organizations set blocked_at = null, block_reason = null where id = $1', [
        stand.orgId,
      ]);
    }
    expect((await post(unit.hiddenCode)).status).to.equal(200);
  });

  it('is checked by a GS1 Digital Link, too', async () => {
    unit = await stand.mintUnit({ hiddenCode: true, gtin: '09506000134352', lot: 'L7' });
    const paths = [`/01/09506000134352/21/${unit.serial}`, `/01/09506000134352/10/L7/21/${unit.serial}`];
    for (const path of paths)
      expect((await post(unit.hiddenCode, { path: `${path}/hidden-code` })).body.outcome).to.equal('first');
    const malformed = await post(unit.hiddenCode, { path: '/01/123/21/A/hidden-code' });
    expect(malformed.body).to.include({ status: 400 });
  });

  it('is told with the scan, and scans are listed and exported by it', async () => {
    const looked = await verify(OSAKA);
    const wrong = (await post('0000-0000')).body.scanId;
    const right = (await enter(TOKYO)).scanId;
    const list = async (query: string) =>
      (
        await stand.call('GET', `/api/v1/scans?unitId=${encodeId('unit', unit.unitId)}${query}`)
      ).body.data.map((scan: any) => [scan.id, scan.hiddenCode]);
    expect(await list('')).to.have.deep.members([
      [looked.scanId, null],
      [wrong, 'wrong'],
      [right, 'correct'],
    ]);
    expect(await list('&hiddenCode=wrong')).to.deep.equal([[wrong, 'wrong']]);
    expect(await list('&hiddenCode=correct')).to.deep.equal([[right, 'correct']]);
    const { status } = await stand.call('GET', '/api/v1/scans?hiddenCode=maybe');
    expect(status).to.equal(422);
    const started = await stand.call('POST', '/api/v1/scan-exports', { format: 'csv', hiddenCode: 'wrong' });
    expect(started.body.filters).to.include({ hiddenCode: 'wrong' });
  });

  it('is correct also after wrong ones, and stays so', async () => {
    const cookie = (
      await fetch(`${stand.origin}/v/${unit.token}`, { headers: { accept: 'text/html' } })
    ).headers
      .get('set-cookie')!
      .split(';')[0]!;
    const headers = { cookie };
    for (const code of ['0000-0000', unit.hiddenCode, '1111-1111']) await post(code, { headers });
    expect(await entries()).to.deep.equal([{ is_right: true, wrong_attempts: 2 }]);
    const { body } = await stand.call('GET', `/api/v1/scans?unitId=${encodeId('unit', unit.unitId)}`);
    expect(body.data.map((scan: any) => scan.hiddenCode)).to.deep.equal(['correct']);
  });

  it('is in the unit’s timeline for whoever may read scans, page by page', async () => {
    await post('0000-0000');
    stand.advance(DAY);
    const right = await enter(TOKYO);
    const path = `/api/v1/product-units/${encodeId('unit', unit.unitId)}/timeline?type=hidden_code_entered`;
    const { body } = await stand.call('GET', path);
    expect(body.data.map(({ isCorrect, wrongAttempts }: any) => [isCorrect, wrongAttempts])).to.deep.equal([
      [true, 0],
      [false, 1],
    ]);
    expect(body.data[0]).to.include({ type: 'hidden_code_entered', scanId: right.scanId });
    const first = (await stand.call('GET', `${path}&limit=1`)).body;
    const second = (await stand.call('GET', `${path}&limit=1&cursor=${first.nextCursor}`)).body;
    expect([...first.data, ...second.data]).to.deep.equal(body.data);
    expect(second.nextCursor).to.equal(null);
    const limited = await stand.createKey('products.read');
    expect((await stand.call('GET', path, undefined, limited)).body.data).to.deep.equal([]);
  });
});
