/** A draft is mended until it leaves. */
import { expect } from 'chai';
import { decodeId } from '../../../shared/ids.ts';
import {
  createTestApi,
  dumpTable,
  type TestApi,
  type TestOrganization,
  type TestUnit,
} from '../../support/api.ts';
import { runAllBulkJobs, runBulkJob } from '../../support/bulk-jobs.ts';
import { whileHeld } from '../../support/held-row.ts';
import { ADDRESSES } from '../../support/places.ts';
import { expectProblem } from '../../support/problem.ts';

const FIELDS = {
  reference: 'PO-1',
  sscc: '106141412345678908',
  origin: { name: 'Mill', address: 'Kalamata', country: 'GR' },
  destination: { name: 'Nordhandel', address: 'Kai 1', country: 'DE' },
  expectedMarkets: ['DE', 'AT'],
  references: [{ type: 'invoice', value: '4711' }],
};

describe('a draft’s correction', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
  });
  after(() => api.close());

  const listOf = (units: readonly TestUnit[]) => ({ unitIds: units.map(({ id }) => id) });
  const draft = async (fields: object = {}) =>
    (await org.post('/consignments', fields).expect(201)).body as { id: string } & Record<string, any>;
  const draftOf = async (units: readonly TestUnit[], fields: object = {}) => {
    const { id } = await draft({ ...fields, units: listOf(units) });
    await runAllBulkJobs(api);
    return id;
  };
  const read = async (id: string) => (await org.get(`/consignments/${id}`).expect(200)).body;
  const correct = (id: string, body: object) => org.patch(`/consignments/${id}`, body);
  const audited = async (id: string) =>
    (
      await api.database.pool.query(
        `select before, after from audit_log where action = 'correctConsignment' and resource = $1 order by id`,
        [id],
      )
    ).rows;
  const rowOf = (id: string) => ({
    text: 'select 1 from consignments where id = $1 for update',
    values: [decodeId('cons', id)],
  });

  it('changes what is given, clears what is null, leaves the rest and its units, and is in the audit log', async () => {
    const { units } = await org.mintUnits(2);
    const id = await draftOf(units, FIELDS);
    const before = await read(id);
    const { body } = await correct(id, {
      reference: 'PO-2',
      destination: { name: 'Südhandel' },
      expectedMarkets: ['CH'],
    }).expect(200);
    const destination = { name: 'Südhandel', address: null, country: null };
    const changed = { reference: 'PO-2', destination, expectedMarkets: ['CH'] };
    expect(body).to.deep.equal({ ...before, ...changed });
    expect(body.unitCount).to.equal(2);
    expect(await read(id)).to.deep.equal(body);
    const cleared = {
      reference: null,
      sscc: null,
      origin: null,
      destination: null,
      expectedMarkets: [],
      references: [],
    };
    expect((await correct(id, cleared).expect(200)).body).to.deep.equal({ ...before, ...cleared });
    expect((await correct(id, FIELDS).expect(200)).body).to.deep.equal(before);
    const { reference, destination: sentTo, expectedMarkets, ...others } = FIELDS;
    expect(await audited(id)).to.deep.equal([
      { before: { reference, destination: sentTo, expectedMarkets }, after: changed },
      { before: { ...changed, ...others }, after: cleared },
      { before: cleared, after: FIELDS },
    ]);
    await correct(id, cleared).expect(200);
  });

  it('is found by its new words, and no more by the old', async () => {
    const { id } = await draft({ reference: 'MISTYPED-77' });
    await correct(id, { reference: 'PROPER-77', destination: { name: 'Ostkontor' } }).expect(200);
    const found = async (q: string) =>
      (await org.get(`/consignments?q=${q}`).expect(200)).body.data.map((one: any) => one.id);
    expect([await found('MISTYPED-77'), await found('PROPER-77'), await found('ostkon')]).to.deep.equal([
      [],
      [id],
      [id],
    ]);
  });

  it('refuses what creation refuses, units, and nothing to change, and changes nothing then', async () => {
    const { id } = await draft({ reference: 'KEPT' });
    const { batchId } = await org.mintUnits(1);
    const before = await dumpTable(api.database, 'consignments');
    for (const [body, path] of [
      [{}, ''],
      [{ expected: { reference: 'KEPT' } }, ''],
      [{ reference: 'x', units: { batchId } }, 'units'],
      [{ reference: 'x', status: 'dispatched' }, 'status'],
      [{ sscc: '106141412345678907' }, 'sscc'],
      [{ reference: '' }, 'reference'],
      [{ destination: { country: 'DE' } }, 'destination.name'],
      [{ origin: { name: 'x', country: 'ZZ' } }, 'origin.country'],
      [{ expectedMarkets: null }, 'expectedMarkets'],
      [{ references: null }, 'references'],
      [{ reference: 'x', expected: { unitCount: 0 } }, 'expected.unitCount'],
    ] as const) {
      const { errors } = expectProblem(await correct(id, body), 'VALIDATION_FAILED');
      expect(
        errors!.map((error) => error.path),
        JSON.stringify(body),
      ).to.deep.equal([path]);
    }
    expect(await dumpTable(api.database, 'consignments')).to.equal(before);
  });

  it('refuses the SSCC of another open consignment at its field, and takes its own', async () => {
    const sscc = '106141412345678915';
    const first = await draft({ sscc });
    const { id } = await draft();
    for (const refused of [await correct(id, { sscc }), await org.post('/consignments', { sscc })]) {
      const { errors } = expectProblem(refused, 'CONFLICT');
      expect(errors!.map(({ path, code }) => [path, code])).to.deep.equal([['sscc', 'TAKEN']]);
    }
    await correct(first.id, { sscc, reference: 'same' }).expect(200);
    await org.post(`/consignments/${first.id}/cancel`).expect(200);
    await correct(id, { sscc }).expect(200);
  });

  it('is nobody’s of another organization, and of nobody who may not write', async () => {
    const { id } = await draft({ reference: 'OURS' });
    const other = await api.createOrganization();
    expectProblem(await other.patch(`/consignments/${id}`, { reference: 'x' }), 'NOT_FOUND');
    expectProblem(await correct('batch_01h455vb4pex5vsknk084sn02q', { reference: 'x' }), 'NOT_FOUND');
    const patch = async (...scopes: Parameters<TestOrganization['createKey']>) =>
      api
        .http()
        .patch(`/api/v1/consignments/${id}`)
        .set('X-Api-Key', await org.createKey(...scopes))
        .send({ reference: 'y' });
    expectProblem(await patch('consignments.read', 'batches.write'), 'INSUFFICIENT_SCOPE');
    expect((await read(id)).reference).to.equal('OURS');
    expect((await patch('consignments.write')).body).to.include({ reference: 'y' });
  });

  it('refuses to change what is not as it was read any more, and names it; the rest does not matter', async () => {
    const { id } = await draft({ ...FIELDS, sscc: null });
    const seen = await read(id);
    const destination = { ...FIELDS.destination, name: 'Nordhandel GmbH' };
    const change = { destination, expected: { destination: seen.destination } };
    await correct(id, { expectedMarkets: ['FR'], expected: { expectedMarkets: ['DE', 'AT'] } }).expect(200);
    await correct(id, change).expect(200);
    // Its answer may have been lost.
    await correct(id, change).expect(200);
    const late = await correct(id, {
      destination: null,
      expectedMarkets: [],
      reference: 'late',
      expected: {
        destination: seen.destination,
        expectedMarkets: seen.expectedMarkets,
        reference: seen.reference,
      },
    });
    const { errors } = expectProblem(late, 'CONFLICT');
    expect(errors!.map(({ path, code }) => [path, code])).to.deep.equal([
      ['destination', 'CHANGED_MEANWHILE'],
      ['expectedMarkets', 'CHANGED_MEANWHILE'],
    ]);
    expect(await read(id)).to.deep.equal({ ...seen, destination, expectedMarkets: ['FR'] });
  });

  it('lets one of two through who change the same of what they have read', async () => {
    const { id } = await draft({ reference: 'READ' });
    const both = await Promise.all(
      ['one', 'two'].map((reference) => correct(id, { reference, expected: { reference: 'READ' } })),
    );
    expect(both.map(({ status }) => status)).to.have.members([200, 409]);
    expect(await audited(id)).to.have.length(1);
  });

  it('comes too late once it has left, is received, recalled or called off', async () => {
    const { units } = await org.mintUnits(3);
    const ids = await Promise.all(units.map(async (unit) => (await draft({ units: listOf([unit]) })).id));
    await runAllBulkJobs(api);
    const [left, recalled, received] = ids as [string, string, string];
    for (const id of ids) await org.post(`/consignments/${id}/dispatch`).expect(200);
    await org.post(`/consignments/${recalled}/recall`).expect(200);
    await org.post(`/consignments/${received}/receive`).expect(200);
    const { id: cancelled } = await draft();
    await org.post(`/consignments/${cancelled}/cancel`).expect(200);
    const before = await dumpTable(api.database, 'consignments');
    for (const [id, status] of [
      [left, 'dispatched'],
      [recalled, 'recalled'],
      [received, 'received'],
      [cancelled, 'cancelled'],
    ] as const) {
      const { detail } = expectProblem(await correct(id, { reference: 'late' }), 'CONFLICT');
      expect(detail).to.equal(`a draft is corrected; this consignment is ${status}`);
    }
    expect(await dumpTable(api.database, 'consignments')).to.equal(before);
  });

  it('that waits for a dispatch comes too late', async () => {
    const { units } = await org.mintUnits(1);
    const id = await draftOf(units, { reference: 'AS SENT' });
    await whileHeld(api.database.pool, rowOf(id), async ({ waiting, release }) => {
      const sent = org.post(`/consignments/${id}/dispatch`).then(({ status }) => status);
      await waiting(1);
      const corrected = correct(id, { reference: 'AS MEANT' }).then((answer) => answer);
      await waiting(2);
      await release();
      expect(await sent).to.equal(200);
      expectProblem(await corrected, 'CONFLICT');
    });
    expect(await read(id)).to.include({ status: 'dispatched', reference: 'AS SENT' });
  });

  it('that a dispatch waits for leaves with it: scans are judged by its markets', async () => {
    const { units } = await org.mintUnits(2, { product: { markets: ['FR'] } });
    const id = await draftOf(units, { expectedMarkets: ['DE'] });
    await whileHeld(api.database.pool, rowOf(id), async ({ waiting, release }) => {
      const corrected = correct(id, { expectedMarkets: ['JP'] }).then(({ status }) => status);
      await waiting(1);
      const sent = org.post(`/consignments/${id}/dispatch`).then(({ body }) => body);
      await waiting(2);
      await release();
      expect(await corrected).to.equal(200);
      expect(await sent).to.deep.include({ status: 'dispatched', expectedMarkets: ['JP'] });
    });
    expect((await api.verify(units[0]!.token, ADDRESSES.JP)).body.result).to.equal('genuine');
    expect((await api.verify(units[1]!.token, ADDRESSES.DE)).body.result).to.equal('diverted');
  });

  it('leaves a job alone that is adding units, and calls what that one counts no change of its own', async () => {
    const { units } = await org.mintUnits(2);
    const { id } = await draft({ reference: 'BEFORE' });
    const { body: job } = await org.post(`/consignments/${id}/units`, listOf(units)).expect(202);
    const held = rowOf(id);
    await whileHeld(api.database.pool, held, async ({ holder, waiting, release }) => {
      const corrected = correct(id, { reference: 'AFTER' }).then(({ status }) => status);
      await waiting(1);
      await holder.query('update consignments set contents = $2 where id = $1', [
        decodeId('cons', id),
        JSON.stringify([{ name: 'Counted meanwhile', units: 2 }]),
      ]);
      await release();
      expect(await corrected).to.equal(200);
    });
    expect(await audited(id)).to.deep.equal([
      { before: { reference: 'BEFORE' }, after: { reference: 'AFTER' } },
    ]);
    expect(await runBulkJob(api, org, job.id)).to.include({ status: 'completed', changed: 2 });
    expect(await read(id)).to.include({ reference: 'AFTER', unitCount: 2 });
  });
});
