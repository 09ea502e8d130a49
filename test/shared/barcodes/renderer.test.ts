import { expect } from 'chai';
import { BarcodeError } from '../../../shared/barcodes/barcode-error.ts';
import {
  isDark,
  type ModuleMatrix,
  packModules,
  sameMatrix,
} from '../../../shared/barcodes/module-matrix.ts';
import {
  payloadShape,
  symbolCaption,
  symbolPayload,
  TOKEN_ALPHABET,
} from '../../../shared/barcodes/payload.ts';
import type { PayloadShape } from '../../../shared/barcodes/payload-shape.ts';
import { createRenderer } from '../../../shared/barcodes/renderer.ts';
import { SYMBOLOGIES, type SymbologySpec, type SymbologyType } from '../../../shared/barcodes/symbology.ts';
import { verifySample } from '../../../shared/barcodes/verify-sample.ts';
import { decodePng, readSymbol } from '../../support/read-symbol.ts';

const FORMATS: Record<SymbologyType, string> = {
  'qr-url': 'QRCode',
  'gs1-digital-link': 'QRCode',
  'gs1-datamatrix': 'DataMatrix',
  'datamatrix-url': 'DataMatrix',
  'gs1-128': 'Code128',
  qrcode: 'QRCode',
  datamatrix: 'DataMatrix',
  azteccode: 'Aztec',
  pdf417: 'PDF417',
  code128: 'Code128',
  code93: 'Code93',
  code39: 'Code39',
  interleaved2of5: 'ITF',
  ean13: 'EAN13',
  ean8: 'EAN8',
  upca: 'EAN13',
  itf14: 'ITF',
};
const GTINS: Partial<Record<SymbologyType, string>> = { ean8: '96385074', upca: '036000291452' };
const TEXT_FIELD = /\^FO0,(\d+)\^A0N,(\d+),\2\^FB(\d+),1,0,C\^FH_\^FD([^^]*)\^FS/g;
const TOKEN = '7K2M9PX4QRW0A23ABCDEF9ZZ';

function caseOf(type: SymbologyType) {
  const subject = {
    baseUrl: 'https://verify.example.com',
    gtin: GTINS[type] ?? '09506000134352',
    lot: 'LOT42',
    expiresOn: '2027-12-31',
  };
  const unit = { serial: type === 'interleaved2of5' ? '12345678' : 'A7K2M9PX4QRW', token: TOKEN };
  return {
    payload: symbolPayload(type, subject, unit),
    caption: symbolCaption(type, subject, unit),
    shape: payloadShape(type, subject, unit, TOKEN_ALPHABET),
  };
}

