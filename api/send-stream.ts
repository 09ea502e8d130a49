import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { AppError } from '../shared/errors.ts';
import type { Logger } from '../shared/logger.ts';
import { StorageFailedError } from '../shared/storage/storage-failure.ts';
import { isNoSuchObject, type Storage } from '../shared/storage/storage.ts';

/** What describes a body that then does not come. */
const OF_THE_BODY = [
  'Accept-Ranges',
  'Cache-Control',
  'Content-Disposition',
  'Content-Length',
  'Content-Range',
  'ETag',
];

/**
 * Sends an object of the storage, as {@link sendStream} does. That one is gone which a row names is for the operator to know:
 * a database that was restored without its storage looks like that.
 * @throws AppError NOT_FOUND where it is gone; StorageFailedError where the storage is away, or refuses
 */
export async function sendObject(
  res: Response,
  { storage, log }: { storage: Storage; log: Logger },
  key: string,
  range?: { start: number; end: number },
): Promise<void> {
  await sendStream(res, storage.read(key, range)).catch((error: unknown) => {
    if (!isNoSuchObject(error)) throw new StorageFailedError(error);
    log.error({ err: error, key }, 'a file is gone from the storage');
    throw new AppError('NOT_FOUND', { detail: 'the file is not in the storage any more', cause: error });
  });
}

/**
 * Sends a body part by part, with the status and the headers that the response has. What fails before the first part, such
 * as a file that is not there, is thrown, to be answered like any error; later the connection ends, for the reader to see
 * that something is missing, and it is thrown for the log. A reader who goes away in the middle is no error of ours.
 */
export async function sendStream(res: Response, source: AsyncIterable<Uint8Array | string>): Promise<void> {
  const parts = source[Symbol.asyncIterator]();
  // Not by `pipeline`: where its source fails it destroys the response, and nothing could be answered any more.
  const first = await parts.next().catch((error: unknown) => {
    for (const name of OF_THE_BODY) res.removeHeader(name);
    throw error;
  });
  // Of the rest nothing would be sent: a log of years was read for a HEAD.
  if (res.req.method === 'HEAD') res.end();
  else {
    const failures: unknown[] = [];
    await pipeline(from(first, parts, failures), res).catch(() => res.destroy());
    if (failures.length > 0) throw failures[0];
  }
  // Here, as a reader who is gone by now asks for no part at all.
  await parts.return?.();
}

/** @param failures of the source, which `pipeline` does not tell from a reader's who is gone */
async function* from<T>(
  first: IteratorResult<T>,
  parts: AsyncIterator<T>,
  failures: unknown[],
): AsyncGenerator<T> {
  const next = () =>
    parts.next().catch((error: unknown) => {
      failures.push(error);
      throw error;
    });
  for (let part = first; part.done !== true; part = await next()) yield part.value;
}
