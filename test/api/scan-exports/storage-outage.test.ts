import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { decodeId } from '../../../shared/ids.ts';
import type { Storage } from '../../../shared/storage/storage.ts';
import { exportScans } from '../../../workers/export-scans/processor.ts';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';
import { seedScans } from '../../support/scans.ts';

const SCANS = 20;

describe('exports of scans while the storage is away', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
    const { units, productId, batchId } = await org.mintUnits(1);
    const first = api.clock.now().getTime() - SCANS * 1000;
    await seedScans(
      api.database,
      Array.from({ length: SCANS }, (_, index) => ({
        orgId: org.uuid,
        unitId: units[0]!.uuid,
        productId: decodeId('prod', productId)!,
        batchId: decodeId('batch', batchId)!,
        at: new Date(first + index * 1000),
        country: index % 10 === 0 ? 'JP' : 'DE',
      })),
    );
  });
  after(() => api.close());

  const start = async (body: object = {}) => (await org.post('/scan-exports', body).expect(202)).body;
  const read = async (id: string) => (await org.get(`/scan-exports/${id}`).expect(200)).body;
  const run = (id: string, deps = api.workerDeps) => exportScans(deps)({ exportId: decodeId('exp', id)! });
  const filesOf = (id: string): string[] =>
    readdirSync(path.join(folder(), decodeId('exp', id)!), { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.includes('.'),
    );
  const folder = () => path.join(api.deps.config.STORAGE_DIR, 'exports');
  const takeAway = () => {
    mkdirSync(folder(), { recursive: true });
    renameSync(folder(), `${folder()}-away`);
    writeFileSync(folder(), 'no folder');
  };
  const bringBack = () => {
    rmSync(folder());
    renameSync(`${folder()}-away`, folder());
  };
  /** Fails until the export ends or `until` is over. @returns how long that took. */
  const outlive = async (id: string, untilMs = Infinity): Promise<number> => {
    const began = api.clock.now().getTime();
    const waited = () => api.clock.now().getTime() - began;
    while (waited() < untilMs) {
      expect(await run(id)).to.include({ did: 'failed' });
      const { rows } = await api.database.pool.query<{ due_at: Date; status: string }>(
        'select due_at, status from scan_exports where id = $1',
        [decodeId('exp', id)],
      );
      if (rows[0]!.status !== 'running') break;
      expect(await run(id), 'before it is due').to.include({ did: 'nothing' });
      api.clock.set(rows[0]!.due_at);
    }
    return waited();
  };

  it('are written when it comes back after minutes', async () => {
    const { id } = await start({ country: 'JP' });
    takeAway();
    try {
      await outlive(id, 10 * 60_000);
      expect(await read(id)).to.include({ status: 'running', error: null });
    } finally {
      bringBack();
    }
    expect(await run(id)).to.include({ did: 'finished' });
    expect(await read(id)).to.deep.include({
      status: 'completed',
      progress: { done: SCANS / 10, total: SCANS / 10 },
    });
    expect(filesOf(id)).to.have.length(1);
  });

  it('fail after a quarter of an hour, and say why', async () => {
    const { id } = await start();
    takeAway();
    try {
      expect(await outlive(id)).to.be.within(14 * 60_000, 16 * 60_000);
    } finally {
      bringBack();
    }
    const { status, error } = await read(id);
    expect(status).to.equal('failed');
    expect(error).to.include({ code: 'STORAGE_UNAVAILABLE' });
  });

  it('say that it is full where it is', async () => {
    const { id } = await start();
    await api.database.pool.query('update scan_exports set storage_failures = 19 where id = $1', [
      decodeId('exp', id),
    ]);
    const full: Storage = {
      ...api.workerDeps.storage,
      put: () => Promise.reject(Object.assign(new Error('no space left'), { code: 'ENOSPC' })),
    };
    expect(await run(id, { ...api.workerDeps, storage: full })).to.include({ did: 'failed' });
    expect((await read(id)).error).to.include({ code: 'STORAGE_FULL' });
  });
});
