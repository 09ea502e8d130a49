import { expect } from 'chai';
import { unitsContent } from '../../../shared/exports/units.ts';
import { claim, settleFailure, writeExport, type WriteDeps } from '../../../shared/exports/write.ts';
import { decodeId } from '../../../shared/ids.ts';
import { removeStrayFiles } from '../../../shared/storage/intake.ts';
import { exportUnits } from '../../../workers/export-units/processor.ts';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { filesOfExport } from '../../support/export-files.ts';

describe('writing an export', () => {
  let api: TestApi;
  let org: TestOrganization;
  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
    await org.mintUnits(1);
  });
  after(() => api.close());

  const begin = async (deps: WriteDeps) => {
    const { body } = await org.post('/unit-exports', {}).expect(202);
    return (await claim(deps, 'units', decodeId('uexp', body.id)!))!;
  };

  it('is begun by the worker that is woken when it is asked for', async () => {
    const { waker } = api.deps;
    const woken: [string, readonly string[]][] = [];
    api.deps.waker = { ...waker, writeExports: async (kind, ids) => void woken.push([kind, ids]) };
    try {
      const { body } = await org.post('/unit-exports', {}).expect(202);
      expect(woken).to.deep.equal([['units', [decodeId('uexp', body.id)]]]);
      await org.post(`/unit-exports/${body.id}/cancel`).expect(200);
    } finally {
      api.deps.waker = waker;
    }
  });

  it('stays its worker’s for as long as the storage takes the file', async () => {
    const deps: WriteDeps = { ...api.workerDeps, leaseSeconds: 0.03 };
    const row = await begin(deps);
    const isOurs = async () => {
      const { rows } = await api.database.pool.query<{ until: Date }>(
        'select lease_until as until from unit_exports where id = $1',
        [row.id],
      );
      return rows[0]!.until > api.clock.now();
    };
    const slow: WriteDeps = {
      ...deps,
      storage: {
        ...deps.storage,
        put: async (key, source) => {
          api.clock.advance(60_000);
          await eventually('the lease is longer', isOurs);
          return deps.storage.put(key, source);
        },
      },
    };
    const content = unitsContent(api.workerDeps);
    expect(await writeExport(slow, content, row, new AbortController().signal)).to.equal(true);
  });

  it('is tried again after pauses that grow, until the fifth time', async () => {
    const deps: WriteDeps = { ...api.workerDeps, leaseSeconds: 60 };
    const row = await begin(deps);
    const pauses: (number | null)[] = [];
    for (const attempts of [1, 2, 3, 4, 5]) {
      const dueAt = await settleFailure(deps, { ...row, attempts }, new Error('no'));
      pauses.push(dueAt === null ? null : dueAt.getTime() - api.clock.now().getTime());
    }
    expect(pauses).to.deep.equal([2_000, 4_000, 8_000, 16_000, null]);
  });

  it('keeps the file of the worker that took over when the one before fails for good', async () => {
    const deps: WriteDeps = { ...api.workerDeps, leaseSeconds: 60 };
    const lost = await begin(deps);
    api.clock.advance(60_000);
    expect(await exportUnits(api.workerDeps)({ exportId: lost.id })).to.include({ did: 'finished' });
    await settleFailure(deps, { ...lost, attempts: 5 }, new Error('no'));
    api.clock.advance(24 * 3_600_000);
    expect(await removeStrayFiles(api.workerDeps)).to.equal(0);
    expect(filesOfExport(api, lost.id)).to.deep.equal(['2/units.csv']);
  });
});
