import { createHash, randomBytes } from 'node:crypto';
import dns from 'node:dns';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { expect } from 'chai';
import S3rver from 's3rver';
import { loadConfig } from '../../../shared/config.ts';
import { createStorage, type StorageConfig } from '../../../shared/storage/create-storage.ts';
import { createS3Storage, type S3Storage } from '../../../shared/storage/s3-storage.ts';
import { isStorageFull, putOrBlame, StorageFailedError } from '../../../shared/storage/storage-failure.ts';
import { createTestApi, TEST_ENVIRONMENT } from '../../support/api.ts';
import { codesOf, fetchArtifacts } from '../../support/artifacts.ts';
import { makeScratch } from '../../support/scratch.ts';

const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

describe('artifacts in S3', () => {
  const scratch = makeScratch();
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: scratch.folder,
    serviceEndpoint: 'storage.test',
  });
  let endpoint: string;
  let client: S3Client;
  let storage: S3Storage;

  before(async () => {
    const { port } = (await server.run()) as AddressInfo;
    endpoint = `http://127.0.0.1:${port}`;
    client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials });
    await client.send(new CreateBucketCommand({ Bucket: 'codes' }));
    storage = createS3Storage({
      bucket: 'codes',
      region: 'us-east-1',
      prefix: 'touchstone/',
      endpoint,
      credentials,
    });
  });
  after(async () => {
    storage.close();
    client.destroy();
    await server.close();
    scratch.remove();
  });

  const pieces = async function* (bytes: Buffer, size: number) {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  };

  it('gives back the bytes and their checksum, also in several parts and for nothing', async () => {
    for (const size of [0, 1, 100_000, 20 * 1024 * 1024]) {
      const bytes = randomBytes(size);
      const stored = await storage.put('a/b.bin', pieces(bytes, 300_000));
      expect(stored).to.deep.equal({ bytes: size, sha256: createHash('sha256').update(bytes).digest('hex') });
      expect((await buffer(storage.read('a/b.bin'))).equals(bytes), `${size} bytes`).to.equal(true);
    }
  });

  it('reads a range, both ends included', async () => {
    await storage.put('range', [Buffer.from('0123456789')]);
    for (const [start, end, text] of [
      [0, 1, '01'],
      [2, 4, '234'],
      [9, 9, '9'],
    ] as const)
      expect((await buffer(storage.read('range', { start, end }))).toString()).to.equal(text);
  });

  it('tells a storage without room from one that is away, by what MinIO and Ceph say', async () => {
    for (const [status, code, isFull] of [
      [507, 'XMinioStorageFull', true],
      [400, 'XMinioAdminBucketQuotaExceeded', true],
      [403, 'QuotaExceeded', true],
      [503, 'SlowDown', false],
      [403, 'AccessDenied', false],
    ] as const) {
      const refusing = createServer((req, res) => {
        req.resume();
        res
          .writeHead(status, { 'content-type': 'application/xml' })
          .end(
            `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>no</Message></Error>`,
          );
      }).listen(0, '127.0.0.1');
      await once(refusing, 'listening');
      const { port } = refusing.address() as AddressInfo;
      const options = { bucket: 'codes', region: 'us-east-1', prefix: '', credentials };
      const full = createS3Storage({ ...options, endpoint: `http://127.0.0.1:${port}` });
      const failure = await putOrBlame(full, 'a', [Buffer.from('a')]).catch((error: unknown) => error);
      expect(failure, code).to.be.instanceOf(StorageFailedError);
      expect(isStorageFull(failure as StorageFailedError), code).to.equal(isFull);
      full.close();
      refusing.closeAllConnections();
      refusing.close();
    }
  });

  it('leaves nothing behind of a stream that breaks, in one part or in several', async () => {
    for (const size of [1000, 20 * 1024 * 1024]) {
      const broken = async function* () {
        yield* pieces(randomBytes(size), 1024 * 1024);
        throw new Error('the renderer failed');
      };
      expect(await storage.put('broken', broken()).catch((error: Error) => error.message)).to.equal(
        'the renderer failed',
      );
      const missing = await buffer(storage.read('broken')).catch((error: Error) => error.name);
      expect(missing).to.equal('NoSuchKey');
    }
  });

  it('removes one object, and all below a folder, and is content with none', async () => {
    for (const key of ['job/1', 'job/parts/1', 'job/parts/2', 'jobs'])
      await storage.put(key, [Buffer.from(key)]);
    await storage.removeAll('job/parts/');
    await storage.remove('job/nothing');
    expect((await buffer(storage.read('job/1'))).toString()).to.equal('job/1');
    await storage.removeAll('job/');
    await storage.removeAll('job/');
    expect(await buffer(storage.read('job/1')).catch((error: Error) => error.name)).to.equal('NoSuchKey');
    expect((await buffer(storage.read('jobs'))).toString()).to.equal('jobs');
  });

  it('keeps its keys below its prefix', async () => {
    await storage.put('mine', [Buffer.from('x')]);
    const all = createS3Storage({ bucket: 'codes', region: 'us-east-1', prefix: '', endpoint, credentials });
    expect((await buffer(all.read('touchstone/mine'))).toString()).to.equal('x');
    all.close();
    expect(() => storage.remove('../mine')).to.throw(RangeError);
  });

  it('are given up on where the service falls silent, before an answer or within one', async () => {
    const silent = createServer((req, res) => {
      if (req.method === 'GET') res.writeHead(200, { 'Content-Length': 10 }).write('0123');
    }).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const away = createS3Storage({
      bucket: 'codes',
      region: 'us-east-1',
      prefix: '',
      endpoint: `http://127.0.0.1:${port}`,
      credentials,
      answerMs: 200,
    });
    try {
      const failure = (work: Promise<unknown>) =>
        work.then(
          () => 'none',
          (error: Error) => error.message,
        );
      expect(await failure(away.put('k', [Buffer.from('x')]))).to.match(/timeout|timed out|exceeded/i);
      expect(await failure(buffer(away.read('k')))).to.equal('no answer within 200 ms');
    } finally {
      away.close();
      silent.closeAllConnections();
      silent.close();
    }
  });

  const storageOf = async (settings: Partial<StorageConfig>) =>
    (await createStorage({
      ...loadConfig(TEST_ENVIRONMENT),
      S3_BUCKET: 'codes',
      S3_ENDPOINT: endpoint,
      S3_ACCESS_KEY_ID: credentials.accessKeyId,
      S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      ...settings,
    })) as S3Storage;

  it('are asked for by the bucket’s own host where the operator says so', async () => {
    const { port } = new URL(endpoint);
    const asked: string[] = [];
    // What a name server of such a service says: every bucket's name leads to it.
    const { lookup } = dns;
    dns.lookup = ((name: string, options: dns.LookupOptions, done: (...answer: unknown[]) => void) => {
      if (!name.endsWith('.test')) return lookup(name, options, done);
      asked.push(name);
      if (options.all) done(null, [{ address: '127.0.0.1', family: 4 }]);
      else done(null, '127.0.0.1', 4);
    }) as typeof dns.lookup;
    const hosts = await storageOf({
      S3_ENDPOINT: `http://s3.storage.test:${port}`,
      S3_ADDRESSING: 'host',
    });
    try {
      await hosts.put('by-host', [Buffer.from('x')]);
      expect((await buffer(hosts.read('by-host'))).toString()).to.equal('x');
      expect(new Set(asked)).to.deep.equal(new Set(['codes.s3.storage.test']));
    } finally {
      dns.lookup = lookup;
      hosts.close();
    }
    const paths = await storageOf({ S3_ADDRESSING: 'path' });
    expect((await buffer(paths.read('by-host'))).toString()).to.equal('x');
    paths.close();
  });

  it('of a whole job are downloaded like local ones, by ranges too; a bucket that is gone is unavailable', async () => {
    const s3 = await storageOf({});
    const gone = await storageOf({ S3_BUCKET: 'nowhere' });
    let current = s3;
    const api = await createTestApi({
      env: { MINT_CHUNK_UNITS: '3' },
      deps: { storage: { ...s3, read: (...asked) => current.read(...asked) } },
    });
    try {
      api.workerDeps.storage = s3;
      const org = await api.createOrganization();
      const { jobId, units } = await org.mintUnits(7, { job: { formats: ['png', 'pdf'] } });
      const artifacts = await fetchArtifacts(api, org, jobId);
      for (const { name, bytes, sha256 } of artifacts.values())
        expect(createHash('sha256').update(bytes).digest('hex'), name).to.equal(sha256);
      expect(codesOf(artifacts).map(({ serial }) => serial)).to.have.members(
        units.map(({ serial }) => serial),
      );
      const { body: job } = await org.get(`/barcode-jobs/${jobId}`);
      const { url } = job.artifacts.find((one: { name: string }) => one.name === 'codes.csv');
      const { text } = await api
        .http()
        .get(new URL(url).pathname + new URL(url).search)
        .set('Range', 'bytes=0-5')
        .expect(206);
      expect(text).to.equal('unitId');
      current = gone;
      const { body } = await api
        .http()
        .get(new URL(url).pathname + new URL(url).search)
        .expect(503);
      expect(body.code).to.equal('UNAVAILABLE');
      expect(api.logs.join('')).to.match(/bucket does not exist/);
      s3.close();
      gone.close();
    } finally {
      await api.close();
    }
  });
});
