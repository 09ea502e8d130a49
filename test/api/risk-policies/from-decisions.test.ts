import { expect } from 'chai';
import { encodeId } from '../../../shared/ids.ts';
import { startCaseStand, type CaseStand } from '../../support/case-stand.ts';
import { newestSimulation, settleSimulation } from '../../support/simulations.ts';

const SIMULATE = '/api/v1/risk-policies/simulate';

describe('a simulation compared with decisions', () => {
  let stand: CaseStand;

  before(async () => {
    stand = await startCaseStand();
  });
  after(() => stand?.close());

  /** @returns what a simulation of the product of the newest unit says. */
  const simulated = async (policy: object) => {
    const productId = encodeId('prod', stand.unit.productId);
    // Scans have the time of the machine, which goes on while the stand's stands still.
    const to = new Date(stand.now().getTime() + 3_600_000).toISOString();
    const { status, body } = await stand.call('POST', SIMULATE, { policy, productId, to });
    expect(status).to.equal(202);
    expect(await settleSimulation(stand, await newestSimulation(stand))).to.equal('completed');
    return (await stand.call('GET', `/api/v1/risk-simulations/${body.id}`)).body.result;
  };
  const scoreOfCase = async () =>
    (await stand.call('GET', `/api/v1/risk-cases/${stand.caseId}`)).body.maxScore;

  it('tells at which thresholds the units that people decided would have been told', async () => {
    await stand.renew();
    const score = await scoreOfCase();
    const at = ({ fromDecisions }: any, suspicious: number) => fromDecisions.byThreshold[suspicious - 1];
    const open = await simulated({});
    expect(open.fromDecisions).to.include({ confirmedUnits: 0, dismissedUnits: 0, suggested: null });
    expect(at(open, score)).to.deep.equal({
      suspicious: score,
      suspiciousUnits: 1,
      confirmedUnits: 0,
      dismissedUnits: 0,
    });
    await stand.change({ status: 'confirmed', closingReason: 'copied_code' });
    const confirmed = await simulated({});
    expect(confirmed.fromDecisions).to.include({ confirmedUnits: 1, dismissedUnits: 0 });
    expect(at(confirmed, score)).to.include({ confirmedUnits: 1, dismissedUnits: 0 });
    // The confirmation makes each scan worth 100 points; that is no evidence of its own.
    await stand.scan('198.51.10.7');
    await stand.score();
    expect(at(await simulated({}), 100)).to.include({ suspiciousUnits: 0 });
    await stand.change({ status: 'dismissed', closingReason: 'resold' });
    const corrected = await simulated({});
    expect(corrected.fromDecisions).to.include({ confirmedUnits: 0, dismissedUnits: 1 });
    expect(at(corrected, score)).to.include({ suspiciousUnits: 1, dismissedUnits: 1 });
    expect(corrected.simulated.suspiciousUnits).to.equal(1);
  });

  it('leaves out what speaks for a diversion alone', async () => {
    stand.resetClock();
    stand.unit = await stand.mintUnit({ markets: ['BR'] });
    await stand.scan('198.51.11.7');
    await stand.score();
    const { simulated: found, fromDecisions } = await simulated({});
    expect(found).to.include({ divertedUnits: 1, suspiciousUnits: 0 });
    expect(fromDecisions.byThreshold[0]).to.include({ suspicious: 1, suspiciousUnits: 0 });
  });

  it('scores by the policy that is tried, and suggests from the threshold in force', async () => {
    await stand.renew();
    const productId = encodeId('prod', stand.unit.productId);
    const { body } = await stand.call('PUT', `/api/v1/risk-policies?productId=${productId}`, {
      policy: { thresholds: { suspicious: 70 } },
    });
    expect(body.effective.thresholds.suspicious).to.equal(70);
    const { fromDecisions } = await simulated({
      clone: { enabled: false },
      impossibleTravel: { enabled: false },
    });
    expect(fromDecisions.byThreshold[0]).to.include({ suspicious: 1, suspiciousUnits: 0 });
    const { rows } = await stand.database.pool.query(
      `select tally->'inForce' as in_force from risk_simulations order by id desc limit 1`,
    );
    expect(rows[0].in_force).to.equal(70);
    // Thirty dismissed units between 70 and 79 points, and as many confirmed from 80 on.
    await stand.database.pool.query(
      `update risk_simulations
          set tally = jsonb_set(jsonb_set(tally, '{scores,dismissed,72}', '30'), '{scores,confirmed,85}', '30')
        where id = $1`,
      [await newestSimulation(stand)],
    );
    const read = await stand.call(
      'GET',
      `/api/v1/risk-simulations/${encodeId('sim', await newestSimulation(stand))}`,
    );
    expect(read.body.result.fromDecisions.suggested).to.equal(73);
  });

  it('asks products with a threshold of their own by themselves', async () => {
    await stand.renew();
    const productId = encodeId('prod', stand.unit.productId);
    const told = async () => {
      const to = new Date(stand.now().getTime() + 3_600_000).toISOString();
      const { body } = await stand.call('POST', SIMULATE, { policy: {}, to });
      expect(await settleSimulation(stand, await newestSimulation(stand))).to.equal('completed');
      const { result } = (await stand.call('GET', `/api/v1/risk-simulations/${body.id}`)).body;
      return { units: result.units, told: result.fromDecisions.byThreshold[0].suspiciousUnits };
    };
    const put = (policy: object) =>
      stand.call('PUT', `/api/v1/risk-policies?productId=${productId}`, { policy });
    const { units, told: all } = await told();
    await put({ thresholds: { medium: 20 }, clone: { weight: 0.9 } });
    expect(await told()).to.deep.equal({ units, told: all });
    // The organization's threshold says nothing to it, and its decisions nothing of that.
    await put({ thresholds: { suspicious: 90 } });
    expect(await told()).to.deep.equal({ units, told: all - 1 });
    const alone = await simulated({ thresholds: { suspicious: 90 } });
    expect(alone.fromDecisions.byThreshold[0].suspiciousUnits).to.equal(1);
  });

  it('begun by a release that did not count scores starts over, and a finished one has none', async () => {
    await stand.renew();
    const { body } = await stand.call('POST', SIMULATE, { policy: {} });
    const id = await newestSimulation(stand);
    const { pool } = stand.database;
    await pool.query(
      `update risk_simulations set tally = tally - 'scores' || '{"scans": 77}', next_unit = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
        where id = $1`,
      [id],
    );
    expect(await settleSimulation(stand, id)).to.equal('completed');
    const read = async () => (await stand.call('GET', `/api/v1/risk-simulations/${body.id}`)).body.result;
    const { scans, fromDecisions } = await read();
    const { rows } = await pool.query<{ n: number }>('select count(*) as n from scans');
    expect(scans).to.equal(rows[0]!.n);
    expect(fromDecisions).to.be.an('object');
    await pool.query(`update risk_simulations set tally = tally - 'scores' where id = $1`, [id]);
    expect((await read()).fromDecisions).to.equal(null);
  });

  it('of which a worker of the release before did a part starts over, and says nothing where that one finished it', async () => {
    await stand.renew();
    const { body } = await stand.call('POST', SIMULATE, { policy: {} });
    const id = await newestSimulation(stand);
    const { pool } = stand.database;
    const read = async () => (await stand.call('GET', `/api/v1/risk-simulations/${body.id}`)).body.result;
    // That release keeps what it does not know of, and adds nothing to it.
    await pool.query(
      `update risk_simulations set tally = tally || '{"units": 77, "scans": 154}' where id = $1`,
      [id],
    );
    expect(await settleSimulation(stand, id)).to.equal('completed');
    const { units, fromDecisions } = await read();
    expect(units).to.be.below(77);
    expect(fromDecisions.byThreshold[0].suspiciousUnits).to.be.within(1, units);
    await pool.query(
      `update risk_simulations set tally = tally || '{"units": 77, "scans": 154}' where id = $1`,
      [id],
    );
    expect((await read()).fromDecisions).to.equal(null);
  });
});
