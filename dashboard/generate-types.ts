/**
 * The types of the API for the dashboard, written from the OpenAPI document, which is itself written from the schemas that
 * validate: nothing about the API is typed twice. `npm run dashboard:types` renews `src/api/types.gen.ts`.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { openApiDocument } from '../api/reference/openapi.ts';

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
}

interface Content {
  content?: Record<string, { schema: Schema }>;
}

interface DocumentedOperation {
  parameters?: { in: string; name: string; required?: boolean; schema: Schema }[];
  requestBody?: Content;
  responses: Record<string, Content>;
}

const key = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));
const union = (members: readonly string[]): string => [...new Set(members)].join(' | ');

/** @returns the TypeScript type of a JSON schema. */
function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return `Schemas[${JSON.stringify(schema.$ref.split('/').at(-1))}]`;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return union(schema.enum.map((value) => JSON.stringify(value)));
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) return `(${union(alternatives.map(typeOf))})`;
  if (schema.allOf !== undefined) return `(${schema.allOf.map(typeOf).join(' & ')})`;
  if (Array.isArray(schema.type)) return `(${union(schema.type.map((type) => typeOf({ ...schema, type })))})`;
  switch (schema.type ?? '') {
    case 'string':
      return 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'null':
      return 'null';
    case 'array':
      return `Array<${typeOf(schema.items ?? {})}>`;
    case 'object':
      return objectType(schema);
    default:
      return 'unknown';
  }
}

function objectType({ properties = {}, required = [], additionalProperties }: Schema): string {
  const members = Object.entries(properties).map(
    ([name, schema]) => `${key(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema)};`,
  );
  if (members.length > 0) return `{ ${members.join(' ')} }`;
  return typeof additionalProperties === 'object'
    ? `Record<string, ${typeOf(additionalProperties)}>`
    : 'Record<string, unknown>';
}

/** The type of what a content holds as JSON; null where it holds nothing, text for any other media type. */
function contentType({ content }: Content): string | null {
  if (content === undefined) return null;
  const json = content['application/json'];
  return json === undefined ? 'string' : typeOf(json.schema);
}

function operationType(operation: DocumentedOperation): string {
  const parts: string[] = [];
  for (const place of ['path', 'query']) {
    const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in === place);
    const members = parameters.map(
      ({ name, required, schema }) => `${key(name)}${required === true ? '' : '?'}: ${typeOf(schema)};`,
    );
    if (members.length > 0) parts.push(`${place}: { ${members.join(' ')} };`);
  }
  const body = operation.requestBody === undefined ? null : contentType(operation.requestBody);
  if (body !== null) parts.push(`body: ${body};`);
  const successes = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
  const types = successes.map(([, response]) => contentType(response) ?? 'undefined');
  parts.push(`response: ${types.length === 0 ? 'undefined' : union(types)};`);
  return `{ ${parts.join(' ')} }`;
}

/** @returns the whole file. */
export function dashboardTypes(): string {
  const document = openApiDocument('http://localhost') as {
    components: { schemas: Record<string, Schema> };
    paths: Record<string, Record<string, DocumentedOperation>>;
  };
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) => `  ${key(name)}: ${typeOf(schema)};`,
  );
  const idempotent: string[] = [];
  const paths = Object.entries(document.paths).map(([name, methods]) => {
    const operations = Object.entries(methods).map(([method, operation]) => {
      if (operation.parameters?.some((parameter) => parameter.name === 'Idempotency-Key'))
        idempotent.push(name);
      return `    ${method}: ${operationType(operation)};`;
    });
    return `  ${JSON.stringify(name)}: {\n${operations.join('\n')}\n  };`;
  });
  return `/* Written by \`npm run dashboard:types\` from the OpenAPI document. */

export interface Schemas {
${schemas.join('\n')}
}

export interface Paths {
${paths.join('\n')}
}

/** Paths whose POST honours \`Idempotency-Key\`. */
export const IDEMPOTENT: ReadonlySet<string> = new Set(${JSON.stringify(idempotent, null, 2)});
`;
}

export const TYPES_FILE = path.join(import.meta.dirname, 'src', 'api', 'types.gen.ts');

if (process.argv[1] === import.meta.filename) writeFileSync(TYPES_FILE, dashboardTypes());
