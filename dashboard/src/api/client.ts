/**
 * The one way to the service: typed by path from the OpenAPI document, signed in, and with errors that are `ApiError`.
 *
 *   const page = await api.get('/api/v1/products', { query: { limit: 20 }, signal });
 *   const product = await api.post('/api/v1/products', { body: { name, sku } });
 */
import { session } from '../auth/session.ts';
import { ApiError, errorOf, parseJson, reach } from './errors.ts';
import { IDEMPOTENT, type Paths } from './types.gen.ts';

export type Method = 'get' | 'post' | 'patch' | 'put' | 'delete';

/** The paths that have an operation of this method. */
export type PathsWith<M extends Method> = {
  [P in keyof Paths]: M extends keyof Paths[P] ? P : never;
}[keyof Paths];

type OperationOf<P extends keyof Paths, M extends Method> = M extends keyof Paths[P] ? Paths[P][M] : never;

export type ResponseOf<P extends keyof Paths, M extends Method = 'get'> =
  OperationOf<P, M> extends { response: infer R } ? R : never;

export type QueryOf<P extends keyof Paths> =
  OperationOf<P, 'get'> extends { query: infer Q } ? Q : Record<never, never>;

export type BodyOf<P extends keyof Paths, M extends Method = 'post'> =
  OperationOf<P, M> extends { body: infer B } ? B : never;

type Part<Operation, Name extends string> =
  Operation extends Record<Name, infer Value>
    ? Record<never, never> extends Value
      ? { [K in Name]?: Value }
      : { [K in Name]: Value }
    : Record<never, never>;

interface CommonOptions {
  signal?: AbortSignal;
  /** Kept over repeats of one intention; a POST that creates gets a new one where it is left out. */
  idempotencyKey?: string;
}

export type Options<P extends keyof Paths, M extends Method> = CommonOptions &
  Part<OperationOf<P, M>, 'path'> &
  Part<OperationOf<P, M>, 'query'> &
  Part<OperationOf<P, M>, 'body'>;

/** The options may be left out where nothing in them is required. */
export type Arguments<P extends keyof Paths, M extends Method> =
  Record<never, never> extends Options<P, M> ? [options?: Options<P, M>] : [options: Options<P, M>];

export interface LooseOptions extends CommonOptions {
  path?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/** @returns the address of an operation, with its parameters filled in; empty filters are left out. */
function addressOf(template: string, { path = {}, query = {} }: LooseOptions): string {
  const address = template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(path[name] ?? ''),
  );
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null || value === '') continue;
    for (const one of Array.isArray(value) ? value : [value]) parameters.append(name, String(one));
  }
  const text = parameters.toString();
  return text === '' ? address : `${address}?${text}`;
}

async function attempt(
  token: string | null,
  method: Method,
  template: string,
  options: LooseOptions,
): Promise<Response> {
  const headers = new Headers({ Accept: 'application/json' });
  if (token !== null) headers.set('Authorization', `Bearer ${token}`);
  if (method === 'post' && IDEMPOTENT.has(template))
    headers.set('Idempotency-Key', options.idempotencyKey ?? crypto.randomUUID());
  const { body } = options;
  const isJson = body !== undefined && !(body instanceof Blob || body instanceof FormData);
  if (isJson) headers.set('Content-Type', 'application/json');
  return reach(addressOf(template, options), {
    method: method.toUpperCase(),
    headers,
    ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : body }),
    ...(options.signal ? { signal: options.signal } : {}),
  });
}

const unauthenticated = (message: string): ApiError =>
  new ApiError({ status: 401, code: 'UNAUTHENTICATED', message });

/** Sends a request. A token that the service does not take any more is renewed once. @throws ApiError */
export async function send(method: Method, template: string, options: LooseOptions = {}): Promise<Response> {
  // The same key for both attempts.
  const settled = { ...options, idempotencyKey: options.idempotencyKey ?? crypto.randomUUID() };
  // A screen that is kept until somebody signs in again goes on asking: nobody is told anything before.
  if (method === 'get' && session.hasEnded()) throw unauthenticated('the session has ended');
  const who = session.userId();
  const tokenOfWho = async () => {
    const token = await session.token();
    // In another tab, while this waited: what one person asked for is never done as another.
    if (token !== null && session.userId() !== who) throw unauthenticated('somebody else has signed in');
    return token;
  };
  const token = await tokenOfWho();
  let response = await attempt(token, method, template, settled);
  if (response.status === 401 && session.isSignedIn() && (await session.renew(token)))
    response = await attempt(await tokenOfWho(), method, template, settled);
  if (!response.ok) throw await errorOf(response);
  return response;
}

/** What is read is never nothing; a change may be answered with that. */
async function parse(method: Method, response: Response): Promise<unknown> {
  const text = await response.text();
  return text === '' && method !== 'get' ? undefined : parseJson(text, response);
}

type Call<M extends Method> = <P extends PathsWith<M>>(
  template: P,
  ...options: Arguments<P, M>
) => Promise<ResponseOf<P, M>>;

const call = <M extends Method>(method: M): Call<M> => {
  const run = async (template: string, options?: LooseOptions): Promise<unknown> =>
    parse(method, await send(method, template, options));
  return run as unknown as Call<M>;
};

/** Addresses of removals that nobody knows the end of: what is not there when they are repeated, they have removed. */
const unanswered = new Set<string>();

async function remove(template: string, options: LooseOptions = {}): Promise<unknown> {
  const address = addressOf(template, options);
  try {
    return await parse('delete', await send('delete', template, options));
  } catch (error) {
    const code = error instanceof ApiError ? error.code : null;
    if (code === 'NETWORK' || code === 'UNAVAILABLE') unanswered.add(address);
    else if (code === 'NOT_FOUND' && unanswered.delete(address)) return undefined;
    throw error;
  }
}

export const api = {
  get: call('get'),
  post: call('post'),
  patch: call('patch'),
  put: call('put'),
  delete: remove as unknown as Call<'delete'>,
  /** For what is no JSON: images, CSV. */
  async blob(template: PathsWith<'get'>, options: LooseOptions = {}): Promise<Blob> {
    return (await send('get', template, options)).blob();
  },
};
