/** What the document needs beyond what the schemas say: named bodies, descriptions, examples. */
import { COMPONENT_DESCRIPTIONS } from './component-descriptions.ts';
import { describeProperty, describeSchema, type Schema } from './describe.ts';
import { exampleOf } from './examples.ts';
import { openAnswers } from './plain.ts';

interface MediaType {
  schema?: Schema;
  example?: unknown;
  examples?: unknown;
}

interface Parameter {
  name: string;
  description?: string;
  schema: Schema;
}

interface DocumentedOperation {
  operationId: string;
  summary: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, MediaType> };
  responses: Record<string, { $ref?: string; content?: Record<string, MediaType> }>;
}

const capitalized = (name: string): string => name[0]!.toUpperCase() + name.slice(1);

/** A body that has no name of its own gets that of its operation; several media types share it. */
function nameSchemas(
  schemas: Record<string, Schema>,
  content: Record<string, MediaType>,
  name: string,
  summary: string,
): void {
  for (const media of Object.values(content)) {
    const { schema } = media;
    if (schema === undefined || schema.$ref !== undefined || schema.type === 'string') continue;
    if (
      Object.keys(schema.properties ?? {}).length === 0 &&
      schema.anyOf === undefined &&
      schema.oneOf === undefined
    )
      continue;
    schemas[name] ??= { description: summary, ...schema };
    media.schema = { $ref: `#/components/schemas/${name}` };
  }
}

/** Makes a component of what is sent, as programs that write clients make types of these alone. @returns its name */
function nameEvent(schemas: Record<string, Schema>, { summary, requestBody }: DocumentedOperation): string[] {
  return Object.values(requestBody!.content).map((media) => {
    const { title, ...schema } = media.schema as Schema & { title: string };
    schemas[title] = { description: summary, ...schema };
    media.schema = { $ref: `#/components/schemas/${title}` };
    return title;
  });
}

function describeParameter(operationId: string, parameter: Parameter): void {
  const owner = capitalized(operationId);
  describeSchema(owner, parameter.schema);
  if (parameter.description !== undefined) parameter.schema.description ??= parameter.description;
  describeProperty(owner, parameter.name, parameter.schema);
  if (parameter.schema.description !== undefined) parameter.description = parameter.schema.description;
  delete parameter.schema.description;
}

function addExamples({ operationId, requestBody, responses }: DocumentedOperation): void {
  const add = (content: Record<string, MediaType> | undefined, part: string) => {
    for (const [type, media] of Object.entries(content ?? {})) {
      const example = exampleOf(operationId, part, type);
      if (example !== undefined && media.examples === undefined) media.example = example;
    }
  };
  add(requestBody?.content, 'request');
  for (const [status, { content }] of Object.entries(responses)) add(content, status);
}

const own = (content: Record<string, MediaType> | undefined) =>
  Object.fromEntries(Object.entries(content ?? {}).filter(([type]) => type !== 'application/problem+json'));

/** @param document as the schemas give it; changed in place, where nobody else holds it. */
export function finish(document: Record<string, unknown>): Record<string, unknown> {
  const copy = structuredClone(document);
  const { schemas } = copy['components'] as { schemas: Record<string, Schema> };
  const paths = copy['paths'] as Record<string, Record<string, DocumentedOperation>>;
  const events = Object.values(copy['webhooks'] as Record<string, { post: DocumentedOperation }>);
  const eventNames = new Set(events.flatMap(({ post }) => nameEvent(schemas, post)));
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  for (const operation of operations) {
    const name = capitalized(operation.operationId);
    for (const parameter of operation.parameters ?? []) describeParameter(operation.operationId, parameter);
    if (operation.requestBody)
      nameSchemas(schemas, operation.requestBody.content, `${name}Body`, operation.summary);
    for (const [status, { content }] of Object.entries(operation.responses))
      if (status.startsWith('2')) nameSchemas(schemas, own(content), `${name}Result`, operation.summary);
    addExamples(operation);
  }
  for (const [name, schema] of Object.entries(schemas)) {
    const known = COMPONENT_DESCRIPTIONS[name];
    if (known !== undefined) schema.description ??= known;
    describeSchema(eventNames.has(name) ? 'Event' : name, schema);
  }
  openAnswers(
    schemas,
    operations.map(({ parameters, requestBody }) => [parameters, requestBody]),
    [operations.map(({ responses }) => responses), events.map(({ post }) => post.requestBody)],
  );
  return copy;
}
