import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { expect } from 'chai';
import { RANDOM_ALPHABET, RANDOM_SAMPLES } from '../../../shared/barcode-jobs/choose-serials.ts';
import { labelLines } from '../../../shared/barcode-jobs/label-lines.ts';
import {
  ANY_SHEET,
  DEFAULT_SHEET,
  layoutOf,
  SYMBOLOGY_NAMES,
  symbologyTypeOf,
  type SheetField,
  type SheetOptions,
  type SheetRequest,
  type SymbologyName,
  type SymbolLook,
} from '../../../shared/barcode-jobs/options.ts';
import { LEAST_MODULE_MM, planSheet, type JobSubject } from '../../../shared/barcode-jobs/plan-sheet.ts';
import { createLabelSheets } from '../../../shared/barcodes/label-sheet.ts';
import { SAMPLE_TOKEN, symbolCaption, symbolPayload } from '../../../shared/barcodes/payload.ts';
import { createRenderer } from '../../../shared/barcodes/renderer.ts';
import { SHEET_PRESETS, type SheetPreset } from '../../../shared/barcodes/sheet-layout.ts';
import { symbologyTraits } from '../../../shared/barcodes/symbology.ts';

const PRESETS = Object.keys(SHEET_PRESETS) as SheetPreset[];
const GTINS: Partial<Record<SymbologyName, string>> = {
  ean8: '96385074',
  upca: '036000291452',
  itf14: '15400141288763',
};
const LABEL = {
  productName: 'Olive oil, extra virgin, 500 ml',
  brand: 'Olivar',
  sku: 'OIL-500',
  gtin: '09506000134352',
  lot: 'L-42',
  expiresOn: '2027-12-31',
};
const BASE_URL = 'https://verify.example.com';
const ALL_LINES = DEFAULT_SHEET.fields;
/** Beside a symbol there is no room for text. */
const TINY = { pageWidth: 100, pageHeight: 100, columns: 4, rows: 4, labelWidth: 12, labelHeight: 9 };

/** As random as minted ones, and the same in every run. */
const randomSerial = (seed: number): string =>
  Array.from(createHash('sha256').update(String(seed)).digest().subarray(0, 12), (byte) =>
    RANDOM_ALPHABET.charAt(byte % 32),
  ).join('');

const serialsOf = (symbology: SymbologyName) =>
  symbology === 'interleaved2of5' ? ['00000001'] : RANDOM_SAMPLES.examples;

function plan(
  symbology: SymbologyName,
  sheet: SheetRequest,
  { serials, look, ...about }: Partial<JobSubject> & { serials?: readonly string[]; look?: SymbolLook } = {},
) {
  const subject = { ...LABEL, gtin: GTINS[symbology] ?? LABEL.gtin, baseUrl: BASE_URL, ...about };
  const spec = { ...look, type: symbologyTypeOf(symbology) };
  return planSheet(sheet, spec, subject, serials ?? serialsOf(symbology));
}

const refusalsOf = ({ errors }: { errors: { path: string; code: string }[] }) =>
  errors.map(({ path, code }) => `${path} ${code}`);

/** What a printer gets: millimetres along a module, and the texts of a label. */
async function printed(symbology: SymbologyName, sheet: SheetOptions) {
  const type = symbologyTypeOf(symbology);
  const gtin = GTINS[symbology] ?? LABEL.gtin;
  const unit = { serial: symbology === 'interleaved2of5' ? '00004711' : 'K7Q2M9XW3D5R', token: SAMPLE_TOKEN };
  const subject = { baseUrl: BASE_URL, gtin, lot: LABEL.lot, expiresOn: LABEL.expiresOn };
  const renderer = createRenderer({ type });
  const blocks: Buffer[] = [];
  const sheets = createLabelSheets(renderer, layoutOf(sheet), (block) => void blocks.push(block));
  const lines = labelLines(sheet.fields, { ...LABEL, gtin }, unit);
  await sheets.add({
    payload: symbolPayload(type, subject, unit),
    caption: symbolCaption(type, subject, unit),
    lines,
  });
  await sheets.finish();
  const pdf = Buffer.concat(blocks);
  const {
    index,
    0: head,
    1: length,
  } = /\/Length (\d+) \/Filter \/FlateDecode >>\nstream\n/.exec(pdf.toString('latin1'))!;
  const start = index + head.length;
  const content = inflateSync(pdf.subarray(start, start + Number(length))).toString('latin1');
  const scale = Number(/^q ([\d.]+) /.exec(content)![1]);
  const pixels = symbologyTraits(type).kind === 'bars' ? renderer.spec.scale : 1;
  const texts = Array.from(content.matchAll(/\((.*)\) Tj$/gm), ([, text]) => text);
  return { moduleMm: (scale * pixels * 25.4) / 72, lines, texts };
}

