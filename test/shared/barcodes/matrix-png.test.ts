import { expect } from 'chai';
import fc from 'fast-check';
import { imagePng } from '../../../shared/barcodes/image-png.ts';
import { createMatrixPng } from '../../../shared/barcodes/matrix-png.ts';
import { isDark, type ModuleMatrix, packModules } from '../../../shared/barcodes/module-matrix.ts';
import { decodePng } from '../../support/read-symbol.ts';

const random = (width: number, height: number, seed: number): ModuleMatrix => {
  let state = seed >>> 0;
  const modules = Array.from({ length: width * height }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 31;
  });
  return packModules(modules, width, height, 1);
};

function expectPixels(
  png: Buffer,
  matrix: ModuleMatrix,
  scale: number,
  quietZone: number,
  darkBit: number,
): void {
  const decoded = decodePng(png);
  expect(decoded.width).to.equal((matrix.width + 2 * quietZone) * scale);
  expect(decoded.height).to.equal((matrix.height + 2 * quietZone) * scale);
  for (let y = 0; y < decoded.height; y += 1) {
    for (let x = 0; x < decoded.width; x += 1) {
      const dark = isDark(matrix, Math.floor(x / scale) - quietZone, Math.floor(y / scale) - quietZone);
      if (decoded.bit(x, y) !== (dark ? darkBit : 1 - darkBit)) expect.fail(`pixel ${x}, ${y}`);
    }
  }
}

describe('createMatrixPng', () => {
  it('gives a valid PNG of exactly the modules, at any size, scale, quiet zone and colour', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 8, max: 60 }),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 0, max: 17 }),
        fc.boolean(),
        fc.integer(),
        (width, height, scale, quietZone, colours, seed) => {
          const look = colours
            ? { foreground: '#102030', background: '#fffff0' }
            : { foreground: '#000000', background: '#ffffff' };
          const write = createMatrixPng({ ...look, scale, quietZone }, random(width, height, seed));
          // Another symbol than the one whose statistics chose the codes.
          const other = random(width, height, seed + 1);
          expectPixels(write(other), other, scale, quietZone, colours ? 1 : 0);
        },
      ),
      { numRuns: 60, seed: 1 },
    );
  });

  it('writes the largest symbol at the largest scale', () => {
    const matrix = random(177, 177, 3);
    const look = { foreground: '#000000', background: '#ffffff', scale: 32, quietZone: 4 };
    const decoded = decodePng(createMatrixPng(look, matrix)(matrix));
    expect(decoded.width).to.equal(185 * 32);
    expect(decoded.bit(4 * 32, 4 * 32)).to.equal(isDark(matrix, 0, 0) ? 0 : 1);
  });

  it('writes colours and resolution', () => {
    const matrix = random(10, 10, 1);
    const look = { foreground: '#102030', background: '#fffff0', scale: 2, quietZone: 1, dpi: 300 };
    const { chunks } = decodePng(createMatrixPng(look, matrix)(matrix));
    expect(chunks.get('PLTE')!.toString('hex')).to.equal('fffff0102030');
    expect(chunks.get('pHYs')!.readUInt32BE(0)).to.equal(11_811);
  });

  it('is no larger than what zlib makes of the same picture', () => {
    const matrix = random(33, 33, 9);
    const look = { foreground: '#000000', background: '#ffffff' };
    const enlarged = packModules(
      Array.from({ length: 164 * 164 }, (_, at) =>
        isDark(matrix, Math.floor((at % 164) / 4) - 4, Math.floor(at / 164 / 4) - 4) ? 1 : 0,
      ),
      164,
      164,
      1,
    );
    const ours = createMatrixPng({ ...look, scale: 4, quietZone: 4 }, matrix)(matrix);
    expect(ours.length).to.be.at.most(imagePng(enlarged, look).length);
  });
});

describe('imagePng', () => {
  it('gives a valid PNG of exactly the pixels', () => {
    for (const [width, height] of [
      [1, 1],
      [8, 3],
      [61, 40],
    ] as const) {
      const image = random(width, height, width);
      expectPixels(imagePng(image, { foreground: '#000000', background: '#ffffff' }), image, 1, 0, 0);
      expectPixels(imagePng(image, { foreground: '#112233', background: '#ffffff' }), image, 1, 0, 1);
    }
  });
});
