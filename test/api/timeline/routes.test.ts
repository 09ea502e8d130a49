import { expect } from 'chai';
import { decodeId, setIdTime } from '../../../shared/ids.ts';
import { ensureMonthPartitions, PARTITIONED_TABLES } from '../../../shared/partitions/service.ts';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';
import { runAllBulkJobs, runBulkJob } from '../../support/bulk-jobs.ts';
import { expectProblem } from '../../support/problem.ts';

describe('GET /api/v1/product-units/{id}/timeline', () => {
  let api: TestApi;
  let org: TestOrganization;
  let unitId: string;
  let caseId: string;

  before(async () => {
    api = await createTestApi();
    // Ids follow times, as they do where nobody moves the clock.
    setIdTime(() => api.clock.now().getTime());
    for (const table of PARTITIONED_TABLES)
      await ensureMonthPartitions(api.database.pool, table, api.clock.now(), api.clock.now());
    org = await api.createOrganization();
    const { batchId, units } = await org.mintUnits(2);
    unitId = units[0]!.id;
    const step = async (work: PromiseLike<unknown>) => {
      await work;
      api.clock.advance(60_000);
    };
    api.clock.advance(60_000);
    await step(org.post(`/product-units/${unitId}/suspend`).expect(200));
    await step(org.post(`/product-units/${unitId}/activate`).expect(200));
    await step(org.post(`/product-units/${unitId}/suspend`).expect(200));
    await step(org.post(`/product-units/${unitId}/activate`).expect(200));
    await step(api.verify(units[0]!.token, '141.20.1.1').expect(200));
    await step(api.verify(units[0]!.token, '133.11.0.1').expect(200));
    await step(api.score());
    const cases = await org.get(`/risk-cases?unitId=${unitId}`).expect(200);
    caseId = cases.body.data[0].id;
    await step(
      org.patch(`/risk-cases/${caseId}`, { status: 'dismissed', closingReason: 'resold' }).expect(200),
    );
    const recall = await org.post('/recalls', { batchId }).expect(201);
    api.clock.advance(60_000);
    await step(org.post(`/recalls/${recall.body.id}/lift`).expect(200));
    await step(
      api.http().post(`/v/${units[0]!.token}/reports`).send({ description: 'Odd smell' }).expect(201),
    );
    // Another unit's life is none of this one's.
    await step(api.verify(units[1]!.token).expect(200));
  });
  after(() => {
    setIdTime(Date.now);
    return api.close();
  });

  const read = async (query = '') =>
    (await org.get(`/product-units/${unitId}/timeline${query}`).expect(200)).body;
  const typesOf = (data: { type: string }[]) => data.map(({ type }) => type);

  it('tells the whole life, newest first, each entry with its facts', async () => {
    const { data, nextCursor } = await read();
    expect(nextCursor).to.equal(null);
    expect(typesOf(data).filter((type) => type !== 'minted')).to.deep.equal([
      'reported',
      'recall_lifted',
      'recalled',
      'decided',
      'flagged',
      'scanned',
      'scanned',
      'reactivated',
      'suspended',
      'reactivated',
      'suspended',
      'activated',
    ]);
    const of = (type: string) => data.find((entry: { type: string }) => entry.type === type);
    expect(of('minted').batchId).to.match(/^batch_/);
    expect(of('scanned')).to.include({ country: 'JP', result: 'suspicious' });
    expect(of('scanned').signals).to.include('impossible_travel');
    expect(of('flagged').caseId).to.equal(caseId);
    expect(of('decided')).to.include({ caseId, decision: 'dismissed', closingReason: 'resold' });
    expect(of('recalled')).to.include({ scope: 'batch' });
    expect(of('reported').excerpt).to.equal('Odd smell');
  });

  it('has the first activation once, and each later one, also where bulk jobs did them', async () => {
    const { units, batchId } = await org.mintUnits(1, { job: { activate: false } });
    for (const action of ['activate', 'suspend', 'activate']) {
      api.clock.advance(60_000);
      const { body } = await org.post('/product-units/bulk', { action, batchId }).expect(202);
      await runBulkJob(api, org, body.id);
    }
    const { body } = await org.get(`/product-units/${units[0]!.id}/timeline`).expect(200);
    expect(typesOf(body.data)).to.deep.equal(['reactivated', 'suspended', 'activated', 'minted']);
  });

  it('ends once for a code that is voided', async () => {
    const { units } = await org.mintUnits(1, { job: { activate: false } });
    api.clock.advance(60_000);
    await org.post(`/product-units/${units[0]!.id}/void`).expect(200);
    const { body } = await org.get(`/product-units/${units[0]!.id}/timeline`).expect(200);
    expect(typesOf(body.data)).to.deep.equal(['voided', 'minted']);
    expect(body.data[0].at).to.equal(api.clock.now().toISOString());
    expectProblem(await org.post(`/product-units/${units[0]!.id}/consume`, {}), 'INVALID_TRANSITION');
  });

  it('tells nothing of a recall that was lifted before it began', async () => {
    const { units, batchId } = await org.mintUnits(1);
    const startsAt = new Date(api.clock.now().getTime() + 60_000).toISOString();
    const recall = (await org.post('/recalls', { batchId, startsAt }).expect(201)).body;
    await org.post(`/recalls/${recall.id}/lift`).expect(200);
    api.clock.advance(120_000);
    const { body } = await org.get(`/product-units/${units[0]!.id}/timeline`).expect(200);
    expect(typesOf(body.data)).to.have.members(['activated', 'minted']);
  });

  it('has a recall that is dated back begin when it was made, as nobody was told of it before', async () => {
    const { units } = await org.mintUnits(1);
    const startsAt = '2020-01-01T00:00:00.000Z';
    await org.post('/recalls', { unitId: units[0]!.id, startsAt }).expect(201);
    const { body } = await org.get(`/product-units/${units[0]!.id}/timeline?type=recalled`).expect(200);
    expect(body.data.map(({ at }: { at: string }) => at)).to.deep.equal([api.clock.now().toISOString()]);
  });

  it('does not end on its way when its consignment was called off', async () => {
    const { units, batchId } = await org.mintUnits(1);
    api.clock.advance(1_000);
    const draft = { reference: 'C 7', units: { batchId } };
    const { id } = (await org.post('/consignments', draft).expect(201)).body;
    await runAllBulkJobs(api);
    await org.post(`/consignments/${id}/dispatch`, {}).expect(200);
    api.clock.advance(1_000);
    await org.post(`/consignments/${id}/cancel`).expect(200);
    // Again: it was called off the first time.
    const at = api.clock.now().toISOString();
    api.clock.advance(1_000);
    await org.post(`/consignments/${id}/cancel`).expect(200);
    const { body } = await org.get(`/product-units/${units[0]!.id}/timeline`).expect(200);
    const [cancelled, shipped] = body.data.filter(({ type }: { type: string }) => type.startsWith('ship'));
    expect(shipped.type).to.equal('shipped');
    expect(cancelled).to.include({ type: 'shipment_cancelled', at, consignmentId: id, reference: 'C 7' });
  });

  it('has no shipment called off that never left', async () => {
    const { units, batchId } = await org.mintUnits(1);
    const { id } = (await org.post('/consignments', { units: { batchId } }).expect(201)).body;
    await runAllBulkJobs(api);
    await org.post(`/consignments/${id}/cancel`).expect(200);
    const { body } = await org.get(`/product-units/${units[0]!.id}/timeline`).expect(200);
    expect(typesOf(body.data)).not.to.include('shipment_cancelled');
  });

  it('gives hidden codes that were entered page by page, newest first, also those of one moment', async () => {
    const { units } = await org.mintUnits(1);
    await api.database.pool.query(
      `insert into hidden_code_entries (scan_id, org_id, unit_id, at, is_right, wrong_attempts)
       select gen_random_uuid(), $1, $2, $3::timestamptz + n / 3 * interval '1 second', false, n from generate_series(1, 9) as n`,
      [org.uuid, decodeId('unit', units[0]!.id), api.clock.now()],
    );
    const path = `/product-units/${units[0]!.id}/timeline?type=hidden_code_entered`;
    const { body: all } = await org.get(path).expect(200);
    expect(all.data).to.have.length(9);
    const pages: { at: string }[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: { body: { data: { at: string }[]; nextCursor: string | null } } = await org
        .get(`${path}&limit=2${cursor && `&cursor=${cursor}`}`)
        .expect(200);
      pages.push(...page.body.data);
      cursor = page.body.nextCursor;
    }
    expect(pages).to.deep.equal(all.data);
    const times = pages.map(({ at }) => at);
    expect(times).to.deep.equal(times.toSorted().toReversed());
  });

  it('gives the same list page by page, whatever the page’s size', async () => {
    const { data: all } = await read();
    for (const limit of [1, 3, 5]) {
      const pages = [];
      let cursor: string | null = null;
      do {
        const page: { data: object[]; nextCursor: string | null } = await read(
          `?limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`,
        );
        pages.push(...page.data);
        cursor = page.nextCursor;
      } while (cursor !== null);
      expect(pages).to.deep.equal(all);
    }
  });

  it('takes one type alone, and refuses a cursor of another list', async () => {
    expect(typesOf((await read('?type=scanned')).data)).to.deep.equal(['scanned', 'scanned']);
    const cursor = Buffer.from('0 z').toString('base64url');
    expectProblem(await org.get(`/product-units/${unitId}/timeline?cursor=${cursor}`), 'VALIDATION_FAILED');
  });

  it('leaves out what the key’s scopes do not cover', async () => {
    const key = await org.createKey('products.read');
    const { body } = await api
      .http()
      .get(`/api/v1/product-units/${unitId}/timeline`)
      .set('X-Api-Key', key)
      .expect(200);
    expect(typesOf(body.data)).to.not.include.members(['scanned']);
    expect(new Set(typesOf(body.data))).to.deep.equal(
      new Set(['minted', 'activated', 'suspended', 'reactivated', 'recalled', 'recall_lifted']),
    );
  });

  it('names no diversion as a reason that does not count', async () => {
    const signalsOf = async (counted: boolean) => {
      await api.database.pool.query('update scans set signals = $2 where unit_id = $1', [
        decodeId('unit', unitId),
        JSON.stringify([{ type: 'clone' }, { type: 'diversion', counted }]),
      ]);
      return (await read()).data.find(({ type }: { type: string }) => type === 'scanned').signals as string[];
    };
    expect(await signalsOf(true)).to.deep.equal(['clone', 'diversion']);
    expect(await signalsOf(false)).to.deep.equal(['clone']);
  });
});
