import { expect } from 'chai';
import { z } from 'zod';
import '../../api/validation-messages.ts';

const said = (schema: z.ZodType, value: unknown): string | undefined =>
  schema.safeParse(value).error?.issues[0]?.message;

describe('validation messages', () => {
  const cases: [string, z.ZodType, unknown, string][] = [
    ['what is left out', z.string(), undefined, 'is required'],
    ['a choice that is left out', z.enum(['a', 'b']), undefined, 'is required'],
    ['an empty text', z.string().min(1), '', 'must not be empty'],
    ['a number that is text', z.number(), '1', 'must be a number'],
    ['a query’s number that is none', z.coerce.number(), 'abc', 'must be a number'],
    ['half a number', z.number().int(), 1.5, 'must be a whole number'],
    ['a small number', z.number().min(1), 0, 'must be at least 1'],
    ['a number that must be above', z.number().gt(0), 0, 'must be more than 0'],
    ['a large number', z.number().max(604_800), 604_801, 'must be at most 604800'],
    ['a number that must be below', z.number().lt(5), 5, 'must be less than 5'],
    ['a short text', z.string().min(3), 'ab', 'must have at least 3 characters'],
    ['a long text', z.string().max(2), 'abc', 'must have at most 2 characters'],
    ['a long text of one', z.string().max(1), 'abc', 'must have at most 1 character'],
    ['an empty list', z.array(z.string()).min(1), [], 'must have at least 1 entry'],
    ['a long list', z.array(z.string()).max(2), ['a', 'b', 'c'], 'must have at most 2 entries'],
    ['text for a list', z.array(z.string()), 'a', 'must be a list'],
    ['a list for an object', z.strictObject({}), [], 'must be an object'],
    ['a number for text', z.string(), 1, 'must be text'],
    ['text for a switch', z.boolean(), 'true', 'must be true or false'],
    ['an unknown choice', z.enum(['png', 'svg']), 'gif', 'must be one of png, svg'],
    ['another than the one', z.literal('*'), 'x', 'must be *'],
    ['a message of the schema’s own', z.string().regex(/^a$/, { error: 'must be a' }), 'b', 'must be a'],
  ];
  for (const [name, schema, value, message] of cases) {
    it(`are for people: ${name}`, () => {
      expect(said(schema, value)).to.equal(message);
    });
  }
});
