/**
 * An operation is declared once: path, credential, input, output and handler. The same declaration mounts the route,
 * checks the scope, validates the input, writes the OpenAPI document and feeds the scope × route tests.
 */
import type { Request, Response } from 'express';
import type { z } from 'zod';
import type { Permission } from '../shared/access/roles.ts';
import type { Actor, Origin, UserActor } from '../shared/actor.ts';
import type { Scope } from '../shared/api-keys/scopes.ts';
import type { Db, UnitOfWork } from '../shared/db.ts';
import type { AppError, ErrorCode } from '../shared/errors.ts';
import type { IdPrefix } from '../shared/ids.ts';
import type { ApiDeps } from './deps.ts';
import type { ErrorPage } from './middleware/problem.ts';

/**
 * Which credential an operation needs: a key with one of the scopes or a session whose role grants one of them; a session
 * whose role grants a permission; the operator's own, of no organization; or none. There is no default.
 */
export type Access =
  | { kind: 'scope'; anyOf: readonly [Scope, ...Scope[]] }
  | { kind: 'session'; permission: Permission }
  | { kind: 'operator' }
  | { kind: 'public' };

export const needs = (...anyOf: [Scope, ...Scope[]]) => ({ kind: 'scope', anyOf }) as const;
/** For signed-in people only: an API key is no credential here, whatever its scopes. */
export const session = (permission: Permission) => ({ kind: 'session', permission }) as const;
/** For whoever runs the installation: HTTP Basic, and nothing of an organization's. */
export const operator = { kind: 'operator' } as const;
export const isPublic = { kind: 'public' } as const;

export interface Reply {
  status: number;
  /** Becomes JSON, under a Content-Type of its own where the headers have one, unless it is text; undefined sends no body. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Where what was asked for was there already: the change that was made to it instead, as the audit log is to call it. */
  insteadOfNew?: string;
}

export interface OperationContext<A extends Access, Ids extends string, Query, Body, Prepared = unknown> {
  deps: ApiDeps;
  /** The caller; null for the public's and the operator's operations. */
  actor: A extends { kind: 'public' | 'operator' } ? null : A extends { kind: 'session' } ? UserActor : Actor;
  /** Where the request comes from, for the audit log. */
  origin: Origin;
  /** UUIDs behind the ids of the path. */
  ids: Record<Ids, string>;
  query: Query;
  body: Body;
  /** The pool for a GET or with `ownTransaction`; the request's transaction for everything else. */
  db: Db;
  afterCommit: UnitOfWork['afterCommit'];
  /** What `prepare` found. */
  prepared: Prepared;
  req: Request;
  /** For the few operations that stream; they return null instead of a Reply. */
  res: Response;
  /**
   * For a handler that reads the body itself, which may take minutes: looks again whether the caller may do this.
   * @throws AppError UNAUTHENTICATED, INSUFFICIENT_SCOPE, FORBIDDEN
   */
  stillMay(): Promise<void>;
}

export interface OperationResponse {
  description: string;
  schema?: z.ZodType;
  /** Other than application/json. */
  mediaType?: string;
  /** Further media types, by what the caller accepts; text. */
  also?: readonly string[];
  headers?: Record<string, { description: string }>;
}

export interface Operation<
  A extends Access = Access,
  Ids extends string = string,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Prepared = unknown,
> {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** As in OpenAPI: `/api/v1/products/{id}`. */
  path: string;
  operationId: string;
  tag: string;
  summary: string;
  description?: string;
  access: A;
  /** Names in the path and the kind of id each is; a malformed one is 404. */
  ids?: Record<Ids, IdPrefix>;
  query?: Query;
  /** Takes the locks that the handler waits for, before the audit log looks at how it was: what comes meanwhile is no change of this caller. */
  lock?(context: OperationContext<A, Ids, z.output<Query>, z.output<Body>>): Promise<void>;
  /** Public id of what a change is done to, for the audit log, where the query names it and not the path. */
  resource?(query: z.output<Query>): string | null;
  /** Fields of the answer that the audit log does not keep: they are erased in time where they stand, and nothing can be taken out of the log. */
  unlogged?: readonly string[];
  body?: Body;
  /**
   * Reads a body that is not (only) JSON, before any transaction begins: a slow upload must not hold a connection. What it
   * returns is validated by `body` like any other. With `handler`, the handler reads the stream itself, with
   * `ownTransaction`, as it needs the caller or the resource first.
   */
  readBody?: 'handler' | ((req: Request, deps: ApiDeps) => Promise<unknown>);
  /**
   * Removes what `readBody` put into the storage and the handler did not adopt: called with what it returned once the
   * transaction is over, however it ended, and not waited for. Never throws. Where `readBody` throws, it removes that itself.
   */
  discardBody?(deps: ApiDeps, body: unknown): Promise<void>;
  /** Media types of what `readBody` reads; with the schema of each where `body` is the union of several. */
  accepts?: readonly string[] | Readonly<Record<string, z.ZodType>>;
  /** Whether `Idempotency-Key` is honoured: POSTs that create. */
  idempotent?: boolean;
  /**
   * The handler opens transactions itself: for what hashes passwords, which takes longer than a connection should be
   * held, or commits something although it refuses the request. It also records its own audit entries.
   */
  ownTransaction?: boolean;
  responses: Record<number, OperationResponse>;
  /**
   * Comes before the request's transaction, on the pool: for what asks somebody outside, whose slowness must not hold a connection.
   * What it throws is thrown where `handle` would begin, so that a repeat of an `Idempotency-Key` gets its answer all the same.
   */
  prepare?(
    context: Omit<OperationContext<A, Ids, z.output<Query>, z.output<Body>>, 'afterCommit' | 'prepared'>,
  ): Promise<Prepared>;
  /** Codes beyond those that every operation of its kind may answer. */
  errors?: readonly ErrorCode[];
  handle(context: OperationContext<A, Ids, z.output<Query>, z.output<Body>, Prepared>): Promise<Reply | null>;
  /** Shows errors to whoever asked for a page, on a path whose errors are pages; null leaves one to the general page. */
  errorPage?(deps: ApiDeps, req: Request, error: AppError): Promise<ErrorPage | null>;
}

/** Only for inference: gives the declaration its types. */
export function operation<
  const A extends Access,
  const Ids extends string = never,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
  Prepared = undefined,
>(declaration: Operation<A, Ids, Query, Body, Prepared>): Operation {
  return declaration as unknown as Operation;
}

export const ok = (body: unknown, headers: Record<string, string> = {}): Reply => ({
  status: 200,
  body,
  headers,
});
export const created = (body: unknown, location: string): Reply => ({
  status: 201,
  body,
  headers: { Location: location },
});
export const accepted = (body: unknown, location: string): Reply => ({
  status: 202,
  body,
  headers: { Location: location, 'Retry-After': '1' },
});
export const noContent = (): Reply => ({ status: 204 });
