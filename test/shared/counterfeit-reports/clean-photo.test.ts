import { Transformer } from '@napi-rs/image';
import { expect } from 'chai';
import fc from 'fast-check';
import { cleanPhoto, PhotoError } from '../../../shared/counterfeit-reports/clean-photo.ts';
import { readImageHeader } from '../../../shared/counterfeit-reports/image-header.ts';
import { flattenAndShrink } from '../../../shared/counterfeit-reports/pixels.ts';
import {
  exifOf,
  pixelFlood,
  pixelsOf,
  segmentsOf,
  smallPng,
  withExif,
  withSegment,
} from '../../support/photos.ts';

const RED = [255, 0, 0, 255] as const;
const WHITE = [255, 255, 255, 255] as const;

const refusal = async (photo: Buffer): Promise<string> => {
  try {
    await cleanPhoto(photo);
  } catch (error) {
    expect(error).to.be.instanceOf(PhotoError);
    return (error as PhotoError).message;
  }
  throw new Error('was not refused');
};
/** Colour of a pixel of a JPEG, which is only about what was painted. */
const colourAt = async (jpeg: Buffer, width: number, x: number, y: number): Promise<number[]> => {
  const pixels = await new Transformer(jpeg).rawPixels();
  return [...pixels.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)];
};
const isRed = ([r, g, b]: number[]) => r! > 180 && g! < 80 && b! < 80;

