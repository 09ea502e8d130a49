/** Photos for tests, made on the spot. */
import sharp from 'sharp';

/** A JPEG with a position in its EXIF, turned on its side. */
export function jpegWithPosition(): Promise<Buffer> {
  return sharp({ create: { width: 60, height: 40, channels: 3, background: '#c33' } })
    .withExif({
      IFD0: { ImageDescription: 'CANARY-DESCRIPTION' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 0/1' },
    })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
}

export const smallPng = (): Promise<Buffer> =>
  sharp({ create: { width: 8, height: 8, channels: 4, background: { r: 0, g: 0, b: 255, alpha: 0.5 } } })
    .png()
    .toBuffer();

/** A PNG of a few kilobytes that decodes to 100 million pixels. */
export const pixelFlood = (): Promise<Buffer> =>
  sharp({
    create: { width: 10_000, height: 10_000, channels: 3, background: '#000' },
    limitInputPixels: false,
  })
    .png({ compressionLevel: 9 })
    .toBuffer();
