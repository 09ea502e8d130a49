/** Photos for tests, made on the spot. */
import { Transformer } from '@napi-rs/image';

/** Bytes of an image whose pixels are told one by one. */
export function pixelsOf(
  width: number,
  height: number,
  colour: (x: number, y: number) => readonly [number, number, number, number],
): Transformer {
  const rgba = Buffer.alloc(width * height * 4);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) rgba.set(colour(x, y), (y * width + x) * 4);
  return Transformer.fromRgbaPixels(rgba, width, height);
}

/** A TIFF with an orientation, a description and the latitude of a position. */
export function exifOf(orientation: number): Buffer {
  const text = Buffer.from('CANARY-DESCRIPTION\0', 'latin1');
  const tiff = Buffer.alloc(200);
  tiff.write('MM', 'latin1');
  tiff.writeUInt16BE(42, 2);
  tiff.writeUInt32BE(8, 4);
  const entry = (at: number, tag: number, type: number, count: number) => {
    tiff.writeUInt16BE(tag, at);
    tiff.writeUInt16BE(type, at + 2);
    tiff.writeUInt32BE(count, at + 4);
    return at + 8;
  };
  tiff.writeUInt16BE(3, 8);
  tiff.writeUInt32BE(100, entry(10, 0x010e, 2, text.length));
  text.copy(tiff, 100);
  tiff.writeUInt16BE(orientation, entry(22, 0x0112, 3, 1));
  tiff.writeUInt32BE(60, entry(34, 0x8825, 4, 1));
  tiff.writeUInt16BE(1, 60);
  tiff.write('N', entry(62, 0x0001, 2, 2), 'latin1');
  return tiff;
}

/** A JPEG with a segment of its own right after its first marker. */
export function withSegment(jpeg: Buffer, marker: number, body: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16BE(0xff00 | marker);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, body, jpeg.subarray(2)]);
}

export const withExif = (jpeg: Buffer, orientation: number): Buffer =>
  withSegment(jpeg, 0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), exifOf(orientation)]));

/** A JPEG with a position in its EXIF, turned on its side. */
export const jpegWithPosition = async (): Promise<Buffer> =>
  withExif(await pixelsOf(60, 40, () => [204, 51, 51, 255]).jpeg(90), 6);

export const smallPng = (): Promise<Buffer> => pixelsOf(8, 8, () => [0, 0, 255, 128]).png();

/** A PNG of a few kilobytes that decodes to 100 million pixels: its header says so, and no more of it is needed. */
export async function pixelFlood(): Promise<Buffer> {
  const png = Buffer.from(await smallPng());
  png.writeUInt32BE(10_000, 16);
  png.writeUInt32BE(10_000, 20);
  return png;
}

/** Markers of a JPEG's segments up to its first scan, in hexadecimal. */
export function segmentsOf(jpeg: Buffer): string[] {
  const markers: string[] = [];
  for (let at = 2; jpeg[at] === 0xff && jpeg[at + 1] !== 0xda; at += 2 + jpeg.readUInt16BE(at + 2))
    markers.push(jpeg[at + 1]!.toString(16));
  return markers;
}
