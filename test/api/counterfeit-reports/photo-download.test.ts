import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import type { Storage } from '../../../shared/storage/storage.ts';
import { cleanPhotos } from '../../../workers/clean-photos/processor.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { smallPng } from '../../support/photos.ts';
import { expectProblem } from '../../support/problem.ts';

describe('the download of a report’s photo', () => {
  let api: TestApi;
  let storage: Storage;
  /** Of the signed link. */
  let address: string;

  before(async () => {
    api = await createTestApi();
    ({ storage } = api.deps);
    const org = await api.createOrganization();
    const unit = (await org.mintUnits(1)).units[0]!;
    await api
      .http()
      .post(`/v/${unit.token}/reports`)
      .field('lang', 'en')
      .field('description', 'Blurred print')
      .attach('photos', await smallPng(), 'a.png')
      .expect(201);
    await cleanPhotos(api.workerDeps)();
    const { id } = (await org.get('/counterfeit-reports')).body.data[0];
    const { pathname, search } = new URL((await org.get(`/counterfeit-reports/${id}`)).body.photos[0].url);
    address = pathname + search;
  });
  after(() => api.close());

  /** The next download is of this. */
  const offer = (read: () => Readable): void => {
    api.deps.storage = { ...storage, read };
  };
  afterEach(() => {
    api.deps.storage = storage;
  });
  const ask = (): Socket => {
    const socket = connect((api.server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(`GET ${address} HTTP/1.1\r\nHost: x\r\n\r\n`);
    return socket;
  };

  it('closes its file where the reader goes away in the middle', async () => {
    const source = Readable.from(
      (async function* () {
        for (;;) yield Buffer.alloc(65_536);
      })(),
      { objectMode: false },
    );
    offer(() => source);
    const socket = ask();
    await once(socket, 'readable');
    socket.resetAndDestroy();
    await eventually('the file is closed', () => source.closed);
  });

  it('closes its file where the reader is gone before it begins', async () => {
    const gone = new Promise<void>((resolve) =>
      api.server.once('request', (_req, res) => res.once('close', () => resolve())),
    );
    let isAsked = false;
    const source = Readable.from(
      (async function* () {
        isAsked = true;
        await gone;
        yield Buffer.from('x');
      })(),
      { objectMode: false },
    );
    offer(() => source);
    const socket = ask();
    await eventually('the file is read', () => isAsked);
    socket.resetAndDestroy();
    await eventually('the file is closed', () => source.closed);
  });

  it('is refused with a problem where its file is gone, or cannot be read', async () => {
    offer(() => storage.read('reports/none.jpg'));
    expectProblem(await api.http().get(address), 'NOT_FOUND');
    // A folder: it is there.
    offer(() => storage.read('reports'));
    const answer = await api.http().get(address);
    expectProblem(answer, 'UNAVAILABLE');
    expect(answer.headers['content-disposition']).to.equal(undefined);
  });
});
