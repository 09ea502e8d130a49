/** Records of some hundred bytes, appended and read back by position. All but the newest lie in a temporary file. */
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Bytes, from a place on. */
export interface Cursor {
  bytes: Buffer;
  /** Of the same bytes. */
  view: DataView;
  at: number;
}

export interface RecordLogOptions {
  segmentBytes?: number;
  /** At least one. */
  segmentsInMemory?: number;
}

export const MAX_RECORD_BYTES = 60_000;
/** Ahead of each record: the room that it has, which is a little more than it takes, so that it may grow where it stands. */
const PREFIX_BYTES = 2;
const ROOM_STEP = 32;
/** Read at once from the file; few records are longer. */
const FIRST_READ_BYTES = 512;

export const cursorOn = (bytes: Buffer): Cursor => ({
  bytes,
  view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length),
  at: 0,
});

/** One growing list of bytes, cut into segments that no record crosses; written to the file by the segment. */
export class RecordLog {
  private readonly segmentBytes: number;
  private readonly segmentsInMemory: number;
  /** The newest segments, oldest first. */
  private readonly segments: Cursor[] = [];
  /** Segments that are in the file alone. */
  private spilled = 0;
  private used: number;
  private file: number | null = null;
  private readonly aside = cursorOn(Buffer.alloc(PREFIX_BYTES + MAX_RECORD_BYTES + ROOM_STEP));

  constructor({ segmentBytes = 4 << 20, segmentsInMemory = 32 }: RecordLogOptions = {}) {
    this.segmentBytes = segmentBytes;
    this.segmentsInMemory = segmentsInMemory;
    this.used = segmentBytes;
  }

  /** Appends the first `length` bytes. @returns the record's position. */
  append(record: Buffer, length: number): number {
    const room = Math.ceil((length + 1) / ROOM_STEP) * ROOM_STEP;
    if (this.used + PREFIX_BYTES + room > this.segmentBytes) this.beginSegment();
    const segment = this.segments.at(-1)!;
    const at = this.used;
    segment.view.setUint16(at, room, true);
    record.copy(segment.bytes, at + PREFIX_BYTES, 0, length);
    this.used += PREFIX_BYTES + room;
    return (this.spilled + this.segments.length - 1) * this.segmentBytes + at;
  }

  /** Puts a record in the place of another, where it fits and is in memory. @returns its position. */
  replace(position: number, record: Buffer, length: number): number {
    const segment = this.segments[Math.floor(position / this.segmentBytes) - this.spilled];
    const at = position % this.segmentBytes;
    if (segment === undefined || segment.view.getUint16(at, true) < length)
      return this.append(record, length);
    record.copy(segment.bytes, at + PREFIX_BYTES, 0, length);
    return position;
  }

  /** @returns where the record begins, valid until the next call of the log. */
  read(position: number): Cursor {
    const segment = this.segments[Math.floor(position / this.segmentBytes) - this.spilled];
    if (segment === undefined) return this.readFromFile(position);
    segment.at = (position % this.segmentBytes) + PREFIX_BYTES;
    return segment;
  }

  close(): void {
    if (this.file !== null) closeSync(this.file);
    this.file = null;
  }

  private beginSegment(): void {
    this.used = 0;
    if (this.segments.length < this.segmentsInMemory) {
      this.segments.push(cursorOn(Buffer.alloc(this.segmentBytes)));
      return;
    }
    const oldest = this.segments.shift()!;
    this.file ??= openNameless();
    for (let done = 0; done < this.segmentBytes;) {
      const at = this.spilled * this.segmentBytes + done;
      done += writeSync(this.file, oldest.bytes, done, this.segmentBytes - done, at);
    }
    this.spilled += 1;
    this.segments.push(oldest);
  }

  private readFromFile(position: number): Cursor {
    const { bytes, view } = this.aside;
    const got = readSync(this.file!, bytes, 0, FIRST_READ_BYTES, position);
    const end = PREFIX_BYTES + view.getUint16(0, true);
    if (end > got) readSync(this.file!, bytes, got, end - got, position + got);
    this.aside.at = PREFIX_BYTES;
    return this.aside;
  }
}

/** A temporary file without a name: whatever becomes of this process, it leaves nothing behind. */
function openNameless(): number {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-replay-'));
  try {
    return openSync(join(folder, 'profiles'), 'w+', 0o600);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
