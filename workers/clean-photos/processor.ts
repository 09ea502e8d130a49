/** Makes clean images of reported photos: decoded, turned upright, scaled down, encoded anew; nothing else survives. */
import { cleanPhoto, PhotoError } from '../../shared/counterfeit-reports/clean-photo.ts';
import {
  claimNextPhoto,
  keepPhoto,
  MAX_ATTEMPTS,
  MAX_PHOTO_BYTES,
  postponePhoto,
  readOriginal,
  refusePhoto,
  settlePhoto,
  type PhotoDeps,
  type WaitingPhoto,
} from '../../shared/counterfeit-reports/photos.ts';
import { encodeId } from '../../shared/ids.ts';
import type { WorkerDeps } from '../deps.ts';

export const cleanPhotos = (deps: WorkerDeps) => {
  const photoDeps: PhotoDeps = { ...deps, leaseSeconds: deps.config.LEASE_SECONDS };
  return async (): Promise<{ photos: number }> => {
    for (let photos = 0; ; photos += 1) {
      const photo = deps.stopping.aborted ? null : await claimNextPhoto(photoDeps);
      if (photo === null) return { photos };
      await cleanOne(deps, photoDeps, photo);
    }
  };
};

async function cleanOne(deps: WorkerDeps, photoDeps: PhotoDeps, photo: WaitingPhoto): Promise<void> {
  // Whoever held it before did not come to its end: the photo may be what ended them.
  if (photo.attempts > MAX_ATTEMPTS) {
    await refusePhoto(photoDeps, photo, 'could not be read');
    return;
  }
  try {
    await keepPhoto(photoDeps, photo, async () => {
      const original = await readWhole(readOriginal(photoDeps, photo), MAX_PHOTO_BYTES);
      await settlePhoto(photoDeps, photo, await cleanPhoto(original));
    });
  } catch (error) {
    if (error instanceof PhotoError) {
      await refusePhoto(photoDeps, photo, error.message);
      return;
    }
    deps.log.error({ err: error, photoId: encodeId('photo', photo.id) }, 'photo not cleaned');
    await postponePhoto(photoDeps, photo, error);
  }
}

async function readWhole(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new PhotoError('is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
