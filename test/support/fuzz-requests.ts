/** Requests to a documented operation: such as the document allows, and such as it does not. */
import fc from 'fast-check';
import { OPERATOR } from './api.ts';
import type { StoryEnd } from './api-story.ts';
import { fillPath } from './document-client.ts';
import {
  checkOf,
  checkOfText,
  type DocumentedOperation,
  type DocumentedParameter,
} from './openapi-document.ts';
import { nasty, spoilt, valid } from './schema-arbitrary.ts';

export interface FuzzedRequest {
  path: string;
  headers: Record<string, string>;
  body?: string;
  /** Whether the document forbids it. */
  isInvalid: boolean;
}

/** Whose success would end what the other requests need: their ids are unknown ones. */
const ENDINGS = new Set([
  'revokeApiKey',
  'rotateApiKey',
  'endSession',
  'removeUser',
  'updateUser',
  'signOutEverywhere',
  'leaveOrganization',
]);

const BAD_IDS = [
  'x',
  '%00',
  '%F0%9F%98%80',
  "'%20or%201=1--",
  'constructor',
  '-1',
  `prod_${'0'.repeat(400)}`,
];
const BAD_JSON = ['{', '{}{}', 'nul', '[1,]', '"\\ud800"', '{"__proto__": {"a": 1}}', '['.repeat(500)];

const prefixOf = ({ schema, ...rest }: DocumentedParameter): string | undefined =>
  /`(\w+)_…`/.exec(
    String((rest as { description?: string }).description ?? schema['description'] ?? ''),
  )?.[1];

function pathIds(operation: DocumentedOperation, end: StoryEnd): Record<string, string> {
  const other: Record<string, string> = {
    token: operation.path.startsWith('/c/') ? end.linkToken : end.code,
    gtin: '09506000134352',
    serial: end.serial,
    lot: 'L2025-11',
    variant: 'A',
  };
  return Object.fromEntries(
    (operation.parameters ?? [])
      .filter((parameter) => parameter.in === 'path')
      .map((parameter) => {
        const prefix = prefixOf(parameter);
        if (prefix === undefined) return [parameter.name, other[parameter.name] ?? 'x'];
        const known = end.ids[prefix] ?? `${prefix}_01h455vb4pex5vsknk084sn02q`;
        return [
          parameter.name,
          ENDINGS.has(operation.operationId) ? `${prefix}_01h455vb4pex5vsknk084sn02q` : known,
        ];
      }),
  );
}

function credentialOf({ security }: DocumentedOperation, end: StoryEnd): Record<string, string> {
  if (security.length === 0) return {};
  if (security.some((one) => 'operator' in one)) return { authorization: OPERATOR };
  return security.some((one) => 'apiKey' in one)
    ? { 'x-api-key': end.key }
    : { authorization: `Bearer ${end.token}` };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const queryText = (query: Record<string, unknown>): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  if (given.length === 0) return '';
  return `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, textOf(value).toWellFormed()])).toString()}`;
};

