import { expect } from 'chai';
import { serialLines, type SerialFormat } from '../../../shared/barcode-jobs/serial-lines.ts';
import { AppError } from '../../../shared/errors.ts';

/** The serials of a text that arrives in pieces of `size` bytes. */
async function read(text: string | Buffer, format: SerialFormat, size: number) {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const pieces = async function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  };
  const found: [number, string | null][] = [];
  for await (const block of serialLines(pieces(), format))
    for (const { line, serial } of block) found.push([line, serial]);
  return found;
}

describe('reading uploaded serials', () => {
  const cases: [string, SerialFormat, string, [number, string | null][]][] = [
    [
      'one column',
      'csv',
      'A1\nA2\nA3',
      [
        [1, 'A1'],
        [2, 'A2'],
        [3, 'A3'],
      ],
    ],
    [
      'a byte order mark, carriage returns and empty lines',
      'csv',
      '\ufeffA1\r\n\r\nA2\r\n',
      [
        [1, 'A1'],
        [3, 'A2'],
      ],
    ],
    ['a header alone', 'csv', 'serial\nA1\n', [[2, 'A1']]],
    [
      'a column among others, quoted',
      'csv',
      'lot,Serial,note\nL1,"A1","x, ""y"""\nL2,A2,\n',
      [
        [2, 'A1'],
        [3, 'A2'],
      ],
    ],
    [
      'a column between semicolons',
      'csv',
      '"Los, Charge";Serial;note\r\nL1;"A;1";x\r\nL2;A,2;\r\n',
      [
        [2, 'A;1'],
        [3, 'A,2'],
      ],
    ],
    [
      'a column between tabs',
      'csv',
      'serial\tlot\nA1\tL1\nA;2\tL2\n',
      [
        [2, 'A1'],
        [3, 'A;2'],
      ],
    ],
    ['a semicolon within a serial', 'csv', 'serial\nA;1\n', [[2, 'A;1']]],
    ['a semicolon without a header', 'csv', 'A;1\n', [[1, 'A;1']]],
    ['a quote within a serial', 'csv', '"A""1"\n', [[1, 'A"1']]],
    [
      'nothing of a line without the column, and null of one with wrong quotes',
      'csv',
      'lot,serial\nL1,A1\nL2\nL3,"A3\nL4,"A"4\n',
      [
        [2, 'A1'],
        [3, ''],
        [4, null],
        [5, null],
      ],
    ],
    [
      'strings line by line',
      'ndjson',
      '"A1"\n"\\u00412"\n',
      [
        [1, 'A1'],
        [2, 'A2'],
      ],
    ],
    [
      'objects line by line',
      'ndjson',
      '{"serial":"A1","lot":"x"}\n\n{"serial":"A2"}',
      [
        [1, 'A1'],
        [3, 'A2'],
      ],
    ],
    [
      'an array of strings',
      'json',
      ' [ "A1", "A\\"2",\n"A3" ]\n',
      [
        [1, 'A1'],
        [2, 'A"2'],
        [3, 'A3'],
      ],
    ],
    [
      'an array of objects',
      'json',
      '[{"serial":"A1"},{"x":"}","serial":"A2"}]',
      [
        [1, 'A1'],
        [2, 'A2'],
      ],
    ],
    ['an empty array', 'json', '[]', []],
  ];
  for (const [what, format, text, expected] of cases) {
    it(`takes ${what} (${format}), however it is cut`, async () => {
      for (const size of [1, 2, 3, 7, 1000])
        expect(await read(text, format, size), `pieces of ${size}`).to.deep.equal(expected);
    });
  }

  const refused: [string, SerialFormat, string, string, string][] = [
    ['a line that is no JSON', 'ndjson', '"A1"\nA2\n', 'MALFORMED_JSON', 'line 2'],
    ['a number', 'ndjson', '"A1"\n"A2"\n3\n', 'MALFORMED_JSON', 'line 3'],
    ['an object without a serial', 'json', '["A1",{"s":"A2"}]', 'MALFORMED_JSON', 'line 2'],
    ['an array that never ends', 'json', '["A1"', 'MALFORMED_JSON', 'line 2'],
    ['text after the array', 'json', '["A1"] "A2"', 'MALFORMED_JSON', 'line 2'],
    ['elements without a comma', 'json', '["A1" "A2"]', 'MALFORMED_JSON', 'line 2'],
    ['a comma too many', 'json', '["A1",,"A2"]', 'MALFORMED_JSON', 'line 2'],
    ['a comma before the first', 'json', '[,"A1"]', 'MALFORMED_JSON', 'line 1'],
    ['a comma behind the last', 'json', '["A1",]', 'MALFORMED_JSON', 'line 2'],
    ['a comma behind the array', 'json', '["A1"],', 'MALFORMED_JSON', 'line 2'],
    ['something else than an array', 'json', '{"serial":"A1"}', 'MALFORMED_JSON', 'line 1'],
    ['a line without an end', 'csv', 'x'.repeat(20_000), 'VALIDATION_FAILED', 'line 1'],
    ['a long line', 'csv', `A1\nA2,${'x'.repeat(10_000)}\nA3\n`, 'VALIDATION_FAILED', 'line 2'],
    [
      'a long line',
      'ndjson',
      `"A1"\n{"serial":"A2","x":"${'x'.repeat(10_000)}"}\n`,
      'VALIDATION_FAILED',
      'line 2',
    ],
    [
      'a long element',
      'json',
      `["A1",{"serial":"A2","x":"${'x'.repeat(10_000)}"}]`,
      'MALFORMED_JSON',
      'line 2',
    ],
  ];
  const otherFiles: [string, SerialFormat, Buffer][] = [
    ['UTF-16', 'csv', Buffer.from('\ufeffA1\nA2\n', 'utf16le')],
    ['UTF-16', 'ndjson', Buffer.from('\ufeff"A1"\n', 'utf16le')],
    ['UTF-16', 'json', Buffer.from('\ufeff["A1"]', 'utf16le')],
    ['Windows-1252', 'csv', Buffer.from('Stück;serial\nA1;A2\n', 'latin1')],
    ['half a character at the end', 'csv', Buffer.from('A1\nA²').subarray(0, -1)],
  ];
  for (const [what, format, bytes] of otherFiles) {
    it(`says that ${what} is not UTF-8 (${format})`, async () => {
      const error = await read(bytes, format, 1000).catch((failure: unknown) => failure);
      expect(error).to.be.instanceOf(AppError);
      expect((error as AppError).options.errors).to.deep.equal([
        { path: '', code: 'NOT_UTF_8', message: 'is not UTF-8 text' },
      ]);
    });
  }

  for (const [what, format, text, code, where] of refused) {
    it(`refuses ${what} (${format}), however it is cut, saying where`, async () => {
      for (const size of [1000, 100_000]) {
        const error = await read(text, format, size).catch((thrown: unknown) => thrown);
        expect(error, `pieces of ${size}`).to.be.instanceOf(AppError);
        expect((error as AppError).code).to.equal(code);
        expect((error as AppError).message).to.contain(where);
      }
    });
  }

  it('takes the worst nesting of quotes and braces in a moment', async () => {
    for (const text of [
      `["${'\\"'.repeat(4000)}`,
      `[{${'"a"'.repeat(3000)}`,
      `[${'{'.repeat(9000)}`,
      '['.repeat(9000),
    ]) {
      const started = performance.now();
      await read(text, 'json', 64).catch(() => undefined);
      expect(performance.now() - started).to.be.lessThan(2000);
    }
  });
});
