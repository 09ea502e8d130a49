import { expect } from 'chai';
import { createTestApi, type TestApi, type TestOrganization, type TestUnit } from '../../support/api.ts';
import { runAllBulkJobs, runBulkJob } from '../../support/bulk-jobs.ts';
import { ADDRESSES } from '../../support/places.ts';
import { expectProblem } from '../../support/problem.ts';

const TEXT = {
  reason: 'Glass splinters',
  messages: { en: 'Return it to the shop.', de: 'Bringen Sie es zurück.' },
  contact: 'care@example.com',
};

const LATER = '2099-01-01T00:00:00Z';

describe('recalls', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
  });
  after(() => api.close());

  const resultOf = async (unit: TestUnit) => (await api.verify(unit.token)).body.result as string;

  const consignmentOf = async (units: TestUnit[]) => {
    const list = { units: { unitIds: units.map(({ id }) => id) } };
    const { id } = (await org.post('/consignments', list).expect(201)).body;
    await runAllBulkJobs(api);
    await org.post(`/consignments/${id}/dispatch`).expect(200);
    return id as string;
  };

  for (const scope of ['unit', 'batch', 'consignment', 'product'] as const) {
    it(`of a ${scope} show at the next verification, and lifting restores what was`, async () => {
      const { units, batchId, productId } = await org.mintUnits(2);
      const [unit, suspended] = units as [TestUnit, TestUnit];
      await org.post(`/product-units/${suspended.id}/suspend`).expect(200);
      const targetId = {
        unit: unit.id,
        batch: batchId,
        consignment: scope === 'consignment' ? await consignmentOf(units) : '',
        product: productId,
      }[scope];
      const before = [await resultOf(unit), await resultOf(suspended)];
      const target = { [`${scope}Id`]: targetId };
      const { body, headers } = await org.post('/recalls', { ...target, ...TEXT }).expect(201);
      expect(headers['location']).to.equal(`/api/v1/recalls/${body.id}`);
      expect(body).to.deep.include({ ...TEXT, scope, targetId, liftedAt: null });
      expect(await resultOf(unit)).to.equal('recalled');
      expect(await resultOf(suspended)).to.equal(scope === 'unit' ? 'suspended' : 'recalled');
      const shown = (await org.get(`/product-units/${unit.id}`).expect(200)).body.recall;
      expect(shown).to.deep.include({ of: scope, reason: 'Glass splinters' });

      const again = (await org.post('/recalls', { ...target, reason: 'Other' }).expect(201)).body;
      expect(again).to.deep.equal(body);
      api.clock.advance(1000);
      const lifted = (await org.post(`/recalls/${body.id}/lift`).expect(200)).body;
      expect(lifted.liftedAt).to.equal(api.clock.now().toISOString());
      expect([await resultOf(unit), await resultOf(suspended)]).to.deep.equal(before);
      api.clock.advance(1000);
      expect((await org.post(`/recalls/${body.id}/lift`).expect(200)).body).to.deep.equal(lifted);
    });
  }

  it('tell consumers what the organization says, in their language, escaped', async () => {
    const { units, batchId } = await org.mintUnits(1);
    const messages = { en: 'Stop <b>now</b>.', de: 'Nicht benutzen.' };
    await org.post('/recalls', { batchId, messages, contact: 'care@example.com' }).expect(201);
    const { body } = await api.verify(units[0]!.token);
    expect(body.recall).to.deep.equal({ messages, contact: 'care@example.com' });
    const page = async (language: string) =>
      (
        await api
          .http()
          .get(`/v/${units[0]!.token}`)
          .set('Accept', 'text/html')
          .set('Accept-Language', language)
          .expect(200)
      ).text;
    expect(await page('de'))
      .to.include('Nicht benutzen.')
      .and.to.include('mailto:care@example.com');
    expect(await page('fr')).to.include('Stop &lt;b&gt;now&lt;/b&gt;.');
  });

  const audited = async (resource: string) =>
    (
      await api.database.pool.query(
        'select action, before, after from audit_log where resource = $1 order by id',
        [resource],
      )
    ).rows;

  it('are corrected while they are in force, for consumers at once, and in the audit log', async () => {
    const { units, batchId } = await org.mintUnits(1);
    const consignmentId = await consignmentOf(units);
    const recall = (await org.post('/recalls', { consignmentId, ...TEXT }).expect(201)).body;
    api.clock.advance(1000);
    const messages = { en: 'Return it to the shop, unopened.' };
    const { body } = await org.patch(`/recalls/${recall.id}`, { messages }).expect(200);
    expect(body).to.deep.equal({ ...recall, messages });
    expect((await api.verify(units[0]!.token)).body).to.deep.include({
      result: 'recalled',
      recall: { messages, contact: TEXT.contact },
    });
    const cleared = { reason: null, contact: null };
    expect((await org.patch(`/recalls/${recall.id}`, cleared).expect(200)).body).to.deep.include({
      ...cleared,
      messages,
    });
    expect((await api.verify(units[0]!.token)).body.recall).to.deep.equal({ messages, contact: null });
    expect((await audited(recall.id)).slice(1)).to.deep.equal([
      { action: 'correctRecall', before: { messages: TEXT.messages }, after: { messages } },
      { action: 'correctRecall', before: { reason: TEXT.reason, contact: TEXT.contact }, after: cleared },
    ]);
    const { data } = (await org.get('/events?type=consignment.recalled').expect(200)).body;
    const told = data.filter((event: any) => event.data.consignmentId === consignmentId);
    expect(told.map((event: any) => event.data.reason)).to.deep.equal([TEXT.reason]);
    const { data: life } = (await org.get(`/product-units/${units[0]!.id}/timeline?type=recalled`)).body;
    expect(life.map(({ at }: { at: string }) => at)).to.deep.equal([recall.startsAt]);
    // Another one, that has not begun.
    const planned = (await org.post('/recalls', { batchId, startsAt: LATER, reason: 'Plan' })).body;
    const { body: told2 } = await org.patch(`/recalls/${planned.id}`, { reason: 'Better plan' }).expect(200);
    expect(told2).to.deep.equal({ ...planned, reason: 'Better plan' });
  });

  it('are corrected on condition that they still say what was read', async () => {
    const { batchId } = await org.mintUnits(1);
    const path = `/recalls/${(await org.post('/recalls', { batchId, ...TEXT }).expect(201)).body.id}`;
    const expected = { reason: TEXT.reason, messages: TEXT.messages };
    const change = { messages: { en: 'Return it.' }, expected };
    await org.patch(path, change).expect(200);
    const late = await org.patch(path, { reason: 'Late', messages: { en: 'Keep it.' }, expected });
    const { errors = [] } = expectProblem(late, 'CONFLICT');
    expect(errors.map(({ path, code }) => [path, code])).to.deep.equal([['messages', 'CHANGED_MEANWHILE']]);
    // Its answer may have been lost.
    await org.patch(path, change).expect(200);
    await org.patch(path, { contact: null, expected: { contact: TEXT.contact } }).expect(200);
    expect((await org.get(path)).body).to.deep.include({
      reason: TEXT.reason,
      messages: change.messages,
      contact: null,
    });
    expectProblem(await org.patch(path, { expected }), 'VALIDATION_FAILED');
  });

  it('are corrected only where they are not lifted, by who may recall, with something to change', async () => {
    const { batchId } = await org.mintUnits(1);
    const path = `/recalls/${(await org.post('/recalls', { batchId, ...TEXT }).expect(201)).body.id}`;
    const before = (await org.get(path).expect(200)).body;
    for (const body of [
      {},
      { startsAt: LATER },
      { messages: { english: 'x' } },
      { messages: null },
      { reason: 'x'.repeat(1001) },
    ])
      expectProblem(await org.patch(path, body), 'VALIDATION_FAILED');
    const other = await api.createOrganization();
    expectProblem(await other.patch(path, { reason: 'Theirs' }), 'NOT_FOUND');
    const reader = await org.createKey('products.read');
    const refused = await api.http().patch(`/api/v1${path}`).set('X-Api-Key', reader).send({ reason: 'No' });
    expectProblem(refused, 'INSUFFICIENT_SCOPE');
    expect((await org.get(path).expect(200)).body).to.deep.equal(before);
    const { body: lifted } = await org.post(`${path}/lift`).expect(200);
    expectProblem(await org.patch(path, { reason: 'Too late' }), 'CONFLICT');
    expect((await org.get(path).expect(200)).body).to.deep.equal(lifted);
  });

  it('that are there already are in the audit log as unchanged by who asks for them again', async () => {
    const { batchId } = await org.mintUnits(1);
    const { id } = (await org.post('/recalls', { batchId, ...TEXT }).expect(201)).body;
    await org.post('/recalls', { batchId, reason: 'Other' }).expect(201);
    const [first, second] = await audited(id);
    expect(first).to.deep.include({ action: 'createRecall', before: null });
    expect(first.after).to.deep.include(TEXT);
    expect(second).to.deep.equal({ action: 'createRecall', before: {}, after: {} });
  });

  it('are found by what is recalled itself', async () => {
    const { units, batchId, productId } = await org.mintUnits(1);
    const unitId = units[0]!.id;
    const lifted = (await org.post('/recalls', { batchId }).expect(201)).body.id;
    await org.post(`/recalls/${lifted}/lift`).expect(200);
    const ofBatch = (await org.post('/recalls', { batchId }).expect(201)).body.id;
    const ofUnit = (await org.post('/recalls', { unitId }).expect(201)).body.id;
    const found = async (query: string) =>
      (await org.get(`/recalls?${query}`).expect(200)).body.data.map(({ id }: { id: string }) => id);
    expect(await found(`batchId=${batchId}`)).to.deep.equal([ofBatch, lifted]);
    expect(await found(`batchId=${batchId}&inForce=true`)).to.deep.equal([ofBatch]);
    expect(await found(`unitId=${unitId}&inForce=true`)).to.deep.equal([ofUnit]);
    expect(await found(`productId=${productId}`)).to.deep.equal([]);
    expect(await found(`batchId=${batchId}&scope=unit`)).to.deep.equal([]);
    expect(await found('scope=unit&limit=1')).to.deep.equal([ofUnit]);
    expect(await found('scope=batch&limit=1')).to.deep.equal([ofBatch]);
    expectProblem(await org.get(`/recalls?batchId=${batchId}&unitId=${unitId}`), 'VALIDATION_FAILED');
  });

  it('of a consignment are told once, with its count, however they are asked for', async () => {
    const { units } = await org.mintUnits(3);
    const id = await consignmentOf(units);
    await Promise.all([
      org.post(`/consignments/${id}/recall`, TEXT),
      org.post(`/consignments/${id}/recall`, TEXT),
      org.post('/recalls', { consignmentId: id, ...TEXT }),
    ]);
    const { body } = await org.get(`/consignments/${id}`).expect(200);
    expect(body).to.deep.include({ status: 'recalled' });
    expect(body.recall.reason).to.equal('Glass splinters');
    const told = (await org.get('/events?type=consignment.recalled')).body.data.filter(
      (event: any) => event.data.consignmentId === id,
    );
    expect(told.map((event: any) => event.data)).to.deep.equal([
      {
        consignmentId: id,
        reference: null,
        sscc: null,
        distributor: null,
        unitCount: 3,
        reason: 'Glass splinters',
        recalledAt: body.recall.recalledAt,
      },
    ]);
    expectProblem(await org.post(`/consignments/${id}/receive`), 'INVALID_TRANSITION');
    expect((await org.post(`/consignments/${id}/lift-recall`).expect(200)).body.status).to.equal(
      'dispatched',
    );
    await org.post(`/consignments/${id}/receive`).expect(200);
  });

  it('of a consignment stay with its units when these have moved on', async () => {
    const { units } = await org.mintUnits(1);
    const first = await consignmentOf(units);
    await org.post(`/consignments/${first}/receive`).expect(200);
    await consignmentOf(units);
    await org.post(`/consignments/${first}/recall`, TEXT).expect(200);
    expect(await resultOf(units[0]!)).to.equal('recalled');
  });

  it('of a draft are refused', async () => {
    const { id } = (await org.post('/consignments', {}).expect(201)).body;
    expectProblem(await org.post(`/consignments/${id}/recall`), 'INVALID_TRANSITION');
  });

  it('are previewed by a job that counts units and where they were scanned, and changes nothing', async () => {
    const { units, productId } = await org.mintUnits(4);
    // Has a risk without a scan.
    await org.post('/risk-cases', { productUnitId: units[3]!.id }).expect(201);
    await api.verify(units[0]!.token, ADDRESSES.DE);
    await api.verify(units[0]!.token, ADDRESSES.JP);
    await api.verify(units[1]!.token, ADDRESSES.DE);
    // Somebody of the organization itself is no consumer who is to be told.
    await api.database.pool.query('update organizations set internal_networks = $2 where id = $1', [
      org.uuid,
      [`${ADDRESSES.BR}/32`],
    ]);
    for (const unit of units.slice(1, 3)) await api.verify(unit.token, ADDRESSES.BR);
    const { body } = await org.post('/recall-previews', { productId }).expect(202);
    const job = await runBulkJob(api, org, body.id);
    expect(job['result']).to.deep.include({
      units: 4,
      scannedUnits: 2,
      scans: 3,
      countries: { DE: 2, JP: 1 },
    });
    expect(await resultOf(units[2]!)).to.equal('genuine');
  });

  it('are previewed slice after slice, of which each adds to what the ones before it found', async () => {
    const { units, batchId } = await org.mintUnits(2);
    const [first, last] = units as [TestUnit, TestUnit];
    const { pool } = api.database;
    await pool.query('update product_units set ordinal = 9000 where id = $1', [last.uuid]);
    // As many as a slice has, between the two.
    await pool.query(
      `insert into product_units (id, org_id, batch_id, product_id, ordinal, serial, code, token_key, status)
       select gen_random_uuid(), org_id, batch_id, product_id, n, 'BETWEEN' || n,
              substring(decode(md5('between' || n), 'hex') for 10), token_key, status
         from product_units, generate_series(1, 5000) as n where id = $1`,
      [first.uuid],
    );
    for (const country of ['DE', 'JP'] as const) await api.verify(last.token, ADDRESSES[country]);
    api.clock.advance(60_000);
    await api.verify(first.token, ADDRESSES.DE);
    const { body } = await org.post('/recall-previews', { batchId }).expect(202);
    expect((await runBulkJob(api, org, body.id))['result']).to.deep.equal({
      units: 5002,
      scannedUnits: 2,
      scans: 3,
      lastScannedAt: api.clock.now().toISOString(),
      countries: { DE: 2, JP: 1 },
    });
  });

  it('are previewed while serials that somebody knows beforehand are being minted', async () => {
    const { batchId, productId } = await org.mintUnits(2);
    const more = (await org.post('/batches', { productId, quantity: 2 }).expect(201)).body;
    const serials = { source: 'sequential', prefix: 'P', first: 1, digits: 4 };
    await org.startJob(more.id, { serials });
    for (const target of [{ batchId }, { batchId: more.id }, { productId }]) {
      const { body } = await org.post('/recall-previews', target).expect(202);
      const { result } = await runBulkJob(api, org, body.id);
      if ('productId' in target) expect(result).to.include({ units: 2 });
    }
  });

  it('name exactly one target, of the organization itself', async () => {
    const { batchId, productId, units } = await org.mintUnits(1);
    const consignmentId = await consignmentOf(units);
    expectProblem(await org.post('/recalls', {}), 'VALIDATION_FAILED');
    expectProblem(await org.post('/recalls', { batchId, productId }), 'VALIDATION_FAILED');
    expectProblem(await org.post('/recalls', { batchId, messages: { english: 'x' } }), 'VALIDATION_FAILED');
    const other = await api.createOrganization();
    for (const target of [{ batchId }, { productId }, { consignmentId }, { unitId: units[0]!.id }]) {
      expectProblem(await other.post('/recalls', target), 'NOT_FOUND');
      expectProblem(await other.post('/recall-previews', target), 'NOT_FOUND');
    }
    const mine = (await org.post('/recalls', { batchId }).expect(201)).body;
    expectProblem(await other.get(`/recalls/${mine.id}`), 'NOT_FOUND');
    expectProblem(await other.post(`/recalls/${mine.id}/lift`), 'NOT_FOUND');
    expect((await other.get('/recalls')).body.data).to.deep.equal([]);
    expect(await resultOf(units[0]!)).to.equal('recalled');
    const inForce = (await org.get('/recalls?inForce=true&scope=batch')).body.data;
    expect(inForce.map((one: any) => one.id)).to.include(mine.id);
  });
});
