import { expect } from 'chai';
import type { ErrorCode } from '../../../shared/errors.ts';
import { createTestApi, type TestApi, type TestOrganization, type TestUnit } from '../../support/api.ts';
import { runAllBulkJobs } from '../../support/bulk-jobs.ts';
import { expectProblem } from '../../support/problem.ts';

describe('what a consignment may become', () => {
  let api: TestApi;
  let org: TestOrganization;
  let units: TestUnit[];

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
  });
  beforeEach(async () => {
    ({ units } = await org.mintUnits(2));
  });
  after(() => api.close());

  const listOf = (...some: TestUnit[]) => ({ unitIds: some.map(({ id }) => id) });
  const draft = async () => {
    const { body } = await org.post('/consignments', { units: listOf(units[0]!) }).expect(201);
    await runAllBulkJobs(api);
    return body.id as string;
  };
  const led = async (id: string, ...verbs: [verb: string, body?: object][]) => {
    for (const [verb, body] of verbs) await org.post(`/consignments/${id}/${verb}`, body).expect(200);
    return id;
  };
  const dispatched = async () => led(await draft(), ['dispatch']);

  const STATES: [state: string, make: () => Promise<string>, refused: Record<string, ErrorCode>][] = [
    [
      'a draft',
      draft,
      { receive: 'INVALID_TRANSITION', recall: 'INVALID_TRANSITION', 'renew-link': 'CONFLICT' },
    ],
    [
      'a draft with units that is still given more',
      async () => {
        const id = await draft();
        await org.post(`/consignments/${id}/units`, listOf(units[1]!)).expect(202);
        return id;
      },
      { dispatch: 'CONFLICT', cancel: 'CONFLICT', units: 'CONFLICT' },
    ],
    ['a dispatched one', dispatched, { units: 'CONFLICT' }],
    [
      'a received one',
      async () => led(await dispatched(), ['receive']),
      {
        dispatch: 'INVALID_TRANSITION',
        receive: 'INVALID_TRANSITION',
        cancel: 'INVALID_TRANSITION',
        'renew-link': 'CONFLICT',
        units: 'CONFLICT',
      },
    ],
    [
      'one that was received in part',
      async () => led(await dispatched(), ['receive', { missing: [units[0]!.id] }]),
      {
        dispatch: 'INVALID_TRANSITION',
        receive: 'INVALID_TRANSITION',
        cancel: 'INVALID_TRANSITION',
        'renew-link': 'CONFLICT',
        units: 'CONFLICT',
      },
    ],
    [
      'one that was called off',
      async () => led(await dispatched(), ['cancel']),
      {
        dispatch: 'INVALID_TRANSITION',
        receive: 'INVALID_TRANSITION',
        recall: 'INVALID_TRANSITION',
        'renew-link': 'CONFLICT',
        units: 'CONFLICT',
      },
    ],
  ];
  for (const [state, make, refused] of STATES)
    it(`of ${state} refuses ${Object.keys(refused).join(', ')}, and changes nothing`, async () => {
      const id = await make();
      const before = (await org.get(`/consignments/${id}`).expect(200)).body;
      for (const [verb, code] of Object.entries(refused)) {
        const body = verb === 'units' ? listOf(units[1]!) : {};
        expectProblem(await org.post(`/consignments/${id}/${verb}`, body), code);
      }
      expect((await org.get(`/consignments/${id}`).expect(200)).body).to.deep.equal(before);
      await runAllBulkJobs(api);
    });

  it('is told what is missing by the name that its lot had when the codes were printed', async () => {
    const gtin = '04012345123456';
    const minted = await org.mintUnits(1, { product: { gtin }, batch: { lot: 'L-OLD' } });
    units = minted.units;
    const id = await dispatched();
    await org.patch(`/batches/${minted.batchId}`, { lot: 'L-NEW' }).expect(200);
    const missing = [`(01)${gtin}(10)L-OLD(21)${units[0]!.serial}`];
    const { body } = await org.post(`/consignments/${id}/receive`, { missing }).expect(200);
    expect(body.receipt).to.include({ missingCount: 1 });
  });
});
