/** API keys, in either header form, and access tokens of signed-in people. A credential in the query string is none. */
import type { Request, Response } from 'express';
import type { Actor, Origin } from '../../shared/actor.ts';
import { authenticateUser } from '../../shared/accounts/sessions.ts';
import { createApiKeyAuthenticator } from '../../shared/api-keys/authenticate.ts';
import { AppError } from '../../shared/errors.ts';
import { plainAddress } from '../../shared/places/addresses.ts';
import type { Access } from '../operation.ts';
import type { ApiDeps } from '../deps.ts';
import { createCredentialLimit } from './limit-by-credential.ts';

/** Who sends a request. @throws AppError UNAUTHENTICATED with the reason that a caller may know, RATE_LIMITED */
export type Authenticate = (
  req: Request,
  res: Response,
  options?: {
    /** False for another look at a request that was counted before. */
    counts?: boolean;
  },
) => Promise<Actor>;

/** @returns the one credential of the request, or null. @throws AppError UNAUTHENTICATED for two that differ. */
function credentialOf(req: Request): string | null {
  const header = req.get('x-api-key');
  const bearer = /^bearer +(\S+)$/i.exec(req.get('authorization') ?? '')?.[1];
  if (header !== undefined && bearer !== undefined && header !== bearer) {
    throw new AppError('UNAUTHENTICATED', {
      detail: 'X-Api-Key and Authorization carry different credentials',
    });
  }
  return header ?? bearer ?? null;
}

// Three parts between dots: a JWT, which no API key is.
const isToken = (credential: string): boolean => credential.split('.').length === 3;

/** @returns the authenticator of this application; a success also counts against the credential's rate limit. */
export function createAuthenticate(deps: ApiDeps): Authenticate {
  const { clock, config, db } = deps;
  const findKey = createApiKeyAuthenticator({ clock, pepper: config.API_KEY_PEPPER }, db);
  const limit = createCredentialLimit(deps);

  const actorOf = async (req: Request): Promise<Actor> => {
    const credential = credentialOf(req);
    if (credential === null) {
      throw new AppError('UNAUTHENTICATED', {
        detail: 'send an API key as "X-Api-Key: <key>" or "Authorization: Bearer <key>"',
      });
    }
    if (isToken(credential)) {
      // X-Api-Key is for API keys alone.
      const user = req.get('x-api-key') === undefined ? await authenticateUser(deps, db, credential) : null;
      if (user === null) throw new AppError('UNAUTHENTICATED', { detail: 'this access token is not valid' });
      return user;
    }
    const key = await findKey(credential, () => req.ip ?? null);
    if (key === null) throw new AppError('UNAUTHENTICATED', { detail: 'this key is not valid' });
    return key;
  };

  return async (req, res, { counts = true } = {}) => {
    const actor = await actorOf(req);
    res.locals.actor = actor;
    if (counts) await limit(actor, res);
    return actor;
  };
}

/**
 * Whether the caller may use an operation.
 * @throws AppError INSUFFICIENT_SCOPE; FORBIDDEN for a role without the permission; UNAUTHENTICATED for a key where only a
 *   session is a credential
 */
export function authorize(actor: Actor, access: Exclude<Access, { kind: 'public' | 'operator' }>): void {
  if (access.kind === 'scope') {
    if (access.anyOf.some((scope) => actor.scopes.has(scope))) return;
    throw new AppError('INSUFFICIENT_SCOPE', {
      detail: `this operation needs the scope ${access.anyOf.map((scope) => `"${scope}"`).join(' or ')}`,
    });
  }
  if (actor.kind === 'key') {
    throw new AppError('UNAUTHENTICATED', {
      detail: 'this operation takes the session of a signed-in person; an API key is no credential for it',
    });
  }
  if (!actor.permissions.has(access.permission)) {
    throw new AppError('FORBIDDEN', {
      detail: `this operation needs the permission "${access.permission}", which the role "${actor.role}" lacks`,
    });
  }
}

/** Where a request comes from, as the audit log keeps it. */
export const originOf = (req: Request, res: Response): Origin => ({
  ip: req.ip === undefined ? null : plainAddress(req.ip),
  userAgent: req.get('user-agent')?.slice(0, 512) ?? null,
  requestId: res.locals.requestId as string,
});
