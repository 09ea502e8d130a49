/** Where artifacts live. Keys are paths of our own making; an object appears whole or not at all. */
import type { Readable } from 'node:stream';

export interface StoredObject {
  bytes: number;
  /** Lower-case hex. */
  sha256: string;
}

/** Whether reading failed because there is no such object: a file's `ENOENT`, or `NoSuchKey` as S3 calls it. */
export const isNoSuchObject = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'NoSuchKey' || ('code' in error && error.code === 'ENOENT'));

export interface Storage {
  /** Writes a stream; a failure leaves nothing behind, and a second put of the same key replaces the first. */
  put(key: string, source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<StoredObject>;
  /** Reads from `start` to `end`, both included; all of it without them. Where there is none it fails before its first piece ({@link isNoSuchObject}). */
  read(key: string, range?: { start: number; end: number }): Readable;
  /** Removes one object; none there is fine. */
  remove(key: string): Promise<void>;
  /** Removes every object below a prefix that ends with `/`. */
  removeAll(prefix: string): Promise<void>;
}
