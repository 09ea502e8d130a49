import { expect } from 'chai';
import {
  createTestApi,
  dumpTable,
  type TestApi,
  type TestOrganization,
  type TestUnit,
} from '../../support/api.ts';
import { ADDRESSES } from '../../support/places.ts';
import { expectProblem } from '../../support/problem.ts';

describe('product units', () => {
  let api: TestApi;
  let org: TestOrganization;
  let minted: TestUnit[];
  let active: TestUnit[];
  let batchId: string;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
    ({ units: minted } = await org.mintUnits(3, { job: { activate: false } }));
    ({ units: active, batchId } = await org.mintUnits(4, { batch: { lot: 'A1', expiresOn: '2030-01-31' } }));
  });
  after(() => api.close());

  it('reads a unit with its token, its address and what its batch says', async () => {
    const unit = active[0]!;
    const { body } = await org.get(`/product-units/${unit.id}`).expect(200);
    expect(body).to.include({ id: unit.id, batchId, status: 'active', lot: 'A1', expiresOn: '2030-01-31' });
    expect(body.token).to.match(/^[0-9A-HJKMNP-TV-Z]{24}$/);
    expect(body.verifyUrl).to.equal(`HTTPS://VERIFY.EXAMPLE.COM/V/${body.token}`);
    expect(body.recall).to.equal(null);
  });

  it('names the units of many ids at once, and no other organization’s', async () => {
    const stranger = await api.createOrganization();
    const [one, two] = [minted[0]!, active[0]!];
    const path = `/product-units?ids=${one.id},${two.id},unit_01h455vb4pex5vsknk084sn02q`;
    const { body } = await org.get(path).expect(200);
    const found = (body.data as TestUnit[]).map(({ id, serial }) => ({ id, serial }));
    expect(found).to.have.deep.members([one, two].map(({ id, serial }) => ({ id, serial })));
    expect((await stranger.get(path).expect(200)).body.data).to.deep.equal([]);
    for (const ids of ['', 'unit_x', `${one.id},`, Array.from({ length: 201 }, () => one.id).join(',')])
      expectProblem(await org.get(`/product-units?ids=${ids}`), 'VALIDATION_FAILED');
  });

  it('filters by batch, status and serial', async () => {
    const ids = async (query: string) =>
      (await org.get(`/product-units?${query}`).expect(200)).body.data.map((one: TestUnit) => one.id);
    expect(await ids(`batchId=${batchId}`)).to.have.members(active.map(({ id }) => id));
    expect(await ids(`batchId=${batchId}&status=minted`)).to.deep.equal([]);
    expect(await ids(`serial=${minted[1]!.serial}`)).to.deep.equal([minted[1]!.id]);
    expectProblem(await org.get('/product-units?status=broken'), 'VALIDATION_FAILED');
  });

  it('is found by the token or the address that its code carries, in either case', async () => {
    const { body: unit } = await org.get(`/product-units/${active[2]!.id}`);
    const found = async (q: string) =>
      (await org.get('/product-units').query({ q }).expect(200)).body.data.map((one: TestUnit) => one.id);
    for (const q of [unit.token, unit.verifyUrl, unit.verifyUrl.toLowerCase(), unit.serial])
      expect(await found(q), q).to.deep.equal([unit.id]);
    const { productId, productName } = unit;
    expect(productName).to.be.a('string').and.not.equal('');
    const { body } = await org.get('/product-units').query({ productId }).expect(200);
    expect(body.data).to.have.length(active.length);
    const other = await api.createOrganization();
    expect((await other.get('/product-units').query({ q: unit.token })).body.data).to.deep.equal([]);
  });

  it('goes minted → active ⇄ suspended, and keeps the time of the first activation', async () => {
    const path = `/product-units/${minted[0]!.id}`;
    const first = await org.post(`${path}/activate`).expect(200);
    expect(first.body).to.include({ status: 'active', activatedAt: api.clock.now().toISOString() });
    api.clock.advance(1000);
    expect((await org.post(`${path}/suspend`).expect(200)).body.status).to.equal('suspended');
    const again = await org.post(`${path}/activate`).expect(200);
    expect(again.body).to.deep.equal(first.body);
  });

  it('takes a transition that already holds as a success without effect', async () => {
    const path = `/product-units/${active[1]!.id}`;
    for (const verb of ['activate', 'suspend']) {
      await org.post(`${path}/${verb}`).expect(200);
      const before = await dumpTable(api.database, 'product_units');
      api.clock.advance(1000);
      await org.post(`${path}/${verb}`).expect(200);
      expect(await dumpTable(api.database, 'product_units')).to.equal(before);
    }
  });

  it('is voided before it was ever active, and never after: whoever holds it could not be told that it is genuine', async () => {
    const unit = (await org.mintUnits()).units[0]!;
    for (const [verb, status] of [
      ['activate', 'active'],
      ['suspend', 'suspended'],
    ] as const) {
      await org.post(`/product-units/${unit.id}/${verb}`).expect(200);
      const problem = expectProblem(await org.post(`/product-units/${unit.id}/void`), 'INVALID_TRANSITION');
      expect(problem).to.include({ from: status, to: 'voided' });
    }
    expect((await org.get(`/product-units/${unit.id}`)).body.status).to.equal('suspended');
  });

  it('refuses what cannot be reached, naming both states', async () => {
    const unit = minted[1]!;
    const suspend = expectProblem(await org.post(`/product-units/${unit.id}/suspend`), 'INVALID_TRANSITION');
    expect(suspend).to.include({ from: 'minted', to: 'suspended' });
    await api.database.pool.query(`update product_units set status = 'voided' where id = $1`, [unit.uuid]);
    for (const [verb, to] of [
      ['activate', 'active'],
      ['suspend', 'suspended'],
    ] as const) {
      const problem = expectProblem(
        await org.post(`/product-units/${unit.id}/${verb}`),
        'INVALID_TRANSITION',
      );
      expect(problem).to.include({ from: 'voided', to });
      expect(problem.detail).to.include('voided').and.include(to);
    }
    expect((await org.get(`/product-units/${unit.id}`)).body.status).to.equal('voided');
  });

  describe('that is used up', () => {
    const told = async (unit: TestUnit, ip: string) =>
      (await api.verify(unit.token, ip).expect(200)).body as {
        result: string;
        risk: { signals: { type: string; reason?: string }[] };
      };

    it('keeps the first time that it was noted, and forgets it when that is taken back', async () => {
      const unit = (await org.mintUnits()).units[0]!;
      const path = `/product-units/${unit.id}`;
      api.clock.advance(60_000);
      const at = new Date(api.clock.now().getTime() - 30_000).toISOString();
      expect((await org.post(`${path}/consume`, { at }).expect(200)).body.consumedAt).to.equal(at);
      api.clock.advance(60_000);
      const again = await org.post(`${path}/consume`, {}).expect(200);
      expect(again.body).to.include({ consumedAt: at, status: 'active' });
      const { body } = await org.get(`${path}/timeline`).expect(200);
      expect(body.data).to.deep.include({ type: 'consumed', at });
      for (let time = 0; time < 2; time += 1)
        expect((await org.post(`${path}/unconsume`).expect(200)).body.consumedAt).to.equal(null);
    });

    it('makes a new visitor’s scan speak for a copied code, and not one’s who knew it before', async () => {
      const unit = (await org.mintUnits()).units[0]!;
      const [owner, stranger] = [ADDRESSES.DE, ADDRESSES.JP];
      expect((await told(unit, owner)).risk.signals).to.deep.equal([]);
      await org.post(`/product-units/${unit.id}/consume`, {}).expect(200);
      api.clock.advance(3 * 86_400_000);
      expect((await told(unit, owner)).risk.signals).to.deep.equal([]);
      api.clock.advance(3 * 86_400_000);
      const { risk } = await told(unit, stranger);
      expect(risk.signals).to.have.length(1);
      expect(risk.signals[0]).to.include({ type: 'clone', reason: 'consumed' });
    });

    it('must have been in use, and not in the future', async () => {
      const problem = expectProblem(
        await org.post(`/product-units/${minted[2]!.id}/consume`, {}),
        'INVALID_TRANSITION',
      );
      expect(problem).to.include({ from: 'minted', to: 'consumed' });
      const at = new Date(api.clock.now().getTime() + 1000).toISOString();
      const before = await dumpTable(api.database, 'product_units');
      expectProblem(await org.post(`/product-units/${active[0]!.id}/consume`, { at }), 'VALIDATION_FAILED');
      const stranger = await api.createOrganization();
      expectProblem(await stranger.post(`/product-units/${active[0]!.id}/consume`, {}), 'NOT_FOUND');
      expectProblem(await stranger.post(`/product-units/${active[0]!.id}/unconsume`), 'NOT_FOUND');
      expect(await dumpTable(api.database, 'product_units')).to.equal(before);
    });
  });

  it('lays a recall over any state, and lifting it restores what was', async () => {
    for (const [index, status] of (['minted', 'active', 'suspended'] as const).entries()) {
      const unit = [minted[2]!, active[2]!, active[1]!][index]!;
      const path = `/product-units/${unit.id}`;
      if (status === 'suspended') await org.post(`${path}/suspend`).expect(200);
      const before = (await org.get(path)).body;
      expect(before.status).to.equal(status);
      const { body } = await org.post(`${path}/recall`, { reason: 'why' }).expect(200);
      expect(body).to.include({ status });
      expect(body.recall).to.include({ of: 'unit', reason: 'why' });
      expect((await org.post(`${path}/lift-recall`).expect(200)).body).to.deep.equal(before);
    }
  });

  it('moves beneath a recall: what it was moved to shows when the recall is lifted', async () => {
    const path = `/product-units/${active[3]!.id}`;
    await org.post(`${path}/recall`).expect(200);
    expect((await org.post(`${path}/suspend`).expect(200)).body).to.deep.include({ status: 'suspended' });
    const { body } = await org.post(`${path}/lift-recall`).expect(200);
    expect(body).to.deep.include({ status: 'suspended', recall: null });
    await org.post(`${path}/activate`).expect(200);
  });

  it('shows the unit’s own recall before its batch’s, and lifts only its own', async () => {
    const path = `/product-units/${active[0]!.id}`;
    await org.post(`/batches/${batchId}/recall`, { reason: 'batch' }).expect(200);
    expect((await org.get(path)).body.recall.of).to.equal('batch');
    await org.post(`${path}/recall`, { reason: 'unit' }).expect(200);
    expect((await org.get(path)).body.recall).to.include({ of: 'unit', reason: 'unit' });
    expect((await org.post(`${path}/lift-recall`).expect(200)).body.recall.of).to.equal('batch');
    await org.post(`/batches/${batchId}/lift-recall`).expect(200);
    expect((await org.get(path)).body.recall).to.equal(null);
  });

  it('answers of two contradicting requests at once are those of one after the other', async () => {
    const path = `/product-units/${active[2]!.id}`;
    const answers = await Promise.all(
      ['suspend', 'activate', 'suspend', 'activate'].map((verb) => org.post(`${path}/${verb}`)),
    );
    for (const answer of answers) expect(answer.status).to.equal(200);
    expect((await org.get(path)).body.status).to.be.oneOf(['active', 'suspended']);
  });
});
