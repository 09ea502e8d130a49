import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { packageRoot } from '../../shared/package-root.ts';
import { createTestApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { createPeopleApi } from '../support/people-api.ts';
import { expectProblem } from '../support/problem.ts';

interface Page {
  data: { id: string; sku: string }[];
  nextCursor: string | null;
}

describe('cursor lists', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
    for (let i = 1; i <= 7; i++) await org.post('/products', { name: 'x', sku: `P${i}` }).expect(201);
  });
  after(() => api.close());

  const page = async (query: string): Promise<Page> => (await org.get(`/products?${query}`).expect(200)).body;
  const skus = ({ data }: Page) => data.map(({ sku }) => sku);

  it('gives the newest first', async () => {
    expect(skus(await page(''))).to.deep.equal(['P7', 'P6', 'P5', 'P4', 'P3', 'P2', 'P1']);
  });

  it('ends with a null cursor, also where the last page is exactly full', async () => {
    expect((await page('limit=7')).nextCursor).to.equal(null);
    const first = await page('limit=4');
    const second = await page(`limit=3&cursor=${first.nextCursor}`);
    expect([...skus(first), ...skus(second)]).to.have.length(7);
    expect(second.nextCursor).to.equal(null);
  });

  it('stays where it is while rows arrive in front and go away behind', async () => {
    const first = await page('limit=3');
    await org.post('/products', { name: 'x', sku: 'NEW' }).expect(201);
    await org.post(`/products/${first.data[2]!.id}/archive`).expect(200);
    const second = await page(`limit=3&cursor=${first.nextCursor}`);
    const third = await page(`limit=3&cursor=${second.nextCursor}`);
    expect([first, second, third].map(skus)).to.deep.equal([['P7', 'P6', 'P5'], ['P4', 'P3', 'P2'], ['P1']]);
    expect(third.nextCursor).to.equal(null);
  });

  it('keeps filters apart from the cursor', async () => {
    const first = await page('limit=1&archived=all');
    const rest = await page(`limit=200&archived=true&cursor=${first.nextCursor}`);
    expect(skus(rest)).to.deep.equal(['P5']);
  });

  it('has 50 rows without a limit, and at most 200', async () => {
    const crowd = await api.createOrganization();
    await api.database.pool.query(
      `insert into products (id, org_id, name, sku) select gen_random_uuid(), $1, 'x', n::text from generate_series(1, 201) n`,
      [crowd.uuid],
    );
    expect((await crowd.get('/products').expect(200)).body.data).to.have.length(50);
    const { body } = await crowd.get('/products?limit=200').expect(200);
    expect(body.data).to.have.length(200);
    const last = await crowd.get(`/products?limit=200&cursor=${body.nextCursor}`).expect(200);
    expect(last.body.data).to.have.length(1);
  });

  it('takes a cursor of a row that is gone as a place and nothing more, and one of a release before', async () => {
    const [place] = skus(await page('limit=1'));
    const { nextCursor } = await page('limit=1');
    await api.database.pool.query('update products set archived_at = now() where sku = $1', [place]);
    expect(skus(await page(`cursor=${nextCursor}&limit=200`))).to.include.members(['P1', 'P2']);
    const [, id] = Buffer.from(nextCursor!, 'base64url').toString().split(' ');
    const untold = Buffer.from(id!).toString('base64url');
    expect(await page(`cursor=${untold}&limit=200`)).to.deep.equal(
      await page(`cursor=${nextCursor}&limit=200`),
    );
  });

  it('refuses a cursor of another list as it refuses what is none', async () => {
    const people = await createPeopleApi();
    try {
      const owner = await people.person('owner');
      const { nextCursor } = await page('limit=1');
      await owner.get(`/products?cursor=${nextCursor}`).expect(200);
      const { body: document } = await people.http().get('/openapi.json').expect(200);
      const others = Object.entries(document.paths as Record<string, any>)
        .filter(([, { get }]) => get?.parameters?.some(({ name }: { name: string }) => name === 'cursor'))
        .map(([address]) => address.replace('/api/v1', ''))
        .filter((address) => address !== '/products' && !address.includes('{'));
      expect(others).to.include.members(['/scans', '/users', '/people', '/barcode-jobs', '/audit-log']);
      for (const address of others) {
        const answer = await owner.get(`${address}?cursor=${nextCursor}`);
        const { errors } = expectProblem(answer, 'VALIDATION_FAILED');
        expect(errors, address).to.have.length(1);
        expect(errors![0], address).to.include({ path: 'query.cursor', code: 'NOT_A_CURSOR' });
      }
    } finally {
      await people.close();
    }
  });

  it('is named alike where a cursor is read and where it is given', () => {
    const folder = path.join(packageRoot, 'api');
    const named = (pattern: RegExp) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .flatMap((file) => [...readFileSync(path.join(folder, file), 'utf8').matchAll(pattern)])
        .map(([, name]) => name!)
        .sort();
    const read = named(/\blistQuery\(\s*'([^']+)'/g);
    expect(new Set(read).size).to.equal(read.length).and.to.be.greaterThan(20);
    expect(named(/\blistBody\(\s*'([^']+)'/g)).to.deep.equal(read);
  });

  it('refuses a span that ends before it begins, and knows a filter’s values, on every path', async () => {
    const { id } = await org.createEndpoint({ events: ['*'] });
    for (const list of ['/scans', '/events', `/webhook-endpoints/${id}/deliveries`]) {
      const at = (day: number) => `2026-11-0${day}T00:00:00Z`;
      const { errors } = expectProblem(
        await org.get(`${list}?from=${at(2)}&to=${at(1)}`),
        'VALIDATION_FAILED',
      );
      expect(errors![0], list).to.include({ path: 'query.to', code: 'ENDS_BEFORE_START' });
      await org.get(`${list}?from=${at(1)}&to=${at(2)}`).expect(200);
    }
    for (const [query, code] of [
      ['/events?type=scan', 'UNKNOWN_CHOICE'],
      ['/consignments?sscc=1', 'NOT_AN_SSCC'],
    ])
      expect(expectProblem(await org.get(query!), 'VALIDATION_FAILED').errors![0], query).to.include({
        code,
      });
  });
});
