/** fast-check arbitraries from JSON Schemas: values that fit, and values that were spoilt in one place. */
import fc from 'fast-check';
import type { JsonSchema } from './openapi-document.ts';
import { resolve } from './openapi-document.ts';

/** Ids that exist, by prefix. */
export type ExistingIds = Readonly<Record<string, string>>;

const MOST_ITEMS = 3;
const MOST_TEXT = 60;
/** Ids have no pattern of their own in the document; their description tells the prefix. */
const ID = /`(\w+)_…`/;

const iso = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());

function textOf(schema: JsonSchema, ids: ExistingIds): fc.Arbitrary<unknown> {
  const prefix = ID.exec(String(schema['description'] ?? ''))?.[1];
  const known = prefix === undefined ? undefined : ids[prefix];
  if (known !== undefined)
    return fc.constantFrom(known, known.slice(0, -1) + (known.endsWith('0') ? '1' : '0'));
  if (schema['format'] === 'date-time') return iso;
  if (schema['format'] === 'date') return iso.map((text) => text.slice(0, 10));
  if (schema['format'] === 'email') return fc.emailAddress();
  if (schema['format'] === 'uri') return fc.webUrl();
  if (typeof schema['pattern'] === 'string') return fc.stringMatching(new RegExp(schema['pattern']));
  const minLength = (schema['minLength'] as number | undefined) ?? 0;
  const maxLength = Math.max(
    minLength,
    Math.min((schema['maxLength'] as number | undefined) ?? MOST_TEXT, MOST_TEXT),
  );
  return fc.string({ minLength, maxLength });
}

function numberOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  const min = (schema['minimum'] ?? schema['exclusiveMinimum'] ?? -1000) as number;
  const max = (schema['maximum'] ?? schema['exclusiveMaximum'] ?? Math.max(1000, min + 1000)) as number;
  if (schema.type === 'integer') return fc.integer({ min: Math.ceil(min), max: Math.floor(max) });
  return fc.double({
    min,
    max,
    noNaN: true,
    minExcluded: schema['exclusiveMinimum'] !== undefined,
    maxExcluded: schema['exclusiveMaximum'] !== undefined,
  });
}

function objectOf(schema: JsonSchema, ids: ExistingIds): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);
  const required = (schema['required'] ?? []) as string[];
  const known = fc.record(
    Object.fromEntries(properties.map(([name, property]) => [name, valid(property, ids)])),
    { requiredKeys: required.filter((name) => properties.some(([known]) => known === name)) },
  );
  const rest = schema['additionalProperties'] as JsonSchema | boolean | undefined;
  if (typeof rest !== 'object') return known;
  const names = valid((schema['propertyNames'] as JsonSchema | undefined) ?? { type: 'string' }, ids);
  const further = fc.dictionary(names as fc.Arbitrary<string>, valid(rest, ids), { maxKeys: MOST_ITEMS });
  return fc.tuple(known, further).map(([own, more]) => ({ ...more, ...own }));
}

/** Values that fit the schema. */
export function valid(given: JsonSchema, ids: ExistingIds): fc.Arbitrary<unknown> {
  const schema = resolve(given);
  if ('const' in schema) return fc.constant(schema['const']);
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]));
  const alternatives = (schema['anyOf'] ?? schema['oneOf']) as JsonSchema[] | undefined;
  if (alternatives !== undefined) return fc.oneof(...alternatives.map((one) => valid(one, ids)));
  if (Array.isArray(schema.type))
    return fc.oneof(...schema.type.map((type) => valid({ ...schema, type }, ids)));
  switch (schema.type) {
    case 'string':
      return textOf(schema, ids);
    case 'integer':
    case 'number':
      return numberOf(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(valid((schema['items'] ?? {}) as JsonSchema, ids), {
        minLength: (schema['minItems'] as number | undefined) ?? 0,
        maxLength: Math.max((schema['minItems'] as number | undefined) ?? 0, MOST_ITEMS),
      });
    case 'object':
      return objectOf(schema, ids);
    case undefined:
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

/** What has broken programs before. */
const NASTY: readonly unknown[] = [
  null,
  true,
  '',
  ' ',
  '\u0000',
  '\ud800',
  'x'.repeat(6000),
  '__proto__',
  "'; drop table products; --",
  -1,
  0,
  1.5,
  1e308,
  Number.MAX_SAFE_INTEGER,
  [],
  [[]],
  {},
  { $ne: null },
  { toString: 'x' },
];

export const nasty = fc.constantFrom(...NASTY);

/** Values of the schema with one thing wrong; a few may fit all the same, which the caller checks. */
export function spoilt(schema: JsonSchema, ids: ExistingIds): fc.Arbitrary<unknown> {
  const base = valid(schema, ids);
  const inside = fc
    .tuple(base, fc.nat(), nasty, fc.constantFrom('replace', 'remove', 'add'))
    .map(([value, index, evil, how]): unknown => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return evil;
      const names = Object.keys(value);
      const name = names[index % Math.max(1, names.length)];
      if (how === 'add' || name === undefined) return { ...value, [`extra${index % 10}`]: evil };
      if (how === 'remove') return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
      return { ...value, [name]: evil };
    });
  return fc.oneof({ weight: 4, arbitrary: inside }, { weight: 1, arbitrary: nasty });
}
