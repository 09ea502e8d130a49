import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { expect } from 'chai';
import S3rver from 's3rver';
import { createLogger } from '../../../shared/logger.ts';
import { createStorage, type StorageConfig } from '../../../shared/storage/create-storage.ts';
import { probeStorage } from '../../../shared/storage/probe.ts';
import { eventually } from '../../support/eventually.ts';
import { createInstallation } from '../../support/processes.ts';
import { makeScratch } from '../../support/scratch.ts';

describe('a storage that is tried at the start', () => {
  const scratch = makeScratch();
  const server = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory: scratch.folder });
  let s3: Pick<StorageConfig, 'S3_ENDPOINT' | 'S3_ACCESS_KEY_ID' | 'S3_SECRET_ACCESS_KEY'>;

  before(async () => {
    const endpoint = `http://127.0.0.1:${((await server.run()) as AddressInfo).port}`;
    s3 = { S3_ENDPOINT: endpoint, S3_ACCESS_KEY_ID: 'S3RVER', S3_SECRET_ACCESS_KEY: 'S3RVER' };
    const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
    const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials });
    await client.send(new CreateBucketCommand({ Bucket: 'codes' }));
    client.destroy();
  });
  after(async () => {
    await server.close();
    scratch.remove();
  });

  /** @returns what a process would log. */
  const said = async (settings: Partial<StorageConfig>) => {
    const config = { STORAGE_DIR: '', S3_REGION: 'us-east-1', S3_PREFIX: '', ...settings } as StorageConfig;
    const lines: string[] = [];
    const log = createLogger('test', 'info', { write: (line) => lines.push(line) });
    await probeStorage({ storage: await createStorage(config), config, log });
    return lines.map((line) => JSON.parse(line) as { level: number; msg: string; err: Error });
  };

  it('is nobody’s business where it works, and nothing is left there', async () => {
    const folder = path.join(scratch.folder, 'artifacts');
    expect(await said({ STORAGE_DIR: folder })).to.deep.equal([]);
    expect(readdirSync(path.join(folder, 'probes'))).to.deep.equal([]);
    expect(await said({ ...s3, S3_BUCKET: 'codes', S3_PREFIX: 'touchstone/' })).to.deep.equal([]);
    const left = path.join(scratch.folder, 'codes', 'touchstone');
    expect(existsSync(left) ? readdirSync(left, { recursive: true, withFileTypes: true }) : []).to.satisfy(
      (entries: { isFile(): boolean }[]) => entries.every((entry) => !entry.isFile()),
    );
  });

  it('is told with the settings that name it where it does not', async () => {
    const file = path.join(scratch.folder, 'file');
    writeFileSync(file, '');
    for (const [settings, name, reason] of [
      [{ STORAGE_DIR: path.join(file, 'artifacts') }, 'STORAGE_DIR', /ENOTDIR/],
      [{ ...s3, S3_BUCKET: 'nowhere' }, 'S3_BUCKET', /bucket does not exist/],
      [{ ...s3, S3_BUCKET: 'codes', S3_ACCESS_KEY_ID: 'NOBODY' }, 'S3_BUCKET', /access key/i],
    ] as const) {
      const [line, ...more] = await said(settings);
      expect(more, name).to.deep.equal([]);
      expect(line, JSON.stringify(settings)).to.be.an('object');
      expect(line!.level).to.equal(50);
      expect(line!.msg)
        .to.match(/^the storage cannot be used, see /)
        .and.include(name);
      expect(line!.err.message).to.match(reason);
    }
  });

  it('is tried by those that use it, which start all the same, and by no other', async () => {
    const file = path.join(scratch.folder, 'no-folder');
    writeFileSync(file, '');
    const installation = await createInstallation({ STORAGE_DIR: file, LOG_LEVEL: 'info' });
    const word = 'the storage cannot be used, see STORAGE_DIR';
    try {
      const started = await Promise.all([
        installation.startWeb(),
        installation.startWorker('barcodes'),
        installation.startWorker('scans', 'maintenance'),
      ]);
      for (const { output } of started)
        await eventually('word of the storage', () => output().includes(word));
      const others = await installation.startWorker('scans', 'webhooks');
      await others.end('SIGTERM');
      expect(others.output()).to.include('stopping').and.not.include(word);
    } finally {
      await installation.remove();
    }
  });
});
