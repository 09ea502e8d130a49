/** Tells failures of the storage, which its operator mends, from those of what is read or written. */
import type { Storage, StoredObject } from './storage.ts';

/** The storage failed, as the cause says. */
export class StorageFailedError extends Error {
  override readonly name = 'StorageFailedError';

  constructor(cause: unknown) {
    super('the storage failed', { cause });
  }
}

/** With the pauses between them a quarter of an hour: an outage of the storage is the operator's, who mends it meanwhile. */
const MAX_FAILURES = 20;
const PAUSE_BASE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;

/** @param failures in a row, this one included. @returns how long to wait before the next try, or null where it was the last */
export const pauseMsAfter = (failures: number): number | null =>
  failures >= MAX_FAILURES ? null : Math.min(PAUSE_BASE_MS * 2 ** failures, MAX_PAUSE_MS);

/** Of a disk; and of what speaks S3 beside Amazon's, which is never full: MinIO's quotas, and Ceph's. */
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT', 'XMinioAdminBucketQuotaExceeded', 'QuotaExceeded']);
/** Insufficient Storage: MinIO's `XMinioStorageFull`, and that of others under names of their own. */
const HTTP_NO_ROOM = 507;

/** Whether the storage has no room; else it is away. */
export function isStorageFull({ cause }: StorageFailedError): boolean {
  const { code, name, $metadata } = (cause ?? {}) as {
    code?: unknown;
    name?: unknown;
    $metadata?: { httpStatusCode?: number };
  };
  return NO_ROOM.has(String(code ?? name)) || $metadata?.httpStatusCode === HTTP_NO_ROOM;
}

/** @throws StorageFailedError, or what the source threw */
export async function putOrBlame(
  storage: Storage,
  key: string,
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<StoredObject> {
  let broken: { error: unknown } | null = null;
  const watched = async function* () {
    try {
      yield* source;
    } catch (error) {
      broken = { error };
      throw error;
    }
  };
  try {
    return await storage.put(key, watched());
  } catch (error) {
    if (broken !== null) throw (broken as { error: unknown }).error;
    throw new StorageFailedError(error);
  }
}

/** @throws StorageFailedError, also where there is no such object: of a disk that is not mounted there is none. */
export async function* readOrBlame(storage: Storage, key: string): AsyncGenerator<Uint8Array> {
  try {
    yield* storage.read(key) as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw new StorageFailedError(error);
  }
}
