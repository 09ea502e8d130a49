import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { addCodeHost, parseCodeAddress, useCodeHost } from '../../../shared/code-hosts/service.ts';
import type { ExportContent } from '../../../shared/exports/content.ts';
import { expireOldExports } from '../../../shared/exports/housekeeping.ts';
import { claimExport, extendExportLease } from '../../../shared/exports/repository.ts';
import { unitsContent } from '../../../shared/exports/units.ts';
import {
  claim,
  ExportInterrupted,
  giveBack,
  settleFailure,
  writeExport,
  type WriteDeps,
} from '../../../shared/exports/write.ts';
import { decodeId, encodeId, newUuid } from '../../../shared/ids.ts';
import { exportUnits } from '../../../workers/export-units/processor.ts';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';
import { runAllBulkJobs } from '../../support/bulk-jobs.ts';
import { downloadFile, filesOfExport } from '../../support/export-files.ts';
import { ADDRESSES } from '../../support/places.ts';
import { expectProblem } from '../../support/problem.ts';

type Line = Record<string, unknown> & { id: string; serial: string };

/** Of cells without commas and quotes. */
const rowsOf = (csv: string): Record<string, string>[] => {
  const [heading, ...rows] = csv
    .trimEnd()
    .split('\n')
    .map((line) => line.split(','));
  return rows.map((cells) => Object.fromEntries(heading!.map((name, index) => [name, cells[index]!])));
};

