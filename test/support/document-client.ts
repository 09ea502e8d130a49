/** Sends requests by operation id, and holds request and response against the OpenAPI document. */
import { expect } from 'chai';
import { checkOf, checkOfText, DOCUMENTED, resolve, type DocumentedOperation } from './openapi-document.ts';

export interface Call {
  ids?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  /** Of the body; application/json unless given. */
  type?: string;
  headers?: Record<string, string>;
  /** The credential: an API key, or an access token. */
  as?: string;
  /** The success that is expected; the first documented one unless given. */
  status?: number;
}

export interface Answer {
  operation: DocumentedOperation;
  status: number;
  headers: Headers;
  mediaType: string;
  body: any;
  bytes: Buffer;
}

/** On every response, or of the connection: no operation's own. */
const GENERAL = new Set(
  `access-control-allow-headers access-control-allow-methods access-control-allow-origin access-control-expose-headers
   accept-ranges cache-control connection content-encoding content-language content-length content-security-policy
   content-type cross-origin-opener-policy cross-origin-resource-policy date keep-alive origin-agent-cluster
   permissions-policy referrer-policy strict-transport-security transfer-encoding vary x-accel-buffering
   x-content-type-options x-dns-prefetch-control x-download-options x-frame-options
   x-permitted-cross-domain-policies x-robots-tag x-xss-protection`.split(/\s+/),
);

export const operationOf = (operationId: string): DocumentedOperation => {
  const found = DOCUMENTED.find((operation) => operation.operationId === operationId);
  if (found === undefined) throw new Error(`no operation ${operationId} is documented`);
  return found;
};

/** What of a response does not fit the document. */
export function problemsOf(answer: Answer): string[] {
  const { operation, status, headers, mediaType, body } = answer;
  const documented = operation.responses[String(status)];
  if (documented === undefined) return [`status ${status} is not documented`];
  const response = resolve(documented);
  const problems: string[] = [];
  const names = Object.entries(response.headers ?? {});
  for (const [name, header] of names) {
    const { required, schema } = resolve(header);
    const value = headers.get(name);
    if (value === null && required === true) problems.push(`header ${name} is missing`);
    if (value !== null) problems.push(...checkOfText(schema!)(value).map((one) => `header ${name}: ${one}`));
  }
  const known = new Set(names.map(([name]) => name.toLowerCase()));
  for (const name of headers.keys())
    if (!GENERAL.has(name) && !known.has(name)) problems.push(`header ${name} is not documented`);
  const content = response.content ?? {};
  if (answer.bytes.length === 0) return problems;
  const media = content[mediaType];
  if (media === undefined) return [...problems, `media type "${mediaType}" is not documented`];
  problems.push(...checkOf(media.schema)(body).map((one) => `body${one}`));
  // An example of each error that the operation may answer with this status.
  if (mediaType === 'application/problem+json' && media.examples?.[body.code] === undefined)
    problems.push(`error ${body.code} is not documented`);
  if (mediaType === 'application/problem+json' && body.status !== status)
    problems.push(`status ${body.status} in the body of a ${status}`);
  return problems;
}

function requestProblems(operation: DocumentedOperation, call: Call, type: string): string[] {
  const given = { path: call.ids ?? {}, query: call.query ?? {}, header: call.headers ?? {} };
  const problems = (operation.parameters ?? []).flatMap((parameter) => {
    const value = given[parameter.in][parameter.name];
    if (value !== undefined)
      return checkOfText(parameter.schema)(value).map((one) => `${parameter.name}: ${one}`);
    return parameter.required === true ? [`${parameter.name} is missing`] : [];
  });
  const known = new Set((operation.parameters ?? []).map(({ name }) => name));
  for (const name of [...Object.keys(given.path), ...Object.keys(given.query)])
    if (!known.has(name)) problems.push(`parameter ${name} is not documented`);
  if (call.body === undefined)
    return operation.requestBody?.required === true ? [...problems, 'a body is needed'] : problems;
  const media = operation.requestBody?.content[type];
  if (media === undefined) return [...problems, `media type ${type} is not documented`];
  if (call.body instanceof FormData) return problems;
  const check = type === 'application/json' ? checkOf : checkOfText;
  return [...problems, ...check(media.schema)(call.body).map((one) => `body${one}`)];
}

function encode(body: unknown, type: string): { body?: any; headers: Record<string, string> } {
  if (body === undefined) return { headers: {} };
  if (body instanceof FormData) return { body, headers: {} };
  if (type === 'application/x-www-form-urlencoded')
    return {
      body: new URLSearchParams(body as Record<string, string>).toString(),
      headers: { 'content-type': type },
    };
  return { body: typeof body === 'string' ? body : JSON.stringify(body), headers: { 'content-type': type } };
}

/** @param path with everything filled in */
export async function sendRequest(
  origin: string,
  operation: DocumentedOperation,
  path: string,
  init: { headers: Record<string, string>; body?: any },
): Promise<Answer> {
  const response = await fetch(origin + path, {
    method: operation.method.toUpperCase(),
    redirect: 'manual',
    ...init,
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const mediaType = (response.headers.get('content-type') ?? '').split(';')[0]!;
  const isJson = /[/+]json$/.test(mediaType);
  const body: unknown = isJson ? JSON.parse(bytes.toString()) : bytes.toString('latin1');
  return { operation, status: response.status, headers: response.headers, mediaType, body, bytes };
}

export const fillPath = (operation: DocumentedOperation, ids: Record<string, string>): string =>
  operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name]!));

export interface DocumentClient {
  /** Operations that were called, each with the first request and its answer by media type and status. */
  calls: { operation: DocumentedOperation; call: Call; type: string; answer: Answer }[];
  /** Where a request or an answer did not fit the document. */
  problems: string[];
  /** @throws AssertionError where the answer is no success */
  call(operationId: string, call?: Call): Promise<Answer>;
}

export function createDocumentClient(origin: () => string): DocumentClient {
  const calls: DocumentClient['calls'] = [];
  const problems: string[] = [];
  return {
    calls,
    problems,
    async call(operationId, call = {}) {
      const operation = operationOf(operationId);
      const type = call.type ?? (call.body instanceof FormData ? 'multipart/form-data' : 'application/json');
      problems.push(
        ...requestProblems(operation, call, type).map((one) => `request of ${operationId}: ${one}`),
      );
      const query = new URLSearchParams(call.query).toString();
      const { body, headers } = encode(call.body, type);
      const answer = await sendRequest(
        origin(),
        operation,
        `${fillPath(operation, call.ids ?? {})}${query ? `?${query}` : ''}`,
        {
          ...(body === undefined ? {} : { body }),
          headers: {
            ...headers,
            ...(call.as === undefined ? {} : { Authorization: `Bearer ${call.as}` }),
            ...call.headers,
          },
        },
      );
      const expected = call.status ?? Number(Object.keys(operation.responses).sort()[0]);
      const shown = `${operationId}: ${answer.status} ${answer.bytes.toString('latin1').slice(0, 500)}`;
      expect(answer.status, shown).to.equal(expected);
      problems.push(
        ...problemsOf(answer).map((one) => `response of ${operationId} (${answer.status}): ${one}`),
      );
      calls.push({ operation, call, type, answer });
      return answer;
    },
  };
}
