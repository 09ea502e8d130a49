import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { decodeId, encodeId } from '../../../shared/ids.ts';
import { expireOldExports } from '../../../shared/exports/housekeeping.ts';
import { fileKeyOf } from '../../../shared/exports/service.ts';
import { scansContent } from '../../../shared/exports/scans.ts';
import { claim, writeExport } from '../../../shared/exports/write.ts';
import { removeStrayFiles } from '../../../shared/storage/intake.ts';
import type { Storage } from '../../../shared/storage/storage.ts';
import { exportScans } from '../../../workers/export-scans/processor.ts';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';
import { runAllBulkJobs } from '../../support/bulk-jobs.ts';
import { downloadFile, filesOfExport } from '../../support/export-files.ts';
import { expectProblem } from '../../support/problem.ts';
import { seedScans } from '../../support/scans.ts';

const SCANS = 5_200;

describe('exports of scans', () => {
  let api: TestApi;
  let org: TestOrganization;
  let productId: string;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
    const { units, productId: product, batchId } = await org.mintUnits(1);
    productId = product;
    await api.database.pool.query('update product_units set serial = $2 where id = $1', [
      units[0]!.uuid,
      '=1+1',
    ]);
    const start = api.clock.now().getTime() - SCANS * 1000;
    // More than one page of the writer's.
    await seedScans(
      api.database,
      Array.from({ length: SCANS }, (_, index) => ({
        orgId: org.uuid,
        unitId: units[0]!.uuid,
        productId: decodeId('prod', product)!,
        batchId: decodeId('batch', batchId)!,
        at: new Date(start + index * 1000),
        country: index % 10 === 0 ? 'JP' : 'DE',
        place: index % 10 === 0 ? { lat: 35.5, lon: 139.5 } : null,
      })),
    );
  });
  after(() => api.close());

  const start = async (body: object = {}) => (await org.post('/scan-exports', body).expect(202)).body;
  const read = async (id: string) => (await org.get(`/scan-exports/${id}`).expect(200)).body;
  const run = (id: string, deps = api.workerDeps) => exportScans(deps)({ exportId: decodeId('exp', id)! });
  const writeDeps = (storage: Storage = api.workerDeps.storage) => ({
    ...api.workerDeps,
    storage,
    leaseSeconds: 60,
  });
  const download = (url: string) => downloadFile(api, url);
  const filesOf = (id: string): string[] => filesOfExport(api, decodeId('exp', id)!);
  const never = new AbortController().signal;

  it('are a job to poll, with one file of every scan, newest first, without formulas', async () => {
    await api.database.pool.query(
      `update scans set signals = '[{"type":"velocity"},{"type":"clone"}]' where country = 'JP'`,
    );
    const answer = await org.post('/scan-exports', { format: 'csv' }).expect(202);
    expect(answer.headers).to.include({
      location: `/api/v1/scan-exports/${answer.body.id}`,
      'retry-after': '1',
    });
    expect(answer.body).to.deep.include({
      status: 'queued',
      artifacts: [],
      progress: { done: 0, total: null },
    });
    expect(await run(answer.body.id)).to.include({ did: 'finished' });
    const { status, progress, artifacts } = await read(answer.body.id);
    expect({ status, progress }).to.deep.equal({
      status: 'completed',
      progress: { done: SCANS, total: SCANS },
    });
    const { body, headers } = await download(artifacts[0].url);
    expect(headers['content-type']).to.equal('text/csv; charset=utf-8');
    expect(headers['content-disposition']).to.equal('attachment; filename="scans.csv"');
    expect(artifacts[0]).to.include({
      kind: 'scans',
      bytes: body.length,
      sha256: createHash('sha256').update(body).digest('hex'),
    });
    const lines = (body as Buffer).toString().trimEnd().split('\n');
    expect(lines).to.have.length(SCANS + 1);
    expect(lines[0]).to.match(/^id,at,productUnitId,serial,productId,batchId,result,/);
    const ids = lines.slice(1).map((line) => line.split(',')[0]);
    const page = (await org.get('/scans?limit=200').expect(200)).body.data.map(
      (scan: { id: string }) => scan.id,
    );
    expect(ids.slice(0, 200)).to.deep.equal(page);
    expect(new Set(ids).size).to.equal(SCANS);
    const { id, at, productUnitId, batchId } = (await org.get('/scans?country=JP&limit=1').expect(200)).body
      .data[0];
    expect(lines.find((line) => line.startsWith(id))).to.equal(
      `${id},${at},${productUnitId},'=1+1,${productId},${batchId},genuine,final,JP,35.5,139.5,200,ip,none,0,velocity clone,false,,`,
    );
  });

  it('take the filters of the list, and write NDJSON as the API shows a scan', async () => {
    const from = new Date(api.clock.now().getTime() - 1_000_000).toISOString();
    const filter = { country: 'JP', productId, riskLevel: 'none', isInternal: 'false', from };
    const none = (await start({ ...filter, result: 'suspicious' })).id;
    await run(none);
    expect((await read(none)).progress).to.deep.equal({ done: 0, total: 0 });
    expect(String((await download((await read(none)).artifacts[0].url)).body)).to.match(/^id,[^\n]+\n$/);
    const { id, filters } = await start({ format: 'ndjson', ...filter });
    expect(filters).to.deep.equal({
      ...filter,
      to: api.clock.now().toISOString(),
    });
    await run(id);
    const { body, headers } = await download((await read(id)).artifacts[0].url);
    expect(headers['content-type']).to.equal('application/x-ndjson');
    const scans = (body as Buffer)
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(scans).to.have.length(100);
    const shown = (await org.get(`/scans/${scans[0].id}`).expect(200)).body;
    expect(scans[0]).to.deep.equal({ ...shown, serial: '=1+1' });
  });

  it('take a consignment, as the list does', async () => {
    const { units } = await org.mintUnits(2, { product: { sku: 'SENT' } });
    const sent = units[0]!;
    const consignment = await org.post('/consignments', { units: { unitIds: [sent.id] } }).expect(201);
    await runAllBulkJobs(api);
    for (const { token } of units) await api.verify(token).expect(200);
    api.clock.advance(1000);
    const consignmentId = consignment.body.id as string;
    const { id, filters } = await start({ format: 'ndjson', consignmentId });
    expect(filters).to.include({ consignmentId });
    await run(id);
    const { progress, artifacts } = await read(id);
    expect(progress).to.deep.equal({ done: 1, total: 1 });
    const { body } = await download(artifacts[0].url);
    const listed = (await org.get(`/scans?consignmentId=${consignmentId}`).expect(200)).body.data;
    expect(JSON.parse(String(body))).to.deep.equal({ ...listed[0], serial: sent.serial });
  });

  it('leave out what was scanned after the request', async () => {
    const { units } = await org.mintUnits(1, { product: { sku: 'LATER' } });
    const now = api.clock.now();
    const nextYear = new Date(now.getTime() + 365 * 86_400_000).toISOString();
    const unitId = units[0]!.id;
    const earlier = new Date(now.getTime() - 1).toISOString();
    const exports = [];
    for (const to of [undefined, nextYear, earlier]) exports.push(await start({ unitId, to }));
    expect(exports.map(({ filters }) => filters.to)).to.deep.equal([
      now.toISOString(),
      now.toISOString(),
      earlier,
    ]);
    api.clock.advance(1000);
    await api.verify(units[0]!.token).expect(200);
    for (const { id } of exports) {
      await run(id);
      expect((await read(id)).progress).to.deep.equal({ done: 0, total: 0 });
    }
  });

  it('are written anew by the next worker when one dies in the middle, and the dead one changes nothing', async () => {
    const { id } = await start({ country: 'JP' });
    const dead = (await claim(writeDeps(), 'scans', decodeId('exp', id)!))!;
    await api.workerDeps.storage.put(fileKeyOf(dead), [Buffer.from('a file that no row was told of')]);
    await api.workerDeps.storage.put(`${fileKeyOf(dead)}.part`, [Buffer.from('half a file')]);
    expect(await run(id)).to.include({ did: 'nothing' });
    api.clock.advance(60_000);
    expect(await run(id)).to.include({ did: 'finished' });
    const { artifacts, progress } = await read(id);
    expect(progress.done).to.equal(SCANS / 10);
    await writeExport(writeDeps(), scansContent(api.workerDeps), dead, never).then(
      () => expect.fail('a lost lease was not noticed'),
      (error: Error) => expect(error.name).to.equal('ExportInterrupted'),
    );
    const { body } = await download(artifacts[0].url);
    expect(createHash('sha256').update(body).digest('hex')).to.equal(artifacts[0].sha256);
    expect(filesOf(id)).to.deep.equal(['2/scans.csv']);
  });

  it('are cancelled in the middle, and leave no file', async () => {
    const { id } = await start();
    const { storage } = api.workerDeps;
    const cancelling: Storage = {
      ...storage,
      put: (key, source) =>
        storage.put(
          key,
          (async function* () {
            let pieces = 0;
            for await (const piece of source) {
              yield piece;
              pieces += 1;
              if (pieces === 2) await org.post(`/scan-exports/${id}/cancel`).expect(200);
            }
          })(),
        ),
    };
    expect(await run(id, { ...api.workerDeps, storage: cancelling })).to.include({ did: 'interrupted' });
    expect(await read(id)).to.deep.include({ status: 'cancelled', artifacts: [] });
    expect(filesOf(id)).to.deep.equal([]);
    await org.post(`/scan-exports/${id}/cancel`).expect(200);
    expect(await run(id)).to.include({ did: 'nothing' });
  });

  it('are cancelled behind the last page, and leave no file', async () => {
    const { id } = await start();
    const { storage } = api.workerDeps;
    const cancelled: Storage = {
      ...storage,
      async put(key, source) {
        const stored = await storage.put(key, source);
        await org.post(`/scan-exports/${id}/cancel`).expect(200);
        return stored;
      },
    };
    expect(await run(id, { ...api.workerDeps, storage: cancelled })).to.include({ did: 'interrupted' });
    expect(filesOf(id)).to.deep.equal([]);
  });

  it('lose what a dead worker left of one that was cancelled, whatever is kept of others', async () => {
    const kept = (await start({ country: 'JP' })).id;
    await run(kept);
    const { id } = await start();
    const dead = (await claim(writeDeps(), 'scans', decodeId('exp', id)!))!;
    await api.workerDeps.storage.put(`${fileKeyOf(dead)}.part`, [Buffer.from('half a file')]);
    await org.post(`/scan-exports/${id}/cancel`).expect(200);
    expect(await expireOldExports(api.workerDeps, 0)).to.equal(0);
    api.clock.advance(3_600_001);
    expect(await expireOldExports(api.workerDeps, 0)).to.be.at.least(1);
    expect(filesOf(id)).to.deep.equal([]);
    expect(filesOf(kept)).to.have.length(1);
  });

  it('hand over when the process is told to stop, without spending an attempt', async () => {
    const { id } = await start();
    const stopping = new AbortController();
    const { storage } = api.workerDeps;
    const stopsSoon: Storage = {
      ...storage,
      put: (key, source) => {
        stopping.abort();
        return storage.put(key, source);
      },
    };
    const deps = { ...api.workerDeps, storage: stopsSoon, stopping: stopping.signal };
    expect(await run(id, deps)).to.include({ did: 'interrupted' });
    const { rows } = await api.database.pool.query(
      'select attempts, storage_failures from scan_exports where id = $1',
      [decodeId('exp', id)],
    );
    expect(rows[0]).to.deep.equal({ attempts: 0, storage_failures: 0 });
    expect(await run(id)).to.include({ did: 'finished' });
  });

  it('are tried five times when their worker ends or something fails, and then failed without a file', async () => {
    const { id } = await start();
    const dead = (await claim(writeDeps(), 'scans', decodeId('exp', id)!))!;
    await api.workerDeps.storage.put(`${fileKeyOf(dead)}.part`, [Buffer.from('half a file')]);
    api.clock.advance(60_000);
    await api.database.pool.query(`update scan_exports set filter = '{"unitId": "none"}' where id = $1`, [
      decodeId('exp', id),
    ]);
    for (let attempt = 2; attempt <= 5; attempt += 1) {
      expect(await run(id)).to.include({ did: 'failed' });
      const { rows } = await api.database.pool.query('select status from scan_exports where id = $1', [
        decodeId('exp', id),
      ]);
      expect(rows[0]).to.deep.equal({ status: attempt < 5 ? 'running' : 'failed' });
      api.clock.advance(60_000);
    }
    await api.database.pool.query(`update scan_exports set filter = '{}' where id = $1`, [
      decodeId('exp', id),
    ]);
    expect((await read(id)).error).to.include({ code: 'EXPORT_FAILED' });
    expect(filesOf(id)).to.deep.equal([]);
    expectProblem(await org.post(`/scan-exports/${id}/cancel`), 'INVALID_TRANSITION');
  });

  it('are given up when five workers ended in the middle', async () => {
    const { id } = await start();
    for (let count = 0; count < 5; count += 1) {
      expect(await claim(writeDeps(), 'scans', decodeId('exp', id)!)).to.not.equal(null);
      api.clock.advance(60_000);
    }
    expect(await run(id)).to.include({ did: 'failed' });
    expect((await read(id)).error).to.include({ code: 'EXPORT_FAILED' });
  });

  it('come to their end also where the storage removes nothing of what lost workers left, which goes later', async () => {
    const away = () => Promise.reject(new Error('storage is away'));
    const removesNothing: Storage = { ...api.workerDeps.storage, removeAll: away };
    const begin = async () => {
      const { id } = await start();
      const dead = (await claim(writeDeps(), 'scans', decodeId('exp', id)!))!;
      await api.workerDeps.storage.put(fileKeyOf(dead), [Buffer.from('a file that no row was told of')]);
      api.clock.advance(60_000);
      return id as string;
    };
    const written = await begin();
    expect(await run(written, { ...api.workerDeps, storage: removesNothing })).to.include({
      did: 'finished',
    });
    const failed = await begin();
    await api.database.pool.query('update scan_exports set storage_failures = 19 where id = $1', [
      decodeId('exp', failed),
    ]);
    const deps = { ...api.workerDeps, storage: { ...removesNothing, put: away } };
    expect(await run(failed, deps)).to.include({ did: 'failed' });
    expect([(await read(written)).status, (await read(failed)).status]).to.deep.equal([
      'completed',
      'failed',
    ]);
    api.clock.advance(24 * 3_600_000);
    expect(await removeStrayFiles(api.workerDeps)).to.equal(2);
    expect([filesOf(written), filesOf(failed)]).to.deep.equal([['2/scans.csv'], []]);
  });

  it('lose their file when it has served its time', async () => {
    const { id } = await start({ country: 'JP' });
    await run(id);
    const { artifacts, artifactsExpireAt } = await read(id);
    api.clock.set(new Date(Date.parse(artifactsExpireAt) + 1000));
    expect(await expireOldExports(api.workerDeps, 30)).to.be.at.least(1);
    expect(filesOf(id)).to.deep.equal([]);
    expect(await read(id)).to.deep.include({
      artifacts: [],
      artifactsExpiredAt: api.clock.now().toISOString(),
    });
    expect((await download(artifacts[0].url)).status).to.equal(403);
  });

  it('lose it the next time where the storage refused, without telling another time', async () => {
    const { id } = await start({ country: 'JP' });
    await run(id);
    api.clock.set(new Date(Date.parse((await read(id)).artifactsExpireAt) + 1000));
    const refusing: Storage = {
      ...api.workerDeps.storage,
      removeAll: () => Promise.reject(new Error('permission denied')),
    };
    await expireOldExports({ ...api.workerDeps, storage: refusing }, 30).then(
      () => expect.fail('nobody heard of it'),
      () => undefined,
    );
    const expiredAt = api.clock.now().toISOString();
    expect(await read(id)).to.deep.include({ artifacts: [], artifactsExpiredAt: expiredAt });
    expect(filesOf(id)).to.have.length(1);
    api.clock.advance(3_600_000);
    expect(await expireOldExports(api.workerDeps, 30)).to.be.at.least(1);
    expect(filesOf(id)).to.deep.equal([]);
    expect(await read(id)).to.deep.include({ artifactsExpiredAt: expiredAt });
    expect(await expireOldExports(api.workerDeps, 30)).to.equal(0);
  });

  it('are five at a time, once for an idempotency key, and in the audit log', async () => {
    const started = [];
    for (let count = 0; count < 5; count += 1) started.push(await start({ from: '2026-01-01T00:00:00Z' }));
    expectProblem(await org.post('/scan-exports', {}), 'CONFLICT');
    for (const { id } of started) await org.post(`/scan-exports/${id}/cancel`).expect(200);
    const send = () => org.post('/scan-exports', {}).set('Idempotency-Key', 'once').expect(202);
    expect((await send()).body.id).to.equal((await send()).body.id);
    const { rows } = await api.database.pool.query(
      `select count(*)::int as n from audit_log where action = 'startScanExport' and resource = $1`,
      [started[0].id],
    );
    expect(rows[0]).to.deep.equal({ n: 1 });
  });

  it('are five at a time, however many are asked for at once', async () => {
    const other = await api.createOrganization();
    const answers = await Promise.all(Array.from({ length: 12 }, () => other.post('/scan-exports', {})));
    const statuses = answers.map(({ status }) => status).sort((a, b) => a - b);
    expect(statuses).to.deep.equal([...Array(5).fill(202), ...Array(7).fill(409)]);
  });

  it('are hidden from other organizations and from keys without the scope', async () => {
    const { id } = await start();
    const other = await api.createOrganization();
    expectProblem(await other.get(`/scan-exports/${id}`), 'NOT_FOUND');
    expectProblem(await other.post(`/scan-exports/${id}/cancel`), 'NOT_FOUND');
    expect((await other.get('/scan-exports').expect(200)).body.data).to.deep.equal([]);
    const key = await org.createKey('products.read');
    const refused = await api.http().post('/api/v1/scan-exports').set('X-Api-Key', key).send({});
    expectProblem(refused, 'INSUFFICIENT_SCOPE');
    expectProblem(await api.http().get(`/artifacts/${id}/scans.csv?expires=1&signature=x`), 'FORBIDDEN');
    expectProblem(await org.get(`/scan-exports/${encodeId('exp', org.uuid)}`), 'NOT_FOUND');
  });
});
