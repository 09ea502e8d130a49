import { expect } from 'chai';
import { readTable } from '../../../api/products/table.ts';
import { AppError } from '../../../shared/errors.ts';
import type { FieldError } from '../../../shared/field-errors.ts';

/** As a connection hands it over. */
const PIECE = 16 * 1024;

async function* piecesOf(text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
}

const read = (text: string, format: 'csv' | 'ndjson' = 'csv') => readTable(piecesOf(text), format);

const refusedOf = async (text: string, format?: 'csv' | 'ndjson'): Promise<FieldError[]> => {
  const refused = await read(text, format).catch((error: unknown) => error);
  expect(refused).to.be.instanceOf(AppError);
  return [...(refused as AppError).options.errors!];
};

/** What is wrong, as `path CODE`. */
const wrong = async (text: string, format?: 'csv' | 'ndjson'): Promise<string[]> =>
  (await refusedOf(text, format)).map(({ path, code }) => `${path} ${code}`);

const rows = (many: number): string =>
  Array.from({ length: many }, (_, index) => `S${index},Name\n`).join('');

describe('a table of products, as a file', () => {
  it('is told the row of a wrong quote, and what is wrong before it, however long it is', async () => {
    expect(await wrong(`sku,name\n${rows(900)},Nameless\nB,"A "bad" one"\n${rows(5)}`)).to.deep.equal([
      'row.902.sku EMPTY',
      'row.903 WRONG_FORMAT',
    ]);
    expect(await wrong(`sku,name\n${rows(2_500)}B,"no end\n${rows(5)}`)).to.deep.equal([
      'row.2502 WRONG_FORMAT',
    ]);
  });

  it('has rows of a length that the rest of the service bears, and not too many empty ones', async () => {
    const long = 'DE '.repeat(110_000);
    expect(await wrong(`sku,markets\nA,DE\nB,"${long}"\n`)).to.deep.equal(['row.3 TOO_LONG']);
    expect(await wrong(`sku${',x'.repeat(160_000)}\n`)).to.deep.equal(['row.1 TOO_LONG']);
    const json = JSON.stringify({ sku: 'A', attributes: { list: Array.from({ length: 160_000 }, () => 0) } });
    expect(await wrong(`\n{}\n${json}\n{}`, 'ndjson')).to.deep.equal([
      'row.2.sku REQUIRED',
      'row.3 TOO_LONG',
      'row.4.sku REQUIRED',
    ]);
    const largest = 'x'.repeat(262_000);
    expect(await read(`sku,attributes\nA,"{""a"":""${largest}""}"\n`)).to.have.length(1);
    expect(await read(`sku,name\nA,B\n${',\n'.repeat(2_000)}`)).to.have.length(1);
    expect(await read(`sku,name\n${rows(10_000)}`)).to.have.length(10_000);
    expect(await wrong(`sku\n${'\n'.repeat(100_000)}`)).to.deep.equal([' TOO_MANY']);
  });

  it('is read with all that people and spreadsheets do to headings, numbers, lists and spaces', async () => {
    const fields = async (heading: string, cell: string) =>
      (await read(`sku,${heading}\nA,${cell}\n`))[0]!.fields;
    const imageUrl = 'https://a.example/';
    for (const heading of ['image-url', 'IMAGE_URL', ' Image Url ', '"imageUrl"'])
      expect(await fields(heading, imageUrl), heading).to.deep.equal({ sku: 'A', imageUrl });
    for (const gtin of ['123456784', '1234567895', '12345678905', '012345678905'])
      expect((await fields('gtin', gtin)).gtin).to.equal(gtin.padStart(14, '0'));
    expect((await fields('gtin', '1234565')).gtin).to.equal('00000001234565');
    expect((await fields('markets', 'de;FR | pt')).markets).to.deep.equal(['DE', 'FR', 'PT']);
    expect((await fields('markets', '"DE, FR"')).markets).to.deep.equal(['DE', 'FR']);
    expect(await fields('name', ' "One, two" ')).to.deep.equal({ sku: 'A', name: 'One, two' });
    for (const empty of ['', '" "', '\u00A0', '"\n"'])
      expect(await fields('brand', empty), JSON.stringify(empty)).to.deep.equal({ sku: 'A', brand: null });
    expect(await fields('attributes,links', ',')).to.deep.equal({ sku: 'A', attributes: {}, links: [] });
    expect(await fields('id,createdAt,updated_at,Archived at,name', 'x,x,x,x,One')).to.deep.equal({
      sku: 'A',
      name: 'One',
    });
  });

  it('may begin with a line for Excel, which is no row of it', async () => {
    expect(await read('\uFEFFsep=;\r\nsku;name\r\nA;One, two\r\n')).to.deep.equal([
      { row: 2, fields: { sku: 'A', name: 'One, two' } },
    ]);
    async function* bytes(): AsyncGenerator<Uint8Array> {
      for (const byte of Buffer.from('SEP=\t\nsku\tname\tbrand\nA\t\tB\n')) yield Uint8Array.of(byte);
    }
    const refused = await readTable(bytes(), 'csv').catch((error: unknown) => error);
    expect((refused as AppError).options.errors).to.have.length(1);
    expect((refused as AppError).options.errors![0]).to.include({ path: 'row.2.name', code: 'EMPTY' });
  });

  it('may have rows that end with more separators than the heading', async () => {
    expect(await read('sku;name;\nA;One;\nB;Two;;;\n')).to.have.length(2);
    expect(await wrong('sku;name\nA;One;;\nB;Two;;x\n')).to.deep.equal(['row.3 TOO_MANY']);
  });

  it('is told a hundred of its wrong columns, by names that are not too long', async () => {
    const many = await refusedOf(`sku,${'brand,'.repeat(120)}${'n'.repeat(150)}\n`);
    expect(many).to.have.length(100);
    expect(many[0]).to.include({ path: 'row.1.brand', code: 'REPEATED' });
    expect(await wrong(`sku,${'n'.repeat(150)}\n`)).to.deep.equal([`row.1.${'n'.repeat(100)} UNKNOWN_FIELD`]);
  });

  it('is told at most a hundred of its mistakes, and reads on for no more', async () => {
    const table = `sku,name,brand\n${',Name,\n'.repeat(99)},,B\n${'S,Name,\n'.repeat(10_001)}`;
    const told = await wrong(table);
    expect(told).to.have.length(100);
    expect(told.at(-1)).to.match(/^row\.101\./);
  });

  it('lets others have a turn, whatever it is made of', async () => {
    const turnsOf = async (text: string, format: 'csv' | 'ndjson'): Promise<number> => {
      let turns = 0;
      let isOver = false;
      const turn = (): void => {
        turns += 1;
        if (!isOver) setImmediate(turn);
      };
      setImmediate(turn);
      await read(text, format).catch(() => {});
      isOver = true;
      return turns;
    };
    expect(await turnsOf('\n'.repeat(1_000_000), 'ndjson')).to.be.above(10);
    const lines = Array.from({ length: 3_000 }, (_, index) => `{"sku":"${index}"}`).join('\n');
    expect(await turnsOf(lines, 'ndjson')).to.be.above(10);
    expect(await turnsOf(`sku,name\n${',\n'.repeat(50_000)}`, 'csv')).to.be.above(4);
  });
});
