/** Turns operations into Express routes. */
import type { Request, RequestHandler, Response, Router } from 'express';
import { z } from 'zod';
import { AppError } from '../shared/errors.ts';
import { refusal } from '../shared/field-errors.ts';
import { withTransaction } from '../shared/db.ts';
import { requireId } from '../shared/ids.ts';
import { runIdempotently, type IdempotentResponse } from '../shared/idempotency/service.ts';
import type { Actor } from '../shared/actor.ts';
import type { ApiDeps } from './deps.ts';
import { createAuditTrail, type AuditTrail } from './audit-trail.ts';
import { authorize, originOf, type Authenticate } from './middleware/authenticate.ts';
import { jsonBody, vetJson } from './middleware/json-body.ts';
import { offerErrorPage, offersErrorPage } from './middleware/problem.ts';
import type { Operation, OperationContext, Reply, Access } from './operation.ts';
import { requireOperator } from './ops/operator.ts';
import { parseInput } from './parse-input.ts';

type AnyContext = OperationContext<Access, string, unknown, unknown>;

const toExpressPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

/** A loose query is a printed link's, of which no parameter is an error: it ignores what it does not name, and the rest is not vetted. */
function ownParameters({ query: schema }: Operation, query: Request['query']): Request['query'] {
  if (!(schema instanceof z.ZodObject) || !(schema.def.catchall instanceof z.ZodUnknown)) {
    vetJson(query, 'query');
    return query;
  }
  return Object.fromEntries(Object.entries(query).filter(([name]) => Object.hasOwn(schema.shape, name)));
}

function parseQuery(operation: Operation, req: Request): unknown {
  const query = ownParameters(operation, req.query);
  if (operation.query !== undefined) return parseInput(operation.query, query, 'query');
  const [unexpected] = Object.keys(query);
  if (unexpected === undefined) return undefined;
  throw new AppError('VALIDATION_FAILED', {
    detail: 'this operation takes no query parameters',
    errors: [{ path: `query.${unexpected}`, ...refusal('UNKNOWN_FIELD', 'is not a known parameter') }],
  });
}

function parseBody(operation: Operation, req: Request): unknown {
  if (operation.readBody === 'handler') return undefined;
  // Here, and not where it was read: what is refused from here on is discarded.
  if (operation.readBody !== undefined) vetJson(req.body);
  if (operation.body !== undefined) return parseInput(operation.body, req.body, '');
  const body: unknown = req.body;
  const empty =
    body === undefined || (typeof body === 'object' && body !== null && Object.keys(body).length === 0);
  if (!empty)
    throw new AppError('VALIDATION_FAILED', {
      detail: 'this operation takes no body',
      errors: [{ path: '', ...refusal('BODY_NOT_EMPTY', 'must be empty') }],
    });
  return undefined;
}

function send(res: Response, reply: Reply): void {
  // These answers have no ETag: for `*` Express would leave out what may have cost a scan, with a 304.
  delete res.req.headers['if-none-match'];
  for (const [name, value] of Object.entries(reply.headers ?? {})) res.setHeader(name, value);
  res.status(reply.status);
  if (reply.body === undefined) res.end();
  else if (typeof reply.body === 'string') res.send(reply.body);
  // As the type says: Express would add a charset, which not every type of JSON has.
  else if (reply.headers?.['Content-Type'] !== undefined) res.end(JSON.stringify(reply.body));
  else res.json(reply.body);
}

const asReply = (reply: Reply | null): IdempotentResponse => {
  if (reply === null) throw new Error('an operation that streams cannot be in a transaction');
  return { status: reply.status, headers: reply.headers ?? {}, body: reply.body };
};

/** Everything but a GET runs in one transaction: the effect, its events, its audit entry and the stored response commit together. */
async function runUnsafe(
  deps: ApiDeps,
  operation: Operation,
  base: Omit<AnyContext, 'db' | 'afterCommit' | 'prepared'>,
  audit: AuditTrail,
): Promise<Reply> {
  const { req, actor } = base;
  const [preparation] = await Promise.allSettled([operation.prepare?.({ ...base, db: deps.db })]);
  return withTransaction(deps.db, async (uow) => {
    const context = { ...base, ...uow, prepared: undefined };
    const handle = async () => {
      if (preparation.status === 'rejected') throw preparation.reason;
      return operation.handle({ ...context, prepared: preparation.value });
    };
    const effect = async () => asReply(await audit(operation, context, handle));
    const key = req.get('idempotency-key');
    if (operation.idempotent !== true || key === undefined || actor === null) return effect();
    const { replayed, ...response } = await runIdempotently(
      deps,
      uow.db,
      { orgId: actor.orgId, key, method: req.method, path: req.originalUrl, body: req.body as unknown },
      effect,
    );
    return replayed
      ? { ...response, headers: { ...response.headers, 'Idempotent-Replayed': 'true' } }
      : response;
  });
}

