import { expect } from 'chai';
import { UploadError, uploadLines } from '../../../shared/bulk-jobs/upload-lines.ts';

const KEYS = [{ id: 'k1', bytes: Buffer.alloc(32) }] as const;
/** From every line by itself to all of them in one piece. */
const SIZES = [7, 1_000, 65_536, 1_000_000];

/** The serials of a list that the storage gives out in pieces of `size` bytes, by line; null for what is none. */
async function read(text: string, format: 'csv' | 'ndjson', size: number) {
  const bytes = Buffer.from(text);
  const pieces = async function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  };
  const found: [number, string | null][] = [];
  for await (const { line, key } of uploadLines(pieces(), format, 'serial', KEYS)) found.push([line, key]);
  return found;
}

describe('reading an uploaded list of units', () => {
  const same = async (text: string, format: 'csv' | 'ndjson', expected: [number, string | null][]) => {
    for (const size of SIZES)
      expect(await read(text, format, size), `pieces of ${size}`).to.deep.equal(expected);
  };

  it('passes over empty lines, a byte order mark and carriage returns, and counts lines as an editor does', async () => {
    await same('\ufeffserial\r\n\r\nA1\r\n \r\nA2\r\n\r\n', 'csv', [
      [3, 'A1'],
      [5, 'A2'],
    ]);
    await same('\ufeff"A1"\n\n{"serial":"A2"}\n{"lot":"L"}', 'ndjson', [
      [1, 'A1'],
      [3, 'A2'],
      [4, null],
    ]);
  });

  it('tells a line that is no JSON from one that does not name its unit, or does not as text', async () => {
    const list =
      '{"serial":"A1"\nA2\n{"serial":7}\n7\n["A3"]\n{"serial":""}\n{"serial":null}\n{"lot":"L"}\n""\nnull\n';
    const told: [number, string | undefined, string | undefined][] = [];
    const bytes = async function* () {
      yield Buffer.from(list);
    };
    for await (const { line, problem } of uploadLines(bytes(), 'ndjson', 'serial', KEYS))
      told.push([line, problem?.code, problem?.message]);
    const [notJson, notText, missing] = ['is not JSON', 'must have its "serial" as text', 'has no "serial"'];
    expect(told).to.deep.equal([
      [1, 'WRONG_FORMAT', notJson],
      [2, 'WRONG_FORMAT', notJson],
      [3, 'WRONG_FORMAT', notText],
      [4, 'WRONG_FORMAT', notText],
      [5, 'WRONG_FORMAT', notText],
      ...[6, 7, 8, 9, 10].map((line) => [line, 'REQUIRED', missing]),
    ]);
  });

  it('takes the service’s own lists and exports as they are', async () => {
    const UNIT = 'unit_01kb8x0qhre5ws8f3v7m2k4n6p';
    const SCAN = 'scan_01kbb5m2w9f4qa7s0v3y6b8d1h';
    const named = async (list: string, format: 'csv' | 'ndjson', by: 'unitId' | 'code') => {
      const bytes = async function* () {
        yield Buffer.from(list);
      };
      const refs: string[] = [];
      for await (const { ref } of uploadLines(bytes(), format, by, KEYS)) refs.push(ref);
      return refs;
    };
    const [token, address] = ['4zqk7w3n', 'https://verify.example/v/4zqk7w3n'];
    expect([
      await named(`unitId,serial,token,address\n${UNIT},A1,${token},${address}\n`, 'csv', 'unitId'),
      await named(`id,serial,status,verifyUrl\n${UNIT},A1,active,${address}\n`, 'csv', 'unitId'),
      await named(`id,at,productUnitId\n${SCAN},2026-11-20T09:30:00Z,${UNIT}\n`, 'csv', 'unitId'),
      await named(`${JSON.stringify({ id: SCAN, productUnitId: UNIT })}\n`, 'ndjson', 'unitId'),
      await named(`unitId,serial,token,address\n${UNIT},A1,${token},${address}\n`, 'csv', 'code'),
      await named(`id,serial,verifyUrl\n${UNIT},A1,${address}\n`, 'csv', 'code'),
      await named(`token,code\n${token},${address}\n`, 'csv', 'code'),
    ]).to.deep.equal([[UNIT], [UNIT], [UNIT], [UNIT], [token], [address], [address]]);
  });

  it('tells a line whose quotation marks are not right from one without the column', async () => {
    const told: [number, string | undefined][] = [];
    const bytes = async function* () {
      yield Buffer.from('lot,serial\nL1,"A1\nL1,"A2"x\nL1\nL1,\nL1,"A""3"\n');
    };
    for await (const { line, key, problem } of uploadLines(bytes(), 'csv', 'serial', KEYS))
      told.push([line, problem?.code ?? key ?? undefined]);
    expect(told).to.deep.equal([
      [2, 'WRONG_FORMAT'],
      [3, 'WRONG_FORMAT'],
      [4, 'REQUIRED'],
      [5, 'REQUIRED'],
      [6, 'A"3'],
    ]);
  });

  it('takes what stands beside the units, however the list is cut', async () => {
    const note = 'x'.repeat(9_000);
    const serials = Array.from({ length: 20 }, (_, i) => `A${i}`);
    const expected = serials.map((serial, i): [number, string] => [i + 2, serial]);
    await same(`serial,note\n${serials.map((serial) => `${serial},${note}\n`).join('')}`, 'csv', expected);
  });

  it('refuses a list with a longer line, wherever that is and however the list is cut', async () => {
    const long = 'x'.repeat(10_001);
    for (const list of [`serial\nA1\n${long}\nA2\n`, `serial\nA1\n${long}`, `serial,${long}\nA1\n`])
      for (const size of SIZES) {
        const error = await read(list, 'csv', size).catch((thrown: unknown) => thrown);
        expect(error, `pieces of ${size}`).to.be.instanceOf(UploadError);
        expect((error as UploadError).message).to.equal('a line is longer than 10000 characters');
      }
    // Whatever is before it is told first, and what ends a line is none of it.
    for (const size of SIZES) {
      const error = await read(`lot\n${long}\n`, 'csv', size).catch((thrown: unknown) => thrown);
      expect((error as UploadError).message).to.equal('the first line must name a column "serial"');
      const longest = `A1,${'x'.repeat(9_997)}`;
      expect(await read(`serial,note\r\n${longest}\r\n`, 'csv', size)).to.deep.equal([[2, 'A1']]);
    }
  });
});
