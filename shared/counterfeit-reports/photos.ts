/** The life of a report's photo: an original that waits, a clean image, or a refusal. */
import type { Clock } from '../clock.ts';
import { withTransaction, type Db, type Pool, type UnitOfWork } from '../db.ts';
import { AppError, invalidField } from '../errors.ts';
import { refusal } from '../field-errors.ts';
import { newUuid } from '../ids.ts';
import { keepLease } from '../keep-lease.ts';
import { adoptFiles, announceFiles, disownFile, removeDisowned } from '../storage/intake.ts';
import { putOrBlame, readOrBlame, StorageFailedError } from '../storage/storage-failure.ts';
import type { Storage } from '../storage/storage.ts';
import type { Logger } from '../logger.ts';
import type { Waker } from '../queues.ts';
import {
  claimPhoto,
  countDuePhotos,
  deletePhoto,
  extendPhotoLease,
  findPhotoFigures,
  findReadyPhoto,
  insertPhotos,
  markPhotoReady,
  markPhotoRefused,
  releasePhoto,
  type PhotoRow,
  type WaitingPhoto,
} from './photo-repository.ts';

export { listPhotos, type PhotoRow, type WaitingPhoto } from './photo-repository.ts';

/** In one request. */
export const MAX_PHOTOS = 5;
/** Of a report, with those that the organization's own people add. */
export const MAX_PHOTOS_OF_REPORT = 20;
export const MAX_PHOTO_BYTES = 8 * 1024 * 1024;

/** Claims of one photo, those of workers that died with it included. */
export const MAX_ATTEMPTS = 5;
const RETRY_BASE_MS = 1_000;
/** Where the storage fails: nobody could send the photo again, and what is refused is deleted. */
const STORAGE_RETRY_MS = 60_000;
const STORAGE_PATIENCE_MS = 7 * 86_400_000;

export interface PhotoDeps {
  db: Pool;
  clock: Clock;
  storage: Storage;
  leaseSeconds: number;
}

/** Folder of all files of a report. */
export const photoFolder = (reportId: string): string => `reports/${reportId}/`;

const leaseUntil = ({ clock, leaseSeconds }: PhotoDeps): Date =>
  new Date(clock.now().getTime() + leaseSeconds * 1000);

export const claimNextPhoto = (deps: PhotoDeps): Promise<WaitingPhoto | null> =>
  claimPhoto(deps.db, deps.clock.now(), leaseUntil(deps));

/** Keeps a photo while something is done with it, however long the storage takes. */
export const keepPhoto = (deps: PhotoDeps, photo: WaitingPhoto, work: () => Promise<void>): Promise<void> =>
  keepLease(deps.leaseSeconds, () => extendPhotoLease(deps.db, photo, leaseUntil(deps)), work);

/** As it was sent, in pieces. @throws StorageFailedError */
export const readOriginal = (
  { storage }: PhotoDeps,
  { original_key: originalKey }: WaitingPhoto,
): AsyncIterable<Uint8Array> => readOrBlame(storage, originalKey);

/** Stores the clean image, and then deletes the original with all that it may tell. */
export async function settlePhoto(
  deps: PhotoDeps,
  photo: WaitingPhoto,
  image: { bytes: Buffer; width: number; height: number },
): Promise<void> {
  // Of this lease alone: whoever had the photo before may still be writing. Not by its position: where it was removed, the next one has that.
  const storageKey = `${photoFolder(photo.report_id)}photo-${photo.id}-${photo.lease_epoch}.jpg`;
  await announceFiles(deps.db, storageKey, deps.clock.now());
  await putOrBlame(deps.storage, storageKey, [image.bytes]);
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

/**
 * After an error that is not the photo's fault: again later, at most five times. Where the storage failed, again for a week after the
 * photo came.
 */
export async function postponePhoto(deps: PhotoDeps, photo: WaitingPhoto, error: unknown): Promise<void> {
  const now = deps.clock.now().getTime();
  if (error instanceof StorageFailedError && now - photo.created_at.getTime() < STORAGE_PATIENCE_MS)
    return releasePhoto(deps.db, photo, new Date(now + STORAGE_RETRY_MS), false);
  if (photo.attempts >= MAX_ATTEMPTS) return refusePhoto(deps, photo, 'could not be read');
  return releasePhoto(deps.db, photo, new Date(now + RETRY_BASE_MS * 2 ** photo.attempts), true);
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

/** A photo as it was sent, in the storage. */
export interface OriginalPhoto {
  key: string;
  /** Lower-case hex. */
  sha256: string;
}

/**
 * Adds uploaded photos to a report that the transaction holds. One that was added before is left out: whoever got no answer sends it again.
 * @param upload in a folder that was announced; who adds none of it leaves it to be discarded
 * @param addedBy public id of the user or the key
 * @throws AppError VALIDATION_FAILED past the most that a report has
 */
export async function addPhotos(
  deps: FileDeps & { waker: Waker },
  uow: UnitOfWork,
  reportId: string,
  upload: { folder: string; originals: readonly OriginalPhoto[] },
  addedBy: string,
): Promise<void> {
  const { db, afterCommit } = uow;
  const { count, last, sha256s } = await findPhotoFigures(db, reportId);
  const known = new Set(sha256s.map((sha256) => sha256.toString('hex')));
  const added = upload.originals.filter(({ sha256 }) => !known.has(sha256) && known.add(sha256));
  if (count + added.length > MAX_PHOTOS_OF_REPORT)
    throw invalidField(
      'photos',
      refusal('TOO_MANY', `of a report are at most ${MAX_PHOTOS_OF_REPORT}`, {
        maximum: MAX_PHOTOS_OF_REPORT,
      }),
    );
  if (added.length === 0) return;
  const photos = added.map(({ key, sha256 }, index) => ({
    id: newUuid(),
    position: last + index + 1,
    key,
    sha256: Buffer.from(sha256, 'hex'),
  }));
  await insertPhotos(db, reportId, photos, addedBy, deps.clock.now());
  await adoptFiles(db, upload.folder);
  const others = upload.originals.filter((photo) => !added.includes(photo));
  await giveUpFiles(
    deps,
    uow,
    others.map(({ key }) => key),
  );
  afterCommit(() => deps.waker.cleanPhotos());
}

/**
 * Takes a photo off a report that the transaction holds, with its files: one that shows what nobody should keep.
 * @throws AppError NOT_FOUND
 */
export async function removePhoto(
  deps: FileDeps,
  uow: UnitOfWork,
  reportId: string,
  id: string,
): Promise<void> {
  const keys = await deletePhoto(uow.db, reportId, id);
  if (keys === null) throw new AppError('NOT_FOUND', { detail: 'no such photo' });
  await giveUpFiles(deps, uow, keys);
}

interface FileDeps {
  db: Pool;
  clock: Clock;
  storage: Storage;
  log: Logger;
}

/** Files that no row names any more are removed once that is committed, or later by maintenance. */
async function giveUpFiles(
  { db: pool, clock, storage, log }: FileDeps,
  { db, afterCommit }: UnitOfWork,
  keys: readonly string[],
): Promise<void> {
  for (const key of keys) {
    await disownFile(db, key, clock.now());
    // No answer waits for it: the storage may be away.
    afterCommit(() => {
      removeDisowned({ db: pool, storage }, key).catch((error: unknown) => {
        log.warn({ err: error, key }, 'the file of a photo is left to maintenance');
      });
    });
  }
}
