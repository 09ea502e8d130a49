import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { encodeId, newUuid } from '../../../shared/ids.ts';
import { createTestApi, type TestApi, type TestOrganization, type TestUnit } from '../../support/api.ts';
import { runAllBulkJobs, runBulkJob } from '../../support/bulk-jobs.ts';
import { eventually } from '../../support/eventually.ts';
import { expectProblem } from '../../support/problem.ts';

describe('units of a consignment', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
  });
  after(() => api.close());

  /** A draft with these units in it. */
  const draftOf = async (units: TestUnit[], fields: object = {}) => {
    const { body } = await org
      .post('/consignments', { ...fields, units: { unitIds: units.map(({ id }) => id) } })
      .expect(201);
    await runAllBulkJobs(api);
    return body.id as string;
  };

  it('adds a batch, a range of serials and ids by a job', async () => {
    const { batchId, productId, units } = await org.mintUnits(3);
    const byBatch = (await org.post('/consignments', {}).expect(201)).body.id;
    const job = (await org.post(`/consignments/${byBatch}/units`, { batchId }).expect(202)).body;
    expect(job).to.include({ status: 'queued', action: 'consign', consignmentId: byBatch });
    expect(await runBulkJob(api, org, job.id)).to.deep.include({
      status: 'completed',
      changed: 3,
      refused: 0,
      progress: { done: 3, total: 3 },
    });
    expect((await org.get(`/consignments/${byBatch}`).expect(200)).body.unitCount).to.equal(3);
    expect((await org.get(`/consignments/${byBatch}/units?limit=2`).expect(200)).body.data).to.have.length(2);
    await org.post(`/consignments/${byBatch}/cancel`).expect(200);

    const serials = units.map(({ serial }) => serial).sort();
    const bySerial = (await org.post('/consignments', {}).expect(201)).body.id;
    const range = { productId, from: serials[0], to: serials[1] };
    await org.post(`/consignments/${bySerial}/units`, { serials: range }).expect(202);
    await runAllBulkJobs(api);
    const { body } = await org.get(`/consignments/${bySerial}/units`).expect(200);
    expect(body.data.map((unit: any) => unit.serial).sort()).to.deep.equal(serials.slice(0, 2));
  });

  it('tells what is in it, product by product, in drafts and afterwards', async () => {
    const few = await org.mintUnits(1, { product: { name: 'Oil' } });
    const most = await org.mintUnits(2, { product: { name: 'Vinegar' } });
    const id = await draftOf([...few.units, ...most.units]);
    const contents = [
      { name: 'Vinegar', units: 2 },
      { name: 'Oil', units: 1 },
    ];
    expect((await org.get(`/consignments/${id}`).expect(200)).body.contents).to.deep.equal(contents);
    expect((await org.post(`/consignments/${id}/dispatch`).expect(200)).body.contents).to.deep.equal(
      contents,
    );
    const { body } = await org.get('/consignments?status=dispatched').expect(200);
    expect(body.data.find((row: any) => row.id === id).contents).to.deep.equal(contents);
    expect((await org.post('/consignments', {}).expect(201)).body.contents).to.deep.equal([]);
  });

  for (const [by, contentType, listOf] of [
    [
      'unitId',
      'text/csv',
      (units: TestUnit[]) => `note,unitId\r\n${units.map(({ id }) => `"a,b",${id}\r\n`).join('')}`,
    ],
    ['serial', 'text/csv', (units: TestUnit[]) => `serial\n${units.map(({ serial }) => serial).join('\n')}`],
    // As a spreadsheet writes it in German or French, and as it copies cells.
    [
      'serial',
      'text/csv; charset=utf-8',
      (units: TestUnit[]) =>
        `\uFEFFCharge;serial\r\n${units.map(({ serial }) => `"1,5";${serial}\r\n`).join('')}`,
    ],
    [
      'unitId',
      'text/csv; header=present',
      (units: TestUnit[]) => `unitId\tnote\n${units.map(({ id }) => `${id}\ta;b,c\n`).join('')}`,
    ],
    [
      'code',
      'application/x-ndjson',
      (units: TestUnit[]) =>
        units.map(({ token }) => `${JSON.stringify({ code: `https://x.example/v/${token}` })}\n`).join(''),
    ],
  ] as const) {
    it(`adds an uploaded list of ${by}s as ${contentType}`, async () => {
      const { units, productId } = await org.mintUnits(3);
      const { id } = (await org.post('/consignments', {}).expect(201)).body;
      const product = by === 'serial' ? `&productId=${productId}` : '';
      const { body } = await org
        .post(`/consignments/${id}/units?by=${by}${product}`)
        .set('Content-Type', contentType)
        .send(listOf(units))
        .expect(202);
      expect(await runBulkJob(api, org, body.id)).to.include({ status: 'completed', changed: 3 });
      expect((await org.get(`/consignments/${id}`)).body.unitCount).to.equal(3);
    });
  }

  it('adds nothing of a list with a wrong line, and names the lines', async () => {
    const { units } = await org.mintUnits(2);
    const other = await api.createOrganization();
    const foreign = (await other.mintUnits(1)).units[0]!;
    const { id } = (await org.post('/consignments', {}).expect(201)).body;
    const list = `unitId\n${units[0]!.id}\nnonsense\n${foreign.id}\n${units[1]!.id}\n`;
    const { body } = await org
      .post(`/consignments/${id}/units`)
      .set('Content-Type', 'text/csv')
      .send(list)
      .expect(202);
    const job = await runBulkJob(api, org, body.id);
    expect(job).to.deep.include({ status: 'failed', changed: 0, refused: 2 });
    expect(job['error'].code).to.equal('UNITS_REFUSED');
    expect(job['problems']).to.deep.equal([
      { line: 3, ref: 'nonsense', code: 'NOT_A_UNIT_ID', message: 'is not an id of the form unit_…' },
      { line: 4, ref: foreign.id, code: 'NO_SUCH_UNIT', message: 'no such unit' },
    ]);
    expect((await org.get(`/consignments/${id}`)).body.unitCount).to.equal(0);
    expect((await org.get(`/consignments/${id}/units`)).body.data).to.deep.equal([]);
    // What it held meanwhile is free for another.
    await draftOf(units);
    const { rows } = await api.database.pool.query('select count(*)::int as items from bulk_job_items');
    expect(rows[0].items).to.equal(0);
  });

  it('says that it added nothing where there are no such units', async () => {
    const { productId } = await org.mintUnits(1);
    const { id } = (await org.post('/consignments', {}).expect(201)).body;
    const serials = { productId, from: '~', to: '~~' };
    const { body } = await org.post(`/consignments/${id}/units`, { serials }).expect(202);
    expect(await runBulkJob(api, org, body.id)).to.deep.include({
      status: 'failed',
      error: { code: 'NO_UNITS', message: 'There are no such units.' },
    });
  });

  it('fails a list without the column it is by, and one that is no text', async () => {
    const { id } = (await org.post('/consignments', {}).expect(201)).body;
    for (const [list, message] of [
      ['serial\nA1\n', 'the first line must name a column "unitId"'],
      [Buffer.from([0x75, 0x6e, 0xff, 0xfe, 0x0a]), 'the list is not UTF-8 text'],
    ] as const) {
      const { body } = await org
        .post(`/consignments/${id}/units`)
        .set('Content-Type', 'text/csv')
        .send(list as string)
        .expect(202);
      const job = await runBulkJob(api, org, body.id);
      expect(job['error']).to.deep.equal({ code: 'UPLOAD_NOT_USABLE', message });
    }
  });

  it('keeps no list that it refuses', async () => {
    const uploads = path.join(api.deps.config.STORAGE_DIR, 'uploads');
    const lists = () => (existsSync(uploads) ? readdirSync(uploads) : []);
    const before = lists();
    const unknown = encodeId('cons', newUuid());
    const request = org
      .post(`/consignments/${unknown}/units`)
      .set('Content-Type', 'text/csv')
      .send('unitId\n');
    expectProblem(await request, 'NOT_FOUND');
    await eventually('it is gone', async () => {
      const { rows } = await api.database.pool.query('select 1 from storage_intake');
      return rows.length === 0;
    });
    expect(lists()).to.deep.equal(before);
  });

  it('takes no JSON body for an uploaded list', async () => {
    const { id } = (await org.post('/consignments', {}).expect(201)).body;
    const body = { prefix: 'jobs/', format: 'csv' };
    expectProblem(await org.post(`/consignments/${id}/units`, body), 'VALIDATION_FAILED');
  });

  it('names the field that is wrong with the units to add', async () => {
    const { id } = (await org.post('/consignments', {}).expect(201)).body;
    for (const [body, path, code] of [
      [{ batchId: 'x' }, 'batchId', 'NOT_AN_ID'],
      [{ unitIds: ['unit_x'] }, 'unitIds.0', 'NOT_AN_ID'],
      [{ units: [] }, 'units', 'UNKNOWN_FIELD'],
      [{}, '', 'EXACTLY_ONE_OF'],
    ] as const) {
      const refused = await org.post(`/consignments/${id}/units`, body);
      expectProblem(refused, 'VALIDATION_FAILED');
      expect(refused.body.errors.map((error: any) => [error.path, error.code])).to.deep.include([path, code]);
    }
  });

  it('names what is nobody’s by its place in the body, in a new draft’s too', async () => {
    const { id } = (await org.post('/consignments', {}).expect(201)).body;
    const serials = { productId: encodeId('prod', newUuid()), from: 'A', to: 'B' };
    for (const [units, path, code] of [
      [{ batchId: encodeId('batch', newUuid()) }, 'batchId', 'NO_SUCH_BATCH'],
      [{ serials }, 'serials.productId', 'NO_SUCH_PRODUCT'],
    ] as const) {
      const added = expectProblem(await org.post(`/consignments/${id}/units`, units), 'VALIDATION_FAILED');
      expect(added.errors![0]).to.include({ path, code });
      const made = expectProblem(await org.post('/consignments', { units }), 'VALIDATION_FAILED');
      expect(made.errors![0]).to.include({ path: `units.${path}`, code });
    }
  });
});
