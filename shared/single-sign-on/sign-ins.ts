/** A sign-in by an organization's provider: the browser's leave, its return, and what came of it once a worker has asked the provider. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { AccountDeps } from '../accounts/deps.ts';
import { lockAccount } from '../accounts/profile.ts';
import { startSession, type IssuedTokens } from '../accounts/sessions.ts';
import type { Origin } from '../actor.ts';
import { recordAudit } from '../audit/service.ts';
import { withTransaction } from '../db.ts';
import { parseDomain } from '../domains/service.ts';
import { AppError } from '../errors.ts';
import { decodeId, encodeId } from '../ids.ts';
import { authorizationUrl, type Secrets } from './provider.ts';
import {
  deleteSignIn,
  findProviderOfDomain,
  findUsableProvider,
  insertSignIn,
  lockSignIn,
  type ProviderRow,
  type Refusal,
} from './repository.ts';
import { redirectUrlOf } from './service.ts';

/** From the browser's leave to its return: somebody may have to find their telephone. */
export const MINUTES_AWAY = 15;
/** For the worker to ask the provider, and the browser to fetch what came of it. */
const MINUTES_TO_FINISH = 5;
/** Whoever leaves a company is taken out at its provider, and is not asked there again before a session ends. */
const SESSION_HOURS = 12;

/** A browser on its way to a provider. */
export interface Departure {
  url: string;
  /** For the browser alone: what it comes back with is checked against it. */
  ticket: string;
}

/** @throws AppError NOT_FOUND where no organization signs people of that domain in, by a provider that was reached once */
export async function departByEmail(
  deps: Pick<AccountDeps, 'db' | 'random' | 'publicUrl'>,
  email: string,
): Promise<Departure> {
  const domain = parseDomain(email.slice(email.lastIndexOf('@') + 1));
  const row = domain === null ? null : await findProviderOfDomain(deps.db, domain);
  return depart(deps, row, email);
}

/** @throws AppError NOT_FOUND */
export async function departTo(
  deps: Pick<AccountDeps, 'db' | 'random' | 'publicUrl'>,
  orgId: string,
): Promise<Departure> {
  return depart(deps, await findUsableProvider(deps.db, orgId), null);
}

async function depart(
  deps: Pick<AccountDeps, 'random' | 'publicUrl'>,
  row: ProviderRow | null,
  email: string | null,
): Promise<Departure> {
  if (row === null) throw new AppError('NOT_FOUND', { detail: 'nobody signs in that way with this address' });
  const secret = deps.random(32).toString('base64url');
  const url = await authorizationUrl(
    { metadata: row.metadata!, clientId: row.client_id },
    redirectUrlOf(deps.publicUrl),
    secretsOf(row.id, secret),
    email,
  );
  return { url: url.href, ticket: `${encodeId('org', row.org_id)}.${secret}` };
}

/**
 * One secret of the browser's makes the three, so that nothing is stored for those who never come back. With the provider, so that what
 * another one gave is never shown to the one that took its place.
 */
const secretsOf = (providerId: string, secret: string): Secrets => ({
  state: derived(`state:${providerId}`, secret).toString('base64url'),
  nonce: derived(`nonce:${providerId}`, secret).toString('base64url'),
  codeVerifier: derived(`code-verifier:${providerId}`, secret).toString('base64url'),
});

const derived = (purpose: string, secret: string): Buffer =>
  createHash('sha256').update(`${purpose}:${secret}`).digest();

const digestOf = (secret: string): Buffer => derived('digest', secret);

interface Ticket {
  orgId: string;
  secret: string;
}

function readTicket(ticket: string | null): Ticket | null {
  const [id = '', secret = ''] = ticket?.split('.') ?? [];
  const orgId = decodeId('org', id);
  return orgId === null || !/^[\w-]{43}$/.test(secret) ? null : { orgId, secret };
}

/** What the worker opens. */
export interface Return {
  returned: string;
  secrets: Secrets;
}

export const returnOwner = (orgId: string, digest: Buffer) => ({
  organizationId: orgId,
  resource: `provider-sign-in:${digest.toString('hex')}`,
});

/** A browser came back: what it brings is for a worker to ask the provider about. What is not this browser's is dropped. */
export async function noteReturn(
  deps: Pick<AccountDeps, 'db' | 'clock' | 'secretBox' | 'waker' | 'publicUrl'>,
  givenTicket: string | null,
  query: URLSearchParams,
): Promise<void> {
  const ticket = readTicket(givenTicket);
  if (ticket === null) return;
  const provider = await findUsableProvider(deps.db, ticket.orgId);
  if (provider === null) return;
  const secrets = secretsOf(provider.id, ticket.secret);
  if (!isEqual(query.get('state') ?? '', secrets.state)) return;
  const now = deps.clock.now();
  const digest = digestOf(ticket.secret);
  const reason = refusedBy(query);
  const returned: Return = { returned: `${redirectUrlOf(deps.publicUrl)}?${query.toString()}`, secrets };
  await insertSignIn(deps.db, {
    digest,
    provider_id: provider.id,
    status: reason === null ? 'waiting' : 'refused',
    sealed:
      reason === null
        ? deps.secretBox.seal(JSON.stringify(returned), returnOwner(ticket.orgId, digest))
        : null,
    user_id: null,
    reason,
    now,
    expires_at: new Date(now.getTime() + MINUTES_TO_FINISH * 60_000),
  });
  if (reason === null) await deps.waker.signPeopleIn();
}

const CANCELLATIONS = new Set([
  'access_denied',
  'login_required',
  'consent_required',
  'interaction_required',
]);

function refusedBy(query: URLSearchParams): Refusal | null {
  const error = query.get('error');
  if (error === null) return null;
  return CANCELLATIONS.has(error) ? 'CANCELLED' : 'PROVIDER_FAILED';
}

function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

export type Outcome =
  | { type: 'pending' }
  | { type: 'refused'; reason: Refusal }
  | { type: 'signedIn'; tokens: IssuedTokens; email: string };

/** What came of the return of a browser: once. */
export async function finishSignIn(
  deps: AccountDeps,
  givenTicket: string | null,
  origin: Origin,
): Promise<Outcome> {
  const ticket = readTicket(givenTicket);
  if (ticket === null) return { type: 'refused', reason: 'EXPIRED' };
  return withTransaction(deps.db, async ({ db }) => {
    const digest = digestOf(ticket.secret);
    const now = deps.clock.now();
    const row = await lockSignIn(db, digest);
    if (row === null || row.expires_at <= now) return { type: 'refused', reason: 'EXPIRED' };
    if (row.status === 'waiting') return { type: 'pending' };
    await deleteSignIn(db, digest);
    if (row.status === 'refused') return { type: 'refused', reason: row.reason! };
    const account = await lockAccount(db, row.user_id!);
    if (account === null || account.disabled_at !== null) return { type: 'refused', reason: 'DISABLED' };
    if (account.blocked_at !== null) return { type: 'refused', reason: 'BLOCKED' };
    const tokens = await startSession(deps, db, account.id, origin, {
      byProvider: true,
      seconds: SESSION_HOURS * 3600,
    });
    await recordAudit(deps, db, {
      orgId: account.org_id,
      actor: { kind: 'user', id: encodeId('user', account.id), name: account.email },
      action: 'signIn',
      resource: encodeId('sess', tokens.sessionId),
      origin,
      before: null,
      after: { method: 'singleSignOn' },
    });
    return { type: 'signedIn', tokens, email: account.email };
  });
}
