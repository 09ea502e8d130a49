import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { expect } from 'chai';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';

describe('a body that comes while its sender loses the right to send it', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
  });
  after(() => api.close());

  const begin = (path: string, key: string, headers: Record<string, string>): ClientRequest => {
    const { port } = api.server.address() as AddressInfo;
    const options = { port, host: '127.0.0.1', method: 'POST', path: `/api/v1${path}` };
    return request({ ...options, headers: { 'X-Api-Key': key, ...headers } });
  };

  /** Sends the first part, does something meanwhile, sends the rest. @returns the status. */
  async function inTwoParts(sent: ClientRequest, parts: [string, string], meanwhile: () => Promise<unknown>) {
    const arrived = once(api.server, 'request') as Promise<[IncomingMessage]>;
    sent.write(parts[0], 'latin1');
    const [received] = await arrived;
    // Nobody reads the body before the key is known.
    await eventually('the body is read', () => received.readableFlowing !== null);
    await meanwhile();
    sent.end(parts[1]);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  }

  /** Of the keys with one scope, which are those of these tests. */
  const change = (assignment: string) => () =>
    api.database.pool.query(
      `update api_keys set ${assignment} where org_id = $1 and cardinality(scopes) = 1`,
      [org.uuid],
    );
  const revoke = change('revoked_at = now()');
  const narrow = change(`scopes = '{products.read}'`);

  it('changes nothing where the key was revoked, or lost its scope', async () => {
    for (const [meanwhile, status] of [
      [async () => undefined, 201],
      [revoke, 401],
      [narrow, 403],
    ] as const) {
      const key = await org.createKey('products.write');
      const sent = begin('/products', key, { 'Content-Type': 'application/json' });
      const sku = `SLOW-${status}`;
      expect(await inTwoParts(sent, ['{"name": "Oil", ', `"sku": "${sku}"}`], meanwhile)).to.equal(status);
      const { data } = (await org.get(`/products?q=${sku}`).expect(200)).body;
      expect(data).to.have.length(status === 201 ? 1 : 0);
    }
  });

  it('imports no table of products where the key was revoked, or lost its scope', async () => {
    for (const [meanwhile, status] of [
      [async () => undefined, 200],
      [revoke, 401],
      [narrow, 403],
    ] as const) {
      const key = await org.createKey('products.write');
      const sent = begin('/products/import', key, { 'Content-Type': 'text/csv' });
      const sku = `TABLE-${status}`;
      expect(await inTwoParts(sent, ['sku,name\n', `${sku},Oil`], meanwhile)).to.equal(status);
      const { data } = (await org.get(`/products?q=${sku}`).expect(200)).body;
      expect(data).to.have.length(status === 200 ? 1 : 0);
    }
  });

  it('leaves no file where it is an upload', async () => {
    const { body: report } = await org
      .post('/counterfeit-reports', { channel: 'inspection', description: 'Odd' })
      .expect(201);
    const key = await org.createKey('reports.write');
    const png = '\u0089PNG\r\n\u001a\n';
    const sent = begin(`/counterfeit-reports/${report.id}/photos`, key, {
      'Content-Type': 'multipart/form-data; boundary=x',
    });
    const head = `--x\r\nContent-Disposition: form-data; name="photos"; filename="a.png"\r\n\r\n${png}12345678`;
    expect(await inTwoParts(sent, [head, '90\r\n--x--\r\n'], revoke)).to.equal(401);
    const { photoCount } = (await org.get(`/counterfeit-reports/${report.id}`).expect(200)).body;
    expect(photoCount).to.equal(0);
  });

  it('leaves no serials where they are read as they come', async () => {
    const { id } = await org.createBatch({ quantity: 2 });
    for (const [meanwhile, status] of [
      [revoke, 401],
      [async () => undefined, 200],
    ] as const) {
      const key = await org.createKey('barcodes.generate');
      const sent = begin(`/batches/${id}/serials`, key, { 'Content-Type': 'text/csv' });
      expect(await inTwoParts(sent, ['S-1\n', 'S-2\n'], meanwhile)).to.equal(status);
      const { rows } = await api.database.pool.query('select count(*) from uploaded_serials');
      expect(rows[0].count).to.equal(status === 200 ? 2 : 0);
    }
  });
});
