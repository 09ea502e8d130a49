/** API keys, in either header form. A key in the query string is no credential and is refused. */
import type { Request } from 'express';
import type { Actor } from '../../shared/actor.ts';
import { authenticateApiKey } from '../../shared/api-keys/service.ts';
import { AppError } from '../../shared/errors.ts';
import type { Access } from '../operation.ts';
import type { ApiDeps } from '../deps.ts';

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

/** @throws AppError UNAUTHENTICATED with the reason that a caller may know. */
export async function authenticate(deps: ApiDeps, req: Request): Promise<Actor> {
  const credential = credentialOf(req);
  if (credential === null) {
    throw new AppError('UNAUTHENTICATED', {
      detail: 'send an API key as "X-Api-Key: <key>" or "Authorization: Bearer <key>"',
    });
  }
  const { clock, config, db } = deps;
  const actor = await authenticateApiKey({ clock, pepper: config.API_KEY_PEPPER }, db, credential);
  if (actor === null) throw new AppError('UNAUTHENTICATED', { detail: 'this key is not valid' });
  return actor;
}

/** @throws AppError INSUFFICIENT_SCOPE */
export function authorize(actor: Actor, access: Access & { kind: 'scope' }): void {
  if (access.anyOf.some((scope) => actor.scopes.has(scope))) return;
  throw new AppError('INSUFFICIENT_SCOPE', {
    detail: `this operation needs the scope ${access.anyOf.map((scope) => `"${scope}"`).join(' or ')}`,
  });
}
