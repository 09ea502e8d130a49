import bwipjs from 'bwip-js/node';
import { expect } from 'chai';
import { captionedImage } from '../../../shared/barcodes/captioned-image.ts';
import { measureText } from '../../../shared/barcodes/glyphs.ts';
import { emptyMatrix } from '../../../shared/barcodes/module-matrix.ts';

describe('the text beneath a symbol', () => {
  const symbol = emptyMatrix(29, 29);
  const original = bwipjs.FontLib.getglyph;
  let drawn = 0;
  before(() => {
    bwipjs.FontLib.getglyph = (...args: Parameters<typeof original>) => {
      drawn += 1;
      return original(...args);
    };
  });
  after(() => {
    bwipjs.FontLib.getglyph = original;
  });

  /** As the image's height tells it. */
  const heightFor = (caption: string, scale: number, quietZone: number): number => {
    const margin = quietZone * scale;
    const width = symbol.width * scale + 2 * margin;
    let size = Math.round(width / 9);
    while (measureText(caption, 'OCR-B', size).width > width - 2 * Math.ceil(margin / 2)) size -= 1;
    const { ascent, descent } = measureText(caption, 'OCR-B', size);
    return 2 * margin + symbol.height * scale + ascent + descent + Math.max(2, Math.ceil(margin / 2));
  };

  it('is as large as fits, at whatever scale', () => {
    for (const caption of ['K7Q2M9XW3D5R', 'LOT-0000000000000001'])
      for (const [scale, quietZone] of [
        [5, 4],
        [7, 4],
        [6, 30],
        [9, 12],
      ] as const)
        expect(captionedImage(symbol, caption, { scale, quietZone }).height, `${caption} ${scale}`).to.equal(
          heightFor(caption, scale, quietZone),
        );
  });

  it('is found in a few looks also in the largest picture: each draws every letter', () => {
    const caption = 'LOT-0000000000000001';
    drawn = 0;
    captionedImage(symbol, caption, { scale: 32, quietZone: 64 });
    expect(drawn / caption.length).to.be.at.most(15);
  });
});
