import { eventTypeDocuments, type EventTypeDocument } from '../../shared/events/catalogue.ts';

interface JsonSchema {
  type?: string | string[];
  description?: string;
  enum?: string[];
  pattern?: string;
  format?: string;
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
}

/** The "Events" chapter of `docs/webhooks.md`, as the catalogue has it. */
export function renderEventReference(): string {
  const documents = eventTypeDocuments();
  const overview = documents.map(
    ({ type, version, description }) => `| [\`${type}\`](#${anchorOf(type)}) | ${version} | ${description} |`,
  );
  return [
    '| Type | Version | Fires when |',
    '|---|---|---|',
    ...overview,
    '',
    ...documents.map(renderType),
  ].join('\n');
}

const anchorOf = (type: string) => type.replaceAll('.', '');

function renderType({ type, description, dataSchema, example }: EventTypeDocument): string {
  const { properties = {} } = dataSchema as JsonSchema;
  return [
    `### \`${type}\``,
    '',
    description,
    '',
    '| `data.` | Type | |',
    '|---|---|---|',
    ...Object.entries(properties).flatMap(([name, schema]) => renderField(name, schema)),
    '',
    '```json',
    JSON.stringify(example, null, 2),
    '```',
    '',
  ].join('\n');
}

function renderField(name: string, schema: JsonSchema): string[] {
  const description = schema.description ?? schema.anyOf?.find((one) => one.description)?.description ?? '';
  const inner = [schema, ...(schema.anyOf ?? [])].flatMap((one) => [
    ...nested(name, one),
    ...nested(`${name}[]`, one.items ?? {}),
  ]);
  return [`| \`${name}\` | ${typeOf(schema)} | ${description} |`, ...inner];
}

function nested(prefix: string, schema: JsonSchema): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, one]) =>
    renderField(`${prefix}.${name}`, one),
  );
}

function typeOf(schema: JsonSchema): string {
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' or ');
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(', ');
  if (schema.items) return `list of ${typeOf(schema.items)}`;
  const prefix = /^\^([a-z]+_)\[0-7\]/.exec(schema.pattern ?? '')?.[1];
  if (prefix) return `\`${prefix}…\``;
  if (schema.format === 'date-time') return 'time';
  return Array.isArray(schema.type) ? schema.type.join(' or ') : (schema.type ?? 'any');
}
