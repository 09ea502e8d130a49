import { expect } from 'chai';
import { placeOf, readTableFile } from '../../dashboard/src/screens/products/table-file.ts';

describe('a file chosen as a table of products', () => {
  const textOf = async (bytes: number[] | Buffer, language = 'en', name = 'products.csv') =>
    (await readTableFile(new File([Uint8Array.from(bytes)], name), language))?.text;

  it('is read as spreadsheets of the language write it, and as Unicode where it is', async () => {
    const utf8 = Buffer.from('\uFEFFsku\n\u00d6l \u6cb9 \u0632\u064a\u062a');
    for (const language of ['en', 'ja', 'ar'])
      expect(await textOf(utf8, language)).to.equal('sku\n\u00d6l \u6cb9 \u0632\u064a\u062a');
    const utf16 = Buffer.from('\uFEFFsku\t\u6cb9', 'utf16le');
    expect(await textOf(utf16)).to.equal('sku\t\u6cb9');
    expect(await textOf(Buffer.from(utf16).swap16())).to.equal('sku\t\u6cb9');
    expect(await textOf(Buffer.from('\u00d6l', 'latin1'))).to.equal('\u00d6l');
    expect(await textOf([0x96, 0xfb], 'ja')).to.equal('\u6cb9');
    expect(await textOf([0xd2, 0xed, 0xca], 'ar')).to.equal('\u0632\u064a\u062a');
    expect(await textOf([0x41, 0xff], 'ja'), 'no Shift JIS').to.equal('A\u00ff');
  });

  it('is no table where it is a workbook, and NDJSON by its name', async () => {
    expect(await textOf(Buffer.from('PK\x03\x04...'))).to.equal(undefined);
    expect(await textOf([0xd0, 0xcf, 0x11, 0xe0, 0xa1])).to.equal(undefined);
    expect(await textOf(Buffer.from(''))).to.equal('');
    const typeOf = async (name: string) => (await readTableFile(new File(['{}'], name), 'en'))?.type;
    expect(await typeOf('a.JSONL')).to.equal('application/x-ndjson');
    expect(await typeOf('a.ndjson')).to.equal('application/x-ndjson');
    expect(await typeOf('ndjson.csv')).to.equal('text/csv');
  });

  it('is told what is wrong by row and column, whatever a heading says', () => {
    expect(placeOf('row.7.gtin')).to.deep.equal({ row: 7, column: 'gtin' });
    expect(placeOf('row.7.markets.2')).to.deep.equal({ row: 7, column: 'markets' });
    expect(placeOf('row.1.markets.0')).to.deep.equal({ row: 1, column: 'markets' });
    expect(placeOf('row.1.Art.-Nr.')).to.deep.equal({ row: 1, column: 'Art.-Nr.' });
    expect(placeOf('row.12')).to.deep.equal({ row: 12, column: null });
    expect([placeOf(''), placeOf('query.dryRun'), placeOf('row.x')]).to.deep.equal([null, null, null]);
  });
});