describe('exports of units', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi();
  });
  after(() => api.close());
  beforeEach(async () => {
    org = await api.createOrganization();
  });

  const uuidOf = (id: string): string => decodeId('uexp', id)!;
  const start = async (body: object = {}) => (await org.post('/unit-exports', body).expect(202)).body;
  const read = async (id: string) => (await org.get(`/unit-exports/${id}`).expect(200)).body;
  const run = (id: string, deps = api.workerDeps) => exportUnits(deps)({ exportId: uuidOf(id) });
  /** Asks for a file, has it written, and fetches it. */
  const written = async (body: object): Promise<string> => {
    const { id } = await start(body);
    expect(await run(id)).to.deep.include({ did: 'finished' });
    const { artifacts } = await read(id);
    const answer = await downloadFile(api, artifacts[0].url);
    expect(answer.status).to.equal(200);
    return String(answer.body);
  };
  const linesOf = async (body: object = {}): Promise<Line[]> =>
    (await written({ format: 'ndjson', ...body }))
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Line);

  it('are a job to poll, with one file of every unit, newest first, without formulas', async () => {
    // More than one page of the writer's.
    const { batchId } = await org.mintUnits(2_050, { product: { name: '=SUM(A1)', sku: 'EXPORTED' } });
    const answer = await org.post('/unit-exports', { batchId }).expect(202);
    expect(answer.headers).to.include({
      location: `/api/v1/unit-exports/${answer.body.id}`,
      'retry-after': '1',
    });
    expect(answer.body).to.deep.include({
      status: 'queued',
      format: 'csv',
      filters: { batchId },
      withScans: true,
      artifacts: [],
      progress: { done: 0, total: null },
    });
    const poll = () => org.get(`/unit-exports/${answer.body.id}`);
    expect((await poll()).headers).to.include({ 'retry-after': '1' });
    expect(await run(answer.body.id)).to.include({ did: 'finished' });
    expect((await poll()).headers).not.to.have.property('retry-after');
    const { status, progress, artifacts } = await read(answer.body.id);
    expect({ status, progress }).to.deep.equal({
      status: 'completed',
      progress: { done: 2_050, total: 2_050 },
    });
    const { body, headers } = await downloadFile(api, artifacts[0].url);
    expect(headers['content-disposition']).to.equal('attachment; filename="units.csv"');
    expect(artifacts[0]).to.include({
      kind: 'units',
      bytes: body.length,
      sha256: createHash('sha256').update(body).digest('hex'),
    });
    const rows = rowsOf(String(body));
    expect(new Set(rows.map(({ serial }) => serial)).size).to.equal(2_050);
    const listed = (await org.get(`/product-units?batchId=${batchId}&limit=200`).expect(200)).body.data;
    expect(rows.slice(0, 200).map(({ id }) => id)).to.deep.equal(listed.map((unit: Line) => unit.id));
    expect(rows[0]).to.include({
      serial: listed[0].serial,
      status: 'active',
      productName: `'=SUM(A1)`,
      sku: 'EXPORTED',
      activatedAt: listed[0].activatedAt,
      recallOf: '',
      risk: 'clear',
      scans: '0',
      lastScannedAt: '',
      verifyUrl: listed[0].verifyUrl,
      token: listed[0].token,
    });
  });

  it('hold what the API shows of a unit, its product, and what scans told of it', async () => {
    const { units } = await org.mintUnits(2, { product: { sku: 'SCANNED', gtin: '04012345123456' } });
    const [scanned, unseen] = units as [(typeof units)[0], (typeof units)[0]];
    const first = api.clock.now().toISOString();
    await api.verify(scanned.token, ADDRESSES.DE).expect(200);
    api.clock.advance(86_400_000);
    await api.verify(scanned.token, ADDRESSES.JP).expect(200);
    const last = api.clock.now().toISOString();
    // One's own network counts nowhere.
    await api.deps.db.query('update organizations set internal_networks = $2 where id = $1', [
      org.uuid,
      ['0.0.0.0/0'],
    ]);
    api.clock.advance(86_400_000);
    await api.verify(scanned.token, ADDRESSES.US).expect(200);
    await api.score();
    await org.post(`/product-units/${scanned.id}/recall`, { reason: '-1 day' }).expect(200);
    const lines = await linesOf();
    const shown = async (id: string) => (await org.get(`/product-units/${id}`).expect(200)).body;
    const product = { sku: 'SCANNED', gtin: '04012345123456' };
    const line = lines.find(({ id }) => id === scanned.id)!;
    expect(line).to.deep.equal({
      ...(await shown(scanned.id)),
      ...product,
      scans: 2,
      firstScannedAt: first,
      lastScannedAt: last,
      lastCountry: 'JP',
    });
    expect(lines.find(({ id }) => id === unseen.id)).to.deep.equal({
      ...(await shown(unseen.id)),
      ...product,
      scans: 0,
      firstScannedAt: null,
      lastScannedAt: null,
      lastCountry: null,
    });
    const [row] = rowsOf(await written({ q: scanned.serial }));
    const { of, recalledAt } = line['recall'] as { of: string; recalledAt: string };
    expect(row).to.include({ recallOf: of, recalledAt, recallReason: `'-1 day`, lastScannedAt: last });
    for (const [name, cell] of Object.entries(row!))
      if (!name.startsWith('recall'))
        expect(cell, name).to.equal(String((line[name] as string | number | null) ?? ''));
  });

  it('take the filters of the list, and what a code says', async () => {
    const first = await org.mintUnits(3, { product: { sku: 'FIRST', gtin: '04012345123456' } });
    const second = await org.mintUnits(2, { product: { sku: 'SECOND' } });
    const idsOf = async (body: object) => (await linesOf(body)).map(({ id }) => id).sort();
    const ids = (units: readonly { id: string }[]) => units.map(({ id }) => id).sort();
    expect(await idsOf({})).to.deep.equal(ids([...first.units, ...second.units]));
    expect(await idsOf({ productId: second.productId })).to.deep.equal(ids(second.units));
    expect(await idsOf({ batchId: first.batchId })).to.deep.equal(ids(first.units));
    const [suspended] = first.units;
    await org.post(`/product-units/${suspended!.id}/suspend`).expect(200);
    expect(await idsOf({ status: 'suspended' })).to.deep.equal([suspended!.id]);
    expect(await idsOf({ status: 'active', productId: first.productId })).to.deep.equal(
      ids(first.units.slice(1)),
    );
    await org.post('/risk-cases', { productUnitId: suspended!.id, note: 'Seized' }).expect(201);
    expect(await idsOf({ risk: 'clear', batchId: first.batchId })).to.deep.equal(ids(first.units.slice(1)));
    const { serial, token } = first.units[1]!;
    for (const q of [token, serial, `(01)04012345123456(21)${serial}`])
      expect(await idsOf({ q }), q).to.deep.equal([first.units[1]!.id]);
    const ship = async (by: TestOrganization, id: string): Promise<string> => {
      const filed = await by.post('/consignments', { units: { unitIds: [id] } }).expect(201);
      await runAllBulkJobs(api);
      return filed.body.id;
    };
    const consignmentId = await ship(org, second.units[1]!.id);
    expect(await idsOf({ consignmentId })).to.deep.equal([second.units[1]!.id]);
    expect(await idsOf({ consignmentId, batchId: first.batchId })).to.deep.equal([]);
    const { filters } = (await org.get('/unit-exports?limit=1').expect(200)).body.data[0];
    expect(filters).to.deep.equal({ batchId: first.batchId, consignmentId });
    const listed = (await org.get(`/product-units?consignmentId=${consignmentId}`).expect(200)).body.data;
    expect(listed.map(({ id }: any) => id)).to.deep.equal([second.units[1]!.id]);
    const stranger = await api.createOrganization();
    const { batchId, units } = await stranger.mintUnits(1);
    const theirs = { consignmentId: await ship(stranger, units[0]!.id) };
    for (const body of [{ batchId }, { q: units[0]!.token }, theirs])
      expect(await idsOf(body)).to.deep.equal([]);
  });

  it('name the organization’s own address where its new codes lead there', async () => {
    const { units } = await org.mintUnits(1);
    const address = parseCodeAddress('https://id.exported.example');
    await addCodeHost(api.deps, api.deps.db, org.uuid, address);
    await useCodeHost(api.deps, api.deps.db, org.uuid, address);
    const [line] = await linesOf();
    expect(line!['verifyUrl']).to.equal(`HTTPS://ID.EXPORTED.EXAMPLE/V/${units[0]!.token}`);
  });

  it('hold nothing that scans tell for a key without that scope, and give it no file that does', async () => {
    const { units } = await org.mintUnits(1);
    await api.verify(units[0]!.token, ADDRESSES.DE).expect(200);
    await api.score();
    const everything = await start({ format: 'ndjson' });
    await run(everything.id);
    const key = await org.createKey('products.read');
    const as = (method: 'get' | 'post', path: string) =>
      api.http()[method](`/api/v1/unit-exports${path}`).set('X-Api-Key', key);
    const hidden = await as('get', `/${everything.id}`).expect(200);
    expect(hidden.body).to.deep.include({ status: 'completed', withScans: true, artifacts: [] });
    const consignmentId = encodeId('cons', newUuid());
    for (const filter of [{ risk: 'suspect' }, { consignmentId }]) {
      expectProblem(await as('post', '').send(filter), 'INSUFFICIENT_SCOPE');
      const listed = api.http().get('/api/v1/product-units').query(filter).set('X-Api-Key', key);
      expectProblem(await listed, 'INSUFFICIENT_SCOPE');
    }
    const asked = (await as('post', '').send({ format: 'ndjson' }).expect(202)).body;
    expect(asked).to.include({ withScans: false });
    await run(asked.id);
    const { artifacts } = (await as('get', `/${asked.id}`).expect(200)).body;
    const line = JSON.parse(String((await downloadFile(api, artifacts[0].url)).body));
    expect(line).to.include({ id: units[0]!.id, risk: null, openCaseId: null, scans: null });
    expect([line.firstScannedAt, line.lastScannedAt, line.lastCountry]).to.deep.equal([null, null, null]);
    const { data } = (await as('get', '').expect(200)).body;
    expect(data.map((one: { artifacts: object[] }) => one.artifacts.length)).to.deep.equal([1, 0]);
  });

  it('do not tell a key without that scope how many units are under suspicion', async () => {
    const { units, batchId } = await org.mintUnits(2);
    await org.post('/risk-cases', { productUnitId: units[0]!.id, note: 'Seized' }).expect(201);
    const suspect = await start({ batchId, risk: 'suspect' });
    await run(suspect.id);
    expect((await read(suspect.id)).progress).to.deep.equal({ done: 1, total: 1 });
    const key = await org.createKey('products.read');
    const shown = async (path: string) =>
      (await api.http().get(`/api/v1/unit-exports${path}`).set('X-Api-Key', key).expect(200)).body;
    for (const { progress } of [await shown(`/${suspect.id}`), (await shown('')).data[0]])
      expect(progress).to.deep.equal({ done: 0, total: null });
    const all = await start({ batchId });
    await run(all.id);
    expect((await shown(`/${all.id}`)).progress).to.deep.equal({ done: 2, total: 2 });
  });

  it('give what is in a consignment to nobody who may not read consignments', async () => {
    const { id } = await start({ consignmentId: encodeId('cons', newUuid()) });
    await run(id);
    const shown = async (...scopes: Parameters<typeof org.createKey>) => {
      const key = await org.createKey('products.read', ...scopes);
      const { body } = await api.http().get(`/api/v1/unit-exports/${id}`).set('X-Api-Key', key).expect(200);
      return { files: body.artifacts.length, total: body.progress.total };
    };
    expect(await shown('scans.read')).to.deep.equal({ files: 0, total: null });
    expect(await shown('scans.read', 'consignments.read')).to.deep.equal({ files: 1, total: 0 });
    expect(await shown('consignments.write'), 'what scans tell').to.deep.equal({ files: 0, total: 0 });
  });

  it('are hidden from other organizations and from keys without the scope', async () => {
    const { id } = await start();
    const other = await api.createOrganization();
    expectProblem(await other.get(`/unit-exports/${id}`), 'NOT_FOUND');
    expectProblem(await other.post(`/unit-exports/${id}/cancel`), 'NOT_FOUND');
    expect((await other.get('/unit-exports').expect(200)).body.data).to.deep.equal([]);
    const key = await org.createKey('scans.read');
    const refused = await api.http().post('/api/v1/unit-exports').set('X-Api-Key', key).send({});
    expectProblem(refused, 'INSUFFICIENT_SCOPE');
    expectProblem(await api.http().get(`/artifacts/${id}/units.csv?expires=1&signature=x`), 'FORBIDDEN');
    // The same uuid is no export of scans.
    expectProblem(await org.get(`/scan-exports/${id.replace('uexp', 'exp')}`), 'NOT_FOUND');
  });

  it('are five at a time beside those of scans, and cancelled ones leave nothing', async () => {
    await org.mintUnits(1);
    for (let count = 0; count < 5; count += 1) await org.post('/scan-exports', {}).expect(202);
    const started = [];
    for (let count = 0; count < 5; count += 1) started.push(await start());
    const { db, clock } = api.workerDeps;
    const inAMinute = new Date(clock.now().getTime() + 60_000);
    // One that is being written is as open as those that wait.
    expect(await claimExport(db, 'units', uuidOf(started[0].id), clock.now(), inAMinute)).to.not.equal(null);
    expectProblem(await org.post('/unit-exports', {}), 'CONFLICT');
    for (const { id } of started) await org.post(`/unit-exports/${id}/cancel`).expect(200);
    expect(await run(started[0].id)).to.include({ did: 'nothing' });
    expect(filesOfExport(api, uuidOf(started[0].id))).to.deep.equal([]);
    const newest = await start();
    const { data } = (await org.get('/unit-exports?status=cancelled').expect(200)).body;
    const ids = started.map(({ id }) => id).reverse();
    expect(data.map(({ id }: { id: string }) => id)).to.deep.equal(ids);
    const first = (await org.get('/unit-exports?limit=3').expect(200)).body;
    const second = (await org.get(`/unit-exports?limit=3&cursor=${first.nextCursor}`).expect(200)).body;
    const paged = [...first.data, ...second.data].map(({ id }: { id: string }) => id);
    expect(paged).to.deep.equal([newest.id, ...ids]);
  });

  it('are handed over at once when the process is told to stop before it has begun', async () => {
    const { id } = await start();
    const woken: unknown[] = [];
    const waker = {
      ...api.workerDeps.waker,
      writeExports: async (...wakeUp: unknown[]) => {
        woken.push(wakeUp);
      },
    };
    const told = { ...api.workerDeps, waker, stopping: AbortSignal.abort() };
    expect(await run(id, told)).to.include({ did: 'nothing' });
    expect(woken).to.deep.equal([['units', [uuidOf(id)]]]);
    expect(await run(id), 'free for another').to.include({ did: 'finished' });
  });

  it('are nothing to a worker that lost its lease, whatever becomes of that one', async () => {
    await org.mintUnits(1);
    const { id } = await start();
    const deps: WriteDeps = { ...api.workerDeps, leaseSeconds: 60 };
    const claimed = () => claim(deps, 'units', uuidOf(id));
    const lost = (await claimed())!;
    const startedAt = api.clock.now().toISOString();
    api.clock.advance(60_000);
    const held = (await claimed())!;
    const content = unitsContent(api.workerDeps);
    const ended = await writeExport(deps, content, lost, new AbortController().signal).catch(
      (error: unknown) => error,
    );
    expect(ended).to.be.instanceOf(ExportInterrupted);
    await giveBack(deps, lost);
    expect(await claimed(), 'the other’s').to.equal(null);
    await settleFailure(deps, lost, new Error('Postgres is away'));
    await settleFailure(deps, { ...lost, attempts: 5 }, new Error('Postgres is away'));
    expect(await read(id)).to.include({ status: 'running', startedAt, error: null });
    await extendExportLease(deps.db, lost, new Date(api.clock.now().getTime() + 3_600_000));
    api.clock.advance(60_000);
    const next = (await claimed())!;
    expect(next).to.include({ lease_epoch: held.lease_epoch + 1 });
    // A sign of life that was under way when it was given back takes it from nobody.
    await giveBack(deps, next);
    await extendExportLease(deps.db, next, new Date(api.clock.now().getTime() + 60_000));
    expect(await run(id)).to.include({ did: 'finished' });
    expect((await read(id)).artifacts).to.have.length(1);
  });

  it('are written also where to count them takes too long, or there are more by then', async () => {
    const deps: WriteDeps = { ...api.workerDeps, leaseSeconds: 60 };
    const tooLong = Object.assign(new Error('statement timeout'), { code: '57014' });
    for (const [counted, total] of [
      [() => Promise.reject(tooLong), null],
      [async () => 1, 1_000],
    ] as const) {
      const { id } = await start();
      const seen: unknown[] = [];
      const content: ExportContent = {
        columns: ['n'],
        async count(db) {
          seen.push((await db.query('show statement_timeout')).rows[0]);
          return counted();
        },
        async page(_asked, { limit, beforeId }) {
          seen.push((await read(id)).progress);
          return { rows: Array.from({ length: beforeId === null ? limit : 2 }, () => ({})), lastId: '1' };
        },
        cellsOf: () => [1],
      };
      const row = (await claim(deps, 'units', uuidOf(id)))!;
      expect(await writeExport(deps, content, row, new AbortController().signal)).to.equal(true);
      expect(seen[0]).to.deep.equal({ statement_timeout: '10s' });
      expect(seen[2]).to.deep.equal({ done: 1_000, total });
      expect((await read(id)).progress).to.deep.equal({ done: 1_002, total: 1_002 });
    }
  });

  it('lose their file when it has served its time', async () => {
    await org.mintUnits(1);
    const { id } = await start();
    await run(id);
    const { artifacts, artifactsExpireAt } = await read(id);
    api.clock.set(new Date(Date.parse(artifactsExpireAt) - 1000));
    const [latest] = (await read(id)).artifacts;
    const linkedUntil = api.clock.now().getTime() / 1000 + api.deps.config.ARTIFACT_LINK_SECONDS;
    expect(Number(new URL(latest.url).searchParams.get('expires'))).to.be.closeTo(linkedUntil, 1);
    api.clock.set(new Date(Date.parse(artifactsExpireAt) + 1000));
    const refusing = { ...api.workerDeps.storage, removeAll: () => Promise.reject(new Error('refused')) };
    const failed = await expireOldExports({ ...api.workerDeps, storage: refusing }, 30).catch(
      (error: unknown) => error,
    );
    expect(failed).to.be.instanceOf(Error);
    expect(filesOfExport(api, uuidOf(id))).to.have.length(1);
    expect((await downloadFile(api, latest.url)).status, 'by a link that is good').to.equal(404);
    expect(await expireOldExports(api.workerDeps, 30)).to.be.at.least(1);
    expect(filesOfExport(api, uuidOf(id))).to.deep.equal([]);
    expect(await read(id)).to.deep.include({ artifacts: [], artifactsExpireAt: null });
    expect((await downloadFile(api, artifacts[0].url)).status).to.equal(403);
    expect(await expireOldExports(api.workerDeps, 30)).to.equal(0);
  });
});
