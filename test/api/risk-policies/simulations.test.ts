import { decideUnit } from '../../../shared/scans/decisions.ts';
import { expect } from 'chai';
import { rollUp } from '../../../shared/analytics/service.ts';
import { encodeId, newUuid } from '../../../shared/ids.ts';
import { claimSimulation } from '../../../shared/risk-simulations/repository.ts';
import { LENIENT, startPolicyStand, type PolicyStand } from '../../support/policy-stand.ts';
import { seedScans } from '../../support/scans.ts';

const PATH = '/api/v1/risk-policies';

describe('risk policies simulated', () => {
  let stand: PolicyStand;

  before(async () => {
    stand = await startPolicyStand();
  });
  after(() => stand?.close());

  beforeEach(async () => {
    await stand.renew();
    await stand.database.pool.query('delete from risk_simulations');
    await stand.travel();
    await stand.score();
  });

  it('takes the thresholds that the policy would have when it was stored, and no others', async () => {
    const trial = async (stored: object, thresholds: object) => {
      expect((await stand.call('PUT', PATH, { policy: { thresholds: stored } })).status).to.equal(200);
      const policy = { thresholds };
      const { status, body } = await stand.call('POST', `${PATH}/simulate`, { policy });
      return { tried: status, code: body.code, stored: (await stand.call('PUT', PATH, { policy })).status };
    };
    expect(await trial({ suspicious: 40 }, { medium: 50 })).to.include({ tried: 202, stored: 200 });
    expect(await trial({ suspicious: 90 }, { medium: 80 })).to.include({
      tried: 422,
      code: 'VALIDATION_FAILED',
      stored: 422,
    });
    await stand.call('PUT', PATH, { policy: {} });
  });

  it('look at up to 5,000 scans of a unit, and say so of one that has more alone', async () => {
    const { orgId } = stand;
    const { unitId, productId } = stand.unit;
    const { rows } = await stand.database.pool.query<{ batchId: string; at: Date; n: number }>(
      'select batch_id as "batchId", max(at) as at, count(*)::integer as n from scans where unit_id = $1 group by 1',
      [unitId],
    );
    const { batchId, at, n } = rows[0]!;
    const scanAgain = (times: number) =>
      seedScans(
        stand.database,
        Array.from({ length: times }, () => ({ orgId, unitId, productId, batchId, at })),
      );
    const figures = async () => {
      const to = new Date(stand.now().getTime() + 3_600_000).toISOString();
      const id = await stand.simulate({ policy: LENIENT, productId: encodeId('prod', productId), to });
      await stand.settleSimulation(await stand.newestSimulation());
      const { scans, truncatedUnits } = (await stand.readSimulation(id)).result;
      return { scans, truncatedUnits };
    };
    await scanAgain(5_000 - n);
    expect(await figures()).to.deep.equal({ scans: 5_000, truncatedUnits: 0 });
    await scanAgain(1);
    expect(await figures()).to.deep.equal({ scans: 5_000, truncatedUnits: 1 });
  });

  it('tell what a policy would have flagged beside what was recorded', async () => {
    const productId = encodeId('prod', stand.unit.productId);
    // Scans have the time of the machine, which goes on while the stand's stands still.
    const to = new Date(stand.now().getTime() + 3_600_000).toISOString();
    const id = await stand.simulate({ policy: LENIENT, productId, to });
    expect(await stand.settleSimulation(await stand.newestSimulation())).to.equal('completed');
    const { status, progress, result } = await stand.readSimulation(id);
    expect({ status, progress }).to.deep.equal({ status: 'completed', progress: { done: 1, total: 1 } });
    const none = { suspiciousScans: 0, suspiciousUnits: 0, divertedScans: 0, divertedUnits: 0 };
    const one = { ...none, suspiciousScans: 1, suspiciousUnits: 1 };
    const unitId = encodeId('unit', stand.unit.unitId);
    const { changedScans, fromDecisions, ...figures } = result;
    expect(figures).to.deep.equal({
      scans: 2,
      units: 1,
      truncatedUnits: 0,
      simulated: none,
      recorded: one,
      newly: none,
      noLonger: one,
      signals: {},
      newlySuspicious: [],
      noLongerSuspicious: [unitId],
    });
    // What this policy leaves of the unit's score is nothing.
    expect(fromDecisions.byThreshold[0]).to.include({ suspicious: 1, suspiciousUnits: 0 });
    expect(changedScans).to.have.length(1);
    expect(changedScans[0]).to.include({
      productUnitId: unitId,
      recorded: 'suspicious',
      simulated: 'clear',
    });
    expect((await stand.call('GET', `/api/v1/scans/${changedScans[0].scanId}`)).status).to.equal(200);
    const same = await stand.simulate({ policy: {}, productId, to });
    await stand.settleSimulation(await stand.newestSimulation());
    expect((await stand.readSimulation(same)).result.simulated).to.deep.equal(result.recorded);
  });

  it('are checked as they would be when stored, whatever is stored now', async () => {
    const ofProduct = `${PATH}?productId=${encodeId('prod', stand.unit.productId)}`;
    const statuses = async (thresholds: object) => {
      const body = { policy: { thresholds } };
      return [
        (await stand.call('POST', `${PATH}/simulate`, body)).status,
        (await stand.call('PUT', PATH, body)).status,
      ];
    };
    await stand.call('PUT', PATH, { policy: { thresholds: { suspicious: 40 } } });
    expect(await statuses({ medium: 50 })).to.deep.equal([202, 200]);
    await stand.call('PUT', PATH, { policy: { thresholds: { suspicious: 90 } } });
    expect(await statuses({ medium: 80 })).to.deep.equal([422, 422]);
    await stand.call('PUT', ofProduct, { policy: { thresholds: { medium: 70 } } });
    expect(await statuses({ suspicious: 65 })).to.deep.equal([422, 422]);
  });

  for (const column of ['hidden_code_reused_at', 'nfc_tap_replayed_at'])
    it(`heed what was shown to be on more packages than one: ${column}`, async () => {
      await stand.renew();
      const productId = encodeId('prod', stand.unit.productId);
      await stand.scan('198.51.100.7');
      await stand.score();
      const to = new Date(stand.now().getTime() + 3_600_000).toISOString();
      const suspiciousScans = async () => {
        const id = await stand.simulate({ policy: {}, productId, to });
        await stand.settleSimulation(await stand.newestSimulation());
        return (await stand.readSimulation(id)).result.simulated.suspiciousScans as number;
      };
      expect(await suspiciousScans()).to.equal(0);
      await stand.database.pool.query(
        `update unit_risk_profiles p set ${column} = (select min(at) from scans s where s.unit_id = p.unit_id) where unit_id = $1`,
        [stand.unit.unitId],
      );
      expect(await suspiciousScans()).to.equal(1);
    });

  it('heed what people decided, from then on', async () => {
    const productId = encodeId('prod', stand.unit.productId);
    const decide = (decision: string, at: Date) =>
      stand.database.pool.query(
        'update unit_risk_profiles set decision = $2, decided_at = $3 where unit_id = $1',
        [stand.unit.unitId, decision, at],
      );
    const suspiciousScans = async () => {
      const id = await stand.simulate({ policy: {}, productId });
      await stand.settleSimulation(await stand.newestSimulation());
      return (await stand.readSimulation(id)).result.simulated.suspiciousScans as number;
    };
    stand.advance(60_000);
    const decidedAt = stand.now();
    stand.advance(60_000);
    await stand.scan('198.51.100.7');
    await stand.scan('203.0.113.7');
    await stand.score();
    stand.advance(60_000);
    expect(await suspiciousScans()).to.equal(2);
    await decide('dismissed', decidedAt);
    expect(await suspiciousScans()).to.equal(1);
    await decide('confirmed', decidedAt);
    expect(await suspiciousScans()).to.equal(3);
  });

  it('heed each of several decisions from its own time on, until the next', async () => {
    const productId = encodeId('prod', stand.unit.productId);
    const decide = async (decision: 'dismissed' | 'confirmed') => {
      stand.advance(60_000);
      await decideUnit(stand.database.pool, stand.unit.unitId, decision, stand.now());
      stand.advance(60_000);
    };
    const look = async (...networks: string[]) => {
      for (const network of networks) await stand.scan(network);
      await stand.score();
    };
    await look('198.51.100.7', '203.0.113.7');
    await decide('dismissed');
    await look('198.51.100.7', '203.0.113.7');
    await decide('confirmed');
    await look('198.51.100.7');
    await decide('dismissed');
    await look('198.51.100.7', '203.0.113.7');
    // With an offset, as scans and exports take it.
    const id = await stand.simulate({ policy: {}, productId, from: '2020-01-01T00:00:00+02:00' });
    await stand.settleSimulation(await stand.newestSimulation());
    const { recorded, simulated, newly, noLonger } = (await stand.readSimulation(id)).result;
    expect(recorded.suspiciousScans).to.be.above(1);
    expect(simulated).to.deep.equal(recorded);
    expect([newly.suspiciousScans, noLonger.suspiciousScans]).to.deep.equal([0, 0]);
  });

  it('go by the policies that were stored when they were started, whatever is stored while they wait', async () => {
    const productId = encodeId('prod', stand.unit.productId);
    const put = (query: string, policy: object) => stand.call('PUT', `${PATH}${query}`, { policy });
    const suspiciousUnits = async (body: object) => {
      const id = await stand.simulate({ policy: {}, ...body });
      await put('', LENIENT);
      await put(`?productId=${productId}`, LENIENT);
      await stand.settleSimulation(await stand.newestSimulation());
      await stand.database.pool.query('delete from risk_policies');
      return (await stand.readSimulation(id)).result.simulated.suspiciousUnits as number;
    };
    // Units of earlier tests are the organization's, too.
    const ofAll = await suspiciousUnits({});
    expect(await suspiciousUnits({ productId })).to.equal(1);
    await put(`?productId=${productId}`, LENIENT);
    expect(await suspiciousUnits({})).to.equal(ofAll - 1);
    await put('', LENIENT);
    expect(await suspiciousUnits({ productId })).to.equal(0);
  });

  it('go on by one state of the policies also where an earlier release started them', async () => {
    const productId = encodeId('prod', stand.unit.productId);
    const { pool } = stand.database;
    const id = await stand.simulate({ policy: {}, productId });
    const uuid = await stand.newestSimulation();
    await pool.query('update risk_simulations set policies = null where id = $1', [uuid]);
    await stand.call('PUT', PATH, { policy: LENIENT });
    // Claimed by a worker that stops at once.
    await claimSimulation(pool, uuid, stand.now(), stand.now());
    await stand.call('PUT', PATH, { policy: {} });
    expect(await stand.settleSimulation(uuid)).to.equal('completed');
    expect((await stand.readSimulation(id)).result.simulated).to.include({ suspiciousUnits: 0 });
  });

  it('change nothing that is stored', async () => {
    const dump = async () =>
      (await stand.database.pool.query('select * from scans order by id')).rows.map((row) =>
        JSON.stringify(row),
      );
    const before = await dump();
    await stand.simulate({ policy: LENIENT });
    await stand.settleSimulation(await stand.newestSimulation());
    expect(await dump()).to.deep.equal(before);
  });

  it('go on where a worker that died or stopped left off, and count nothing twice', async () => {
    await stand.simulate({ policy: {} });
    const id = await stand.newestSimulation();
    const { rows } = await stand.database.pool.query<{ n: number }>(
      'select count(*)::int as n from unit_risk_profiles where org_id = $1',
      [stand.orgId],
    );
    // A dead worker's lease.
    await stand.database.pool.query(
      `update risk_simulations set status = 'running', lease_until = $2, total = $3 where id = $1`,
      [id, new Date(stand.now().getTime() + 60_000), rows[0]!.n],
    );
    expect(await stand.settleSimulation(id)).to.equal('nothing');
    stand.advance(61_000);
    expect(await stand.settleSimulation(id)).to.equal('completed');
    expect(await stand.settleSimulation(id)).to.equal('nothing');
    const { done, total } = (
      await stand.database.pool.query('select done, total from risk_simulations where id = $1', [id])
    ).rows[0];
    expect(done).to.equal(total).and.to.equal(rows[0]!.n);
  });

  it('read no more than 20,000 scans in a step', async () => {
    for (let units = 0; units < 5; units += 1) {
      stand.unit = await stand.mintUnit();
      await stand.scan('198.51.100.7');
    }
    await stand.score();
    const { pool } = stand.database;
    await pool.query('update unit_risk_profiles set scan_count = 70000');
    await rollUp(pool);
    await stand.simulate({ policy: {} });
    const id = await stand.newestSimulation();
    const stepped = async () =>
      (await pool.query('select done, total, attempts from risk_simulations where id = $1', [id])).rows[0];
    expect(await stand.settleSimulation(id, AbortSignal.abort())).to.equal('stopped');
    // Whoever stops spends no attempt.
    const stopped = await stepped();
    expect(stopped).to.include({ done: 4, attempts: 0 });
    expect(await stand.settleSimulation(id)).to.equal('completed');
    const { done, total } = await stepped();
    expect(done).to.equal(total).and.to.be.at.least(6);
    expect(stopped.total).to.equal(total);
  });

  it('walk over units that were never scanned, 20,000 in a step', async () => {
    const { pool } = stand.database;
    const productId = encodeId('prod', stand.unit.productId);
    // One more than a step reads; the one with scans is before them.
    await pool.query(
      `insert into product_units (id, org_id, batch_id, product_id, ordinal, serial, code, token_key, status)
       select gen_random_uuid(), org_id, batch_id, product_id, ordinal + n, 'NEVER' || n,
              substring(decode(md5('never' || n), 'hex') for 10), token_key, status
         from product_units, generate_series(1, 20000) as n where id = $1`,
      [stand.unit.unitId],
    );
    await stand.simulate({ policy: {}, productId });
    const id = await stand.newestSimulation();
    const stepped = async () =>
      (await pool.query('select done, total, status, next_unit from risk_simulations where id = $1', [id]))
        .rows[0];
    expect(await stand.settleSimulation(id, AbortSignal.abort())).to.equal('stopped');
    const { next_unit: reached, ...figures } = await stepped();
    expect(figures).to.deep.equal({ done: 1, total: 1, status: 'running' });
    const { rows } = await pool.query<{ n: number }>(
      'select count(*) as n from product_units where org_id = $1 and id <= $2',
      [stand.orgId, reached],
    );
    expect(rows[0]!.n).to.equal(20_000);
    expect(await stand.settleSimulation(id)).to.equal('completed');
    expect(await stepped()).to.include({ done: 1, total: 1, status: 'completed' });
  });

  it('fail when five workers in a row died of the same step', async () => {
    const simulation = await stand.simulate({ policy: {} });
    const id = await stand.newestSimulation();
    const { pool } = stand.database;
    for (let deaths = 0; deaths < 5; deaths += 1) {
      expect(await claimSimulation(pool, id, stand.now(), stand.now())).to.include({
        attempts: deaths + 1,
      });
      expect(await stand.readSimulation(simulation)).to.include({ status: 'running', error: null });
    }
    expect(await stand.settleSimulation(id)).to.equal('failed');
    const { status, error, finishedAt } = await stand.readSimulation(simulation);
    expect({ status, finishedAt }).to.deep.equal({
      status: 'failed',
      finishedAt: stand.now().toISOString(),
    });
    expect(error).to.be.a('string');
    expect(await stand.settleSimulation(id)).to.equal('nothing');
  });

  it('are five at a time, also when they are started at the same moment', async () => {
    const start = async () => (await stand.call('POST', `${PATH}/simulate`, { policy: {} })).status;
    const gate = await stand.database.pool.connect();
    try {
      // While this is held, nobody stores one, so all are past their counts unless they wait for each other.
      await gate.query('begin; lock table risk_simulations in share mode');
      const all = Promise.all(Array.from({ length: 6 }, start));
      await stand.waitersOf(6);
      await gate.query('commit');
      expect(await all).to.have.members([202, 202, 202, 202, 202, 429]);
    } finally {
      gate.release();
    }
    const refused = await stand.call('POST', `${PATH}/simulate`, { policy: {} });
    expect(refused.body).to.include({ status: 429, code: 'RATE_LIMITED' });
    await stand.settleSimulation(await stand.newestSimulation());
    expect(await start()).to.equal(202);
  });

  it('are started and cancelled by keys that may write scans, and read by those that may read them', async () => {
    const [reader, writer] = [await stand.createKey('scans.read'), await stand.createKey('scans.write')];
    const own = `/api/v1/risk-simulations/${await stand.simulate({ policy: {} })}`;
    const statuses = async (key: string) =>
      Promise.all([
        stand.call('GET', own, undefined, key),
        stand.call('POST', `${PATH}/simulate`, { policy: {} }, key),
        stand.call('POST', `${own}/cancel`, undefined, key),
      ]).then((answers) => answers.map(({ status }) => status));
    expect(await statuses(reader)).to.deep.equal([200, 403, 403]);
    expect(await statuses(writer)).to.deep.equal([403, 202, 200]);
  });

  it('name a beginning that can be asked for again, however early they end', async () => {
    const simulate = (body: object) => stand.call('POST', `${PATH}/simulate`, { policy: {}, ...body });
    const { status, body } = await simulate({ to: '0000-02-01T00:00:00Z' });
    expect([status, body.from]).to.deep.equal([202, '0000-01-01T00:00:00.000Z']);
    expect((await simulate({ from: body.from, to: body.to })).status).to.equal(202);
  });

  it('refuse a span that ends before it begins, and are nobody else’s', async () => {
    const to = new Date(stand.now().getTime() - 200 * 86_400_000).toISOString();
    const from = stand.now().toISOString();
    expect((await stand.call('POST', `${PATH}/simulate`, { policy: {}, from, to })).status).to.equal(422);
    const later = new Date(stand.now().getTime() + 60_000).toISOString();
    const ahead = await stand.call('POST', `${PATH}/simulate`, { policy: {}, from: later });
    expect(ahead.body.errors).to.deep.equal([
      { path: 'from', code: 'NOT_IN_PAST', message: 'is not in the past' },
    ]);
    const nobodys = encodeId('sim', newUuid());
    expect((await stand.call('GET', `/api/v1/risk-simulations/${nobodys}`)).status).to.equal(404);
  });
});
