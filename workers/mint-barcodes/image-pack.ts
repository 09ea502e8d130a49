/** The images of one chunk as a ZIP, streamed: no more than a slice of it is in memory at a time. */
import { Zip, ZipPassThrough } from 'fflate';

export interface PackedImage {
  name: string;
  bytes: Uint8Array;
}

// Long enough for the loop's overhead to vanish, short enough for leases and shutdown to be heard (about 20 ms).
const SLICE = 250;

/**
 * Stores images without compression (they are compressed already), with a fixed time, so that the same images give the
 * same ZIP.
 * @param images in slices are taken only as fast as the ZIP is written.
 */
export async function* zipImages(images: Iterable<PackedImage>): AsyncGenerator<Uint8Array> {
  let ready: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    ready.push(chunk);
  });
  let inSlice = 0;
  for (const { name, bytes } of images) {
    const entry = new ZipPassThrough(name);
    entry.mtime = new Date(1980, 0, 1);
    zip.add(entry);
    entry.push(bytes, true);
    inSlice += 1;
    if (inSlice === SLICE) {
      yield Buffer.concat(ready);
      ready = [];
      inSlice = 0;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  zip.end();
  yield Buffer.concat(ready);
}
