import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { unzipSync } from 'fflate';
import { BarcodeError } from '../../../shared/barcodes/barcode-error.ts';
import { createZipWriter } from '../../../shared/barcodes/zip.ts';

async function archive(files: [string, Buffer][], modifiedAt?: Date) {
  const blocks: Buffer[] = [];
  const writer = createZipWriter((block) => void blocks.push(block), modifiedAt);
  for (const [name, data] of files) await writer.add(name, data);
  const summary = await writer.finish();
  return { bytes: Buffer.concat(blocks), summary };
}

describe('createZipWriter', () => {
  it('stores files that another implementation reads back, however large beside the blocks', async () => {
    const files: [string, Buffer][] = [
      ['empty.txt', Buffer.alloc(0)],
      ['qr/größe-1.png', Buffer.from('small')],
      ['large.bin', Buffer.alloc(600_000, 7)],
      ...Array.from({ length: 3000 }, (_, index): [string, Buffer] => [
        `qr/${index}.png`,
        Buffer.alloc(200, index),
      ]),
    ];
    const { bytes } = await archive(files);
    const read = unzipSync(bytes);
    expect(Object.keys(read)).to.have.lengthOf(files.length);
    for (const [name, data] of files) expect(Buffer.from(read[name]!).equals(data), name).to.equal(true);
  });

  it('says how many bytes it wrote and what they hash to', async () => {
    const { bytes, summary } = await archive([['a', Buffer.from('x')]]);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(summary).to.deep.equal({ entries: 1, bytes: bytes.length, sha256 });
  });

  it('gives the same bytes for the same files, dated as told', async () => {
    const date = new Date('2026-11-20T16:30:42Z');
    const first = await archive([['a', Buffer.from('x')]], date);
    expect((await archive([['a', Buffer.from('x')]], date)).bytes).to.deep.equal(first.bytes);
    expect(first.bytes.readUInt16LE(10)).to.equal((16 << 11) | (30 << 5) | 21);
    expect(first.bytes.readUInt16LE(12)).to.equal((46 << 9) | (11 << 5) | 20);
  });

  it('waits for whoever takes the blocks', async () => {
    const pending: (() => void)[] = [];
    const writer = createZipWriter(() => new Promise<void>((resolve) => pending.push(resolve)));
    expect(writer.add('a', Buffer.alloc(200_000))).to.equal(undefined);
    const full = writer.add('b', Buffer.alloc(200_000));
    expect(full).to.be.a('promise');
    expect(pending).to.have.lengthOf(1);
    pending[0]!();
    await full;
  });

  it('refuses the file that would need ZIP64', () => {
    const writer = createZipWriter(() => undefined);
    const nothing = Buffer.alloc(0);
    for (let index = 0; index < 65_535; index += 1) void writer.add(String(index), nothing);
    expect(() => writer.add('one more', nothing))
      .to.throw(BarcodeError)
      .with.property('code', 'BARCODE_LAYOUT');
  });
});
