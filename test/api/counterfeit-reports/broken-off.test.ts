import { once } from 'node:events';
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { connect, type AddressInfo, type Socket } from 'node:net';
import path from 'node:path';
import { expect } from 'chai';
import type { Storage } from '../../../shared/storage/storage.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';

const JPEG_HEAD = Buffer.from([0xff, 0xd8, 0xff, 0xe0]);

const partOf = (name: string, filename?: string): string =>
  `--x\r\nContent-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}\r\n\r\n`;
const DESCRIPTION = `${partOf('description')}Blurred print\r\n`;

describe('a report whose upload breaks off', () => {
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

  it('because the client goes away in the middle of a photo leaves no file, open or closed', async () => {
    const photo = Buffer.concat([JPEG_HEAD, Buffer.alloc(200_000, 65)]);
    const body = Buffer.concat([Buffer.from(DESCRIPTION + partOf('photos', 'a.jpg')), photo]);
    const socket = post(body, 9_000_000);
    await eventually('the photo is being stored', () => storedFiles().some((name) => name.endsWith('.part')));
    socket.destroy();
    await eventually('the photo is given up', () => ended === 1);
    expect(begun).to.equal(1);
    expect(storedFiles()).to.deep.equal([]);
    expect(openFiles()).to.deep.equal([]);
  });

  it('because the form ends in the middle of a file is refused, and the process lives', async () => {
    for (const file of [
      partOf('photos', 'a.jpg') + 'abc',
      partOf('photos', '') + 'abc',
      partOf('photos', 'a.jpg'),
    ])
      expect(await answerTo(DESCRIPTION + file)).to.match(/^HTTP\/1\.1 400 .*the form cannot be read/s);
    expect(begun).to.equal(2);
    expect(ended).to.equal(2);
    expect(storedFiles()).to.deep.equal([]);
    expect(openFiles()).to.deep.equal([]);
  });
});
