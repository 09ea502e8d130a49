/** Artifacts as objects of S3, or of what speaks its protocol (MinIO, Ceph, R2, …). */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { DeleteObjectsCommand, GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { inTime } from '../in-time.ts';
import type { Storage } from './storage.ts';

export interface S3Options {
  bucket: string;
  region: string;
  /** Before every key; empty, or a path that ends in `/`. */
  prefix: string;
  /** Left out for Amazon's own. */
  endpoint?: string;
  /** Where the bucket stands: `path` by default with an endpoint, as every compatible service takes it, `host` without. */
  addressing?: 'path' | 'host';
  /** Left out for those of the machine's role. */
  credentials?: { accessKeyId: string; secretAccessKey: string };
  /** Longest wait for an answer, and for each piece of a body, in milliseconds; {@link ANSWER_MS} by default. */
  answerMs?: number;
}

export interface S3Storage extends Storage {
  /** Ends idle connections. */
  close(): void;
}

// 8 MB × 10,000 parts hold 80 GB; two of them in flight keep an upload below 25 MB of memory.
const PART_BYTES = 8 * 1024 * 1024;
const PARTS_IN_FLIGHT = 2;
const CONNECT_MS = 5_000;
// One part at 1.1 Mbit/s. The SDK has no limit of its own: a service that falls silent would hold a chunk, whose worker keeps the
// lease, until somebody restarts it.
const ANSWER_MS = 60_000;

export function createS3Storage({ bucket, prefix, answerMs = ANSWER_MS, ...options }: S3Options): S3Storage {
  const client = new S3Client({
    region: options.region,
    requestHandler: {
      connectionTimeout: Math.min(CONNECT_MS, answerMs),
      requestTimeout: answerMs,
      throwOnRequestTimeout: true,
    },
    ...(options.endpoint === undefined ? {} : { endpoint: options.endpoint }),
    forcePathStyle: (options.addressing ?? (options.endpoint === undefined ? 'host' : 'path')) === 'path',
    ...(options.credentials === undefined ? {} : { credentials: options.credentials }),
    // CRC-32 trailers in chunked bodies, the SDK's default, are not understood by every compatible service; each
    // artifact carries its SHA-256 in the manifest anyway.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  const keyOf = (key: string): string => {
    if (key.split('/').includes('..')) throw new RangeError('a storage key leaves its folder');
    return prefix + key;
  };

  async function* download(key: string, range?: { start: number; end: number }): AsyncGenerator<Uint8Array> {
    const { Body } = await client.send(
      new GetObjectCommand({
        Bucket: bucket,
        Key: keyOf(key),
        ...(range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` }),
      }),
    );
    const body = Body as Readable;
    const pieces = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
    try {
      // Only while somebody waits for it: a reader may take as long as it likes.
      for (;;) {
        const piece = await inTime(pieces.next(), answerMs);
        if (piece.done === true) return;
        yield piece.value;
      }
    } finally {
      body.destroy();
    }
  }

  async function removeKeys(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    const Objects = keys.map((Key) => ({ Key }));
    const { Errors } = await client.send(
      new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }),
    );
    if (Errors !== undefined && Errors.length > 0)
      throw new Error(`${Errors.length} objects not removed, the first for ${Errors[0]!.Code}`);
  }

  return {
    async put(key, source) {
      const hash = createHash('sha256');
      let bytes = 0;
      let broken: { error: unknown } | null = null;
      const count = async function* () {
        try {
          for await (const chunk of source) {
            hash.update(chunk);
            bytes += chunk.length;
            yield chunk;
          }
        } catch (error) {
          broken = { error };
          throw error;
        }
      };
      // An upload that fails or whose source throws aborts its parts: an object appears whole or not at all.
      const upload = new Upload({
        client,
        params: { Bucket: bucket, Key: keyOf(key), Body: Readable.from(count(), { objectMode: false }) },
        partSize: PART_BYTES,
        queueSize: PARTS_IN_FLIGHT,
      });
      await upload.done().catch((error: unknown) => {
        // Aborting may fail in its turn; what the caller must know is why its source broke.
        throw broken === null ? error : (broken as { error: unknown }).error;
      });
      return { bytes, sha256: hash.digest('hex') };
    },
    read: (key, range) => Readable.from(download(key, range), { objectMode: false }),
    remove: (key) => removeKeys([keyOf(key)]),
    async removeAll(folder) {
      for (;;) {
        const { Contents = [] } = await client.send(
          new ListObjectsV2Command({ Bucket: bucket, Prefix: keyOf(folder), MaxKeys: 1000 }),
        );
        if (Contents.length === 0) return;
        await removeKeys(Contents.map(({ Key }) => Key!));
      }
    },
    close: () => client.destroy(),
  };
}