describe('createRenderer', () => {
  for (const type of Object.keys(SYMBOLOGIES) as SymbologyType[]) {
    it(`makes ${type} that a decoder reads back to the exact payload, with and without text and colours`, async () => {
      const { payload, caption, shape } = caseOf(type);
      // A UPC-A symbol is the EAN-13 symbol of the number with a zero in front.
      const expected = { format: FORMATS[type], text: type === 'upca' ? `0${payload}` : payload };
      for (const look of [{}, { text: true, foreground: '#003366', background: '#fffbe6', scale: 3 }]) {
        const renderer = createRenderer({ type, ...look }, shape);
        const [read] = await readSymbol(renderer.png(payload, caption));
        expect(read).to.deep.equal(expected);
      }
    });
  }

  it('takes bwip-js for payloads that are not of the shape, and gives the same formats', async () => {
    const { shape } = caseOf('qr-url');
    const renderer = createRenderer({ type: 'qr-url' }, shape);
    expect(renderer.fast).to.equal(true);
    for (const payload of ['https://elsewhere.example/käse?x=1', `${shape!.prefix}SHORT`, 'A'.repeat(300)]) {
      const [read] = await readSymbol(renderer.png(payload));
      expect(read?.text).to.equal(Buffer.from(payload).toString('latin1'));
      expect(sameMatrix(renderer.matrix(payload), renderer.reference(payload))).to.equal(true);
    }
  });

  it('makes valid symbols of payloads with digits throughout, which bwip-js would segment otherwise', async () => {
    const { shape } = caseOf('qr-url');
    const renderer = createRenderer({ type: 'qr-url' }, shape);
    for (const token of ['0'.repeat(24), '123456789012345678901234', 'ABCDEFGHJKMNPQR012345678']) {
      const payload = shape!.prefix + token;
      expect(renderer.isComparable(payload)).to.equal(false);
      expect((await readSymbol(renderer.png(payload)))[0]).to.deep.equal({ format: 'QRCode', text: payload });
    }
  });

  const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
  const DIGITS = '0123456789';
  const linkOf = (lot: string, alphabet: string, serial: string) => {
    const subject = { baseUrl: 'https://verify.example.com', gtin: '04006381333931', lot };
    const unit = { serial, token: TOKEN };
    return {
      payload: symbolPayload('gs1-digital-link', subject, unit),
      shape: payloadShape('gs1-digital-link', subject, unit, alphabet),
    };
  };

  it('makes readable Digital Links of serials whose first characters could stand in the mode before them', async () => {
    const mixed = DIGITS + LETTERS + LETTERS.toLowerCase();
    for (const [lot, alphabet, serial] of [
      ['FEZIS', mixed, '500483ba00888'],
      ['L1', mixed, '3LeJL'],
      ['66244554659', mixed, '3b'],
      ['YIAULX', `${mixed}-.*`, 'C.-B**B-2695'],
      ['L1', DIGITS, '010'],
      ['L1', DIGITS, '789'],
    ] as const) {
      const { payload, shape } = linkOf(lot, alphabet, serial);
      const renderer = createRenderer({ type: 'gs1-digital-link', errorCorrection: 'L' }, shape);
      const [read] = await readSymbol(renderer.png(payload));
      expect(read, payload).to.deep.equal({ format: 'QRCode', text: payload });
    }
  });

  it('takes no other way to cut a payload into modes for an error', async () => {
    const cases: [type: SymbologyType, payload: string, shape: PayloadShape | undefined][] = [];
    for (const lot of ['lot-1', 'Lot42', 'abc'])
      for (const serial of ['638THEX3KX2Q', 'ABCDEFGHJKMN', '3NHHKJYK1FKN']) {
        const { payload, shape } = linkOf(lot, DIGITS + LETTERS, serial);
        cases.push(['gs1-digital-link', payload, shape]);
      }
    const alphabet = `${DIGITS + LETTERS + LETTERS.toLowerCase()}-+./_!`;
    for (const serial of ['A.01', '+A', 'A-1', 'a_1'])
      cases.push(['qrcode', serial, { prefix: '', length: serial.length, alphabet, suffix: '' }]);
    for (const [type, payload, shape] of cases) {
      const renderer = createRenderer({ type }, shape);
      expect(() => verifySample(renderer, [payload]), payload).not.to.throw();
      expect((await readSymbol(renderer.png(payload)))[0]?.text).to.equal(payload);
    }
    const { payload, shape } = linkOf('abc', DIGITS + LETTERS, 'ABCDEFGHJKMN');
    expect(createRenderer({ type: 'gs1-digital-link' }, shape).isComparable(payload)).to.equal(true);
  });

  it('hands out matrices that later calls leave alone', () => {
    const { shape, payload } = caseOf('qr-url');
    const renderer = createRenderer({ type: 'qr-url' }, shape);
    const first = renderer.matrix(payload);
    const copy = first.bits.slice();
    renderer.matrix(payload.replace('ZZ', 'AB'));
    expect(first.bits).to.deep.equal(copy);
  });

  it('refuses what the symbology cannot hold, with a code', () => {
    for (const [spec, payload] of [
      [{ type: 'ean13' }, '9506000134353'],
      [{ type: 'code39' }, 'ünïcode'],
      [{ type: 'azteccode' }, 'x'.repeat(5000)],
    ] as [SymbologySpec, string][]) {
      expect(() => createRenderer(spec).png(payload))
        .to.throw(BarcodeError)
        .with.property('code', 'BARCODE_UNENCODABLE');
    }
  });

  it('draws the same modules in SVG, EPS and ZPL', () => {
    const { shape, payload } = caseOf('gs1-datamatrix');
    const renderer = createRenderer({ type: 'gs1-datamatrix', scale: 3, quietZone: 2 }, shape);
    const matrix = renderer.matrix(payload);
    expect(sameMatrix(fromSvg(renderer.svg(payload), matrix, 2), matrix)).to.equal(true);
    expect(sameMatrix(fromEps(renderer.eps(payload), matrix, 2), matrix)).to.equal(true);
    expect(sameMatrix(fromZpl(renderer.zpl(payload), matrix, 3), matrix)).to.equal(true);
  });

  it('prints the text of a ZPL label below the quiet zone, no line of it wider than the label', () => {
    const caption = 'ABCDEFGHJKMNPQRSTUVW';
    for (const [type, scale] of [
      ['qr-url', 4],
      ['datamatrix', 4],
      ['datamatrix', 1],
    ] as const) {
      const renderer = createRenderer({ type, scale, text: true });
      const payload = type === 'qr-url' ? caseOf(type).payload : caption;
      const modules = renderer.matrix(payload).height + 2 * renderer.spec.quietZone;
      const fields = [...renderer.zpl(payload, caption).matchAll(TEXT_FIELD)].map((field) => ({
        top: Number(field[1]),
        size: Number(field[2]),
        width: Number(field[3]),
        text: field[4]!,
      }));
      expect(fields.map(({ text }) => text).join('')).to.equal(caption);
      for (const [index, { top, size, width, text }] of fields.entries()) {
        expect(width).to.equal(modules * scale);
        expect(top).to.be.at.least(index === 0 ? modules * scale : fields[index - 1]!.top + size);
        // A single letter is as narrow as a line gets.
        if (text.length > 1) expect(text.length * size * 0.6).to.be.at.most(width);
      }
    }
  });

  for (const type of ['qrcode', 'code128'] as const)
    it(`prints ${type} at one size in every format, where dpi is told`, () => {
      const renderer = createRenderer({ type, scale: 3, dpi: 203, quietZone: 4 });
      const png = renderer.png('A1B2');
      const inches = png.readUInt32BE(16) / 203;
      const svg = /width="([\d.]+)in" height="([\d.]+)in"/.exec(renderer.svg('A1B2'))!;
      expect(Number(svg[1])).to.be.closeTo(inches, 1e-5);
      expect(Number(svg[2])).to.be.closeTo(png.readUInt32BE(20) / 203, 1e-5);
      const eps = /%%HiResBoundingBox: 0 0 ([\d.]+) ([\d.]+)/.exec(renderer.eps('A1B2'))!;
      expect(Number(eps[1]) / 72).to.be.closeTo(inches, 1e-5);
      const [, scale] = /^([\d.]+) \1 scale$/m.exec(renderer.eps('A1B2'))!;
      const [, across] = /^0 0 (\d+) \d+ rectfill$/m.exec(renderer.eps('A1B2'))!;
      expect(Number(across) * Number(scale)).to.be.closeTo(Number(eps[1]), 1e-3);
    });

  it('draws the frame of ITF-14 around its bars, at the largest scale too', () => {
    const renderer = createRenderer({ type: 'itf14', scale: 32, quietZone: 0 });
    const image = renderer.matrix('14006381333938');
    for (const [x, y] of [
      [0, 0],
      [image.width - 1, 0],
      [0, image.height - 1],
      [image.width - 1, image.height - 1],
      [image.width >> 1, 0],
      [0, image.height >> 1],
    ] as const)
      expect(isDark(image, x, y), `${x}, ${y}`).to.equal(true);
    // Between the frame and the first bar it is light.
    expect(isDark(image, 8 * 32, image.height >> 1)).to.equal(false);
  });

  it('shows the whole of a caption that is wider than its symbol, on more lines', () => {
    const renderer = createRenderer({ type: 'datamatrix', scale: 2, text: true });
    const heights = ['A', 'ABCDEFGHJKMN', 'ABCDEFGHJKMNPQRSTUVW'].map((caption) =>
      renderer.png('A7K2M9PX4QRW', caption).readUInt32BE(20),
    );
    expect(heights[0]).to.be.lessThan(heights[1]!);
    expect(heights[1]).to.be.lessThan(heights[2]!);
    // The last letter is drawn as large as the first: without it the picture has that much less ink.
    const ink = (caption: string): number => {
      const png = renderer.png('A7K2M9PX4QRW', caption);
      const image = decodePng(png);
      let dark = 0;
      for (let y = 0; y < image.height; y += 1)
        for (let x = 0; x < image.width; x += 1) dark += image.bit(x, y) === 0 ? 1 : 0;
      return dark;
    };
    expect(ink('HIIIIIIIIIII') - ink('IIIIIIIIIIII')).to.equal(ink('IIIIIIIIIIIH') - ink('IIIIIIIIIIII'));
  });

  it('lets no caption break out of SVG, EPS or ZPL', () => {
    const renderer = createRenderer({ type: 'qrcode', text: true });
    const hostile = '</text><script>^XZ~JA(\\)';
    expect(renderer.svg('A1', hostile)).to.not.include('<script');
    expect(renderer.eps('A1', hostile)).to.include('^XZ~JA\\(\\\\\\)');
    expect(renderer.zpl('A1', hostile))
      .to.include('_5eXZ_7eJA(_5c)')
      .and.to.match(/\^XA[^]*\^XZ\n$/);
  });
});