const queryParameters = (operation: DocumentedOperation) =>
  (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');

function validQuery(operation: DocumentedOperation, end: StoryEnd): fc.Arbitrary<Record<string, unknown>> {
  const parameters = queryParameters(operation);
  return fc.record(
    Object.fromEntries(
      parameters.map(({ name, schema, ...rest }) => [name, valid({ ...rest, ...schema }, end.ids)]),
    ),
    { requiredKeys: parameters.filter(({ required }) => required).map(({ name }) => name) },
  );
}

/** Media type of bodies: JSON where it is taken. */
function mediaTypeOf({ requestBody }: DocumentedOperation): string | undefined {
  const types = Object.keys(requestBody?.content ?? {});
  return types.includes('application/json') ? 'application/json' : types[0];
}

const takesRaw = (operation: DocumentedOperation, type: string): boolean =>
  operation.requestBody!.content[type]!.schema.type === 'string';

export function validRequest(operation: DocumentedOperation, end: StoryEnd): fc.Arbitrary<FuzzedRequest> {
  const type = mediaTypeOf(operation);
  const isLast = operation.operationId === 'signOutEverywhere';
  const body =
    type === undefined
      ? fc.constant(undefined)
      : valid(operation.requestBody!.content[type]!.schema, end.ids);
  return fc.tuple(validQuery(operation, end), body).map(([query, value]) => ({
    path: fillPath(operation, pathIds(operation, end)) + queryText(isLast ? { not: 'yet' } : query),
    headers: { ...credentialOf(operation, end), ...(type === undefined ? {} : { 'content-type': type }) },
    ...(value === undefined
      ? {}
      : { body: takesRaw(operation, type!) ? textOf(value) : JSON.stringify(value) }),
    isInvalid: false,
  }));
}

type Spoiler = fc.Arbitrary<(request: FuzzedRequest) => FuzzedRequest>;

/** One way of spoiling a request, each. */
function spoilers(operation: DocumentedOperation, end: StoryEnd): Spoiler[] {
  const ways: Spoiler[] = [];
  const type = mediaTypeOf(operation);
  const isUnsafe = operation.method !== 'get';
  const withBody = (request: FuzzedRequest, body: string, isInvalid: boolean): FuzzedRequest => ({
    ...request,
    headers: { ...request.headers, 'content-type': 'application/json' },
    body,
    isInvalid,
  });
  const takesBody = type !== undefined;
  if (takesBody && !takesRaw(operation, type)) {
    const { schema } = operation.requestBody!.content[type]!;
    const check = checkOf(schema);
    ways.push(
      spoilt(schema, end.ids).map(
        (value) => (request) => withBody(request, JSON.stringify(value), check(value).length > 0),
      ),
      fc.constantFrom(...BAD_JSON).map((text) => (request) => withBody(request, text, true)),
      fc
        .constantFrom('text/xml', 'application/x-www-form-urlencoded;charset=utf-7', 'x')
        .map((odd) => (request) => ({
          ...request,
          headers: { ...request.headers, 'content-type': odd },
          body: '<a/>',
          isInvalid: true,
        })),
    );
  } else if (isUnsafe && !takesBody) {
    ways.push(nasty.map((value) => (request) => withBody(request, JSON.stringify({ extra: value }), true)));
  }
  const ids = Object.entries(pathIds(operation, end));
  const [name] = ids.find(([, value]) => value.includes('_')) ?? [];
  if (name !== undefined)
    ways.push(
      fc.constantFrom(...BAD_IDS).map((bad) => (request) => ({
        ...request,
        path: operation.path.replaceAll(/\{(\w+)\}/g, (_, part: string) =>
          part === name ? bad : encodeURIComponent(Object.fromEntries(ids)[part]!),
        ),
        isInvalid: true,
      })),
    );
  for (const { name: parameter, schema } of queryParameters(operation)) {
    const check = checkOfText(schema);
    ways.push(
      nasty.map((value) => (request) => {
        const text = textOf(value);
        return {
          ...request,
          path: request.path.split('?')[0]! + queryText({ [parameter]: value }),
          isInvalid: check(text.toWellFormed()).length > 0,
        };
      }),
    );
  }
  if (operation.security.length > 0) {
    ways.push(
      fc.constantFrom('', 'x', 'ak_live_x', 'a.b.c', '%00').map((bad) => (request) => {
        const { authorization: _a, 'x-api-key': _k, ...headers } = request.headers;
        return {
          ...request,
          headers: { ...headers, ...(bad === '' ? {} : { 'x-api-key': bad }) },
          isInvalid: true,
        };
      }),
      fc.constant((request) => ({
        ...request,
        path: `${request.path.split('?')[0]}?noSuchParameter=1`,
        isInvalid: true,
      })),
    );
  }
  if ((operation.parameters ?? []).some(({ name: header }) => header === 'Idempotency-Key'))
    ways.push(
      fc.constant((request) => ({
        ...request,
        headers: { ...request.headers, 'idempotency-key': 'k'.repeat(256) },
        isInvalid: true,
      })),
    );
  return ways;
}

/** @returns null where nothing about the operation can be spoilt. */
export function spoiltRequest(
  operation: DocumentedOperation,
  end: StoryEnd,
): fc.Arbitrary<FuzzedRequest> | null {
  const ways = spoilers(operation, end);
  if (ways.length === 0) return null;
  return fc.tuple(validRequest(operation, end), fc.oneof(...ways)).map(([request, spoil]) => spoil(request));
}
