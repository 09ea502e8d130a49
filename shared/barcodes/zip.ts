import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { BarcodeError } from './barcode-error.ts';

/** What a finished archive was: for the manifest. */
export interface ZipSummary {
  readonly entries: number;
  readonly bytes: number;
  /** Of the whole archive, hexadecimal. */
  readonly sha256: string;
}

/** One archive in the making. Nothing but the current block and the central directory is kept in memory. */
export interface ZipWriter {
  /**
   * Appends a file, stored as it is.
   * @param name path within the archive, with `/`; unique, which is not checked.
   * @returns a promise when a block was handed to `write`: await it, so that a slow disk slows the producer.
   * @throws BarcodeError `BARCODE_LAYOUT` for more than 65,535 files or 4 GiB, which would need ZIP64.
   */
  add(name: string, data: Uint8Array): Promise<void> | undefined;
  /** Writes the directory. The writer is not to be used afterwards. */
  finish(): Promise<ZipSummary>;
}

const MAX_ENTRIES = 65_535;
const MAX_BYTES = 0xffff_ffff;
const LOCAL_HEADER = 30;
const CENTRAL_HEADER = 46;
const BLOCK = 256 * 1024;

/**
 * Writes a ZIP archive of very many small files, stored and not compressed (PNGs are deflated already).
 * The same files in the same order give the same bytes: every entry carries `modifiedAt`.
 * @param write receives the archive block by block, and owns each block.
 * @param modifiedAt from 1980 to 2107, in steps of two seconds, taken as UTC.
 * @see https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */
export function createZipWriter(
  write: (block: Buffer) => Promise<void> | void,
  modifiedAt = new Date(Date.UTC(1980, 0, 1)),
): ZipWriter {
  const stamp = dosTime(modifiedAt);
  const hash = createHash('sha256');
  let directory = Buffer.alloc(64 * 1024);
  let directoryBytes = 0;
  let block = Buffer.allocUnsafe(BLOCK);
  let filled = 0;
  let flushed = 0;
  let entries = 0;

  const flush = async (): Promise<void> => {
    const full = block.subarray(0, filled);
    flushed += filled;
    block = Buffer.allocUnsafe(BLOCK);
    filled = 0;
    hash.update(full);
    await write(full);
  };
  const makeRoom = (bytes: number): void => {
    if (directoryBytes + bytes <= directory.length) return;
    const larger = Buffer.alloc(Math.max(directory.length * 2, directoryBytes + bytes));
    directory.copy(larger, 0, 0, directoryBytes);
    directory = larger;
  };

  return {
    add(name, data) {
      const nameBytes = Buffer.from(name);
      const offset = flushed + filled;
      const size = LOCAL_HEADER + nameBytes.length + data.length;
      const ahead = directoryBytes + CENTRAL_HEADER + nameBytes.length + 22;
      if (entries >= MAX_ENTRIES) throw new BarcodeError('BARCODE_LAYOUT', 'an archive holds 65,535 files');
      if (offset + size + ahead > MAX_BYTES)
        throw new BarcodeError('BARCODE_LAYOUT', 'an archive holds 4 GiB');

      // A file that does not fit the block goes into one of its own size; what was there goes first.
      const earlier = filled > 0 && filled + size > block.length ? flush() : undefined;
      if (size > block.length) block = Buffer.allocUnsafe(size);
      const crc = crc32(data);
      const central = directoryBytes;
      makeRoom(CENTRAL_HEADER + nameBytes.length);
      block.writeUInt32LE(0x0403_4b50, filled);
      directory.writeUInt32LE(0x0201_4b50, central);
      // Made by, and needed: version 2.0 (of the format).
      directory.writeUInt16LE(20, central + 4);
      for (const [buffer, at] of [
        [block, filled + 4],
        [directory, central + 6],
      ] as const) {
        buffer.writeUInt16LE(20, at);
        // Bit 11: names are UTF-8.
        buffer.writeUInt16LE(0x0800, at + 2);
        buffer.writeUInt16LE(0, at + 4);
        buffer.writeUInt32LE(stamp, at + 6);
        buffer.writeUInt32LE(crc, at + 10);
        buffer.writeUInt32LE(data.length, at + 14);
        buffer.writeUInt32LE(data.length, at + 18);
        buffer.writeUInt16LE(nameBytes.length, at + 22);
        buffer.writeUInt16LE(0, at + 24);
      }
      directory.fill(0, central + 32, central + 42);
      directory.writeUInt32LE(offset, central + 42);
      directory.set(nameBytes, central + CENTRAL_HEADER);
      directoryBytes += CENTRAL_HEADER + nameBytes.length;
      block.set(nameBytes, filled + LOCAL_HEADER);
      block.set(data, filled + LOCAL_HEADER + nameBytes.length);
      filled += size;
      entries += 1;
      return earlier;
    },

    async finish() {
      const start = flushed + filled;
      if (filled > 0) await flush();
      const end = Buffer.alloc(22);
      end.writeUInt32LE(0x0605_4b50, 0);
      end.writeUInt16LE(entries, 8);
      end.writeUInt16LE(entries, 10);
      end.writeUInt32LE(directoryBytes, 12);
      end.writeUInt32LE(start, 16);
      const tail = Buffer.concat([directory.subarray(0, directoryBytes), end]);
      hash.update(tail);
      await write(tail);
      return { entries, bytes: start + tail.length, sha256: hash.digest('hex') };
    },
  };
}

/** MS-DOS's time in the low half, its date in the high half. */
function dosTime(date: Date): number {
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >>> 1);
  const day = ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  return ((day << 16) | time) >>> 0;
}
