import { expect } from 'chai';
import fc from 'fast-check';
import { byteaArray, plainArray, textArray, timeArray } from '../../shared/array-literals.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

describe('array literals', () => {
  let database: TestDatabase;
  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database.drop());

  const read = async <T>(type: string, literal: string): Promise<T[]> => {
    const { rows } = await database.pool.query<{ value: T }>(
      `select value from unnest($1::${type}[]) with ordinality as t (value, position) order by position`,
      [literal],
    );
    return rows.map(({ value }) => value);
  };

  it('bring any text to Postgres as it is, and a list of texts back', async () => {
    // All but NUL, which no text of Postgres holds.
    const text = fc.string({ unit: 'binary' }).map((value) => value.replaceAll('\0', ''));
    const lists = fc.array(fc.option(text));
    await fc.assert(
      fc.asyncProperty(lists, async (values) => {
        expect(await read('text', textArray(values))).to.deep.equal(values);
        const { rows } = await database.pool.query('select $1::text[] as list', [textArray(values)]);
        expect(rows[0].list).to.deep.equal(values);
      }),
      { numRuns: 60 },
    );
    for (const values of [['NULL', 'null', ''], ['{}', '{', '}'], ['a,b', ' a '], ['\\', '"', '\\"'], []])
      expect(await read('text', textArray(values)), String(values)).to.deep.equal(values);
    const { rows } = await database.pool.query(
      `select '{DE,AT}'::text[] as flat, '{{a,b},{c,d}}'::text[] as nested`,
    );
    expect(rows[0]).to.deep.equal({
      flat: ['DE', 'AT'],
      nested: [
        ['a', 'b'],
        ['c', 'd'],
      ],
    });
  });

  it('bring numbers, times, ids and bytes', async () => {
    const id = '01234567-89ab-7cde-8f01-23456789abcd';
    const at = new Date('2026-11-20T10:11:12.345Z');
    const bytes = Buffer.from([0, 92, 34, 255]);
    expect(await read('float8', plainArray([1.5, null, -0.25, 1e-9]))).to.deep.equal([
      1.5,
      null,
      -0.25,
      1e-9,
    ]);
    expect(await read('uuid', plainArray([id]))).to.deep.equal([id]);
    expect(await read('timestamptz', timeArray([at]))).to.deep.equal([at]);
    expect(await read('bytea', byteaArray([bytes, bytes]))).to.deep.equal([bytes, bytes]);
    expect(await read('int4', plainArray([]))).to.deep.equal([]);
  });
});