describe('verifySample', () => {
  it('accepts what is right and counts it', () => {
    const { shape, payload } = caseOf('qr-url');
    const renderer = createRenderer({ type: 'qr-url' }, shape);
    const digits = shape!.prefix + '1'.repeat(24);
    expect(verifySample(renderer, [payload.replace('0A23', 'ABCD'), digits])).to.equal(1);
  });

  it('fails loudly when one module is wrong', () => {
    const { shape, payload } = caseOf('gs1-datamatrix');
    const renderer = createRenderer({ type: 'gs1-datamatrix' }, shape);
    const tampered = {
      ...renderer,
      matrix(text: string): ModuleMatrix {
        const matrix = renderer.matrix(text);
        matrix.bits[20]! ^= 16;
        return matrix;
      },
    };
    expect(() => verifySample(tampered, [payload]))
      .to.throw(BarcodeError)
      .with.property('code', 'BARCODE_MISMATCH');
  });
});

/** The rectangles painted, as modules of a symbol of the same size. */
function paint(like: ModuleMatrix, rectangles: Iterable<readonly number[]>): ModuleMatrix {
  const modules = new Uint8Array(like.width * like.height);
  for (const [x, y, width, height] of rectangles) {
    for (let row = y!; row < y! + height!; row += 1) {
      modules.fill(1, row * like.width + x!, row * like.width + x! + width!);
    }
  }
  return packModules(modules, like.width, like.height, 1);
}

