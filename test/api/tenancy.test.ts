import { expect } from 'chai';
import { countRows, createTestApi, dumpTable, type TestApi, type TestOrganization } from '../support/api.ts';
import {
  createResources,
  pathOf,
  KEYED,
  rawRequest,
  titleOf,
  VALID_BODIES,
  type KnownIds,
} from '../support/operations.ts';
import { expectProblem } from '../support/problem.ts';

const TABLES = [
  'products',
  'batches',
  'product_units',
  'barcode_jobs',
  'barcode_job_chunks',
  'scans',
  'events',
  'webhook_endpoints',
  'webhook_secrets',
  'webhook_dispatches',
  'unit_risk_profiles',
  'consignments',
  'consignment_units',
  'bulk_jobs',
  'recalls',
  'counterfeit_reports',
  'counterfeit_report_notes',
  'counterfeit_report_photos',
  'risk_cases',
  'risk_case_notes',
  'risk_policies',
  'risk_simulations',
];

describe('another organization', () => {
  let api: TestApi;
  let owner: TestOrganization;
  let stranger: TestOrganization;
  let theirs: KnownIds;

  before(async () => {
    api = await createTestApi();
    owner = await api.createOrganization();
    stranger = await api.createOrganization();
    theirs = await createResources(api, owner);
  });
  after(() => api.close());

  const dump = async () => Promise.all(TABLES.map((table) => dumpTable(api.database, table)));

  for (const operation of KEYED.filter(({ ids }) => ids !== undefined)) {
    it(`finds nothing at ${titleOf(operation)}, and changes nothing`, async () => {
      const before = await dump();
      const body = VALID_BODIES[operation.operationId];
      const answer = await rawRequest(api, operation.method, pathOf(operation, theirs), {
        key: stranger.key,
        ...(body === undefined
          ? {}
          : body instanceof FormData
            ? { body }
            : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      });
      expectProblem(answer, 'NOT_FOUND');
      expect(await dump()).to.deep.equal(before);
    });
  }

  it('is told the same of what is another’s and of what nobody has', async () => {
    for (const operation of KEYED.filter(({ ids, method }) => ids !== undefined && method === 'get')) {
      const [foreign, nobodys] = await Promise.all(
        [theirs, {}].map((known) => rawRequest(api, 'get', pathOf(operation, known), { key: stranger.key })),
      );
      const { requestId: _, ...one } = foreign!.body;
      const { requestId: __, ...other } = nobodys!.body;
      expect(one, titleOf(operation)).to.deep.equal(other);
    }
  });

  it('sees empty lists, whatever it filters by', async () => {
    const filters: Record<string, string[]> = {
      '/products': ['', 'sku=SKU-1', 'q=olive'],
      '/batches': ['', `productId=${theirs.prod}`],
      '/barcode-jobs': ['', `batchId=${theirs.batch}`, 'status=completed'],
      '/product-units': ['', `batchId=${theirs.batch}`, 'status=active'],
      '/scans': [
        '',
        `unitId=${theirs.unit}`,
        `productId=${theirs.prod}`,
        `batchId=${theirs.batch}`,
        'result=genuine',
      ],
      '/events': ['', 'type=scan.recorded'],
      '/webhook-endpoints': [''],
      '/risk-cases': ['', 'status=open', 'undecided=true'],
      '/risk-simulations': [''],
    };
    for (const [path, queries] of Object.entries(filters)) {
      for (const query of queries) {
        expect((await owner.get(`${path}?${query}`).expect(200)).body.data, path).not.to.deep.equal([]);
        const { body } = await stranger.get(`${path}?${query}`).expect(200);
        expect(body, `${path}?${query}`).to.deep.equal({ data: [], nextCursor: null });
      }
    }
  });

  it('gets nothing out of a cursor of the other’s list', async () => {
    await owner.createProduct();
    const { body } = await owner.get('/products?limit=1').expect(200);
    expect(body.nextCursor).to.be.a('string');
    const { body: own } = await stranger.get(`/products?cursor=${body.nextCursor}`).expect(200);
    expect(own).to.deep.equal({ data: [], nextCursor: null });
  });

  it('cannot put its batch on the other’s product', async () => {
    const before = await countRows(api.database);
    const answer = await stranger.post('/batches', { productId: theirs.prod, quantity: 1 });
    expectProblem(answer, 'VALIDATION_FAILED');
    expect(await countRows(api.database)).to.deep.equal(before);
  });

  it('gets no event of the other’s, though it subscribes to all', async () => {
    await stranger.createEndpoint();
    const { units } = await owner.mintUnits();
    await api.verify(units[0]!.token).expect(200);
    await api.score();
    const { rows } = await api.database.pool.query(
      `select count(*)::int as n from webhook_dispatches d
         join webhook_endpoints e on e.id = d.endpoint_id join events v on v.id = d.event_id
        where e.org_id <> v.org_id or d.org_id <> e.org_id`,
    );
    expect(rows[0].n).to.equal(0);
    const { rows: all } = await api.database.pool.query('select distinct org_id from webhook_dispatches');
    expect(all).to.deep.equal([{ org_id: owner.uuid }]);
  });
});
