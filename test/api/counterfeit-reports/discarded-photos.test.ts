import { once } from 'node:events';
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { connect, type AddressInfo, type Socket } from 'node:net';
import path from 'node:path';
import { expect } from 'chai';
import { removeStrayFiles } from '../../../shared/storage/intake.ts';
import type { Storage } from '../../../shared/storage/storage.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { smallPng } from '../../support/photos.ts';
import { expectProblem } from '../../support/problem.ts';

const JPEG_HEAD = Buffer.from([0xff, 0xd8, 0xff, 0xe0]);

const partOf = (name: string, filename?: string): string =>
  `--x\r\nContent-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}\r\n\r\n`;
const DESCRIPTION = `${partOf('description')}Blurred print\r\n`;

describe('photos that no report keeps', () => {
  let api: TestApi;
  /** Photos that are being stored. */
  let begun: number;
  let ended: number;

  before(async () => {
    api = await createTestApi();
    const { storage } = api.deps;
    const put: Storage['put'] = async (key, source) => {
      begun += 1;
      try {
        return await storage.put(key, source);
      } finally {
        ended += 1;
      }
    };
    api.deps.storage = { ...storage, put };
  });
  beforeEach(() => {
    begun = 0;
    ended = 0;
  });
  after(() => api.close());

  function post(body: Buffer, contentLength: number): Socket {
    const socket = connect((api.server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(
      `POST /counterfeit-reports HTTP/1.1\r\nHost: x\r\nConnection: close\r\n` +
        `Content-Type: multipart/form-data; boundary=x\r\nContent-Length: ${contentLength}\r\n\r\n`,
    );
    socket.write(body);
    return socket;
  }
  async function answerTo(body: string): Promise<string> {
    const socket = post(Buffer.from(body), Buffer.byteLength(body));
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString()));
    await once(socket, 'close');
    return answer;
  }
  const storedFiles = (): string[] => {
    const folder = path.join(api.deps.config.STORAGE_DIR, 'reports');
    if (!existsSync(folder)) return [];
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);
  };
  const announced = async (): Promise<number> =>
    (await api.database.pool.query('select 1 from storage_intake')).rows.length;
  const untilNothingIsLeft = () =>
    eventually('nothing is left', async () => storedFiles().length + (await announced()) === 0);
  /** Files of the storage that this process holds open, where the system tells. */
  const openFiles = (): string[] =>
    (existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd') : []).flatMap((fd) => {
      try {
        const file = readlinkSync(`/proc/self/fd/${fd}`);
        return file.startsWith(api.deps.config.STORAGE_DIR) ? [file] : [];
      } catch {
        // The descriptor of this very listing.
        return [];
      }
    });

  it('leave no file, open or closed, where the client goes away in the middle of one', async () => {
    const photo = Buffer.concat([JPEG_HEAD, Buffer.alloc(200_000, 65)]);
    const body = Buffer.concat([Buffer.from(DESCRIPTION + partOf('photos', 'a.jpg')), photo]);
    const socket = post(body, 9_000_000);
    await eventually('the photo is being stored', () => storedFiles().some((name) => name.endsWith('.part')));
    socket.destroy();
    await eventually('the photo is given up', () => ended === 1);
    expect(begun).to.equal(1);
    expect(openFiles()).to.deep.equal([]);
    await untilNothingIsLeft();
  });

  it('end no process where the form is cut in the middle of one', async () => {
    for (const file of [
      partOf('photos', 'a.jpg') + 'abc',
      partOf('photos', '') + 'abc',
      partOf('photos', 'a.jpg'),
    ])
      expect(await answerTo(DESCRIPTION + file)).to.match(/^HTTP\/1\.1 400 .*the form cannot be read/s);
    expect(begun).to.equal(2);
    expect(ended).to.equal(2);
    expect(openFiles()).to.deep.equal([]);
    await untilNothingIsLeft();
  });

  it('go at once, whatever the report is refused or not kept for', async () => {
    const png = await smallPng();
    const send = (fields: Record<string, string>, photos = [png, png]) => {
      const request = api.http().post('/counterfeit-reports').set('X-Forwarded-For', '198.51.100.7');
      for (const [name, value] of Object.entries(fields)) request.field(name, value);
      for (const bytes of photos) request.attach('photos', bytes, 'photo.png');
      return request;
    };
    const good = { lang: 'en', description: 'Blurred print' };
    const refused = [
      () => send({ lang: 'en' }),
      () => send({ ...good, unheardOf: 'x' }),
      () => send({ ...good, description: 'NUL \0' }),
      () => send(good, [png, Buffer.from('%PDF-1.7 ...............')]),
    ];
    for (const refuse of refused) {
      expectProblem(await refuse(), 'VALIDATION_FAILED');
      expect(begun).to.be.greaterThan(0);
      await untilNothingIsLeft();
    }
    await send({ ...good, website: 'https://spam.example' }).expect(201);
    await untilNothingIsLeft();

    await send(good).expect(201);
    const kept = ['original-1', 'original-2'];
    expect(storedFiles().sort()).to.deep.equal(kept);
    await send(good).expect(201);
    await eventually('the repetition’s photos are gone', async () => (await announced()) === 0);
    expect(storedFiles().sort()).to.deep.equal(kept);
  });

  it('wait for maintenance where the storage does not remove them', async () => {
    const { removeAll } = api.deps.storage;
    const begunBefore = storedFiles().length;
    api.deps.storage.removeAll = () => Promise.reject(new Error('the storage is away'));
    try {
      const request = api
        .http()
        .post('/counterfeit-reports')
        .attach('photos', await smallPng(), 'photo.png');
      expectProblem(await request, 'VALIDATION_FAILED');
      await eventually('it is logged', () => api.logs.some((line) => line.includes('left to maintenance')));
    } finally {
      api.deps.storage.removeAll = removeAll;
    }
    expect(await removeStrayFiles(api.workerDeps)).to.equal(0);
    expect(storedFiles()).to.have.length(begunBefore + 1);
    api.clock.advance(2 * 3_600_000);
    expect(await removeStrayFiles(api.workerDeps)).to.equal(1);
    expect(storedFiles()).to.have.length(begunBefore);
  });
});
