import { expect } from 'chai';
import type { Scope } from '../../../shared/api-keys/scopes.ts';
import { decodeId } from '../../../shared/ids.ts';
import { EVENT_CATALOGUE } from '../../../shared/events/catalogue.ts';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';
import { expectProblem } from '../../support/problem.ts';

describe('events', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
    const { units } = await org.mintUnits();
    await api.verify(units[0]!.token).expect(200);
    await api.score();
  });
  after(() => api.close());

  it('lists them newest first, in the envelope that is delivered, and reads one alone', async () => {
    const { body } = await org.get('/events').expect(200);
    expect(body.data.map((one: { type: string }) => one.type)).to.deep.equal([
      'scan.recorded',
      'barcode_job.completed',
    ]);
    for (const event of body.data) {
      expect(Object.keys(event).sort()).to.deep.equal(['createdAt', 'data', 'id', 'type']);
      expect(event.id).to.match(/^evt_/);
      // Alone it also says what became of it at each endpoint.
      const { dispatches, ...alone } = (await org.get(`/events/${event.id}`).expect(200)).body;
      expect(alone).to.deep.equal(event);
      expect(dispatches).to.deep.equal([]);
    }
    const [scan] = body.data;
    expect(scan.data).to.include({ result: 'genuine', country: null });
    expect(scan.data.scanId).to.match(/^scan_/);
    expect(scan.data.productUnitId).to.match(/^unit_/);
  });

  it('shows a key that may not read barcode jobs no link to their files', async () => {
    const read = async (path: string, ...scopes: Scope[]) =>
      (
        await api
          .http()
          .get(`/api/v1/events${path}`)
          .set('X-Api-Key', await org.createKey(...scopes))
          .expect(200)
      ).body;
    const { data: all } = await read('?type=barcode_job.completed', 'webhooks.read', 'products.read');
    expect(all[0].data.artifacts).to.have.length.greaterThan(1);
    for (const { url } of all[0].data.artifacts) expect(url).to.match(/^https?:/);
    const artifacts = all[0].data.artifacts.map((artifact: object) => ({ ...artifact, url: null }));
    const shown = { ...all[0], data: { ...all[0].data, artifacts } };
    expect((await read('?type=barcode_job.completed', 'webhooks.read')).data).to.deep.equal([shown]);
    expect(await read(`/${shown.id}`, 'webhooks.write')).to.deep.equal({ ...shown, dispatches: [] });
  });

  it('filters by type, one that there is', async () => {
    const { body } = await org.get('/events?type=scan.recorded').expect(200);
    expect(body.data).to.have.length(1);
    const { errors } = expectProblem(await org.get('/events?type=no.such'), 'VALIDATION_FAILED');
    expect(errors![0]).to.deep.include({
      code: 'UNKNOWN_CHOICE',
      params: { choices: Object.keys(EVENT_CATALOGUE) },
    });
  });

  it('filters by the time when they were recorded', async () => {
    const { data } = (await org.get('/events').expect(200)).body as { data: { id: string }[] };
    // Ids are made of the machine's clock, which the test does not move.
    const timeOf = ({ id }: { id: string }) =>
      Number.parseInt(decodeId('evt', id)!.replaceAll('-', '').slice(0, 12), 16);
    const at = (time: number) => new Date(time).toISOString();
    const between = async (query: string) => (await org.get(`/events?${query}`).expect(200)).body.data;
    const [newest, oldest] = [timeOf(data[0]!), timeOf(data.at(-1)!)];
    expect(await between(`from=${at(newest + 1)}`)).to.deep.equal([]);
    expect(await between(`to=${at(oldest)}`)).to.deep.equal([]);
    expect(await between(`from=${at(oldest)}&to=${at(newest + 1)}`)).to.deep.equal(data);
    const last = data.filter((event) => timeOf(event) === newest);
    expect(await between(`from=${at(newest)}`)).to.deep.equal(last);
  });

  it('tells which types there are, each with a schema and an example', async () => {
    const { body } = await org.get('/event-types').expect(200);
    expect(body.data.map((one: { type: string }) => one.type)).to.deep.equal(Object.keys(EVENT_CATALOGUE));
    for (const type of body.data) expect(type).to.include.keys('dataSchema', 'example', 'description');
  });

  it('shows another organization nothing', async () => {
    const stranger = await api.createOrganization();
    expect((await stranger.get('/events').expect(200)).body).to.deep.equal({ data: [], nextCursor: null });
    const [event] = (await org.get('/events')).body.data;
    expectProblem(await stranger.get(`/events/${event.id}`), 'NOT_FOUND');
  });
});
