import { readdirSync, existsSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { decodeId, encodeId, newUuid } from '../../../shared/ids.ts';
import { claimNextPhoto, settlePhoto } from '../../../shared/counterfeit-reports/photos.ts';
import { cleanPhotos } from '../../../workers/clean-photos/processor.ts';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { whileHeld } from '../../support/held-row.ts';
import { pixelsOf, smallPng } from '../../support/photos.ts';
import { expectProblem } from '../../support/problem.ts';

describe('photos that are added to a report', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
  });
  after(() => api.close());

  let shade = 0;
  /** A photo like no other of these tests. */
  const photo = (): Promise<Buffer> => {
    const own = (shade += 1);
    return pixelsOf(4, 4, () => [own, 0, 0, 255]).png();
  };
  const file = async (): Promise<string> =>
    (await org.post('/counterfeit-reports', { channel: 'inspection', description: 'Odd' }).expect(201)).body
      .id;
  const add = (id: string, ...photos: Buffer[]) =>
    photos.reduce(
      (request, bytes, index) => request.attach('photos', bytes, `${index}.png`),
      org.post(`/counterfeit-reports/${id}/photos`),
    );
  const remove = (id: string, photoId: string) => org.delete(`/counterfeit-reports/${id}/photos/${photoId}`);
  const read = async (id: string) => (await org.get(`/counterfeit-reports/${id}`).expect(200)).body;
  /** All files of reports, whosever. */
  const files = (): string[] => {
    const folder = path.join(api.deps.config.STORAGE_DIR, 'reports');
    return existsSync(folder)
      ? (readdirSync(folder, { recursive: true }) as string[]).filter((name) => name.includes('/')).sort()
      : [];
  };
  const announced = async () =>
    (await api.database.pool.query('select count(*) from storage_intake')).rows[0].count as number;

  const nothingIsAnnounced = () =>
    eventually('no file without an owner', async () => (await announced()) === 0);

  it('are cleaned as a consumer’s are, in their order, and say who added them', async () => {
    const id = await file();
    const { body } = await add(id, await photo(), await photo()).expect(200);
    expect(body.photos.map(({ state, url }: any) => [state, url])).to.deep.equal([
      ['waiting', null],
      ['waiting', null],
    ]);
    await add(id, await photo()).expect(200);
    expect(await cleanPhotos(api.workerDeps)()).to.deep.equal({ photos: 3 });
    const { photos, photoCount } = await read(id);
    expect(photoCount).to.equal(3);
    expect(photos.map(({ state }: any) => state)).to.deep.equal(['ready', 'ready', 'ready']);
    expect(photos.map(({ addedBy }: any) => addedBy)).to.deep.equal(Array(3).fill(body.filedBy));
    expect(new Set(photos.map(({ url }: any) => url)).size).to.equal(3);
    const folder = `${decodeId('rep', id)!}/`;
    expect(files().filter((name) => name.startsWith(folder))).to.have.length(3);
    expect(files().filter((name) => name.includes('original'))).to.deep.equal([]);
    expect(await announced()).to.equal(0);
  });

  it('are cleaned as soon as they are there, which a repetition asks of nobody', async () => {
    const [id, one] = [await file(), await photo()];
    const { waker } = api.deps;
    let wakings = 0;
    const cleanPhotos_ = () => {
      wakings += 1;
      return waker.cleanPhotos();
    };
    api.deps.waker = { ...waker, cleanPhotos: cleanPhotos_ };
    try {
      for (const _ of [1, 2]) await add(id, one).expect(200);
    } finally {
      api.deps.waker = waker;
    }
    expect(wakings).to.equal(1);
    await cleanPhotos(api.workerDeps)();
  });

  it('may be added to what a consumer told, beside the consumer’s own', async () => {
    const { body } = await api
      .http()
      .post('/counterfeit-reports')
      .set('Accept', 'application/json')
      .field('description', 'Odd')
      .attach('photos', await photo(), 'a.png')
      .expect(201);
    await api.database.pool.query('update counterfeit_reports set org_id = $1 where id = $2', [
      org.uuid,
      decodeId('rep', body.reportId),
    ]);
    const { photos } = (await add(body.reportId, await photo()).expect(200)).body;
    expect(photos.map(({ addedBy }: any) => addedBy === null)).to.deep.equal([true, false]);
    await cleanPhotos(api.workerDeps)();
  });

  it('are there once however often they are sent, and nothing of the repetition stays', async () => {
    const id = await file();
    const [one, two] = [await photo(), await photo()];
    await add(id, one).expect(200);
    await cleanPhotos(api.workerDeps)();
    const before = files();
    expect((await add(id, one).expect(200)).body.photoCount).to.equal(1);
    expect((await add(id, two, one, two).expect(200)).body.photoCount).to.equal(2);
    await cleanPhotos(api.workerDeps)();
    await nothingIsAnnounced();
    expect(files()).to.have.length(before.length + 1);
  });

  it('are taken again where they could not be read', async () => {
    const id = await file();
    // Nothing but the beginning of one.
    const broken = Buffer.concat([(await photo()).subarray(0, 40), Buffer.alloc(8)]);
    await add(id, broken).expect(200);
    await cleanPhotos(api.workerDeps)();
    expect((await read(id)).photos.map(({ state }: any) => state)).to.deep.equal(['refused']);
    expect((await add(id, broken).expect(200)).body.photoCount).to.equal(2);
    await cleanPhotos(api.workerDeps)();
  });

  it('are there once also where two requests bring them at the same time', async () => {
    const id = await file();
    const one = await photo();
    const counts = await Promise.all([add(id, one), add(id, one), add(id, one)]);
    expect(counts.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
    expect((await read(id)).photoCount).to.equal(1);
    await cleanPhotos(api.workerDeps)();
    await nothingIsAnnounced();
  });

  it('are twenty of one report at the most', async () => {
    const id = await file();
    const known = await photo();
    for (let n = 0; n < 4; n += 1) {
      const first = n === 0 ? known : await photo();
      await add(id, first, await photo(), await photo(), await photo(), await photo()).expect(200);
    }
    const [error] = expectProblem(await add(id, await photo()), 'VALIDATION_FAILED').errors!;
    expect(error).to.deep.include({ path: 'photos', code: 'TOO_MANY', params: { maximum: 20 } });
    await add(id, known).expect(200);
    const { photos } = await read(id);
    expect(photos).to.have.length(20);
    await remove(id, photos[3].id).expect(204);
    await add(id, await photo()).expect(200);
    await cleanPhotos(api.workerDeps)();
    expect(new Set((await read(id)).photos.map(({ url }: any) => url)).size).to.equal(20);
  });

  it('are refused where they are no photos, or none, and nothing of them stays', async () => {
    const id = await file();
    const before = files();
    const expectRefused = async (request: any, code: string, path_: string) => {
      const [error] = expectProblem(await request, 'VALIDATION_FAILED').errors!;
      expect(error).to.include({ code, path: path_ });
    };
    await expectRefused(
      add(id, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')),
      'NOT_A_PHOTO',
      'photos.0',
    );
    await expectRefused(add(id, await photo(), Buffer.from('GIF89a-------')), 'NOT_A_PHOTO', 'photos.1');
    await expectRefused(add(id, await photo()).field('note', 'x'), 'UNKNOWN_FIELD', 'note');
    await expectRefused(add(id).attach('photos', Buffer.alloc(0), ''), 'REQUIRED', 'photos');
    // No JSON can name a file of somebody else's.
    const elsewhere = { reportId: newUuid(), originals: [{ key: 'artifacts/x', sha256: '00' }] };
    for (const photos of [undefined, [], elsewhere])
      await expectRefused(add(id).send({ photos }), 'WRONG_TYPE', 'photos');
    const plain = expectProblem(await add(id).type('text/plain').send('a photo'), 'UNSUPPORTED_MEDIA_TYPE');
    expect(plain.detail).to.include('multipart/form-data');
    await nothingIsAnnounced();
    expect(files()).to.deep.equal(before);
    expect((await read(id)).photos).to.deep.equal([]);
  });

  it('belong to nobody where the report is another organization’s, and their files go', async () => {
    const id = await file();
    const other = await api.createOrganization();
    const before = files();
    const sent = other.post(`/counterfeit-reports/${id}/photos`).attach('photos', await photo(), 'a.png');
    expectProblem(await sent, 'NOT_FOUND');
    await nothingIsAnnounced();
    expect(files()).to.deep.equal(before);

    const { photos } = (await add(id, await photo()).expect(200)).body;
    expectProblem(await other.delete(`/counterfeit-reports/${id}/photos/${photos[0].id}`), 'NOT_FOUND');
    expect((await read(id)).photoCount).to.equal(1);
  });

  describe('and taken off again', () => {
    it('are gone with their file and their link, and the log says of which report', async () => {
      const id = await file();
      await add(id, await photo(), await photo()).expect(200);
      await cleanPhotos(api.workerDeps)();
      const { photos } = await read(id);
      const link = new URL(photos[0].url);
      const before = files();
      await remove(id, photos[0].id).expect(204);
      expect((await read(id)).photos.map((one: any) => one.id)).to.deep.equal([photos[1].id]);
      expectProblem(await api.http().get(link.pathname + link.search), 'NOT_FOUND');
      await nothingIsAnnounced();
      expect(files()).to.have.length(before.length - 1);
      const { rows } = await api.database.pool.query(
        'select action, resource, before, after from audit_log where org_id = $1 order by id desc limit 1',
        [org.uuid],
      );
      expect(rows).to.deep.equal([
        { action: 'removeReportPhoto', resource: id, before: { photoCount: 2 }, after: { photoCount: 1 } },
      ]);
      expectProblem(await remove(id, photos[0].id), 'NOT_FOUND');
    });

    it('are gone also before they were cleaned, with the file as it was sent', async () => {
      const id = await file();
      const before = files();
      const { photos } = (await add(id, await photo()).expect(200)).body;
      await remove(id, photos[0].id).expect(204);
      await nothingIsAnnounced();
      expect(files()).to.deep.equal(before);
      expect(await cleanPhotos(api.workerDeps)()).to.deep.equal({ photos: 0 });
    });

    it('are gone for whoever took them off, also where the storage does not answer', async () => {
      const id = await file();
      const { photos } = (await add(id, await photo()).expect(200)).body;
      const { storage } = api.deps;
      let letGo = (): void => undefined;
      const answered = new Promise<void>((resolve) => (letGo = resolve));
      const remove_ = async (key: string) => answered.then(() => storage.remove(key));
      api.deps.storage = { ...storage, remove: remove_ };
      try {
        await remove(id, photos[0].id).timeout(5_000).expect(204);
      } finally {
        api.deps.storage = storage;
        letGo();
      }
      await nothingIsAnnounced();
    });

    it('are gone also where a worker has one in hand', async () => {
      const id = await file();
      const before = files();
      const { photos } = (await add(id, await photo()).expect(200)).body;
      const photoDeps = { ...api.workerDeps, leaseSeconds: 60 };
      const claimed = await claimNextPhoto(photoDeps);
      await remove(id, photos[0].id).expect(204);
      await settlePhoto(photoDeps, claimed!, { bytes: await smallPng(), width: 8, height: 8 });
      await nothingIsAnnounced();
      expect(files()).to.deep.equal(before);
      expect((await read(id)).photos).to.deep.equal([]);
    });

    it('leave the next one alone whose place they had, however late a worker comes', async () => {
      const id = await file();
      const photoDeps = { ...api.workerDeps, leaseSeconds: 60 };
      const image = { bytes: await smallPng(), width: 8, height: 8 };
      const { photos } = (await add(id, await photo()).expect(200)).body;
      const late = await claimNextPhoto(photoDeps);
      await remove(id, photos[0].id).expect(204);
      await add(id, await photo()).expect(200);
      await settlePhoto(photoDeps, (await claimNextPhoto(photoDeps))!, image);
      await settlePhoto(photoDeps, late!, { ...image, bytes: Buffer.from('of the one that is gone') });
      const [next] = (await read(id)).photos;
      const link = new URL(next.url);
      const { body } = await api
        .http()
        .get(link.pathname + link.search)
        .expect(200);
      expect(image.bytes.equals(body)).to.equal(true);
      await nothingIsAnnounced();
    });

    it('have each an entry of its own in the log, also where two go at once', async () => {
      const id = await file();
      const { photos } = (await add(id, await photo(), await photo()).expect(200)).body;
      const row = {
        text: 'select 1 from counterfeit_reports where id = $1 for update',
        values: [decodeId('rep', id)],
      };
      await whileHeld(api.database.pool, row, async ({ waiting, release }) => {
        const both = Promise.all(photos.map((one: any) => remove(id, one.id)));
        await waiting(2);
        await release();
        expect((await both).map(({ status }: any) => status)).to.deep.equal([204, 204]);
      });
      const { rows: entries } = await api.database.pool.query(
        `select before, after from audit_log where action = 'removeReportPhoto' and resource = $1 order by id`,
        [id],
      );
      expect(entries).to.have.deep.members([
        { before: { photoCount: 2 }, after: { photoCount: 1 } },
        { before: { photoCount: 1 }, after: { photoCount: 0 } },
      ]);
    });

    it('are not, of another report of the organization', async () => {
      const [id, elsewhere] = [await file(), await file()];
      const { photos } = (await add(id, await photo()).expect(200)).body;
      expectProblem(await remove(elsewhere, photos[0].id), 'NOT_FOUND');
      expectProblem(await remove(id, encodeId('photo', newUuid())), 'NOT_FOUND');
      expect((await read(id)).photoCount).to.equal(1);
      await cleanPhotos(api.workerDeps)();
    });
  });
});
