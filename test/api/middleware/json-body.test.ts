import { expect } from 'chai';
import { vetJson } from '../../../api/middleware/json-body.ts';
import type { AppError } from '../../../shared/errors.ts';

describe('what JSON may hold', () => {
  const refusalOf = (text: string) => {
    try {
      vetJson(JSON.parse(text));
      return null;
    } catch (error) {
      const { path, code } = (error as AppError).options.errors![0]!;
      return { path, code };
    }
  };
  const nested = (levels: number) => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);

  it('is text that Postgres can store, in keys as in values', () => {
    expect(refusalOf('{"a":{"b":"x\\u0000"}}')).to.deep.equal({ path: 'a.b', code: 'NUL_CHARACTER' });
    expect(refusalOf('{"a":{"x\\u0000":1}}')).to.deep.equal({ path: 'a', code: 'NUL_CHARACTER' });
    expect(refusalOf('{"a":["\\ud800"]}')).to.deep.equal({ path: 'a.0', code: 'LONE_SURROGATE' });
    expect(refusalOf('{"a":{"\\udc00":1}}')).to.deep.equal({ path: 'a', code: 'LONE_SURROGATE' });
    expect(refusalOf('{"a":{"\\ud83e\\uded2":"\\ud83e\\uded2"}}')).to.equal(null);
  });

  it('is no prototype, however deep', () => {
    expect(refusalOf('{"a":[{"__proto__":{}}]}')).to.deep.equal({ path: 'a.0', code: 'FORBIDDEN_KEY' });
  });

  it('is 32 levels deep at the most', () => {
    expect(refusalOf(nested(32))).to.equal(null);
    expect(refusalOf(nested(33))).to.deep.equal({ path: 'a.a.a', code: 'TOO_DEEP' });
    expect(refusalOf(nested(20_000))).to.deep.equal({ path: 'a.a.a', code: 'TOO_DEEP' });
  });
});
