/** What an organization's security contact is told of. */
import type { SecurityNoticeRow } from './notice-repository.ts';

/** Actions of the audit log, with a sentence each. */
export const SECURITY_ACTIONS: Readonly<Record<string, string>> = {
  createApiKey: 'An API key was created',
  rotateApiKey: 'An API key was given a new secret',
  revokeApiKey: 'An API key was revoked',
  invite: 'Somebody was invited to the organization',
  acceptInvitation: 'An invitation was accepted',
  updateUser: 'A user’s role was changed, or the user was disabled or enabled',
  removeUser: 'A user was removed',
  disableTotp: 'A user switched the second factor off',
  resetPassword: 'A user chose a new password by a link in a mail',
  sessionReplayed: 'A session was ended because its token had been copied',
  signInLimited: 'Guesses at a user’s password reached the limit',
  secondFactorFailed: 'Somebody had a user’s password, but not the second factor',
  rotateWebhookSecret: 'A webhook endpoint was given a new signing secret',
  disableWebhookEndpoint: 'A webhook endpoint was disabled',
  updateOrganization: 'The security contact was changed',
};

const WHO: Readonly<Record<string, string>> = {
  user: 'the user',
  key: 'the API key',
  operator: 'the operator',
  anonymous: 'somebody who did not sign in',
};

/** @returns an entry as a sentence, with times in UTC. */
export function describeSecurityNotice(row: SecurityNoticeRow): string {
  const who = [WHO[row.actor_kind], row.actor_name].filter((part) => part !== null).join(' ');
  const what = `${SECURITY_ACTIONS[row.action] ?? row.action}${row.resource === null ? '' : ` (${row.resource})`}`;
  const where = row.ip === null ? '' : ` from ${row.ip}`;
  return `${what}: by ${who}${where}, at ${row.at.toISOString()}.`;
}

type Fields = Record<string, unknown> | null;

/** @param after the changed fields. @returns whether the entry is one to tell of. */
export function concernsSecurity(action: string, before: Fields, after: Fields): boolean {
  if (!Object.hasOwn(SECURITY_ACTIONS, action)) return false;
  if (action === 'updateOrganization') return after !== null && 'securityContact' in after;
  // An update that changed nothing.
  return before === null || after === null || Object.keys({ ...before, ...after }).length > 0;
}
