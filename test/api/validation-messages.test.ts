import { expect } from 'chai';
import { z } from 'zod';
import { refusal, ruled, type FieldErrorCode, type FieldErrorParams } from '../../shared/field-errors.ts';
import type { AppError } from '../../shared/errors.ts';
import { parseInput } from '../../api/parse-input.ts';

const allSaid = (schema: z.ZodType, value: unknown) => {
  try {
    return parseInput(schema, value);
  } catch (error) {
    return (error as AppError).options.errors;
  }
};
/** The first refusal. */
const said = (schema: z.ZodType, value: unknown) => {
  const all = allSaid(schema, value);
  return Array.isArray(all) ? all[0] : all;
};

const KIND = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('a') }),
  z.strictObject({ kind: z.literal('b') }),
]);

describe('validation messages', () => {
  const cases: [string, z.ZodType, unknown, string, FieldErrorCode, FieldErrorParams?][] = [
    ['what is left out', z.string(), undefined, 'is required', 'REQUIRED'],
    ['a choice that is left out', z.enum(['a', 'b']), undefined, 'is required', 'REQUIRED'],
    ['an empty text', z.string().min(1), '', 'must not be empty', 'EMPTY'],
    ['a number that is text', z.number(), '1', 'must be a number', 'NOT_A_NUMBER'],
    ['a query’s number that is none', z.coerce.number(), 'abc', 'must be a number', 'NOT_A_NUMBER'],
    ['half a number', z.number().int(), 1.5, 'must be a whole number', 'NOT_A_WHOLE_NUMBER'],
    ['a small number', z.number().min(1), 0, 'must be at least 1', 'TOO_SMALL', { minimum: 1 }],
    ['a number that must be above', z.number().gt(0), 0, 'must be more than 0', 'NOT_ABOVE', { limit: 0 }],
    [
      'a large number',
      z.number().max(604_800),
      604_801,
      'must be at most 604800',
      'TOO_LARGE',
      { maximum: 604_800 },
    ],
    ['a number that must be below', z.number().lt(5), 5, 'must be less than 5', 'NOT_BELOW', { limit: 5 }],
    ['a short text', z.string().min(3), 'ab', 'must have at least 3 characters', 'TOO_SHORT', { minimum: 3 }],
    ['a long text', z.string().max(2), 'abc', 'must have at most 2 characters', 'TOO_LONG', { maximum: 2 }],
    [
      'a long text of one',
      z.string().max(1),
      'abc',
      'must have at most 1 character',
      'TOO_LONG',
      { maximum: 1 },
    ],
    [
      'an empty list',
      z.array(z.string()).min(1),
      [],
      'must have at least 1 entry',
      'TOO_FEW',
      { minimum: 1 },
    ],
    [
      'a long list',
      z.array(z.string()).max(2),
      ['a', 'b', 'c'],
      'must have at most 2 entries',
      'TOO_MANY',
      { maximum: 2 },
    ],
    ['text for a list', z.array(z.string()), 'a', 'must be a list', 'WRONG_TYPE', { expected: 'array' }],
    [
      'a list for an object',
      z.strictObject({}),
      [],
      'must be an object',
      'WRONG_TYPE',
      { expected: 'object' },
    ],
    ['a number for text', z.string(), 1, 'must be text', 'WRONG_TYPE', { expected: 'string' }],
    [
      'text for a switch',
      z.boolean(),
      'true',
      'must be true or false',
      'WRONG_TYPE',
      { expected: 'boolean' },
    ],
    [
      'an unknown choice',
      z.enum(['png', 'svg']),
      'gif',
      'must be one of png, svg',
      'UNKNOWN_CHOICE',
      { choices: ['png', 'svg'] },
    ],
    ['another than the one', z.literal('*'), 'x', 'must be *', 'UNKNOWN_CHOICE', { choices: ['*'] }],
    ['a form', z.string().regex(/^a$/, { error: 'must be a' }), 'b', 'must be a', 'WRONG_FORMAT'],
    ['an e-mail address', z.email(), 'x', 'is not an e-mail address', 'NOT_AN_EMAIL_ADDRESS'],
    ['a day', z.iso.date(), '2026-02-30', 'is not a day of the calendar, YYYY-MM-DD', 'NOT_A_DAY'],
    [
      'an instant',
      z.iso.datetime(),
      '2026-11-20',
      'is not an instant with its offset, such as 2026-11-20T09:30:00Z',
      'NOT_A_TIME',
    ],
    [
      'a text beside an object',
      z.union([z.enum(['a', 'b']), z.strictObject({ c: z.string() })]),
      'A',
      'must be one of a, b',
      'UNKNOWN_CHOICE',
      { choices: ['a', 'b'] },
    ],
    ['a web address', z.url({ error: 'must be a URL' }), 'x', 'must be a URL', 'NOT_A_WEB_ADDRESS'],
    [
      'either address',
      z.union([z.email(), z.url()], { error: 'must be either' }),
      'x',
      'must be either',
      'NOT_AN_EMAIL_OR_WEB_ADDRESS',
    ],
    ['a kind that is left out', KIND, {}, 'is required', 'REQUIRED'],
    ['what has one of several forms', z.union([z.string(), KIND]), undefined, 'is required', 'REQUIRED'],
    [
      'an unknown kind',
      KIND,
      { kind: 'c' },
      'must be one of a, b',
      'UNKNOWN_CHOICE',
      { choices: ['a', 'b'] },
    ],
    ['neither of two', z.union([z.array(z.string()), z.boolean()]), 1, 'Invalid input', 'INVALID'],
    [
      'a key',
      z.record(z.string().max(1), z.string()),
      { ab: '' },
      'must have at most 1 character',
      'TOO_LONG',
      { maximum: 1 },
    ],
    ['an unknown field', z.strictObject({}), { a: 1 }, 'is not a known field', 'UNKNOWN_FIELD'],
    [
      'a rule of the schema’s own',
      z.string().refine(() => false, ruled(refusal('SERIAL_TAKEN', 'is there', { serial: 'A' }))),
      'b',
      'is there',
      'SERIAL_TAKEN',
      { serial: 'A' },
    ],
    ['a rule that gives no code', z.string().refine(() => false, 'is bad'), 'b', 'is bad', 'INVALID'],
  ];
  for (const [name, schema, value, message, code, params] of cases) {
    it(`are for people, with a code for programs: ${name}`, () => {
      expect(said(schema, value)).to.deep.include({ code, message, ...(params && { params }) });
    });
  }

  it('are a thousand at most', () => {
    const count = (schema: z.ZodType, value: unknown) => {
      try {
        parseInput(schema, value);
      } catch (error) {
        return (error as AppError).options.errors!.length;
      }
      return 0;
    };
    const many = Array.from({ length: 1001 }, (_, index) => index);
    expect(count(z.array(z.string()), many)).to.equal(1000);
    expect(count(z.strictObject({}), Object.fromEntries(many.map((each) => [`field${each}`, 1])))).to.equal(
      1000,
    );
  });

  describe('of an object that fits none of several forms', () => {
    const FORMS = z.union([
      z.strictObject({ name: z.string(), count: z.number().optional() }),
      z.strictObject({
        name: z.string().default(''),
        count: z.string().default(''),
        lang: z.string().optional(),
      }),
      z.array(z.string()),
    ]);
    const errorsOf = (value: unknown) => {
      try {
        parseInput(z.strictObject({ of: FORMS }), { of: value });
      } catch (error) {
        return (error as AppError).options.errors!.map(({ path, code }) => [path, code]);
      }
      return [];
    };

    for (const [name, value, errors] of [
      ['what it lacks', { count: 1 }, [['of.name', 'REQUIRED']]],
      [
        'what is wrong with it by the first of those it is as near to',
        { name: 'A', count: true },
        [['of.count', 'NOT_A_NUMBER']],
      ],
      [
        'what is wrong by the form whose fields it has',
        { lang: 'de', count: 1 },
        [['of.count', 'WRONG_TYPE']],
      ],
      ['the fields that none has', { name: 'A', orgId: 'x' }, [['of.orgId', 'UNKNOWN_FIELD']]],
      ['nothing but itself where it is no object', 5, [['of', 'INVALID']]],
    ] as const)
      it(`name ${name}`, () => {
        expect(errorsOf(value)).to.deep.equal(errors);
      });
  });

  it('tell one limit of a whole number beyond them all, its own, also in a list or a form of several', () => {
    const quantity = z.number().int().min(1).max(10);
    const schemas: [z.ZodType, (value: unknown) => unknown, string][] = [
      [z.strictObject({ quantity }), (value) => ({ quantity: value }), 'quantity'],
      [z.array(quantity), (value) => [value], '0'],
      [z.union([z.strictObject({ quantity }), z.string()]), (value) => ({ quantity: value }), 'quantity'],
      [
        z.strictObject({ quantity: z.coerce.number().int().max(10).min(1) }),
        (quantity) => ({ quantity }),
        'quantity',
      ],
    ];
    for (const [schema, holding, path] of schemas) {
      expect(allSaid(schema, holding(1e30))).to.deep.equal([
        { path, code: 'TOO_LARGE', message: 'must be at most 10', params: { maximum: 10 } },
      ]);
      expect(allSaid(schema, holding(-1e30))).to.deep.equal([
        { path, code: 'TOO_SMALL', message: 'must be at least 1', params: { minimum: 1 } },
      ]);
    }
    expect(allSaid(z.number().int(), 1e30)).to.have.length(1);
  });
});
