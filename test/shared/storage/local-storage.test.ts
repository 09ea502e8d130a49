import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { createLocalStorage } from '../../../shared/storage/local-storage.ts';
import { makeScratch } from '../../support/scratch.ts';

async function* parts(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

async function* broken(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('half');
  throw new Error('the source broke off');
}

describe('local storage', () => {
  const scratch = makeScratch();
  const folder = path.join(scratch.folder, 'store');
  const storage = createLocalStorage(folder);

  after(() => scratch.remove());

  const read = async (key: string, range?: { start: number; end: number }): Promise<string> => {
    const chunks: Buffer[] = [];
    for await (const chunk of storage.read(key, range)) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString();
  };

  it('stores a stream, and says how long it is and what its checksum is', async () => {
    const stored = await storage.put('jobs/1/a.csv', parts('one,', 'two'));
    expect(stored).to.deep.equal({ bytes: 7, sha256: createHash('sha256').update('one,two').digest('hex') });
    expect(await read('jobs/1/a.csv')).to.equal('one,two');
    expect(await read('jobs/1/a.csv', { start: 4, end: 5 })).to.equal('tw');
  });

  it('leaves nothing of a stream that breaks off, and keeps what was there', async () => {
    await storage.put('keep/a', parts('old'));
    const error = await storage.put('keep/a', broken()).catch((thrown: Error) => thrown);
    expect((error as Error).message).to.equal('the source broke off');
    expect(readdirSync(path.join(folder, 'keep'))).to.deep.equal(['a']);
    expect(await read('keep/a')).to.equal('old');
  });

  it('replaces whole, also with two writers at once', async () => {
    const texts = ['a'.repeat(100_000), 'b'.repeat(100_000)];
    await Promise.all(
      texts.map((text) => storage.put('race/x', parts(text.slice(0, 50_000), text.slice(50_000)))),
    );
    expect(await read('race/x')).to.be.oneOf(texts);
    expect(readdirSync(path.join(folder, 'race'))).to.deep.equal(['x']);
  });

  it('never leaves its folder', async () => {
    const outside = path.join(scratch.folder, 'outside');
    writeFileSync(outside, 'untouched');
    for (const key of ['../outside', 'a/../../outside', '../store-other/x', '..', '.', '']) {
      const results = await Promise.allSettled([
        storage.put(key, parts('x')),
        (async () => storage.read(key))(),
        (async () => storage.remove(key))(),
        (async () => storage.removeAll(key))(),
      ]);
      for (const { status } of results) expect(status, key).to.equal('rejected');
    }
    expect(readFileSync(outside, 'utf8')).to.equal('untouched');
  });

  it('removes one, or all below a prefix, and does not mind what is not there', async () => {
    for (const key of ['rm/a', 'rm/b/c', 'rm/b/d']) await storage.put(key, parts('x'));
    await storage.removeAll('rm/b/');
    expect(existsSync(path.join(folder, 'rm/b'))).to.equal(false);
    await storage.remove('rm/a');
    await storage.remove('rm/a');
    await storage.removeAll('rm/b/');
    expect(readdirSync(path.join(folder, 'rm'))).to.deep.equal([]);
  });

  it('removes with an object what was written of it by a process that was killed', async () => {
    for (const key of ['lost/photo-1', 'lost/photo-10']) await storage.put(key, parts('x'));
    let left: string[] = [];
    // Whoever has written the half of it has on the disk what a killed one leaves there.
    const half = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from('half');
      await storage.remove('lost/photo-1');
      left = readdirSync(path.join(folder, 'lost'));
      throw new Error('killed');
    };
    const error = await storage.put('lost/photo-1', half()).catch((thrown: Error) => thrown);
    expect((error as Error).message).to.equal('killed');
    expect(left).to.deep.equal(['photo-10']);
  });
});
