import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { expect } from 'chai';
import { BarcodeError } from '../../../shared/barcodes/barcode-error.ts';
import { type Label, placeLabel } from '../../../shared/barcodes/label-placement.ts';
import { createLabelSheets } from '../../../shared/barcodes/label-sheet.ts';
import { packModules, sameMatrix } from '../../../shared/barcodes/module-matrix.ts';
import { createRenderer } from '../../../shared/barcodes/renderer.ts';
import {
  labelBox,
  SHEET_PRESETS,
  type SheetLayout,
  sheetPoints,
  validateSheetLayout,
} from '../../../shared/barcodes/sheet-layout.ts';

const renderer = createRenderer({ type: 'datamatrix', foreground: '#003366' });
const label = (serial: string): Label => ({ payload: serial, lines: ['Céleste (30 ml)', serial] });

async function sheets(layout: SheetLayout, labels: Label[], title?: string, made = renderer) {
  const blocks: Buffer[] = [];
  const writer = createLabelSheets(made, layout, (block) => void blocks.push(block), title);
  for (const each of labels) await writer.add(each);
  const summary = await writer.finish();
  return { bytes: Buffer.concat(blocks), summary };
}

function pageContents(pdf: Buffer): string[] {
  const text = pdf.toString('latin1');
  return Array.from(text.matchAll(/\/Length (\d+) \/Filter \/FlateDecode >>\nstream\n/g), (match) => {
    const start = match.index + match[0].length;
    return inflateSync(pdf.subarray(start, start + Number(match[1]))).toString('latin1');
  });
}

