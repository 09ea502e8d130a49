/** The OpenAPI document as a test reads it: operations by id, and a validator for any schema in it. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { openApiDocument } from '../../api/reference/openapi.ts';

export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  [keyword: string]: any;
}

export interface DocumentedParameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: JsonSchema;
}

export interface DocumentedResponse {
  $ref?: string;
  headers?: Record<string, { $ref?: string; required?: boolean; schema?: JsonSchema }>;
  content?: Record<
    string,
    { schema: JsonSchema; example?: unknown; examples?: Record<string, { value: unknown }> }
  >;
}

export interface DocumentedOperation {
  method: string;
  path: string;
  operationId: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: DocumentedParameter[];
  requestBody?: {
    required?: boolean;
    content: Record<string, { schema: JsonSchema; example?: unknown }>;
  };
  responses: Record<string, DocumentedResponse>;
}

export type Document = Record<string, any>;

/** As a caller would get it: nothing but JSON. */
export const DOCUMENT = JSON.parse(JSON.stringify(openApiDocument('/'))) as Document;

export const DOCUMENTED: readonly DocumentedOperation[] = Object.entries(
  DOCUMENT['paths'] as Record<string, Record<string, Omit<DocumentedOperation, 'method' | 'path'>>>,
).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ method, path, ...operation })),
);

/** Follows references within the document. */
export function resolve<Node extends { $ref?: string }>(node: Node): Node {
  if (node.$ref === undefined) return node;
  const found = node.$ref
    .replace(/^#\//, '')
    .split('/')
    .reduce<any>((at, part) => at?.[part.replaceAll('~1', '/').replaceAll('~0', '~')], DOCUMENT);
  return resolve(found as Node);
}

export type SchemaCheck = (value: unknown) => string[];

/** As strict as the API is of itself today: what the document lets come tomorrow is a mistake now, as it is not described yet. */
function closed<Node>(node: Node): Node {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map(closed) as Node;
  const schema = Object.fromEntries(Object.entries(node).map(([key, child]) => [key, closed(child)]));
  const isObject = [schema['type']].flat().includes('object') && typeof schema['properties'] === 'object';
  return (isObject ? { additionalProperties: false, ...schema } : schema) as Node;
}

function makeCheck(coerce: boolean): (schema: JsonSchema) => SchemaCheck {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    // A query parameter is text; it counts as what its text says.
    coerceTypes: coerce ? 'array' : false,
    validateSchema: false,
  });
  addFormats.default(ajv);
  ajv.addFormat('binary', true);
  ajv.addSchema({ ...closed(DOCUMENT), $id: 'document' });
  const compiled = new Map<JsonSchema, ValidateFunction>();
  return (schema) => (value) => {
    let validate = compiled.get(schema);
    if (validate === undefined) {
      const local = JSON.parse(JSON.stringify(closed(schema)).replaceAll('"#/', '"document#/')) as JsonSchema;
      validate = ajv.compile({ type: 'object', properties: { value: local } });
      compiled.set(schema, validate);
    }
    if (validate({ value })) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };
}

/** What is wrong with a value by a schema of the document; nothing when it fits. */
export const checkOf = makeCheck(false);
/** The same for text, as in a query, a path, a header or a form. */
export const checkOfText = makeCheck(true);