function fromSvg(svg: string, like: ModuleMatrix, quiet: number): ModuleMatrix {
  const runs = svg.matchAll(/M(\d+) (\d+)h(\d+)v(\d+)h-\d+z/g);
  return paint(
    like,
    Array.from(runs, ([, x, y, w, h]) => [Number(x) - quiet, Number(y) - quiet, Number(w), Number(h)]),
  );
}

function fromEps(eps: string, like: ModuleMatrix, quiet: number): ModuleMatrix {
  const runs = eps.matchAll(/^(\d+) (\d+) (\d+) (\d+) r$/gm);
  const down = like.height + 2 * quiet;
  return paint(
    like,
    Array.from(runs, ([, x, y, w, h]) => [
      Number(x) - quiet,
      down - Number(y) - Number(h) - quiet,
      Number(w),
      Number(h),
    ]),
  );
}

/** Expands ZPL's compressed graphic field, and takes the first dot of each module. */
function fromZpl(zpl: string, like: ModuleMatrix, scale: number): ModuleMatrix {
  const [, total, rowBytes, data] = /\^GFA,\d+,(\d+),(\d+),([^^]*)\^FS/.exec(zpl)!;
  const rows: string[] = [];
  let row = '';
  let count = 0;
  for (const letter of data!) {
    if (letter === ':') rows.push(rows.at(-1)!);
    else if (letter === ',') row = row.padEnd(Number(rowBytes) * 2, '0');
    else if (/[G-Y]/.test(letter)) count += letter.charCodeAt(0) - 70;
    else if (/[g-z]/.test(letter)) count += (letter.charCodeAt(0) - 102) * 20;
    else {
      row += letter.repeat(Math.max(1, count));
      count = 0;
    }
    if (row.length === Number(rowBytes) * 2) {
      rows.push(row);
      row = '';
    }
  }
  expect(rows.length * Number(rowBytes)).to.equal(Number(total));
  const image = {
    width: like.width * scale,
    height: rows.length,
    stride: Number(rowBytes),
    bits: Buffer.from(rows.join(''), 'hex'),
  };
  const modules: number[] = [];
  for (let y = 0; y < like.height; y += 1) {
    for (let x = 0; x < like.width; x += 1) modules.push(isDark(image, x * scale, y * scale) ? 1 : 0);
  }
  return packModules(modules, like.width, like.height, 1);
}
