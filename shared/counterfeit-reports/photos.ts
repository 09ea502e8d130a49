/** The life of a report's photo: an original that waits, a clean image, or a refusal. */
import type { Clock } from '../clock.ts';
import { withTransaction, type Db, type Pool } from '../db.ts';
import { AppError } from '../errors.ts';
import { adoptFiles, announceFiles, disownFile, removeDisowned } from '../storage/intake.ts';
import type { Storage } from '../storage/storage.ts';
import {
  claimPhoto,
  countDuePhotos,
  findReadyPhoto,
  markPhotoReady,
  markPhotoRefused,
  releasePhoto,
  type PhotoRow,
  type WaitingPhoto,
} from './photo-repository.ts';

export { listPhotos, type PhotoRow, type WaitingPhoto } from './photo-repository.ts';

export const MAX_PHOTOS = 5;
export const MAX_PHOTO_BYTES = 8 * 1024 * 1024;

/** Claims of one photo, those of workers that died with it included. */
export const MAX_ATTEMPTS = 5;
const RETRY_BASE_MS = 1_000;

export interface PhotoDeps {
  db: Pool;
  clock: Clock;
  storage: Storage;
  leaseSeconds: number;
}

/** Folder of all files of a report. */
export const photoFolder = (reportId: string): string => `reports/${reportId}/`;

export const claimNextPhoto = ({ db, clock, leaseSeconds }: PhotoDeps): Promise<WaitingPhoto | null> => {
  const now = clock.now();
  return claimPhoto(db, now, new Date(now.getTime() + leaseSeconds * 1000));
};

/** Stores the clean image, and then deletes the original with all that it may tell. */
export async function settlePhoto(
  deps: PhotoDeps,
  photo: WaitingPhoto,
  image: { bytes: Buffer; width: number; height: number },
): Promise<void> {
  // Of this lease alone: whoever had the photo before may still be writing.
  const storageKey = `${photoFolder(photo.report_id)}photo-${photo.position}-${photo.lease_epoch}.jpg`;
  await announceFiles(deps.db, storageKey, deps.clock.now());
  await deps.storage.put(
    storageKey,
    (async function* () {
      yield image.bytes;
    })(),
  );
  const { width, height } = image;
  const ready = { storageKey, bytes: image.bytes.length, width, height };
  const isOurs = await finishPhoto(deps, photo, async (db) => {
    const isMarked = await markPhotoReady(db, photo, ready);
    if (isMarked) await adoptFiles(db, storageKey);
    return isMarked;
  });
  if (!isOurs) await removeDisowned(deps, storageKey);
}

/** @param problem for the staff that read the report */
export async function refusePhoto(deps: PhotoDeps, photo: WaitingPhoto, problem: string): Promise<void> {
  await finishPhoto(deps, photo, (db) => markPhotoRefused(db, photo, problem));
}

/**
 * The photo is done before its original goes, and the original goes in any case, if need be by housekeeping.
 * @returns whether it was still this worker's.
 */
async function finishPhoto(
  { db, clock, storage }: PhotoDeps,
  { original_key: originalKey }: WaitingPhoto,
  mark: (db: Db) => Promise<boolean>,
): Promise<boolean> {
  const isOurs = await withTransaction(db, async (uow) => {
    const isMarked = await mark(uow.db);
    if (isMarked) await disownFile(uow.db, originalKey, clock.now());
    return isMarked;
  });
  if (isOurs) await removeDisowned({ db, storage }, originalKey);
  return isOurs;
}

/** After an error that is not the photo's fault: again later, at most five times. */
export async function postponePhoto(deps: PhotoDeps, photo: WaitingPhoto): Promise<void> {
  if (photo.attempts >= MAX_ATTEMPTS) return refusePhoto(deps, photo, 'could not be read');
  const pause = RETRY_BASE_MS * 2 ** photo.attempts;
  return releasePhoto(deps.db, photo, new Date(deps.clock.now().getTime() + pause));
}

/** For the sweeper. */
export const countNeglectedPhotos = (db: Db, now: Date): Promise<number> => countDuePhotos(db, now);

/** @throws AppError NOT_FOUND, also before it is ready */
export async function getPhoto(db: Db, id: string): Promise<PhotoRow & { storage_key: string }> {
  const photo = await findReadyPhoto(db, id);
  if (photo === null || photo.storage_key === null)
    throw new AppError('NOT_FOUND', { detail: 'no such photo' });
  return { ...photo, storage_key: photo.storage_key };
}
