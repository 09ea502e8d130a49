/** What went wrong with a chunk, as the organization is told it; the stack stays in the log. */
import type { ChunkFailure } from '../../shared/barcode-jobs/chunks.ts';
import { BarcodeError } from '../../shared/barcodes/barcode-error.ts';
import { isNoSuchObject } from '../../shared/storage/storage.ts';
import { isStorageFull, StorageFailedError } from '../../shared/storage/storage-failure.ts';
import { constraintOf, sqlState } from '../../shared/errors.ts';

// SQLSTATE disk_full. @see https://www.postgresql.org/docs/current/errcodes-appendix.html
const DISK_FULL = '53100';

/** Of a chunk that ended one worker after another: nothing was thrown. */
export const WORKERS_LOST: ChunkFailure = {
  code: 'WORKERS_LOST',
  message:
    'The processes that made a part of the codes ended one after another. Contact the operator with the job’s id, then retry the job; units that were minted are kept.',
  retry: 'never',
};

/** @param ownSerials whether the customer chose the serials: one that is taken stays taken. */
export function explain(error: unknown, ownSerials: boolean): ChunkFailure {
  if (error instanceof BarcodeError) {
    return {
      code: error.code,
      message: `A symbol could not be made as it must be: ${error.message}. Nothing of this part was given out; contact the operator with the job’s id.`,
      retry: 'never',
    };
  }
  if (ownSerials && constraintOf(error) === 'product_units_serial') {
    return {
      code: 'SERIAL_TAKEN',
      message:
        'Another batch of the product took a serial of this job in the meantime. Create a batch with other serials; units that were minted are kept.',
      retry: 'never',
    };
  }
  if (error instanceof StorageFailedError) {
    return isStorageFull(error)
      ? {
          code: 'STORAGE_FULL',
          message:
            'The storage for artifacts is full. Retry the job when the operator has made room; units that were minted are kept.',
          retry: 'storage',
        }
      : {
          code: 'STORAGE_UNAVAILABLE',
          message:
            'The storage for artifacts failed for a quarter of an hour. Retry the job when the operator has mended it; units that were minted are kept.',
          retry: 'storage',
          // Of a disk that was not mounted, or of a database that was restored without its storage: after a quarter of an hour, of the latter.
          partsLost: isNoSuchObject(error.cause),
        };
  }
  if (sqlState(error) === DISK_FULL) {
    return {
      code: 'DATABASE_FULL',
      message:
        'The database has no room left. Retry the job when the operator has made room; units that were minted are kept.',
      retry: 'soon',
    };
  }
  return {
    code: 'MINTING_FAILED',
    message:
      'The codes could not be made. Retry the job; units that were minted are kept. If it fails again, contact the operator with the job’s id.',
    retry: 'soon',
  };
}
