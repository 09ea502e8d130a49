/** What an organization's security contact is told of; `shared/mail/messages/` has a sentence for each. */

/** Actions of the audit log. */
export const SECURITY_ACTIONS = [
  'createApiKey',
  'rotateApiKey',
  'revokeApiKey',
  'invite',
  'acceptInvitation',
  'updateUser',
  'removeUser',
  'disableTotp',
  'resetPassword',
  'sessionReplayed',
  'signInLimited',
  'secondFactorFailed',
  'rotateWebhookSecret',
  'disableWebhookEndpoint',
  'updateOrganization',
  'setInternalNetworks',
  'setDomain',
  'removeDomain',
  'lapseDomain',
  'setSingleSignOn',
  'removeSingleSignOn',
  'joinBySingleSignOn',
  'forgetIdentity',
] as const;

export type SecurityAction = (typeof SECURITY_ACTIONS)[number];

type Fields = Record<string, unknown> | null;

/** @param after the changed fields. @returns whether the entry is one to tell of. */
export function concernsSecurity(action: string, before: Fields, after: Fields): boolean {
  if (!(SECURITY_ACTIONS as readonly string[]).includes(action)) return false;
  if (action === 'updateOrganization') return after !== null && 'securityContact' in after;
  // An update that changed nothing.
  return before === null || after === null || Object.keys({ ...before, ...after }).length > 0;
}
