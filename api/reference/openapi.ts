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
import { VERSION } from '../../shared/version.ts';
import { refusalFields } from '../fields.ts';
import { OPERATIONS } from '../operations.ts';
import type { Access, Operation, OperationResponse } from '../operation.ts';
import { codesByStatus, errorCodesOf, errorResponse, headersOfStatus, responseName } from './errors.ts';
import { finish } from './finish.ts';
import { TAG_DESCRIPTIONS } from './tags.ts';
import { webhookDocuments } from './webhooks.ts';

const problemSchema = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    status: z.number().int(),
    detail: z.string(),
    code: z.enum(Object.keys(ERROR_CATALOGUE) as [ErrorCode, ...ErrorCode[]]),
    requestId: z.string(),
    errors: z.array(z.object({ path: z.string(), ...refusalFields })).optional(),
  })
  .meta({ id: 'Problem', description: 'What every error is: RFC 9457. Branch on `code`.' });

const HEADERS = {
  RequestId: {
    description: 'Names the request in the log; taken over from the caller where it sends a well-formed one',
    required: true,
    schema: { type: 'string' as const },
  },
  RateLimit: {
    description: 'What is left of the limit, and seconds until it is whole again: `"api";r=599;t=60`',
    schema: { type: 'string' as const },
  },
  RateLimitPolicy: {
    description: 'The limit and its window in seconds: `"api";q=600;w=60`',
    schema: { type: 'string' as const },
  },
  ClearedCookie: {
    description: 'Clears the cookie of a session that has ended',
    schema: { type: 'string' as const },
  },
  RetryAfter: {
    description: 'Seconds to wait before the next try',
    required: true,
    schema: { type: 'string' as const, pattern: '^[0-9]+$' },
  },
  Location: {
    description: 'Path of what was made, or of the job to poll',
    required: true,
    schema: { type: 'string' as const },
  },
  IdempotentReplayed: {
    description: 'Present where the answer is that of an earlier request with the same `Idempotency-Key`',
    schema: { type: 'string' as const, const: 'true' },
  },
  WwwAuthenticate: {
    description: 'How to send a credential',
    required: true,
    schema: { type: 'string' as const },
  },
};

const header = (name: keyof typeof HEADERS) => ({ $ref: `#/components/headers/${name}` });

function headersOf(operation: Operation, status: number, response: OperationResponse) {
  const isMade = operation.access.kind !== 'public' && (status === 201 || status === 202);
  return {
    ...Object.fromEntries(
      Object.entries(response.headers ?? {}).map(([name, declared]) => [
        name,
        { ...declared, schema: { type: 'string' as const } },
      ]),
    ),
    ...headersOfStatus(status),
    ...(errorCodesOf(operation).includes('RATE_LIMITED')
      ? { RateLimit: header('RateLimit'), 'RateLimit-Policy': header('RateLimitPolicy') }
      : {}),
    ...(isMade ? { Location: header('Location') } : {}),
    ...(isMade && status === 202 ? { 'Retry-After': header('RetryAfter') } : {}),
    ...(operation.idempotent === true ? { 'Idempotent-Replayed': header('IdempotentReplayed') } : {}),
  };
}

function successResponse(operation: Operation, status: number, response: OperationResponse) {
  const { description, schema, mediaType = 'application/json', also = [] } = response;
  const content = {
    ...(schema ? { [mediaType]: { schema: isFile(mediaType) ? binary : schema } } : {}),
    ...Object.fromEntries(also.map((type) => [type, { schema: textOf(type) }])),
  };
  return {
    description,
    headers: headersOf(operation, status, response),
    ...(Object.keys(content).length > 0 ? { content } : {}),
  };
}

/** What a program keeps as it came; text would be decoded by most. */
const isFile = (mediaType: string): boolean => /^image\/|\/pdf$/.test(mediaType);
const binary = z.string().meta({ format: 'binary' });

function textOf(mediaType: string): z.ZodType {
  if (isFile(mediaType)) return binary;
  return mediaType.endsWith('json') ? z.looseObject({}) : z.string();
}

/** Errors are shared components; where an operation answers the same status in a way of its own as well, both stand there. */
function responsesOf(operation: Operation): ZodOpenApiResponsesObject {
  const responses: Record<string, object> = {};
  for (const [status, response] of Object.entries(operation.responses))
    responses[status] = successResponse(operation, Number(status), response);
  for (const [status, codes] of codesByStatus(errorCodesOf(operation))) {
    const own = responses[status] as ReturnType<typeof successResponse> | undefined;
    if (own === undefined) {
      responses[status] = { $ref: `#/components/responses/${responseName(codes)}` };
      continue;
    }
    const shared = errorResponse(codes);
    responses[status] = {
      description: `${own.description}. ${shared.description}`,
      headers: { ...own.headers, ...(status === 503 ? {} : shared.headers) },
      content: { ...own.content, ...shared.content },
    };
    // A page, or a readiness, is no promise to be back in some seconds.
    if (status === 503)
      delete (responses[status] as { headers: Record<string, object> }).headers['Retry-After'];
  }
  return responses as ZodOpenApiResponsesObject;
}

