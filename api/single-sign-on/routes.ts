/** Single sign-on: an organization's provider, and signing in by it. */
import { deviceToken } from '../../shared/accounts/attempts.ts';
import { departByEmail, departTo, finishSignIn } from '../../shared/single-sign-on/sign-ins.ts';
import {
  askForLook,
  findProvider,
  forgetIdentity,
  removeProvider,
  setProvider,
  type ProviderRow,
} from '../../shared/single-sign-on/service.ts';
import { accountDeps } from '../account-deps.ts';
import {
  clearedTicketCookie,
  deviceCookie,
  readCookie,
  refreshCookie,
  requireOwnOrigin,
  TICKET_COOKIE,
  ticketCookie,
} from '../auth/cookies.ts';
import { presentTokens } from '../auth/schema.ts';
import type { ApiDeps } from '../deps.ts';
import { isPublic, noContent, ok, operation, session } from '../operation.ts';
import {
  departBody,
  departureSchema,
  outcomeSchema,
  presentSingleSignOn,
  setSingleSignOnBody,
  singleSignOnSchema,
} from './schema.ts';

const tag = 'Single sign-on';
const path = '/api/v1/organization/single-sign-on';
const response = { description: 'The provider, and what it has to know', schema: singleSignOnSchema };

const present = ({ config, clock }: ApiDeps, orgId: string, row: ProviderRow | null) =>
  presentSingleSignOn(row, orgId, config.PUBLIC_URL, clock.now());

