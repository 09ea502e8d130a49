import { expect } from 'chai';
import type { PoolClient } from 'pg';
import { decodeId, encodeId, newUuid } from '../../../shared/ids.ts';
import { forgetOldSimulations } from '../../../shared/risk-simulations/housekeeping.ts';
import { startPolicyStand, type PolicyStand } from '../../support/policy-stand.ts';

const DAY_MS = 86_400_000;
const PATH = '/api/v1/risk-policies';

describe('simulations of risk policies, cancelled and listed', () => {
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

  const cancel = (id: string) => stand.call('POST', `/api/v1/risk-simulations/${id}/cancel`);

  it('are cancelled while they wait, and make room for another', async () => {
    const started = [];
    for (let count = 0; count < 5; count += 1) started.push(await stand.simulate({ policy: {} }));
    const another = () => stand.call('POST', `${PATH}/simulate`, { policy: {} });
    expect((await another()).body.detail).to.match(/cancel/);
    const { status, body } = await cancel(started[0]!);
    expect(status).to.equal(200);
    expect(body).to.include({
      id: started[0],
      status: 'cancelled',
      result: null,
      error: null,
      finishedAt: stand.now().toISOString(),
    });
    expect((await another()).status).to.equal(202);
    expect(await stand.settleSimulation(decodeId('sim', started[0]!)!)).to.equal('nothing');
    // Once more changes nothing.
    stand.advance(1000);
    expect(await cancel(started[0]!)).to.deep.include({ status: 200, body });
  });

  /** Makes what was started another organization's. */
  async function giveAway(): Promise<void> {
    const { pool } = stand.database;
    const other = newUuid();
    await pool.query(`insert into organizations (id, name) values ($1, 'Other')`, [other]);
    await pool.query('update risk_simulations set org_id = $1', [other]);
  }

  it('take no room from another organization', async () => {
    for (let count = 0; count < 5; count += 1) await stand.simulate({ policy: {} });
    await giveAway();
    expect(await stand.simulate({ policy: {} })).to.match(/^sim_/);
  });

  it('look at no unit of another organization', async () => {
    await stand.simulate({ policy: {} });
    await giveAway();
    expect(await stand.settleSimulation(await stand.newestSimulation())).to.equal('completed');
    const { rows } = await stand.database.pool.query('select status, total from risk_simulations');
    expect(rows).to.deep.equal([{ status: 'completed', total: 0 }]);
  });

  /** Runs a step that waits, with its lease, until the story has ended. @returns what became of the step. */
  async function inTheMiddle(id: string, story: (gate: PoolClient) => Promise<void>): Promise<unknown> {
    const gate = await stand.database.pool.connect();
    try {
      await gate.query('begin; lock table unit_risk_profiles in access exclusive mode');
      const run = stand.settleSimulation(id).catch((error: Error) => error.message);
      await stand.waitersOf(1);
      await story(gate);
      await gate.query('commit');
      return await run;
    } finally {
      gate.release();
    }
  }

  it('are cancelled in the middle of a step, which stores nothing then', async () => {
    const simulation = await stand.simulate({ policy: {} });
    const id = await stand.newestSimulation();
    const outcome = await inTheMiddle(id, async () => {
      expect((await cancel(simulation)).status).to.equal(200);
    });
    expect(outcome).to.equal('lost');
    expect(await stand.readSimulation(simulation)).to.deep.include({
      status: 'cancelled',
      progress: { done: 0, total: 0 },
    });
    expect(await stand.settleSimulation(id)).to.equal('nothing');
  });

  it('stay cancelled when the step that was under way failed', async () => {
    const simulation = await stand.simulate({ policy: {} });
    const outcome = await inTheMiddle(await stand.newestSimulation(), async (gate) => {
      await cancel(simulation);
      await gate.query(
        `select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
    });
    // The step's own failure: that nothing of it could be noted is none.
    expect(outcome).to.match(/canceling statement/);
    expect(await stand.readSimulation(simulation)).to.include({ status: 'cancelled', error: null });
  });

  it('are not cancelled once they are finished', async () => {
    const simulation = await stand.simulate({ policy: {} });
    await stand.settleSimulation(await stand.newestSimulation());
    const before = await stand.readSimulation(simulation);
    const { status, body } = await cancel(simulation);
    expect({ status, code: body.code }).to.deep.equal({ status: 409, code: 'INVALID_TRANSITION' });
    expect(await stand.readSimulation(simulation)).to.deep.equal(before);
    expect((await cancel(encodeId('sim', newUuid()))).status).to.equal(404);
  });

  it('are listed, newest first, by their status', async () => {
    const ids = [
      await stand.simulate({ policy: {} }),
      await stand.simulate({ policy: {} }),
      await stand.simulate({ policy: {} }),
    ];
    await cancel(ids[1]!);
    const list = async (query: string) => {
      const { body } = await stand.call('GET', `/api/v1/risk-simulations?${query}`);
      return { ids: body.data.map(({ id }: { id: string }) => id), next: body.nextCursor };
    };
    expect(await list('')).to.deep.equal({ ids: ids.toReversed(), next: null });
    expect((await list('status=cancelled')).ids).to.deep.equal([ids[1]]);
    const first = await list('limit=2');
    expect(first.ids).to.deep.equal([ids[2], ids[1]]);
    expect(await list(`limit=2&cursor=${first.next}`)).to.deep.equal({ ids: [ids[0]], next: null });
    expect((await stand.call('GET', '/api/v1/risk-simulations?status=gone')).status).to.equal(422);
  });

  it('are deleted when they have served their time, if they are finished', async () => {
    const finished = await stand.simulate({ policy: {} });
    await stand.settleSimulation(await stand.newestSimulation());
    const open = await stand.simulate({ policy: {} });
    stand.advance(30 * DAY_MS);
    expect(await forgetOldSimulations(stand.deps, 30)).to.equal(0);
    stand.advance(1);
    expect(await forgetOldSimulations(stand.deps, 0)).to.equal(0);
    expect(await forgetOldSimulations(stand.deps, 30)).to.equal(1);
    expect((await stand.call('GET', `/api/v1/risk-simulations/${finished}`)).status).to.equal(404);
    expect((await stand.call('GET', `/api/v1/risk-simulations/${open}`)).status).to.equal(200);
  });
});
