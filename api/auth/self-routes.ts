/** Oneself: profile, sessions, second factor, leaving. */
import { noteFailedSignIn } from '../../shared/accounts/failed-sign-ins.ts';
import { confirmPassword } from '../../shared/accounts/passwords.ts';
import { changeSelf, countRecoveryCodes, getAccount } from '../../shared/accounts/profile.ts';
import {
  checkSecondFactor,
  confirmTotp,
  disableTotp,
  lockOwnAccount,
  setUpTotp,
} from '../../shared/accounts/second-factor.ts';
import { endOwnSession, listOpenSessions } from '../../shared/accounts/sessions.ts';
import type { UserActor } from '../../shared/actor.ts';
import { auditActor, recordAudit } from '../../shared/audit/service.ts';
import { withTransaction, type Db } from '../../shared/db.ts';
import { invalidField } from '../../shared/errors.ts';
import { refusal } from '../../shared/field-errors.ts';
import { encodeId } from '../../shared/ids.ts';
import { removeUser } from '../../shared/users/service.ts';
import { z } from 'zod';
import { accountDeps } from '../account-deps.ts';
import { qrRows } from './qr-rows.ts';
import { noContent, ok, operation, session } from '../operation.ts';
import {
  confirmTotpBody,
  disableTotpBody,
  meSchema,
  presentSession,
  recoveryCodesSchema,
  sessionSchema,
  totpSetUpSchema,
  updateMeBody,
} from './schema.ts';

const tag = 'Your account';
const access = session('account.self');

async function presentMe(db: Db, actor: UserActor): Promise<z.input<typeof meSchema>> {
  const account = await getAccount(db, actor.userId);
  return {
    id: encodeId('user', account.id),
    email: account.email,
    name: account.name,
    language: account.language,
    alertMails: account.alert_mails,
    summaryMails: account.summary_mails,
    role: account.role,
    organization: {
      id: encodeId('org', account.org_id),
      name: account.organization_name,
      timeZone: account.time_zone,
    },
    scopes: [...actor.scopes],
    permissions: [...actor.permissions],
    sessionId: encodeId('sess', actor.sessionId),
    secondFactor: {
      enabled: account.totp_confirmed_at !== null,
      recoveryCodesLeft: await countRecoveryCodes(db, account.id),
    },
  };
}

export const selfOperations = [
  operation({
    method: 'get',
    path: '/api/v1/auth/me',
    operationId: 'getMe',
    tag,
    summary: 'Who is signed in, and what they may do',
    access,
    responses: { 200: { description: 'The signed-in person', schema: meSchema } },
    handle: async ({ db, actor }) => ok(await presentMe(db, actor)),
  }),
  operation({
    method: 'patch',
    path: '/api/v1/auth/me',
    operationId: 'updateMe',
    tag,
    summary: 'Change one’s name, the language of one’s mails, or what one is mailed',
    access,
    body: updateMeBody,
    responses: { 200: { description: 'The signed-in person', schema: meSchema } },
    handle: async ({ deps, db, actor, body }) => {
      await changeSelf(deps, db, actor.userId, body);
      return ok(await presentMe(db, actor));
    },
  }),
  operation({
    method: 'get',
    path: '/api/v1/auth/sessions',
    operationId: 'listSessions',
    tag,
    summary: 'List one’s open sessions, newest first',
    access,
    responses: {
      200: {
        description: 'Up to 200 sessions',
        schema: z.object({ data: z.array(sessionSchema), nextCursor: z.string().nullable() }),
      },
    },
    handle: async ({ deps, db, actor }) => {
      const rows = await listOpenSessions(db, actor.userId, deps.clock.now());
      return ok({ data: rows.map((row) => presentSession(row, actor.sessionId)), nextCursor: null });
    },
  }),
  operation({
    method: 'delete',
    path: '/api/v1/auth/sessions/{id}',
    operationId: 'endSession',
    tag,
    summary: 'End one of one’s sessions',
    description: 'Where it has ended already, nothing happens.',
    access,
    ids: { id: 'sess' },
    responses: { 204: { description: 'It has ended' } },
    handle: async ({ deps, db, actor, ids }) => {
      await endOwnSession(deps, db, actor.userId, ids.id, 'ended-elsewhere');
      return noContent();
    },
  }),
  operation({
    method: 'post',
    path: '/api/v1/auth/totp/set-up',
    operationId: 'setUpTotp',
    tag,
    summary: 'Begin a second factor: a secret for an authenticator app',
    description: 'Nothing changes until it is confirmed with a code.',
    access,
    responses: { 200: { description: 'The secret, this once', schema: totpSetUpSchema } },
    errors: ['CONFLICT'],
    handle: async ({ deps, db, actor }) => {
      const made = await setUpTotp(accountDeps(deps), db, actor.userId);
      return ok({ ...made, qrCode: qrRows(made.otpauthUrl) }, { 'Cache-Control': 'no-store' });
    },
  }),
  operation({
    method: 'post',
    path: '/api/v1/auth/totp/confirm',
    operationId: 'confirmTotp',
    tag,
    summary: 'Switch the second factor on',
    access,
    body: confirmTotpBody,
    responses: { 200: { description: 'Recovery codes, this once', schema: recoveryCodesSchema } },
    errors: ['CONFLICT'],
    handle: async ({ deps, db, afterCommit, actor, body }) => {
      const uow = { db, afterCommit };
      return ok(await confirmTotp(accountDeps(deps), uow, actor.userId, body.code), {
        'Cache-Control': 'no-store',
      });
    },
  }),
  operation({
    method: 'post',
    path: '/api/v1/auth/totp/disable',
    operationId: 'disableTotp',
    tag,
    summary: 'Switch the second factor off',
    description: 'Where it is off already, nothing happens, whatever the code.',
    access,
    ownTransaction: true,
    body: disableTotpBody,
    responses: { 204: { description: 'It is off' } },
    handle: async ({ deps, actor, body, origin }) => {
      const account = accountDeps(deps);
      const { attempt } = await confirmPassword(account, actor, body.password);
      await withTransaction(deps.db, async (uow) => {
        const locked = await lockOwnAccount(uow.db, actor.userId);
        // As after an answer that was lost: its code is spent, and there is none to check another by.
        if (locked.totp_confirmed_at === null) return attempt.succeeded();
        if (!(await checkSecondFactor(account, uow.db, locked, body.code))) {
          void noteFailedSignIn(account, 'secondFactorFailed', { email: locked.email, origin });
          throw invalidField('code', refusal('WRONG_SECOND_FACTOR', 'is wrong or was used before'));
        }
        // Not before: with the password alone, codes could be guessed without end.
        await attempt.succeeded();
        await disableTotp(account, uow, locked);
        await recordAudit(deps, uow.db, {
          orgId: actor.orgId,
          actor: auditActor(actor),
          action: 'disableTotp',
          resource: encodeId('user', actor.userId),
          origin,
          before: null,
          after: null,
        });
      });
      return noContent();
    },
  }),
  operation({
    method: 'post',
    path: '/api/v1/auth/leave',
    operationId: 'leaveOrganization',
    tag,
    summary: 'Leave the organization',
    description: 'Ends one’s sessions and frees the address. The last owner cannot leave.',
    access,
    responses: { 204: { description: 'You have left' } },
    errors: ['CONFLICT'],
    handle: async ({ deps, db, actor }) => {
      await removeUser(deps, db, actor, actor.userId);
      return noContent();
    },
  }),
];
