import { expect } from 'chai';
import { encodeId, newUuid } from '../../../shared/ids.ts';
import { DEFAULT_POLICY } from '../../../shared/risk/policy.ts';
import { LENIENT, startPolicyStand, type PolicyStand } from '../../support/policy-stand.ts';

const PATH = '/api/v1/risk-policies';

describe('risk policies', () => {
  let stand: PolicyStand;

  before(async () => {
    stand = await startPolicyStand();
  });
  after(() => stand?.close());
  beforeEach(() => stand.renew());

  it('lay the product over the organization over the defaults, field by field', async () => {
    const productId = encodeId('prod', stand.unit.productId);
    const initial = await stand.call('GET', PATH);
    expect(initial.body).to.deep.equal({
      productId: null,
      policy: {},
      alertCooldownMinutes: null,
      effective: DEFAULT_POLICY,
      inherited: DEFAULT_POLICY,
      effectiveAlertCooldownMinutes: 0,
      updatedAt: null,
    });
    await stand.call('PUT', PATH, { policy: { thresholds: { medium: 20 } }, alertCooldownMinutes: 30 });
    await stand.call('PUT', `${PATH}?productId=${productId}`, { policy: { thresholds: { suspicious: 70 } } });
    const { body } = await stand.call('GET', `${PATH}?productId=${productId}`);
    expect(body.policy).to.deep.equal({ thresholds: { suspicious: 70 } });
    expect(body.effective.thresholds).to.deep.equal({ medium: 20, suspicious: 70 });
    expect(body.inherited.thresholds).to.deep.equal({ medium: 20, suspicious: 60 });
    expect(body).to.include({ alertCooldownMinutes: null, effectiveAlertCooldownMinutes: 30 });
    const own = (await stand.call('GET', PATH)).body;
    expect(own.effective.thresholds).to.deep.equal({ medium: 20, suspicious: 60 });
    expect(own.inherited).to.deep.equal(DEFAULT_POLICY);
    const quick = { policy: {}, alertCooldownMinutes: 0 };
    expect((await stand.call('PUT', `${PATH}?productId=${productId}`, quick)).body).to.include({
      effectiveAlertCooldownMinutes: 0,
    });
    const reset = await stand.call('PUT', `${PATH}?productId=${productId}`, { policy: {} });
    expect(reset.body.effective.thresholds).to.deep.equal({ medium: 20, suspicious: 60 });
  });

  it('refuse what they do not know, thresholds that cross, and other organizations’ products', async () => {
    for (const body of [
      { policy: { clones: {} } },
      { policy: { clone: { weight: -1 } } },
      { policy: { thresholds: { medium: 61 } } },
      { policy: {}, alertCooldownMinutes: -1 },
      { policy: {}, orgId: 'x' },
      {},
    ])
      expect((await stand.call('PUT', PATH, body)).status, JSON.stringify(body)).to.equal(422);
    expect((await stand.call('GET', PATH)).body.policy).to.deep.equal({});
    const nobodys = `${PATH}?productId=${encodeId('prod', newUuid())}`;
    expect((await stand.call('GET', nobodys)).status).to.equal(404);
    expect((await stand.call('PUT', nobodys, { policy: {} })).status).to.equal(404);
  });

  it('are not replaced by somebody who has not seen the last change, where they say what they saw', async () => {
    const put = async (weight: number, expectedUpdatedAt?: string | null) =>
      stand.call('PUT', PATH, {
        policy: { clone: { weight } },
        ...(expectedUpdatedAt === undefined ? {} : { expectedUpdatedAt }),
      });
    const seen = (await stand.call('GET', PATH)).body.updatedAt;
    const answers = await Promise.all([0.5, 0.6].map((weight) => put(weight, seen)));
    expect(answers.map(({ status }) => status)).to.have.members([200, 409]);
    expect(answers.find(({ status }) => status === 409)!.body.code).to.equal('CONFLICT');
    const stored = answers.find(({ status }) => status === 200)!.body;
    expect((await stand.call('GET', PATH)).body.policy).to.deep.equal(stored.policy);
    stand.advance(1000);
    expect((await put(0.7, stored.updatedAt)).status).to.equal(200);
    expect((await put(0.8, stored.updatedAt)).status).to.equal(409);
    expect((await put(0.8, null)).status).to.equal(409);
    expect((await put(0.8)).status).to.equal(200);
  });

  it('say of a time that is none that it is none', async () => {
    for (const expectedUpdatedAt of ['yesterday', '9999-12-31T23:59:59-12:00']) {
      const { body } = await stand.call('PUT', PATH, { policy: {}, expectedUpdatedAt });
      expect(body.errors[0]).to.include({ path: 'expectedUpdatedAt', code: 'NOT_A_TIME' });
    }
  });

  it('of an organization are refused where they would let a product’s thresholds cross', async () => {
    const ofProduct = `${PATH}?productId=${encodeId('prod', stand.unit.productId)}`;
    const put = (thresholds: object) => stand.call('PUT', PATH, { policy: { thresholds } });
    const refusalOf = ({ status, body }: { status: number; body: any }) => ({
      status,
      errors: body.errors.map(({ path, code, params }: any) => ({ path, code, params })),
    });
    const crossing = (field: string) => ({
      status: 422,
      errors: [
        {
          path: `policy.thresholds.${field}`,
          code: 'THRESHOLDS_CROSS_PRODUCTS',
          params: { products: ['Olive Oil'] },
        },
      ],
    });
    await stand.call('PUT', ofProduct, { policy: { thresholds: { medium: 50 } } });
    expect(refusalOf(await put({ suspicious: 40 }))).to.deep.equal(crossing('suspicious'));
    expect((await put({ suspicious: 50 })).status).to.equal(200);
    await stand.call('PUT', ofProduct, { policy: { thresholds: { suspicious: 45 } } });
    expect(refusalOf(await put({ medium: 46 }))).to.deep.equal(crossing('medium'));
    expect((await stand.call('GET', PATH)).body.policy).to.deep.equal({ thresholds: { suspicious: 50 } });
  });

  it('of an organization and a product do not cross when both are changed at the same moment', async () => {
    const ofProduct = `${PATH}?productId=${encodeId('prod', stand.unit.productId)}`;
    const gate = await stand.database.pool.connect();
    try {
      // Neither can store anything while this is held, so both are past their checks unless one waits for the other.
      await gate.query('begin; lock table risk_policies in share mode');
      const both = Promise.all([
        stand.call('PUT', PATH, { policy: { thresholds: { suspicious: 40 } } }),
        stand.call('PUT', ofProduct, { policy: { thresholds: { medium: 50 } } }),
      ]);
      await stand.waitersOf(2);
      await gate.query('commit');
      const statuses = (await both).map(({ status }) => status);
      expect(statuses).to.have.members([200, 422]);
    } finally {
      gate.release();
    }
    const { medium, suspicious } = (await stand.call('GET', ofProduct)).body.effective.thresholds;
    expect(medium).to.be.at.most(suspicious);
  });

  it('of another release give what this one knows of them, and hold up nobody’s scans', async () => {
    const stored = {
      thresholds: { medium: 20, suspicious: 'high' },
      clone: { enabled: false, ofAnotherRelease: 1 },
      ruleOfAnotherRelease: { enabled: true },
      excessiveScanning: { windows: [] },
      diversion: null,
    };
    await stand.database.pool.query(
      `insert into risk_policies (org_id, policy, updated_at) values ($1, $2, now())`,
      [stand.orgId, JSON.stringify(stored)],
    );
    const known = { thresholds: { medium: 20 }, clone: { enabled: false } };
    const { status, body } = await stand.call('GET', PATH);
    expect({ status, policy: body.policy }).to.deep.equal({ status: 200, policy: known });
    expect(body.effective).to.deep.equal({
      ...DEFAULT_POLICY,
      thresholds: { ...DEFAULT_POLICY.thresholds, medium: 20 },
      clone: { ...DEFAULT_POLICY.clone, enabled: false },
    });
    expect(await stand.travel()).to.equal('suspicious');
    expect(await stand.score()).to.equal(2);
  });

  it('are in force at the next scan, for the answer and for the worker', async () => {
    expect(await stand.travel()).to.equal('suspicious');
    await stand.call('PUT', PATH, { policy: LENIENT });
    stand.unit = await stand.mintUnit();
    expect(await stand.travel()).to.equal('genuine');
    await stand.score();
    const { rows } = await stand.database.pool.query(
      'select distinct risk_level, assessment from scans where unit_id = $1',
      [stand.unit.unitId],
    );
    expect(rows).to.deep.equal([{ risk_level: 'none', assessment: 'final' }]);
  });
});