describe('cleaning a photo', () => {
  // Where the corner that was red in the file lies once the photo is upright: EXIF 3.0, table 4.
  const CORNERS = [
    [1, 'left', 'top'],
    [2, 'right', 'top'],
    [3, 'right', 'bottom'],
    [4, 'left', 'bottom'],
    [5, 'left', 'top'],
    [6, 'right', 'top'],
    [7, 'right', 'bottom'],
    [8, 'left', 'bottom'],
  ] as const;
  for (const [orientation, across, down] of CORNERS) {
    it(`turns orientation ${orientation} upright`, async () => {
      const file = await pixelsOf(64, 32, (x, y) => (x < 16 && y < 16 ? RED : WHITE)).jpeg(95);
      const { bytes, width, height } = await cleanPhoto(withExif(file, orientation));
      expect([width, height]).to.deep.equal(orientation < 5 ? [64, 32] : [32, 64]);
      const x = across === 'left' ? 6 : width - 6;
      const y = down === 'top' ? 6 : height - 6;
      expect(isRed(await colourAt(bytes, width, x, y))).to.equal(true);
    });
  }

  it('keeps nothing but pixels: no EXIF, profile, comment or what is hung on behind', async () => {
    const file = await pixelsOf(40, 40, () => RED).jpeg(90);
    const hidden = Buffer.from('CANARY<script>alert(1)</script>PK\u0003\u0004');
    const photo = [0xe1, 0xe2, 0xed, 0xfe].reduce<Buffer>(
      (jpeg, marker) => withSegment(jpeg, marker, hidden),
      Buffer.concat([withExif(file, 1), hidden]),
    );
    const { bytes } = await cleanPhoto(photo);
    expect(bytes.includes('CANARY')).to.equal(false);
    expect(segmentsOf(bytes).filter((marker) => marker > 'e0' || marker === 'fe')).to.deep.equal([]);
    expect(bytes.subarray(-2).toString('hex')).to.equal('ffd9');
  });

  it('lays what is transparent over white', async () => {
    const { bytes } = await cleanPhoto(await pixelsOf(16, 16, () => [0, 0, 255, 128]).png());
    const [r, g, b] = await colourAt(bytes, 16, 8, 8);
    expect(r).to.be.closeTo(127, 6);
    expect(g).to.be.closeTo(127, 6);
    expect(b).to.be.closeTo(255, 6);
  });

  it('takes WebP, turns it as its EXIF says, and PNG in grey', async () => {
    const webp = await pixelsOf(64, 32, (x, y) => (x < 16 && y < 16 ? RED : WHITE)).webpLossless();
    const exif = exifOf(3);
    const chunk = Buffer.alloc(8);
    chunk.write('EXIF', 'latin1');
    chunk.writeUInt32LE(exif.length, 4);
    const extended = Buffer.alloc(18);
    extended.write('VP8X', 'latin1');
    extended.writeUInt32LE(10, 4);
    extended[8] = 0x08;
    extended.writeUIntLE(63, 12, 3);
    extended.writeUIntLE(31, 15, 3);
    const whole = Buffer.concat([webp.subarray(0, 12), extended, webp.subarray(12), chunk, exif]);
    whole.writeUInt32LE(whole.length - 8, 4);
    const { bytes, width, height } = await cleanPhoto(whole);
    expect(isRed(await colourAt(bytes, width, width - 6, height - 6))).to.equal(true);
    const grey = await pixelsOf(10, 10, () => [90, 90, 90, 255])
      .grayscale()
      .png();
    expect((await colourAt((await cleanPhoto(grey)).bytes, 10, 5, 5))[1]).to.be.closeTo(90, 4);
  });

  it('scales what is larger than 2,400 pixels down, and nothing up', async () => {
    const wide = await pixelsOf(5_000, 50, () => RED).jpeg(80);
    expect(await cleanPhoto(wide)).to.include({ width: 2_400, height: 24 });
    expect(await cleanPhoto(await smallPng())).to.include({ width: 8, height: 8 });
  });

  it('refuses a flood of pixels by its header, before a decoder sees it', async () => {
    const floods = [await pixelFlood(), Buffer.from(await pixelsOf(8, 8, () => RED).jpeg(90))];
    const jpeg = floods[1]!;
    const frame = jpeg.findIndex((byte, at) => byte === 0xff && [0xc0, 0xc1, 0xc2].includes(jpeg[at + 1]!));
    jpeg.writeUInt16BE(10_000, frame + 5);
    jpeg.writeUInt16BE(10_000, frame + 7);
    for (const flood of floods) expect(await refusal(flood)).to.equal('has too many pixels');
    // A second, larger frame header, for decoders that believe the last one.
    const frames = Buffer.from([8, 0x27, 0x10, 0x27, 0x10, 1, 1, 0x11, 0]);
    const twice = withSegment(await pixelsOf(8, 8, () => RED).jpeg(90), 0xc0, frames);
    expect(await refusal(twice)).to.equal('has too many pixels');
  });

  it('refuses what is damaged or not what it says', async () => {
    const png = await smallPng();
    const jpeg = await pixelsOf(200, 200, (x, y) => [x, y, x ^ y, 255]).jpeg(90);
    for (const photo of [png.subarray(0, 20), png.subarray(0, 50), jpeg.subarray(0, 200), Buffer.alloc(100)])
      expect(await refusal(photo)).to.match(/is damaged|is not a JPEG/);
  });

  it('reads headers of any bytes without an error', async () => {
    const files = [await smallPng(), withExif(await pixelsOf(9, 9, () => RED).jpeg(90), 6)];
    files.push(await pixelsOf(9, 9, () => RED).webp(80));
    fc.assert(
      fc.property(
        fc.nat(2),
        fc.nat(400),
        fc.array(fc.tuple(fc.nat(400), fc.nat(255))),
        (file, cut, changes) => {
          const bytes = Buffer.from(files[file]!);
          for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
          for (const kind of ['jpeg', 'png', 'webp'] as const) readImageHeader(bytes.subarray(0, cut), kind);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('averages pixels of 16 bits as those of 8', () => {
    const deep = Buffer.from([0x11, 0xff, 0x22, 0x80, 0x33, 0x00]);
    expect([...flattenAndShrink({ width: 1, height: 1, colorType: 6, pixels: deep }, 10).rgba]).to.deep.equal(
      [255, 128, 0, 255],
    );
    const row = Buffer.from([0, 0, 0, 100, 100, 100, 9, 9, 9, 9, 9, 9]);
    const half = flattenAndShrink({ width: 4, height: 1, colorType: 2, pixels: row }, 2);
    expect([half.width, half.height]).to.deep.equal([4, 1]);
    const square = flattenAndShrink({ width: 2, height: 2, colorType: 2, pixels: row }, 1);
    expect([...square.rgba]).to.deep.equal([30, 30, 30, 255]);
  });
});
