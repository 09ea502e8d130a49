/** The OpenAPI 3.1 document, written from the same declarations that mount and validate. */
import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { PERMISSIONS, ROLE_TABLE, ROLES } from '../../shared/access/roles.ts';
import { SCOPES } from '../../shared/api-keys/scopes.ts';
import { ERROR_CATALOGUE, type ErrorCode } from '../../shared/errors.ts';
import { eventTypeDocuments } from '../../shared/events/catalogue.ts';
import { VERSION } from '../../shared/version.ts';
import { OPERATIONS } from '../operations.ts';
import type { Access, Operation } from '../operation.ts';

const problemSchema = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    status: z.number().int(),
    detail: z.string(),
    code: z.enum(Object.keys(ERROR_CATALOGUE) as [ErrorCode, ...ErrorCode[]]),
    requestId: z.string(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: 'Problem', description: 'RFC 9457' });

/** The errors that an operation may answer: its own, and those of everything of its kind. */
export function errorCodesOf(operation: Operation): ErrorCode[] {
  const codes = new Set<ErrorCode>(['UNAVAILABLE', 'INTERNAL', ...(operation.errors ?? [])]);
  if (operation.access.kind === 'scope')
    for (const code of ['UNAUTHENTICATED', 'INSUFFICIENT_SCOPE', 'VALIDATION_FAILED'] as const)
      codes.add(code);
  if (operation.access.kind === 'session')
    for (const code of ['UNAUTHENTICATED', 'FORBIDDEN', 'VALIDATION_FAILED'] as const) codes.add(code);
  if (operation.access.kind !== 'public') codes.add('RATE_LIMITED');
  if (operation.path.includes('{id}')) codes.add('NOT_FOUND');
  if (operation.body !== undefined) {
    for (const code of [
      'MALFORMED_JSON',
      'UNSUPPORTED_MEDIA_TYPE',
      'PAYLOAD_TOO_LARGE',
      'VALIDATION_FAILED',
    ] as const)
      codes.add(code);
  }
  if (operation.idempotent === true)
    for (const code of ['CONFLICT', 'IDEMPOTENCY_KEY_REUSED'] as const) codes.add(code);
  return [...codes];
}

function errorResponses(operation: Operation): ZodOpenApiResponsesObject {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorCodesOf(operation)) {
    const { status } = ERROR_CATALOGUE[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: codes.map((code) => `\`${code}\`: ${ERROR_CATALOGUE[code].title}`).join('. '),
        content: { 'application/problem+json': { schema: problemSchema } },
      },
    ]),
  );
}

function successResponses(operation: Operation): ZodOpenApiResponsesObject {
  return Object.fromEntries(
    Object.entries(operation.responses).map(([status, { description, schema, mediaType, headers }]) => [
      status,
      {
        description,
        ...(schema ? { content: { [mediaType ?? 'application/json']: { schema } } } : {}),
        ...(headers
          ? {
              headers: Object.fromEntries(
                Object.entries(headers).map(([name, header]) => [
                  name,
                  { ...header, schema: { type: 'string' as const } },
                ]),
              ),
            }
          : {}),
      },
    ]),
  );
}

const idempotencyHeader = z.object({
  'Idempotency-Key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({ description: 'Kept 24 hours: the same key and body gives the first response again' }),
});

/** OpenAPI 3.1 allows scopes, or roles, in the list of any scheme. */
function securityOf(access: Access): Record<string, string[]>[] {
  if (access.kind === 'public') return [];
  if (access.kind === 'session') return [{ session: [access.permission] }];
  const scopes = [...access.anyOf];
  return [{ apiKey: scopes }, { bearer: scopes }, { session: scopes }];
}

/** A body that the handler streams is text of no known shape. */
function requestBody({ accepts = ['application/json'], body, readBody }: Operation) {
  const schema = readBody === 'handler' ? { type: 'string' as const } : body;
  if (schema === undefined) return {};
  return { requestBody: { content: Object.fromEntries(accepts.map((type) => [type, { schema }])) } };
}

function documentOperation(operation: Operation): ZodOpenApiOperationObject {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
  const path = z.object(
    Object.fromEntries(
      names.map((name) => {
        const prefix = operation.ids?.[name];
        return [
          name,
          prefix ? z.string().meta({ description: `An id of the form \`${prefix}_…\`` }) : z.string(),
        ];
      }),
    ),
  );
  const { access } = operation;
  return {
    operationId: operation.operationId,
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.description ? { description: operation.description } : {}),
    security: securityOf(access),
    requestParams: {
      ...(names.length > 0 ? { path } : {}),
      ...(operation.query ? { query: operation.query as z.ZodObject } : {}),
      ...(operation.idempotent === true ? { header: idempotencyHeader } : {}),
    },
    ...requestBody(operation),
    responses: { ...errorResponses(operation), ...successResponses(operation) },
  };
}

const scopeList = Object.entries(SCOPES)
  .map(([scope, sentence]) => `- \`${scope}\`: ${sentence}`)
  .join('\n');

const roleList = ROLES.map((role) => {
  const { sentence, scopes, permissions } = ROLE_TABLE[role];
  return `- ${role}: ${sentence} ${[...scopes, ...permissions].map((name) => `\`${name}\``).join(', ')}`;
}).join('\n');

const permissionList = Object.entries(PERMISSIONS)
  .map(([permission, sentence]) => `- \`${permission}\`: ${sentence}`)
  .join('\n');

/** @param publicUrl where callers reach the API. */
export function openApiDocument(publicUrl: string): Record<string, unknown> {
  const paths: ZodOpenApiPathsObject = {};
  for (const operation of OPERATIONS) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: documentOperation(operation) };
  }
  const document = createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Touchstone',
      version: VERSION,
      description: `Product authentication: mint a code for each unit, verify it anywhere, score every scan, deliver signed webhooks.\n\nScopes of API keys:\n\n${scopeList}\n\nWhat only signed-in people can do:\n\n${permissionList}`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl }],
    tags: [...new Set(OPERATIONS.map((operation) => operation.tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: 'An API key, `ak_live_…`' },
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key as a bearer token; the two forms are equivalent',
        },
        session: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: `Access token of a signed-in person, from \`/api/v1/auth/sign-in\`. What each role grants:\n\n${roleList}`,
        },
      },
    },
  });
  return { ...document, webhooks: webhookDocuments() };
}

/** One entry for each event type, from the catalogue. */
function webhookDocuments(): Record<string, unknown> {
  return Object.fromEntries(
    eventTypeDocuments().map(({ type, description, dataSchema, example }) => {
      const { $schema: _, ...data } = dataSchema;
      const envelope = {
        type: 'object',
        required: ['id', 'type', 'createdAt', 'data'],
        properties: {
          id: { type: 'string', description: 'Identical across retries' },
          type: { type: 'string', const: type },
          createdAt: { type: 'string', format: 'date-time' },
          data,
        },
      };
      const post = {
        summary: description,
        requestBody: { content: { 'application/json': { schema: envelope, example } } },
        responses: { '2XX': { description: 'Acknowledges the delivery' } },
      };
      return [type, { post }];
    }),
  );
}
