/** Finishes the JSON Schemas of the document: the plainest form, a description for every property, and for every value of an enumeration. */
import { ENUM_DESCRIPTIONS } from './enum-descriptions.ts';
import { FIELD_DESCRIPTIONS } from './field-descriptions.ts';
import { joinNull } from './plain.ts';

export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  minimum?: number;
  maximum?: number;
  [keyword: string]: unknown;
}

const alternatives = (schema: Schema): Schema[] => [
  ...(schema.anyOf ?? []),
  ...(schema.oneOf ?? []),
  ...(schema.allOf ?? []),
];

/** The enumeration that a value, or each value of a list, is taken from. */
function enumOf(schema: Schema): unknown[] | undefined {
  if (schema.enum !== undefined) return schema.enum;
  for (const inner of [...alternatives(schema), ...(schema.items ? [schema.items] : [])]) {
    const found = enumOf(inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What the public is told of a thing (`PublicX`) means what it means to its owner. */
const lookUp = <Entry>(table: Readonly<Record<string, Entry>>, owner: string, name: string) =>
  table[`${owner}.${name}`] ?? table[`${owner.replace(/^Public/, '')}.${name}`] ?? table[name];

function explainValues(name: string, values: readonly unknown[]): string {
  const named = values.filter((value) => value !== null).map(String);
  if (named.length < 2) return '';
  const candidates = Object.entries(ENUM_DESCRIPTIONS).filter(
    ([key]) => key === name || key.endsWith(`.${name}`),
  );
  const meanings = candidates
    .map(([, entry]) => entry)
    .find((entry) => named.every((value) => value in entry));
  if (meanings === undefined) return '';
  return named.map((value) => `\n- \`${value}\`: ${meanings[value]}`).join('');
}

/** @param owner the component, or the operation's request or response, that the property is of */
export function describeProperty(owner: string, name: string, schema: Schema): void {
  const said = schema.description ?? alternatives(schema).find((inner) => inner.description)?.description;
  const text = said ?? lookUp(FIELD_DESCRIPTIONS, owner, name);
  const values = schema.$ref === undefined ? enumOf(schema) : undefined;
  const list = values === undefined ? '' : explainValues(name, values);
  if (text !== undefined && schema.$ref === undefined) schema.description = list ? `${text}:\n${list}` : text;
  else if (text !== undefined) schema.description ??= text;
}

function forgetNoise(schema: Schema): void {
  // The format says it already, in one word instead of three hundred characters.
  if (schema['format'] === 'date-time' || schema['format'] === 'date') delete schema['pattern'];
  // The limits of every number in JavaScript tell nobody anything.
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

/** Everything within a schema, depth first. */
export function describeSchema(owner: string, schema: Schema): void {
  joinNull(schema);
  forgetNoise(schema);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    describeSchema(owner, property);
    describeProperty(owner, name, property);
  }
  for (const inner of alternatives(schema)) describeSchema(owner, inner);
  if (schema.items !== undefined) describeSchema(owner, schema.items);
  if (typeof schema.additionalProperties === 'object') describeSchema(owner, schema.additionalProperties);
}