describe('createLabelSheets', () => {
  const layout = SHEET_PRESETS['letter-avery-5160'];

  it('fills pages row by row and says what it wrote', async () => {
    const { bytes, summary } = await sheets(
      layout,
      Array.from({ length: 31 }, (_, index) => label(`S${index}`)),
    );
    const contents = pageContents(bytes);
    expect(contents.map((content) => content.match(/ cm$/gm)!.length)).to.deep.equal([30, 1]);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(summary).to.deep.equal({ pages: 2, labels: 31, bytes: bytes.length, sha256 });
    expect(bytes.toString('latin1')).to.include('/Count 2').and.to.include('/MediaBox [0 0 612 792]');
  });

  it('lowers the bars of a linear symbol on a low label, so that they are wide enough to read, and no others', () => {
    const lines = ['Céleste', 'LOT 12AB'];
    const barOf = (type: 'ean13' | 'code128', sheet: SheetLayout) => {
      const made = createRenderer({ type });
      const payload = type === 'ean13' ? '9506000134352' : 'K7Q2M9XW3D5R';
      const { symbol } = placeLabel(made, { payload, lines }, labelBox(sheetPoints(sheet), 0));
      const full = made.matrix(payload);
      const points = 72 / 25.4;
      expect(symbol.matrix.width).to.equal(full.width);
      const [middle, wanted] = [symbol.matrix, full].map(({ bits, stride, height }) =>
        bits.slice((height >> 1) * stride, ((height >> 1) + 1) * stride),
      );
      expect(middle).to.deep.equal(wanted);
      const isWhole = symbol.matrix.height === full.height;
      return { bar: (symbol.module * made.spec.scale) / points, isWhole };
    };
    const low = SHEET_PRESETS['letter-avery-5167'];
    expect(barOf('ean13', low)).to.deep.include({ isWhole: false });
    expect(barOf('ean13', low).bar).to.be.at.least(0.19);
    expect(barOf('code128', low).bar).to.be.at.least(0.15);
    expect(barOf('ean13', SHEET_PRESETS['a4-avery-l7160'])).to.deep.include({ isWhole: true });
  });

  it('draws every module as vectors, inside the label and in its colour', async () => {
    const { bytes } = await sheets(layout, [label('FIRST'), label('SECOND')]);
    const symbols = pageContents(bytes)[0]!.split(/^q /m).slice(1);
    const expected = renderer.matrix('SECOND');
    const rectangles = Array.from(symbols[1]!.matchAll(/^(\d+) (\d+) (\d+) (\d+) re$/gm), (match) =>
      match.slice(1).map(Number),
    );
    const modules = new Uint8Array(expected.width * expected.height);
    for (const [x, y, width, height] of rectangles) {
      for (let row = y! - 1; row < y! - 1 + height!; row += 1) {
        modules.fill(1, row * expected.width + x! - 1, row * expected.width + x! - 1 + width!);
      }
    }
    expect(sameMatrix(packModules(modules, expected.width, expected.height, 1), expected)).to.equal(true);
    expect(symbols[1]).to.include('0 0.2 0.4 rg');

    const [scale, , , , x, top] = symbols[1]!.split(' ').map(Number);
    const points = 72 / 25.4;
    const left = 4.7625 * points + 69.85 * points;
    const right = left + 66.675 * points;
    expect(x).to.be.within(left, right);
    expect(x! + (expected.width + 2) * scale!).to.be.within(left, right);
    expect(top).to.be.at.most(792 - 12.7 * points);
    expect(top! - (expected.height + 2) * scale!).to.be.at.least(792 - (12.7 + 25.4) * points);
  });

  it('lays the background’s colour beneath the symbol and its quiet zone, where it is not the paper’s', async () => {
    const contentOn = async (background: string) => {
      const made = createRenderer({ type: 'datamatrix', background });
      return pageContents((await sheets(layout, [label('FIRST')], undefined, made)).bytes)[0]!;
    };
    const { width, height } = renderer.matrix('FIRST');
    expect(await contentOn('#ffcc00')).to.include(
      `cm\n1 0.8 0 rg 0 0 ${width + 2} ${height + 2} re f\n0 0 0 rg\n`,
    );
    expect(await contentOn('#FFFFFF')).to.include('cm\n0 0 0 rg\n');
  });

  it('has a cross-reference table that leads to every object', async () => {
    const { bytes } = await sheets(layout, [label('A')]);
    const text = bytes.toString('latin1');
    const table = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)![1]);
    const entries = Array.from(text.slice(table).matchAll(/^(\d{10}) 00000 n $/gm), (match) =>
      Number(match[1]),
    );
    expect(entries).to.have.lengthOf(7);
    for (const [index, offset] of entries.entries()) {
      expect(text.slice(offset)).to.match(new RegExp(`^${index + 1} 0 obj\n`));
    }
  });

  it('gives the same bytes for the same labels', async () => {
    const [first, second] = [await sheets(layout, [label('A')]), await sheets(layout, [label('A')])];
    expect(first.bytes.equals(second.bytes)).to.equal(true);
  });

  it('keeps text inside its string, and shortens what is too long', async () => {
    const lines = [') Tj (evil\\', 'A name that is far too long for any label '.repeat(5), '漢字'];
    const { bytes } = await sheets(layout, [{ payload: 'A', lines }], 'T) >> (');
    const [content] = pageContents(bytes);
    expect(content).to.include('(\\) Tj \\(evil\\\\) Tj').and.to.include('...) Tj').and.to.include('(??) Tj');
    expect(bytes.toString('latin1')).to.include('/Title (T\\) >> \\()');
  });

  it('refuses a layout that does not fit the page', () => {
    expect(() => createLabelSheets(renderer, { ...layout, columns: 4 }, () => undefined))
      .to.throw(BarcodeError)
      .with.property('code', 'BARCODE_LAYOUT');
  });
});

describe('validateSheetLayout', () => {
  it('accepts every preset', () => {
    for (const [name, layout] of Object.entries(SHEET_PRESETS)) {
      expect(validateSheetLayout(layout), name).to.deep.equal([]);
    }
    // As far right and down as the page has room.
    const shifted = { ...SHEET_PRESETS['a4-avery-l7160'], marginLeft: 14.42, marginTop: 30.3 };
    expect(validateSheetLayout(shifted)).to.deep.equal([]);
  });

  it('names what is wrong', () => {
    const layout = SHEET_PRESETS['a4-avery-l7160'];
    const wrong: [Partial<SheetLayout>, string][] = [
      [{ rows: 8 }, 'rows'],
      [{ columns: 4 }, 'columns'],
      [{ columns: 1.5 }, 'columns'],
      [{ marginLeft: 14.5 }, 'columns'],
      [{ marginTop: 30.4 }, 'rows'],
      [{ gapY: -1 }, 'gapY'],
      [{ labelWidth: Number.NaN }, 'labelWidth'],
      [{ pageWidth: 1e9 }, 'pageWidth'],
    ];
    for (const [change, path] of wrong) {
      expect(validateSheetLayout({ ...layout, ...change }).map((error) => error.path)).to.deep.equal([path]);
    }
  });
});