export const singleSignOnOperations = [
  operation({
    method: 'get',
    path,
    operationId: 'getSingleSignOn',
    tag,
    summary: 'Read by which provider people sign in',
    access: session('organization.manage'),
    responses: { 200: response },
    handle: async ({ deps, db, actor }) =>
      ok(present(deps, actor.orgId, await findProvider(db, actor.orgId))),
  }),
  operation({
    method: 'put',
    path,
    operationId: 'setSingleSignOn',
    tag,
    summary: 'Have the organization’s people sign in by its own OpenID provider',
    description:
      'For owners alone: whoever commands the provider can sign in as anybody of the organization. Register `redirectUrl` there first. A worker looks at the provider at once, and daily; until `status` is `ready`, nobody signs in by it. Another issuer or client ends the sessions that began by the one before, and nobody is known by it any more; `required` ends those that others than owners began with a password.',
    access: session('single_sign_on.manage'),
    body: setSingleSignOnBody,
    responses: { 200: response },
    errors: ['CONFLICT'],
    handle: async ({ deps, db, afterCommit, actor, body }) => {
      const row = await setProvider(
        { ...deps, allowedCidrs: deps.config.WEBHOOK_ALLOWED_CIDRS },
        { db, afterCommit },
        actor,
        { ...body, isRequired: body.required },
      );
      return ok(present(deps, actor.orgId, row));
    },
  }),
  operation({
    method: 'post',
    path: `${path}/check`,
    operationId: 'checkSingleSignOn',
    tag,
    summary: 'Look at the provider now',
    description: 'Read it until `isChecking` is false.',
    access: session('single_sign_on.manage'),
    responses: {
      202: {
        ...response,
        headers: { 'Retry-After': { description: 'Seconds until it is worth reading' } },
      },
    },
    errors: ['NOT_FOUND'],
    handle: async ({ deps, db, afterCommit, actor }) => ({
      status: 202,
      body: present(deps, actor.orgId, await askForLook(deps, { db, afterCommit }, actor.orgId)),
      headers: { Location: path, 'Retry-After': '1' },
    }),
  }),
  operation({
    method: 'delete',
    path,
    operationId: 'removeSingleSignOn',
    tag,
    summary: 'Have people sign in with passwords again',
    description:
      'Ends the sessions that began by the provider. Who never chose a password asks for a new one by mail.',
    access: session('single_sign_on.manage'),
    responses: { 204: { description: 'Removed' } },
    errors: ['NOT_FOUND'],
    handle: async ({ deps, db, actor }) => {
      await removeProvider(deps, db, actor);
      return noContent();
    },
  }),
  operation({
    method: 'post',
    path: '/api/v1/users/{id}/forget-identity',
    operationId: 'forgetIdentity',
    tag,
    summary: 'Let a user be known by another account at the provider',
    description:
      'Once somebody has signed in, another account at the provider with the same address is refused, for it may be another person’s. The next one with the user’s address is theirs after this. Ends the sessions that began by the account so far; a password stays.',
    access: session('users.manage'),
    ids: { id: 'user' },
    responses: { 204: { description: 'No account of the provider is theirs' } },
    handle: async ({ deps, db, actor, ids }) => {
      await forgetIdentity(deps, db, actor, ids.id);
      return noContent();
    },
  }),
  operation({
    method: 'post',
    path: '/api/v1/auth/single-sign-on',
    operationId: 'beginSingleSignOn',
    tag,
    summary: 'Begin to sign in by the organization’s provider',
    description:
      'For browsers: lead to `url`, from where the provider leads back to `/sso/callback` and that to the dashboard, which asks `finish`. The organization is the one that holds the address’s domain, or the one that is named, as by `signInUrl`.',
    access: isPublic,
    ownTransaction: true,
    body: departBody,
    responses: {
      200: {
        description: 'Where to go',
        schema: departureSchema,
        headers: { 'Set-Cookie': { description: 'By which the browser is known when it comes back' } },
      },
    },
    errors: ['NOT_FOUND', 'FORBIDDEN', 'RATE_LIMITED'],
    handle: async ({ deps, body, req }) => {
      requireOwnOrigin(req, deps);
      const account = accountDeps(deps);
      const { email, organizationId } = body;
      const { url, ticket } =
        email === undefined ? await departTo(account, organizationId!) : await departByEmail(account, email);
      return ok({ url }, { 'Cache-Control': 'no-store', 'Set-Cookie': ticketCookie(ticket) });
    },
  }),
  operation({
    method: 'post',
    path: '/api/v1/auth/single-sign-on/finish',
    operationId: 'finishSingleSignOn',
    tag,
    summary: 'Ask what came of a sign-in by the provider',
    description:
      'By the cookie of the browser that came back. A session that begins so ends after twelve hours.',
    access: isPublic,
    ownTransaction: true,
    responses: {
      200: {
        description: 'What came of it',
        schema: outcomeSchema,
        headers: { 'Set-Cookie': { description: 'The refresh token, for this host alone, HttpOnly' } },
      },
    },
    errors: ['FORBIDDEN', 'RATE_LIMITED'],
    handle: async ({ deps, req, res, origin }) => {
      requireOwnOrigin(req, deps);
      const account = accountDeps(deps);
      const outcome = await finishSignIn(account, readCookie(req, TICKET_COOKIE), origin);
      const none = { reason: null, token: null };
      if (outcome.type === 'pending')
        return ok({ status: 'pending', ...none }, { 'Cache-Control': 'no-store' });
      // Of another tab the browser may still be away.
      const isSettled = outcome.type === 'signedIn' || outcome.reason !== 'EXPIRED';
      if (isSettled) res.append('Set-Cookie', clearedTicketCookie());
      if (outcome.type === 'refused')
        return ok({ ...none, status: 'refused', reason: outcome.reason }, { 'Cache-Control': 'no-store' });
      const { tokens, email } = outcome;
      res.append('Set-Cookie', deviceCookie(deviceToken(account, email)));
      res.append('Set-Cookie', refreshCookie(tokens.refreshToken, tokens.expiresAt, deps.clock.now()));
      return ok(
        { ...none, status: 'signedIn', token: presentTokens(tokens.accessToken) },
        { 'Cache-Control': 'no-store' },
      );
    },
  }),
];
