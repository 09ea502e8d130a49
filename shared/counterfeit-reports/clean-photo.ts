/**
 * A photo by a stranger becomes a JPEG of our own making: pixels only. Metadata (the position it was taken at, among
 * others), thumbnails, colour profiles and whatever was hidden behind the image are gone.
 */
import { ResizeFit, Transformer } from '@napi-rs/image';
import { readImageHeader } from './image-header.ts';
import { flattenAndShrink } from './pixels.ts';
import { SNIFF_BYTES, sniffImage } from './sniff.ts';

/** Of the decoded image, those of 16 bits counted twice: a phone's 48 megapixels pass, a pixel flood does not. */
const MAX_PIXELS = 50_000_000;
const LONGEST_EDGE = 2_400;
const QUALITY = 85;

/** The photo is not usable; the message says why, for staff. */
export class PhotoError extends Error {
  override readonly name = 'PhotoError';
}

/**
 * Decoders see only what is named JPEG, PNG or WebP by its first bytes and small enough by its header. The decoded image
 * is shrunk before anything else is made of it: 50 megapixels take 570 MB at the most.
 * @throws PhotoError for what is no JPEG, PNG or WebP, is damaged, or has too many pixels
 */
export async function cleanPhoto(
  original: Buffer,
): Promise<{ bytes: Buffer; width: number; height: number }> {
  const kind = sniffImage(original.subarray(0, SNIFF_BYTES));
  if (kind === null || kind === 'heic') throw new PhotoError('is not a JPEG, PNG or WebP image');
  const header = readImageHeader(original, kind);
  if (header === null) throw new PhotoError('is damaged or no image');
  if (header.width * header.height * header.sampleBytes > MAX_PIXELS)
    throw new PhotoError('has too many pixels');
  try {
    const { format, colorType, width, height, pixels } = await decode(original);
    if (format !== kind || width > header.width || height > header.height)
      throw new Error(`says it is a ${kind} of ${header.width} × ${header.height}, and is another`);
    const small = flattenAndShrink({ width, height, colorType, pixels }, LONGEST_EDGE);
    const image = Transformer.fromRgbaPixels(small.rgba, small.width, small.height).rotate(
      header.orientation,
    );
    if (Math.max(small.width, small.height) > LONGEST_EDGE)
      image.resize({ width: LONGEST_EDGE, height: LONGEST_EDGE, fit: ResizeFit.Inside });
    const bytes = await image.jpeg(QUALITY);
    const made = readImageHeader(bytes, 'jpeg')!;
    return { bytes, width: made.width, height: made.height };
  } catch (error) {
    throw new PhotoError('is damaged or no image', { cause: error });
  }
}

/** Pixels as they lie in the file, not turned. */
async function decode(original: Buffer) {
  const image = new Transformer(original);
  const { format, colorType, width, height } = await image.metadata();
  return { format, colorType, width, height, pixels: await image.rawPixels() };
}
