/**
 * A photo by a stranger becomes a JPEG of our own making: pixels only. Metadata (the position it was taken at, among
 * others), thumbnails, colour profiles and whatever was hidden behind the image are gone.
 */
import sharp from 'sharp';
import { SNIFF_BYTES, sniffImage } from './sniff.ts';

/** Of the decoded image: a phone's 48 megapixels pass, a pixel flood does not. */
const MAX_PIXELS = 60_000_000;
const LONGEST_EDGE = 2_400;
const QUALITY = 85;
const TIMEOUT_SECONDS = 20;

// libvips finds the format out by itself; only these three decoders may answer.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
});
// One photo at a time, and nothing of it kept.
sharp.concurrency(1);
sharp.cache(false);

/** The photo is not usable; the message says why, for staff. */
export class PhotoError extends Error {
  override readonly name = 'PhotoError';
}

/** @throws PhotoError for what is no JPEG, PNG or WebP, is damaged, or has too many pixels */
export async function cleanPhoto(
  original: Buffer,
): Promise<{ bytes: Buffer; width: number; height: number }> {
  const kind = sniffImage(original.subarray(0, SNIFF_BYTES));
  if (kind === null || kind === 'heic') throw new PhotoError('is not a JPEG, PNG or WebP image');
  try {
    const { data, info } = await sharp(original, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
      .rotate()
      .resize({ width: LONGEST_EDGE, height: LONGEST_EDGE, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .jpeg({ quality: QUALITY })
      .timeout({ seconds: TIMEOUT_SECONDS })
      .toBuffer({ resolveWithObject: true });
    return { bytes: data, width: info.width, height: info.height };
  } catch (error) {
    const { message } = error as Error;
    throw new PhotoError(/pixel limit/i.test(message) ? 'has too many pixels' : 'is damaged or no image', {
      cause: error,
    });
  }
}
