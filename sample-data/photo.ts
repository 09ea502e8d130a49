/** Photos of the sample's reports. */
import { Transformer } from '@napi-rs/image';

const PHOTO = { width: 450, height: 600 };
/** Rectangles of a flask: left, top, width, height, colour. */
const FLASK: [number, number, number, number, number][] = [
  [0, 0, 450, 600, 0xd9d2c5],
  [0, 520, 450, 80, 0xb3aa9a],
  [185, 60, 80, 90, 0x2b2226],
  [125, 140, 200, 390, 0x8f2f52],
  [145, 260, 160, 165, 0xf7efe6],
];

/** A flask with a crooked label, drawn pixel by pixel: no photo of anybody's. @param slant of the label's lines */
export function drawPhoto(slant: number): Promise<Buffer> {
  const pixels = Buffer.alloc(PHOTO.width * PHOTO.height * 4, 0xff);
  const paint = (x: number, y: number, colour: number): void => {
    pixels.writeUIntBE(colour, (y * PHOTO.width + x) * 4, 3);
  };
  for (const [left, top, width, height, colour] of FLASK)
    for (let y = top; y < top + height; y++) for (let x = left; x < left + width; x++) paint(x, y, colour);
  for (let line = 0; line < 4; line++)
    for (let x = 165; x < 285 - line * 15; x++)
      for (let y = 0; y < 8; y++) paint(x, 295 + line * 30 + y + Math.round((x - 165) * slant), 0x3b2a30);
  return Transformer.fromRgbaPixels(pixels, PHOTO.width, PHOTO.height).jpeg(82);
}