const idempotencyHeader = z.object({
  'Idempotency-Key': z.string().min(1).max(255).optional().meta({
    description:
      'Kept 24 hours: the same key and body, its fields in any order, gives the first response again',
  }),
});

/** OpenAPI 3.1 allows scopes, or roles, in the list of any scheme. */
function securityOf(access: Access): Record<string, string[]>[] {
  if (access.kind === 'public') return [];
  if (access.kind === 'operator') return [{ operator: [] }];
  if (access.kind === 'session') return [{ session: [access.permission] }];
  const scopes = [...access.anyOf];
  return [{ apiKey: scopes }, { bearer: scopes }, { session: scopes }];
}

const isListed = (accepts: NonNullable<Operation['accepts']>): accepts is readonly string[] =>
  Array.isArray(accepts);

function requestBodyOf(operation: Operation) {
  const { body, readBody, accepts = ['application/json'] } = operation;
  if (body === undefined && readBody === undefined) return {};
  const schemas = isListed(accepts)
    ? Object.fromEntries(accepts.map((type) => [type, body ?? z.string()]))
    : accepts;
  const content = Object.fromEntries(Object.entries(schemas).map(([type, schema]) => [type, { schema }]));
  return { requestBody: { required: body?.safeParse(undefined).success !== true, content } };
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
  return {
    operationId: operation.operationId,
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.description ? { description: operation.description } : {}),
    security: securityOf(operation.access),
    requestParams: {
      ...(names.length > 0 ? { path } : {}),
      ...(operation.query ? { query: operation.query as z.ZodObject } : {}),
      ...(operation.idempotent === true ? { header: idempotencyHeader } : {}),
    },
    ...requestBodyOf(operation),
    responses: responsesOf(operation),
  };
}

const list = (entries: [string, string][]) =>
  entries.map(([name, sentence]) => `- \`${name}\`: ${sentence}`).join('\n');

const roleList = ROLES.map((role) => {
  const { sentence, scopes, permissions } = ROLE_TABLE[role];
  return `- ${role}: ${sentence} ${[...scopes, ...permissions].map((name) => `\`${name}\``).join(', ')}`;
}).join('\n');

const DESCRIPTION = `Product authentication: mint a code for each unit, verify it anywhere, score every scan, deliver signed webhooks.

Errors are \`application/problem+json\` with a stable \`code\`; a browser that asks for a page below \`/v\`, \`/01\`, \`/c\` or \`/counterfeit-reports\` gets one, with the same status and headers. Lists give \`data\` and \`nextCursor\`. Times are ISO 8601 in UTC. Ids have a prefix that tells their kind.

Scopes of API keys:

${list(Object.entries(SCOPES))}

What only signed-in people can do:

${list(Object.entries(PERMISSIONS))}`;

function tagsOf() {
  const used = new Set(OPERATIONS.map(({ tag }) => tag));
  const known = Object.keys(TAG_DESCRIPTIONS).filter((name) => used.has(name));
  const others = [...used].filter((name) => !(name in TAG_DESCRIPTIONS));
  return [
    ...known.map((name) => ({ name, description: TAG_DESCRIPTIONS[name]! })),
    ...others.map((name) => ({ name })),
  ];
}

function errorComponents() {
  const sets = OPERATIONS.flatMap((operation) => [...codesByStatus(errorCodesOf(operation)).values()]);
  return Object.fromEntries(sets.map((codes) => [responseName(codes), errorResponse(codes)]));
}

/** @param publicUrl where callers reach the API; `/` for wherever the document is served. */
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
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl }],
    tags: tagsOf(),
    paths,
    components: {
      schemas: { Problem: problemSchema },
      headers: HEADERS,
      responses: errorComponents() as never,
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: 'An API key, `ak_live_…`' },
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key as a bearer token; the two forms are equivalent',
        },
        operator: {
          type: 'http',
          scheme: 'basic',
          description:
            '`OPERATOR_USER` and `OPERATOR_PASSWORD` of the installation, apart from every organization',
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
  return finish({ ...document, webhooks: webhookDocuments() });
}
