import { readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { decodeId } from '../../../shared/ids.ts';
import { claimNextPhoto, settlePhoto } from '../../../shared/counterfeit-reports/photos.ts';
import { removeStrayFiles } from '../../../shared/storage/intake.ts';
import { cleanPhotos } from '../../../workers/clean-photos/processor.ts';
import { createTestApi, type TestApi, type TestOrganization, type TestUnit } from '../../support/api.ts';
import { jpegWithPosition, pixelFlood, segmentsOf, smallPng } from '../../support/photos.ts';
import { expectProblem } from '../../support/problem.ts';

describe('photos of counterfeit reports', () => {
  let api: TestApi;
  let org: TestOrganization;
  let unit: TestUnit;
  let address = 1;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
    unit = (await org.mintUnits(1, { batch: { lot: 'L1' } })).units[0]!;
  });
  after(() => api.close());

  /** From a network of its own, unless told otherwise. */
  const post = (to: string, from = `198.51.${(address += 1)}.7`) =>
    api.http().post(to).set('X-Forwarded-For', from);
  const read = async (id: string) => (await org.get(`/counterfeit-reports/${id}`).expect(200)).body;
  const filesOf = (reportId: string): string[] => {
    const folder = path.join(api.deps.config.STORAGE_DIR, 'reports', decodeId('rep', reportId)!);
    try {
      return readdirSync(folder)
        .map((name) => name.replace(/-[0-9a-f-]{36}-/, '-ID-'))
        .sort();
    } catch {
      return [];
    }
  };

  const withPhotos = (photos: [Buffer, string][]) =>
    photos.reduce(
      (request, [bytes, name]) => request.attach('photos', bytes, name),
      post(`/v/${unit.token}/reports`).field('lang', 'en').field('description', `Photos ${address}`),
    );
  const newest = async () => (await org.get('/counterfeit-reports?limit=1')).body.data[0].id as string;

  it('are encoded anew without metadata, upright, and the originals are gone', async () => {
    await withPhotos([
      [await jpegWithPosition(), '../../etc/passwd'],
      [await smallPng(), 'b.png'],
    ]).expect(201);
    const id = await newest();
    expect((await read(id)).photos.map((photo: any) => [photo.state, photo.url])).to.deep.equal([
      ['waiting', null],
      ['waiting', null],
    ]);
    expect(await cleanPhotos(api.workerDeps)()).to.deep.equal({ photos: 2 });
    const { photos } = await read(id);
    expect(photos.map((photo: any) => [photo.state, photo.width, photo.height])).to.deep.equal([
      ['ready', 40, 60],
      ['ready', 8, 8],
    ]);
    expect(filesOf(id)).to.deep.equal(['photo-ID-1.jpg', 'photo-ID-1.jpg']);

    const link = new URL(photos[0].url);
    const { body, headers } = await api
      .http()
      .get(link.pathname + link.search)
      .expect(200);
    expect(headers).to.include({ 'content-type': 'image/jpeg', 'x-content-type-options': 'nosniff' });
    expect(headers['content-disposition']).to.match(/^attachment; filename="photo_\w+\.jpg"$/);
    expect(segmentsOf(body as Buffer).filter((marker) => marker > 'e0')).to.deep.equal([]);
    expect((body as Buffer).includes('CANARY')).to.equal(false);
    expectProblem(await api.http().get(`${link.pathname}?expires=9999999999&signature=x`), 'FORBIDDEN');
    api.clock.advance(3_600_000);
    expectProblem(await api.http().get(link.pathname + link.search), 'FORBIDDEN');
  });

  it('are refused by what they are, whatever they are called', async () => {
    const heic = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic'), Buffer.alloc(20)]);
    for (const [bytes, says] of [
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'), 'is not a JPEG'],
      [heic, 'is a HEIC photo'],
      [Buffer.from('%PDF-1.7 ...............'), 'is not a JPEG'],
      [Buffer.from('x'), 'is not a JPEG'],
    ] as const) {
      const problem = expectProblem(await withPhotos([[bytes, 'photo.jpg']]), 'VALIDATION_FAILED');
      expect(problem.errors![0]!).to.deep.include({ path: 'photos.0' });
      expect(problem.errors![0]!.message).to.include(says);
    }
  });

  it('are five at most, of 8 MB at most', async () => {
    const png = await smallPng();
    expectProblem(await withPhotos(Array.from({ length: 6 }, () => [png, 'a.png'])), 'VALIDATION_FAILED');
    const large = Buffer.concat([await jpegWithPosition(), Buffer.alloc(8 * 1024 * 1024)]);
    expectProblem(await withPhotos([[large, 'a.jpg']]), 'PAYLOAD_TOO_LARGE');
  });

  it('that flood with pixels, or are cut off, are refused by the worker and deleted', async () => {
    const cut = (await jpegWithPosition()).subarray(0, 200);
    await withPhotos([
      [await pixelFlood(), 'flood.png'],
      [cut, 'cut.jpg'],
    ]).expect(201);
    const id = await newest();
    await cleanPhotos(api.workerDeps)();
    const { photos } = await read(id);
    expect(photos.map((photo: any) => [photo.state, photo.problem, photo.url])).to.deep.equal([
      ['refused', 'has too many pixels', null],
      ['refused', 'is damaged or no image', null],
    ]);
    expect(filesOf(id)).to.deep.equal([]);
  });

  it('leave no file of a worker that lost its lease', async () => {
    await withPhotos([[await smallPng(), 'a.png']]).expect(201);
    const id = await newest();
    const deps = { ...api.workerDeps, leaseSeconds: 60 };
    const late = (await claimNextPhoto(deps))!;
    api.clock.advance(61_000);
    const next = (await claimNextPhoto(deps))!;
    await settlePhoto(deps, next, { bytes: Buffer.from('next'), width: 1, height: 1 });
    await settlePhoto(deps, late, { bytes: Buffer.from('late'), width: 1, height: 1 });
    expect((await read(id)).photos[0]).to.include({ state: 'ready', bytes: 4 });
    expect(filesOf(id)).to.deep.equal(['photo-ID-2.jpg']);
    const { rows } = await api.database.pool.query('select * from storage_intake');
    expect(rows).to.deep.equal([]);
  });

  it('lose their originals in the end where the storage refused to remove them, and nothing else', async () => {
    await withPhotos([
      [await jpegWithPosition(), 'a.jpg'],
      [(await jpegWithPosition()).subarray(0, 200), 'cut.jpg'],
    ]).expect(201);
    const id = await newest();
    const { storage } = api.workerDeps;
    const remove = () => Promise.reject(new Error('503 SlowDown'));
    const clean = () =>
      cleanPhotos({ ...api.workerDeps, storage: { ...storage, remove } })().catch(() => undefined);
    await clean();
    await clean();
    expect((await read(id)).photos.map(({ state }: { state: string }) => state)).to.deep.equal([
      'ready',
      'refused',
    ]);
    expect(filesOf(id)).to.deep.equal(['original-1', 'original-2', 'photo-ID-1.jpg']);
    api.clock.advance(2 * 3_600_000);
    await removeStrayFiles(api.workerDeps);
    expect(filesOf(id)).to.deep.equal(['photo-ID-1.jpg']);
    const { rows } = await api.database.pool.query('select * from storage_intake');
    expect(rows).to.deep.equal([]);
  });

  it('wait for a storage that is away, for hours, and are lost by nobody’s fault', async () => {
    await withPhotos([[await jpegWithPosition(), 'a.jpg']]).expect(201);
    const id = await newest();
    const folder = path.join(api.deps.config.STORAGE_DIR, 'reports');
    const clean = cleanPhotos(api.workerDeps);
    renameSync(folder, `${folder}-away`);
    try {
      for (let hours = 0; hours < 12; hours += 1) {
        expect(await clean()).to.deep.equal({ photos: 1 });
        expect(await clean(), 'before it is due').to.deep.equal({ photos: 0 });
        api.clock.advance(3_600_000);
      }
    } finally {
      // The announcement of a photo may have made the folder anew.
      rmSync(folder, { recursive: true, force: true });
      renameSync(`${folder}-away`, folder);
    }
    expect((await read(id)).photos[0].state).to.equal('waiting');
    await clean();
    expect((await read(id)).photos[0]).to.include({ state: 'ready' });
  });

  it('that the storage does not have are refused in the end', async () => {
    await withPhotos([[await jpegWithPosition(), 'a.jpg']]).expect(201);
    const id = await newest();
    rmSync(path.join(api.deps.config.STORAGE_DIR, 'reports', decodeId('rep', id)!), { recursive: true });
    api.clock.advance(7 * 86_400_000);
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      expect((await read(id)).photos[0].state).to.equal('waiting');
      await cleanPhotos(api.workerDeps)();
      api.clock.advance(60_000);
    }
    expect((await read(id)).photos[0]).to.include({ state: 'refused', problem: 'could not be read' });
  });

  it('may be sent again where the storage has no room for them', async () => {
    const { storage } = api.deps;
    const put = () => Promise.reject(Object.assign(new Error('no space left'), { code: 'ENOSPC' }));
    api.deps.storage = { ...storage, put };
    expect(await withPhotos([[await smallPng(), 'a.png']])).to.include({ status: 503 });
    api.deps.storage = storage;
    await withPhotos([[await smallPng(), 'a.png']]).expect(201);
  });
});