describe('planSheet', () => {
  /** With lot, expiry and a random serial in the symbol, whatever stands beside it. */
  const TOO_NARROW: Partial<Record<SymbologyName, SheetPreset[]>> = {
    'gs1-128': [
      'a4-avery-l7159',
      'a4-avery-l7160',
      'a4-avery-l7651',
      'letter-avery-5160',
      'letter-avery-5167',
    ],
    code39: ['a4-avery-l7651'],
  };
  /** The only preset that is too low for four lines beneath a symbol, and how many of them it prints. */
  const LOW: SheetPreset = 'letter-avery-5167';
  const LINES_WHEN_LOW: Partial<Record<SymbologyName, number>> = {
    pdf417: 2,
    code128: 0,
    code93: 1,
    code39: 0,
    interleaved2of5: 2,
    ean13: 2,
    ean8: 2,
    upca: 2,
    itf14: 0,
  };

  for (const symbology of SYMBOLOGY_NAMES) {
    const refused = TOO_NARROW[symbology] ?? [];
    const accepted = PRESETS.filter((preset) => !refused.includes(preset));

    it(`accepts ${symbology} where its modules are wide enough, and prints every line that it keeps`, async () => {
      for (const layout of accepted) {
        const { sheet, errors } = plan(symbology, { layout, fields: null });
        expect(errors, layout).to.deep.equal([]);
        const kept = layout === LOW ? (LINES_WHEN_LOW[symbology] ?? 4) : 4;
        expect(sheet, layout).to.deep.equal({ layout, fields: ALL_LINES.slice(0, kept) });
        const { moduleMm, lines, texts } = await printed(symbology, sheet);
        expect(moduleMm, layout).to.be.at.least(LEAST_MODULE_MM);
        expect(texts.slice(1), layout).to.deep.equal(lines.slice(1));
        expect(texts, layout).to.have.length(lines.length);
        if (kept === 4) expect(plan(symbology, { layout, fields: ALL_LINES }).errors).to.deep.equal([]);
        else expect(plan(symbology, { layout, fields: ALL_LINES }).errors).to.not.deep.equal([]);
      }
    });

    if (refused.length > 0)
      it(`refuses ${symbology} where its modules are too narrow, with text and without`, async () => {
        for (const layout of refused)
          for (const fields of [null, []]) {
            const { sheet, errors } = plan(symbology, { layout, fields });
            expect(refusalsOf({ errors }), layout).to.deep.equal(['sheet.layout MODULE_TOO_NARROW']);
            const { moduleMm } = await printed(symbology, sheet);
            expect(errors[0]!.params!['module'], layout)
              .to.be.closeTo(moduleMm, 0.002)
              .and.below(LEAST_MODULE_MM);
            expect(errors[0]!.params!['minimum']).to.equal(LEAST_MODULE_MM);
          }
      });
  }

  it('measures the symbol of the job’s own lot, serials and look', () => {
    const sheet: SheetRequest = { layout: 'a4-avery-l7160', fields: [] };
    const short = { lot: null, expiresOn: null, serials: ['1234567890123456'] };
    expect(plan('gs1-128', sheet, short).errors).to.deep.equal([]);
    for (const about of [
      { ...short, lot: 'L-2027-0042-OLIVES' },
      { ...short, lot: 'L-42', expiresOn: '2027-12-31' },
      { ...short, serials: ['1234567890123456', 'ABCDEFGHIJKLMNOPQRST'] },
      { ...short, look: { quietZone: 64 } },
    ])
      expect(refusalsOf(plan('gs1-128', sheet, about)), JSON.stringify(about)).to.deep.equal([
        'sheet.layout MODULE_TOO_NARROW',
      ]);
    const scaled = plan('gs1-128', sheet, { look: { scale: 12 } }).errors[0]!.params!['module'];
    expect(scaled).to.equal(plan('gs1-128', sheet).errors[0]!.params!['module']);
  });

  it('measures the symbol that the job prints, which has room for every serial of its form', () => {
    const layout = { ...TINY, labelWidth: 8, labelHeight: 8 };
    const modules = (symbology: SymbologyName, serial: string, lot: string | null = null) =>
      plan(symbology, { layout, fields: [] }, { serials: [serial], lot }).errors.map(({ code, params }) => [
        code,
        params!['module'],
      ]);
    // Alone it is of 21 modules; among others of its length and characters, of 25.
    expect(modules('qrcode', 'LX-0000-1234-5678-AB')).to.deep.equal([['MODULE_TOO_NARROW', 0.151]]);
    // 26 and 32.
    expect(modules('gs1-datamatrix', 'LX-0000-1234-5678-AB', 'lot-2026-abcd')).to.deep.equal([
      ['MODULE_TOO_NARROW', 0.147],
    ]);
    expect(modules('qrcode', 'LX00001234')).to.deep.equal([]);
  });

  it('leaves room for the largest symbol that random serials give', () => {
    const look = (symbology: SymbologyName) => createRenderer({ type: symbologyTypeOf(symbology) });
    const random = Array.from({ length: 400 }, (_, at) => randomSerial(at));
    for (const symbology of ['azteccode', 'pdf417'] as const)
      for (const side of ['width', 'height'] as const) {
        const largest = (serials: readonly string[]) =>
          Math.max(...serials.map((serial) => look(symbology).matrix(serial)[side]));
        expect(largest(RANDOM_SAMPLES.examples), `${symbology} ${side}`).to.be.at.least(largest(random));
      }
    // With the symbol of letters alone there is room for the serial, which most units would then be without.
    const layout = { ...TINY, columns: 1, labelWidth: 28, labelHeight: 17 };
    const asked = { layout, fields: ALL_LINES };
    expect(plan('pdf417', asked, { serials: ['G'.repeat(12)] }).errors).to.deep.equal([]);
    expect(plan('pdf417', asked).errors.map(({ params }) => params)).to.deep.equal([
      { fit: 3, lines: 4, missing: ['serial'] },
    ]);
  });

  it('names the lines that would be missing, and how many fit', () => {
    const fields: SheetField[] = ['lot', 'expiry', 'serial'];
    expect(
      plan('ean13', { layout: LOW, fields }).errors.map(({ path, params }) => [path, params]),
    ).to.deep.equal([['sheet.fields', { fit: 2, lines: 3, missing: ['serial'] }]]);
    const tiny = plan('datamatrix', { layout: TINY, fields });
    expect(tiny.errors.map(({ path, params }) => [path, params])).to.deep.equal([
      ['sheet.fields', { fit: 0, lines: 3, missing: fields }],
    ]);
    expect(plan('datamatrix', { layout: TINY, fields: null })).to.deep.equal({
      sheet: { layout: TINY, fields: [] },
      errors: [],
    });
  });

  it('asks no room for a field without a value', () => {
    const fields: SheetField[] = ['brand', 'lot', 'expiry', 'serial'];
    const none = { brand: null, expiresOn: null };
    expect(plan('ean13', { layout: LOW, fields }, none).errors).to.deep.equal([]);
  });

  it('lets a name end in dots, and nothing else', () => {
    const sheet: SheetRequest = { layout: 'a4-avery-l7651', fields: ['product', 'brand', 'lot', 'serial'] };
    const long = 'A name that is far too long for any label '.repeat(3);
    expect(plan('qr', sheet, { productName: long, brand: long }).errors).to.deep.equal([]);
    const lot = 'W'.repeat(20);
    expect(plan('qr', sheet, { lot }).errors.map(({ path, params }) => [path, params])).to.deep.equal([
      ['sheet.fields', { fit: 3, lines: 4, missing: ['lot'] }],
    ]);
    expect(plan('qr', { ...sheet, fields: null }, { lot }).sheet.fields).to.deep.equal([
      'product',
      'expiry',
      'serial',
    ]);
  });

  it('takes the usual sheet for the usual symbols, whatever the serials', () => {
    for (const symbology of SYMBOLOGY_NAMES.filter((name) => /qr|datamatrix|digital-link/.test(name)))
      for (const serials of [['1'], ['W'.repeat(20)]])
        expect(plan(symbology, ANY_SHEET, { serials }).errors, symbology).to.deep.equal([]);
  });
});
