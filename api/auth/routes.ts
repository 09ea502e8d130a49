/** Signing in, staying signed in, signing out, and forgotten passwords. */
import { deviceToken } from '../../shared/accounts/attempts.ts';
import { changePassword, forgetPassword, resetPassword } from '../../shared/accounts/passwords.ts';
import { signIn } from '../../shared/accounts/sign-in.ts';
import {
  endSessionsOf,
  refreshSession,
  signOutByRefreshToken,
  type IssuedTokens,
} from '../../shared/accounts/sessions.ts';
import { withTransaction } from '../../shared/db.ts';
import { AppError } from '../../shared/errors.ts';
import { accountDeps } from '../account-deps.ts';
import type { ApiDeps } from '../deps.ts';
import { isPublic, noContent, ok, operation, session, type Reply } from '../operation.ts';
import {
  clearedRefreshCookie,
  DEVICE_COOKIE,
  deviceCookie,
  readCookie,
  REFRESH_COOKIE,
  refreshCookie,
  requireOwnOrigin,
} from './cookies.ts';
import {
  changePasswordBody,
  forgotPasswordBody,
  presentTokens,
  resetPasswordBody,
  signInBody,
  tokensSchema,
} from './schema.ts';

const tag = 'Sign-in';

const cookies = { 'Set-Cookie': { description: 'The refresh token, for this host alone, HttpOnly' } };

const issued = ({ clock }: ApiDeps, tokens: IssuedTokens): Reply =>
  ok(presentTokens(tokens.accessToken), {
    'Cache-Control': 'no-store',
    'Set-Cookie': refreshCookie(tokens.refreshToken, tokens.expiresAt, clock.now()),
  });

export const authOperations = [
  operation({
    method: 'post',
    path: '/api/v1/auth/sign-in',
    operationId: 'signIn',
    tag,
    summary: 'Sign in with a password',
    description:
      'The answer carries an access token for ten minutes, and a refresh token in a cookie for `auth/refresh`. Where a second factor is on and `code` is missing, the answer is `SECOND_FACTOR_REQUIRED`: send all three.',
    access: isPublic,
    ownTransaction: true,
    body: signInBody,
    responses: { 200: { description: 'Signed in', schema: tokensSchema, headers: cookies } },
    errors: ['UNAUTHENTICATED', 'SECOND_FACTOR_REQUIRED', 'RATE_LIMITED', 'FORBIDDEN'],
    handle: async ({ deps, body, req, res, origin }) => {
      requireOwnOrigin(req, deps);
      const account = accountDeps(deps);
      const device = readCookie(req, DEVICE_COOKIE);
      const { tokens } = await signIn(account, { ...body, code: body.code ?? null, device, origin });
      res.append('Set-Cookie', deviceCookie(deviceToken(account, body.email)));
      res.append('Set-Cookie', refreshCookie(tokens.refreshToken, tokens.expiresAt, deps.clock.now()));
      return ok(presentTokens(tokens.accessToken), { 'Cache-Control': 'no-store' });
    },
  }),
  operation({
    method: 'post',
    path: '/api/v1/auth/refresh',
    operationId: 'refreshSession',
    tag,
    summary: 'Renew the access token by the cookie of the sign-in',
    description:
      'Each refresh token is exchanged for its one successor. Two tabs at once, or a repeat after a lost answer (within 60 seconds), get the same successor; a token that comes back after its successor was used ends the session.',
    access: isPublic,
    ownTransaction: true,
    responses: {
      200: { description: 'A new access token, and a new cookie', schema: tokensSchema, headers: cookies },
    },
    errors: ['UNAUTHENTICATED', 'FORBIDDEN', 'RATE_LIMITED'],
    handle: async ({ deps, req, origin }) => {
      requireOwnOrigin(req, deps);
      const account = accountDeps(deps);
      const token = readCookie(req, REFRESH_COOKIE) ?? '';
      // Committed also where it is refused: a replay ends the session for good.
      const result = await withTransaction(deps.db, (uow) => refreshSession(account, uow, token, origin));
      if (result.type === 'issued') return issued(deps, result.tokens);
      throw new AppError('UNAUTHENTICATED', {
        detail: 'sign in again',
        headers: { 'Set-Cookie': clearedRefreshCookie() },
      });
    },
  }),
  operation({
    method: 'post',
    path: '/api/v1/auth/sign-out',
    operationId: 'signOut',
    tag,
    summary: 'End this session',
    description: 'The session of the cookie. Where it has ended already, nothing happens.',
    access: isPublic,
    ownTransaction: true,
    responses: { 204: { description: 'It has ended', headers: cookies } },
    errors: ['FORBIDDEN', 'RATE_LIMITED'],
    handle: async ({ deps, req, origin }) => {
      requireOwnOrigin(req, deps);
      const token = readCookie(req, REFRESH_COOKIE) ?? '';
      await withTransaction(deps.db, ({ db }) => signOutByRefreshToken(accountDeps(deps), db, token, origin));
      return { ...noContent(), headers: { 'Set-Cookie': clearedRefreshCookie() } };
    },
  }),
  operation({
    method: 'post',
    path: '/api/v1/auth/sign-out-everywhere',
    operationId: 'signOutEverywhere',
    tag,
    summary: 'End all of one’s sessions, this one too',
    access: session('account.self'),
    responses: { 204: { description: 'They have ended', headers: cookies } },
    handle: async ({ deps, db, actor }) => {
      await endSessionsOf(db, actor.userId, null, 'signed-out-everywhere', deps.clock.now());
      return { ...noContent(), headers: { 'Set-Cookie': clearedRefreshCookie() } };
    },
  }),
  operation({
    method: 'post',
    path: '/api/v1/auth/forgot-password',
    operationId: 'forgotPassword',
    tag,
    summary: 'Ask for a link to choose a new password',
    description: 'The answer is the same whether the address is known or not.',
    access: isPublic,
    ownTransaction: true,
    body: forgotPasswordBody,
    responses: { 202: { description: 'A mail goes out where the address is known' } },
    errors: ['RATE_LIMITED'],
    handle: async ({ deps, body }) => {
      await forgetPassword(accountDeps(deps), body.email);
      return { status: 202 };
    },
  }),
  operation({
    method: 'post',
    path: '/api/v1/auth/reset-password',
    operationId: 'resetPassword',
    tag,
    summary: 'Choose a new password by the link in the mail',
    description: 'Ends every session. This browser counts as known to the account afterwards.',
    access: isPublic,
    ownTransaction: true,
    body: resetPasswordBody,
    responses: {
      204: {
        description: 'The new password holds',
        headers: { 'Set-Cookie': { description: 'Marks this browser as known to the account' } },
      },
    },
    errors: ['RATE_LIMITED'],
    handle: async ({ deps, body, origin }) => {
      const account = accountDeps(deps);
      const email = await resetPassword(account, { ...body, origin });
      return { ...noContent(), headers: { 'Set-Cookie': deviceCookie(deviceToken(account, email)) } };
    },
  }),
  operation({
    method: 'post',
    path: '/api/v1/auth/change-password',
    operationId: 'changePassword',
    tag,
    summary: 'Change one’s password',
    description:
      'Ends one’s other sessions. Where the new password holds already, as after an answer that was lost, nothing happens.',
    access: session('account.self'),
    ownTransaction: true,
    body: changePasswordBody,
    responses: { 204: { description: 'The new password holds' } },
    errors: ['CONFLICT'],
    handle: async ({ deps, actor, body, origin }) => {
      await changePassword(accountDeps(deps), actor, { ...body, origin });
      return noContent();
    },
  }),
];
