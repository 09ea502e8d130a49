/** Every mail that the service sends, in words. Tokens are in the fragment of a link: it reaches no log and no referrer. */
import type { Message } from './message.ts';

const link = (publicUrl: string, page: string, token: string): string =>
  `${publicUrl}/account/${page}#token=${token}`;

const IGNORE = 'If you did not ask for this, ignore this mail: nothing happens without the link.';

export const confirmSignUp = (publicUrl: string, organizationName: string, token: string): Message => ({
  subject: 'Confirm your address for Touchstone',
  paragraphs: [`Somebody, probably you, signed up the organization “${organizationName}” with this address.`],
  action: { label: 'Confirm the address', url: link(publicUrl, 'verify-email', token) },
  closing: ['The link works once, for 24 hours.', IGNORE],
});

export const alreadySignedUp = (publicUrl: string): Message => ({
  subject: 'You have an account already',
  paragraphs: [
    'Somebody, probably you, tried to sign up with this address. It has an account already, so nothing was changed.',
    `Sign in as usual, or ask for a new password where you have forgotten it: ${publicUrl}/account/forgot-password`,
  ],
});

export const resetPassword = (publicUrl: string, token: string): Message => ({
  subject: 'Choose a new password',
  paragraphs: ['Somebody, probably you, asked for a new password for your account.'],
  action: { label: 'Choose a new password', url: link(publicUrl, 'reset-password', token) },
  closing: ['The link works once, for one hour after it was asked for.', IGNORE],
});

export const passwordChanged = (): Message => ({
  subject: 'Your password was changed',
  paragraphs: [
    'The password of your account was changed, and every other session was ended.',
    'If it was not you, ask for a new password at once and tell an administrator of your organization.',
  ],
});

export const secondFactorChanged = (isOn: boolean): Message => ({
  subject: isOn ? 'Your second factor is on' : 'Your second factor is off',
  paragraphs: [
    isOn
      ? 'From now on, signing in takes a code from your authenticator app.'
      : 'From now on, signing in takes your password alone.',
    'If it was not you, change your password at once and tell an administrator of your organization.',
  ],
});

export const sessionEndedAsReplayed = (): Message => ({
  subject: 'A session was ended for safety',
  paragraphs: [
    'A session of yours was renewed with a token that had been used before, which happens when a token was copied. The session was ended.',
    'Sign in again. If this repeats, change your password.',
  ],
});

export const invitation = (
  publicUrl: string,
  {
    organizationName,
    invitedBy,
    role,
    token,
  }: { organizationName: string; invitedBy: string; role: string; token: string },
): Message => ({
  subject: `You are invited to ${organizationName}`,
  paragraphs: [`${invitedBy} invites you to the organization “${organizationName}” as ${role}.`],
  action: { label: 'Accept the invitation', url: link(publicUrl, 'accept-invitation', token) },
  closing: ['The link works once, for seven days.', 'If you do not know the sender, ignore this mail.'],
});

export const contactMessage = (from: { name: string; email: string; message: string }): Message => ({
  subject: `Contact form: ${from.name}`,
  paragraphs: [`${from.name} <${from.email}> wrote:`, from.message],
});

/** @param lines what happened, one sentence each. */
export const securityNotice = (organizationName: string, lines: readonly string[]): Message => ({
  subject: `Security of ${organizationName}: ${lines.length === 1 ? '1 entry' : `${lines.length} entries`}`,
  paragraphs: [
    `You are the security contact of “${organizationName}”. This is what its audit log has to tell you:`,
    ...lines,
  ],
  closing: ['If it was not meant to happen, tell an administrator of your organization at once.'],
});

/** @param failingSince and @param disablesAt ISO 8601, UTC. */
export const webhookFailing = (url: string, failingSince: string, disablesAt: string): Message => ({
  subject: 'A webhook endpoint keeps failing',
  paragraphs: [
    `Every delivery to ${url} has failed since ${failingSince}.`,
    `Events are kept and retried. If nothing changes, the endpoint is disabled at ${disablesAt}.`,
    'The log of its deliveries says what it answered.',
  ],
});

/** @param isGone whether the receiver answered 410. */
const WHY_DISABLED: Record<string, (url: string) => string> = {
  gone: (url) => `${url} answered 410 Gone, so nothing is sent to it any more.`,
  failing: (url) => `Every delivery to ${url} has failed for days, so nothing is sent to it any more.`,
  unreadable: (url) =>
    `The signing secret or the headers stored for ${url} can no longer be decrypted, so nothing is sent to it any more. Rotate its secret without an overlap and set its headers again, or have whoever runs the service restore the key.`,
};

export const webhookDisabled = (url: string, reason: string): Message => ({
  subject: 'A webhook endpoint was disabled',
  paragraphs: [
    (WHY_DISABLED[reason] ?? WHY_DISABLED['failing']!)(url),
    'Events are kept. Enable the endpoint again to have them delivered, or recover a period of time.',
  ],
});
