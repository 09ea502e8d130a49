/** Schemas in the forms that programs which write clients understand: the same values, said in the plainest way. */
import type { Schema } from './describe.ts';

const isNull = (schema: Schema): boolean => schema.type === 'null' && Object.keys(schema).length === 1;

/** What may also be null says so in its `type`, unless it is a component: `anyOf` with null is a union of two to most generators. */
export function joinNull(schema: Schema): void {
  const { anyOf } = schema;
  if (anyOf === undefined || anyOf.length !== 2) return;
  const [value, other] = anyOf as [Schema, Schema];
  if (!isNull(other) || typeof value.type !== 'string') return;
  delete schema.anyOf;
  const { const: constant, ...rest } = value;
  Object.assign(schema, { ...rest, ...schema, type: [value.type, 'null'] });
  const values = constant === undefined ? value.enum : [constant];
  if (values !== undefined) schema.enum = [...values, null];
}

/** Adds every object below a node of the document, also of what it refers to; examples are none. */
function collect(given: unknown, schemas: Readonly<Record<string, Schema>>, found: Set<Schema>): Set<Schema> {
  const node = given as Schema | null;
  if (typeof node !== 'object' || node === null || found.has(node)) return found;
  found.add(node);
  const [, name] = /^#\/components\/schemas\/(.+)$/.exec(node.$ref ?? '') ?? [];
  if (name !== undefined) return collect(schemas[name], schemas, found);
  for (const [key, child] of Object.entries(node))
    if (key !== 'example' && key !== 'examples') collect(child, schemas, found);
  return found;
}

/**
 * What is answered, or sent to receivers, may have more fields tomorrow: a client that was written from today's document must not
 * refuse them. What is asked stays as it is, where a field that nobody knows is a mistake.
 *
 * @param asked parameters and bodies of requests; @param told responses, and events
 */
export function openAnswers(
  schemas: Readonly<Record<string, Schema>>,
  asked: readonly unknown[],
  told: readonly unknown[],
): void {
  const closed = collect(asked, schemas, new Set());
  for (const schema of collect(told, schemas, new Set()))
    if (!closed.has(schema) && schema.additionalProperties === false) delete schema.additionalProperties;
}
