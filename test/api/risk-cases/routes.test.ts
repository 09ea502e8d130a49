import { expect } from 'chai';
import { encodeId, newUuid } from '../../../shared/ids.ts';
import { markUserRemoved } from '../../../shared/users/repository.ts';
import { startCaseStand, type CaseStand } from '../../support/case-stand.ts';
import { whileHeld } from '../../support/held-row.ts';

describe('risk cases', () => {
  let stand: CaseStand;

  before(async () => {
    stand = await startCaseStand();
  });
  after(() => stand?.close());

  /** What another web process had begun before all of the unit's scans: older than theirs. */
  const idBeforeAll = async () => {
    const { rows } = await stand.database.pool.query<{ id: string }>(
      'select id from scans where unit_id = $1 order by id limit 1',
      [stand.unit.unitId],
    );
    return `${rows[0]!.id.slice(0, 13)}-0000-0000-000000000000`;
  };
  /** A scan that is stored after all others, a minute after the newest. */
  const comeLate = async (id: string) => {
    const { pool } = stand.database;
    await pool.query(
      `insert into scans (id, org_id, unit_id, product_id, batch_id, at, network_id, country, lat, lon, accuracy_km, place_source, result,
              risk_level, risk_score, assessment)
       select $2, org_id, unit_id, product_id, batch_id, at + interval '1 minute', 'another', 'AU', -33.9, 151.2, 16, 'ip-fixed', 'genuine',
              'none', 0, 'preliminary'
         from scans where unit_id = $1 order by id desc limit 1`,
      [stand.unit.unitId, id],
    );
    await pool.query(
      'update unit_risk_profiles set unscored_since = $2, unscored_from = $3 where unit_id = $1',
      [stand.unit.unitId, stand.now(), id],
    );
    await stand.score();
  };
  beforeEach(() => stand.renew());

  it('gather what is suspicious about a unit, and nothing twice', async () => {
    const before = (await stand.cases())[0];
    expect(before).to.include({ status: 'open', closingReason: null, assigneeId: null, closedAt: null });
    expect(before.signals).to.be.an('array').that.is.not.empty;
    await stand.copies(30);
    const [after, ...others] = await stand.cases();
    expect(others).to.deep.equal([]);
    const { rows } = await stand.database.pool.query<{ n: number }>(
      `select count(*)::int as n from scans where unit_id = $1 and risk_level = 'high'`,
      [stand.unit.unitId],
    );
    expect(after.suspiciousScans).to.equal(rows[0]!.n).and.above(before.suspiciousScans);
    expect(after.lastScanId).not.to.equal(before.lastScanId);
    expect(after.updatedAt).to.equal(stand.now().toISOString());
  });

  it('carry the newest evidence of each kind, and none of a later scan that is not theirs', async () => {
    const kinds = (signals: { type: string }[]) => signals.map(({ type }) => type);
    const [listed] = await stand.cases();
    const { evidence: before } = (await stand.call('GET', `/api/v1/risk-cases/${stand.caseId}`)).body;
    expect(kinds(before)).to.have.members(listed.signals);
    await stand.copies(30);
    const { body: after } = await stand.call('GET', `/api/v1/risk-cases/${stand.caseId}`);
    const newest = (await stand.call('GET', `/api/v1/scans/${after.lastScanId}`)).body.risk.signals;
    expect(newest).not.to.deep.equal([]);
    for (const signal of newest) expect(after.evidence).to.deep.include(signal);
    await stand.change({ status: 'dismissed', closingReason: 'resold' });
    await stand.copies(60);
    expect((await stand.call('GET', `/api/v1/risk-cases/${stand.caseId}`)).body.evidence).to.deep.equal(
      after.evidence,
    );
  });

  it('keep their evidence when they are confirmed, however often the unit is scanned after that', async () => {
    const { evidence } = (await stand.call('GET', `/api/v1/risk-cases/${stand.caseId}`)).body;
    stand.advance(60_000);
    await stand.change({ status: 'confirmed', closingReason: 'copied_code' });
    await stand.copies(30);
    const { body } = await stand.call('GET', `/api/v1/risk-cases/${stand.caseId}`);
    expect(body.suspiciousScans).to.be.above(6);
    expect(body.evidence).to.deep.equal(evidence);
    await stand.change({ status: 'dismissed', closingReason: 'resold' });
    expect((await stand.call('GET', `/api/v1/risk-cases/${stand.caseId}`)).body.evidence).to.deep.equal(
      evidence,
    );
  });

  it('reach from the first of their scans to the last, whatever comes late', async () => {
    const { body: before } = await stand.call('GET', `/api/v1/risk-cases/${stand.caseId}`);
    await stand.database.pool.query('update risk_cases set max_score = 100 where unit_id = $1', [
      stand.unit.unitId,
    ]);
    const early = await idBeforeAll();
    await comeLate(early);
    const { body: after } = await stand.call('GET', `/api/v1/risk-cases/${stand.caseId}`);
    expect(after.suspiciousScans).to.equal(before.suspiciousScans + 1);
    expect(after).to.include({
      firstScanId: encodeId('scan', early),
      lastScanId: before.lastScanId,
      maxScore: 100,
    });
    expect(after.evidence).not.to.deep.equal([]);
  });

  it('keep the last of their scans when they are confirmed and one comes late', async () => {
    await stand.change({ status: 'confirmed', closingReason: 'copied_code' });
    await stand.copies(30);
    const { body: before } = await stand.call('GET', `/api/v1/risk-cases/${stand.caseId}`);
    await comeLate(await idBeforeAll());
    const { body: after } = await stand.call('GET', `/api/v1/risk-cases/${stand.caseId}`);
    expect(after.suspiciousScans).to.equal(before.suspiciousScans + 1);
    expect(after.lastScanId).to.equal(before.lastScanId);
    expect(after.updatedAt).to.equal(stand.now().toISOString());
  });

  it('mark their unit, and find it among the others, for whoever may read scans', async () => {
    const of = async (risk: string, key?: string) =>
      (await stand.call('GET', `/api/v1/product-units?limit=200&risk=${risk}`, undefined, key)).body.data.map(
        (each: { id: string }) => each.id,
      );
    const id = encodeId('unit', stand.unit.unitId);
    const read = async (key?: string) =>
      (await stand.call('GET', `/api/v1/product-units/${id}`, undefined, key)).body;
    const isListedAsRead = async () => {
      const { body } = await stand.call('GET', `/api/v1/product-units?ids=${id}`);
      expect(body.data).to.deep.equal([await read()]);
    };
    expect(await read()).to.include({ risk: 'suspect', openCaseId: stand.caseId });
    expect(await of('suspect')).to.include(id);
    expect(await of('clear')).not.to.include(id);
    await isListedAsRead();
    await stand.change({ status: 'investigating' });
    expect(await read()).to.include({ risk: 'suspect', openCaseId: stand.caseId });
    await stand.change({ status: 'confirmed', closingReason: 'copied_code' });
    expect(await read()).to.include({ risk: 'confirmed', openCaseId: null });
    expect(await of('confirmed')).to.include(id);
    await isListedAsRead();
    await stand.change({ status: 'dismissed', closingReason: 'resold' });
    expect(await read()).to.include({ risk: 'clear', openCaseId: null });
    expect(await of('clear')).to.include(id);

    const blind = await stand.createKey('products.read');
    await stand.copies(60);
    expect(await read(blind)).to.include({ risk: null, openCaseId: null });
    const refused = await stand.call('GET', '/api/v1/product-units?risk=suspect', undefined, blind);
    expect([refused.status, refused.body.code]).to.deep.equal([403, 'INSUFFICIENT_SCOPE']);
  });

  it('are assigned and noted on', async () => {
    const userId = newUuid();
    await stand.database.pool.query(
      `insert into users (id, org_id, email, password_digest, role) values ($1, $2, $3, 'x', 'analyst')`,
      [userId, stand.orgId, `${userId}@olivaia.example`],
    );
    const assigneeId = encodeId('user', userId);
    const { status, body } = await stand.change({
      status: 'investigating',
      assigneeId,
      note: 'Called the shop',
    });
    expect(status).to.equal(200);
    expect(body).to.include({ status: 'investigating', assigneeId });
    expect(body.notes).to.have.length(1);
    expect(body.notes[0]).to.include({ text: 'Called the shop', at: stand.now().toISOString() });
    expect(body.notes[0].author).to.match(/^key_/);
    expect((await stand.call('GET', `/api/v1/risk-cases?assigneeId=${assigneeId}`)).body.data).to.have.length(
      1,
    );
    const ofProduct = async (productId: string) =>
      (await stand.call('GET', `/api/v1/risk-cases?productId=${encodeId('prod', productId)}`)).body.data;
    expect((await ofProduct(stand.unit.productId))[0].id).to.equal(stand.caseId);
    expect(await ofProduct(newUuid())).to.deep.equal([]);
    expect((await stand.change({ assigneeId: null })).body.assigneeId).to.equal(null);
    const refused = async (id: string) => {
      const { status: answer, body: problem } = await stand.change({ assigneeId: id });
      expect([answer, problem.errors?.[0]?.code]).to.deep.equal([422, 'NO_SUCH_USER']);
    };
    await refused(encodeId('user', newUuid()));
    await stand.database.pool.query('update users set disabled_at = now() where id = $1', [userId]);
    await refused(assigneeId);
    await markUserRemoved(stand.database.pool, userId, stand.now());
    await refused(assigneeId);
  });

  it('are changed with the assignee that they have, also where that one has left since', async () => {
    const userId = newUuid();
    await stand.database.pool.query(
      `insert into users (id, org_id, email, password_digest, role) values ($1, $2, $3, 'x', 'analyst')`,
      [userId, stand.orgId, `${userId}@olivaia.example`],
    );
    const assigneeId = encodeId('user', userId);
    expect((await stand.change({ assigneeId })).status).to.equal(200);
    await stand.database.pool.query('update users set disabled_at = now() where id = $1', [userId]);
    const { status, body } = await stand.change({ status: 'investigating', assigneeId });
    expect(status).to.equal(200);
    expect(body).to.include({ status: 'investigating', assigneeId });
  });

  it('leave an audit entry with each change, and of a note who wrote it, when, and how long it is', async () => {
    await stand.change({ note: 'Called the shop' });
    stand.advance(60_000);
    const { author } = (await stand.change({ status: 'investigating', note: 'Ms Example sold it' })).body
      .notes[1];
    const at = stand.now().toISOString();
    stand.advance(60_000);
    await stand.copies(30);
    await stand.change({ status: 'confirmed', closingReason: 'copied_code' });
    const { rows } = await stand.database.pool.query<{ before: object; after: object }>(
      'select before, after from audit_log where resource = $1 order by id',
      [stand.caseId],
    );
    expect(rows).to.have.length(3);
    const [, noted, decided] = rows;
    expect(noted).to.deep.equal({
      before: { status: 'open' },
      after: { status: 'investigating', note: { author, at, characters: 18 } },
    });
    expect(decided!.after).to.have.all.keys('status', 'closingReason', 'closedAt');
    expect(decided!.before).to.have.all.keys('status', 'closingReason', 'closedAt');
  });

  it('show the newest notes where there are too many', async () => {
    const { rows } = await stand.database.pool.query<{ id: string }>(
      'select id from risk_cases where unit_id = $1',
      [stand.unit.unitId],
    );
    await stand.database.pool.query(
      `insert into risk_case_notes (id, case_id, author, text, at)
       select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $1, 'key_x', 'note ' || n, now() from generate_series(1, 1000) n`,
      [rows[0]!.id],
    );
    const { body } = await stand.change({ note: 'the newest' });
    expect(body.notes).to.have.length(1000);
    expect(body.notes[0].text).to.equal('note 2');
    expect(body.notes.at(-1).text).to.equal('the newest');
  });

  it('are nobody else’s', async () => {
    await stand.database.pool.query(
      'update risk_cases set org_id = $2 where id = (select max(id::text)::uuid from risk_cases where unit_id = $1)',
      [stand.unit.unitId, (await otherOrganization()).id],
    );
    expect((await stand.call('GET', `/api/v1/risk-cases/${stand.caseId}`)).status).to.equal(404);
    expect((await stand.change({ note: 'hello' })).status).to.equal(404);
    expect((await stand.call('GET', '/api/v1/risk-cases/case_x')).status).to.equal(404);
    expect(await stand.cases()).to.deep.equal([]);
  });

  async function otherOrganization(): Promise<{ id: string }> {
    const id = newUuid();
    await stand.database.pool.query('insert into organizations (id, name) values ($1, $2)', [id, 'Other']);
    return { id };
  }

  it('are listed page by page, newest first', async () => {
    const page = async (query: string) => {
      const { body } = await stand.call('GET', `/api/v1/risk-cases?${query}`);
      return { ids: body.data.map(({ id }: { id: string }) => id) as string[], next: body.nextCursor };
    };
    const all = await page('limit=200');
    expect(all.next).to.equal(null);
    expect(all.ids).to.have.length.above(2).and.to.deep.equal(all.ids.toSorted().toReversed());
    const seen: string[] = [];
    for (let query: string | null = 'limit=2'; query !== null;) {
      const { ids, next } = await page(query);
      expect(ids).to.have.length.within(1, 2);
      seen.push(...ids);
      query = next && `limit=2&cursor=${next}`;
    }
    expect(seen).to.deep.equal(all.ids);
  });

  it('are changed by keys that may write scans, and read by those that may read them', async () => {
    const [reader, writer] = [await stand.createKey('scans.read'), await stand.createKey('scans.write')];
    const path = `/api/v1/risk-cases/${stand.caseId}`;
    const status = async (method: string, key: string) =>
      (await stand.call(method, path, method === 'PATCH' ? { note: 'x' } : undefined, key)).status;
    expect([await status('GET', reader), await status('PATCH', reader)]).to.deep.equal([200, 403]);
    expect([await status('GET', writer), await status('PATCH', writer)]).to.deep.equal([403, 200]);
  });

  it('ascribe a note to who wrote it alone, whatever is changed at the same time', async () => {
    const { rows } = await stand.database.pool.query<{ id: string }>(
      `select id from risk_cases where unit_id = $1 and status in ('open', 'investigating')`,
      [stand.unit.unitId],
    );
    const row = { text: 'select 1 from risk_cases where id = $1 for update', values: [rows[0]!.id] };
    await whileHeld(stand.database.pool, row, async ({ waiting, release }) => {
      const noted = stand.change({ note: 'Called the shop' });
      await waiting(1);
      const moved = stand.change({ status: 'investigating' });
      await waiting(2);
      await release();
      await Promise.all([noted, moved]);
    });
    const { rows: entries } = await stand.database.pool.query<{ after: Record<string, unknown> }>(
      'select after from audit_log where resource = $1 order by id',
      [stand.caseId],
    );
    const notes = entries.map(({ after }) => after.note).filter((note) => note !== undefined);
    expect(notes).to.have.length(1);
    expect(notes[0]).to.include({ characters: 15 });
  });
});