async function run(
  deps: ApiDeps,
  operation: Operation,
  actor: Actor | null,
  req: Request,
  res: Response,
  { audit, stillMay }: { audit: AuditTrail; stillMay: AnyContext['stillMay'] },
): Promise<void> {
  const ids = Object.fromEntries(
    Object.entries(operation.ids ?? {}).map(([name, prefix]) => [
      name,
      requireId(prefix, String(req.params[name])),
    ]),
  );
  const base = {
    deps,
    actor: actor as Actor,
    origin: originOf(req, res),
    ids,
    query: parseQuery(operation, req),
    body: parseBody(operation, req),
    req,
    res,
    stillMay,
  };
  const reply =
    operation.method === 'get' || operation.ownTransaction === true
      ? await operation.handle({ ...base, db: deps.db, afterCommit: refuseAfterCommit, prepared: undefined })
      : await runUnsafe(deps, operation, base, audit);
  if (reply !== null) send(res, reply);
}

const refuseAfterCommit = (): never => {
  throw new Error('this operation is given no transaction to wait for');
};

function bodyReader({ method, readBody }: Operation, deps: ApiDeps): RequestHandler {
  // The body of a GET means nothing (RFC 9110, 9.3.1): it is neither read nor a mistake.
  if (method === 'get' || readBody === 'handler') return (_req, _res, next) => next();
  if (readBody === undefined) return jsonBody;
  return async (req, _res, next) => {
    req.body = await readBody(req, deps);
    next();
  };
}

/** Mounts operations, and a 405 with `Allow` for every other method of a known path. */
export function mountOperations(
  app: Router,
  deps: ApiDeps,
  operations: readonly Operation[],
  authenticate: Authenticate,
): void {
  const audit = createAuditTrail(operations);
  // `/product-units/bulk` is no unit with a strange id: a pattern leaves alone what has a path of its own.
  const literal = new Set(operations.map(({ path }) => path).filter((path) => !path.includes('{')));
  const isOther = (path: string, req: Request) => path.includes(':') && literal.has(req.path);
  const methods = new Map<string, { names: string[]; isOpen: boolean }>();
  for (const operation of operations) {
    const path = toExpressPath(operation.path);
    const known = methods.get(path) ?? { names: [], isOpen: false };
    known.names.push(operation.method);
    known.isOpen ||= operation.access.kind === 'public';
    methods.set(path, known);
    // The credential comes before the body: a stranger's megabytes are not read.
    const check = async (req: Request, res: Response, options: { counts?: boolean } = {}) => {
      const { access } = operation;
      if (access.kind === 'public') return;
      if (access.kind === 'operator') requireOperator(deps.config, req);
      else authorize(await authenticate(req, res, options), access);
    };
    app[operation.method](
      path,
      async (req, res, next) => {
        if (isOther(path, req)) {
          next('route');
          return;
        }
        // Only where the path's general page has found that a page is asked for.
        if (operation.errorPage !== undefined && offersErrorPage(res)) {
          const { params } = req;
          offerErrorPage(res, async (error) => {
            // An error leaves the router, which takes its parameters back.
            req.params = params;
            return operation.errorPage!(deps, req, error);
          });
        }
        await check(req, res);
        res.locals.isBodyUnderWay = operation.method !== 'get' && !req.complete;
        next();
      },
      bodyReader(operation, deps),
      async (req, res) => {
        try {
          // A body may take half a minute and an upload longer: who was disabled meanwhile, or whose key was revoked, changes nothing.
          const stillMay = () => check(req, res, { counts: false });
          if (res.locals.isBodyUnderWay === true && operation.readBody !== 'handler') await stillMay();
          const actor = (res.locals.actor as Actor | undefined) ?? null;
          await run(deps, operation, actor, req, res, { audit, stillMay });
        } finally {
          // No answer waits for it, least of all where Postgres or the storage is away.
          void operation.discardBody?.(deps, req.body);
        }
      },
    );
  }
  for (const [path, known] of methods) {
    const allow = [...known.names, ...(known.names.includes('get') ? ['head'] : []), 'options']
      .map((method) => method.toUpperCase())
      .join(', ');
    app.all(path, async (req, res, next) => {
      if (isOther(path, req)) {
        next();
        return;
      }
      if (path.startsWith('/api/') && !known.isOpen) await authenticate(req, res);
      if (req.method === 'OPTIONS') {
        res.setHeader('Allow', allow);
        res.status(204).end();
        return;
      }
      throw new AppError('METHOD_NOT_ALLOWED', {
        detail: `${req.method} is not supported here`,
        headers: { Allow: allow },
      });
    });
  }
}
