import type { MailWords } from '../words.ts';

const IGNORE = 'If you did not ask for this, ignore this mail: nothing happens without the link.';
const TELL = 'tell an administrator of your organization';
const WHY_DISABLED = {
  gone: (url: string) => `${url} answered 410 Gone, so nothing is sent to it any more.`,
  failing: (url: string) =>
    `Every delivery to ${url} has failed for days, so nothing is sent to it any more.`,
  unreadable: (url: string) =>
    `The signing secret or the headers stored for ${url} can no longer be decrypted, so nothing is sent to it any more. Rotate its secret without an overlap and set its headers again, or have whoever runs the service restore the key.`,
};

export const en: MailWords = {
  roles: { owner: 'owner', administrator: 'administrator', analyst: 'analyst', viewer: 'viewer' },
  confirmSignUp: (organization) => ({
    subject: 'Confirm your address for Touchstone',
    paragraphs: [`Somebody, probably you, signed up the organization “${organization}” with this address.`],
    button: 'Confirm the address',
    closing: ['The link works once, for 24 hours.', IGNORE],
  }),
  alreadySignedUp: {
    subject: 'You have an account already',
    paragraphs: [
      'Somebody, probably you, tried to sign up with this address. It has an account already, so nothing was changed.',
      'Sign in as usual, or ask for a new password where you have forgotten it.',
    ],
    button: 'Ask for a new password',
  },
  resetPassword: {
    subject: 'Choose a new password',
    paragraphs: ['Somebody, probably you, asked for a new password for your account.'],
    button: 'Choose a new password',
    closing: ['The link works once, for one hour after it was asked for.', IGNORE],
  },
  passwordChanged: {
    subject: 'Your password was changed',
    paragraphs: [
      'The password of your account was changed, and every other session was ended.',
      `If it was not you, ask for a new password at once and ${TELL}.`,
    ],
  },
  secondFactorOn: {
    subject: 'Your second factor is on',
    paragraphs: [
      'From now on, signing in takes a code from your authenticator app.',
      `If it was not you, change your password at once and ${TELL}.`,
    ],
  },
  secondFactorOff: {
    subject: 'Your second factor is off',
    paragraphs: [
      'From now on, signing in takes your password alone.',
      `If it was not you, change your password at once and ${TELL}.`,
    ],
  },
  sessionEndedAsReplayed: {
    subject: 'A session was ended for safety',
    paragraphs: [
      'A session of yours was renewed with a token that had been used before, which happens when a token was copied. The session was ended.',
      'Sign in again. If this repeats, change your password.',
    ],
  },
  invitation: (organization, invitedBy, role) => ({
    subject: `You are invited to ${organization}`,
    paragraphs: [`${invitedBy} invites you to the organization “${organization}” as ${role}.`],
    button: 'Accept the invitation',
    closing: ['The link works once, for seven days.', 'If you do not know the sender, ignore this mail.'],
  }),
  securityNotice: (organization, entries) => ({
    subject: `Security of ${organization}: ${entries === 1 ? '1 entry' : `${entries} entries`}`,
    paragraphs: [
      `You are the security contact of “${organization}”. This is what its audit log has to tell you:`,
    ],
    closing: [`If it was not meant to happen, ${TELL} at once.`],
  }),
  securityActions: {
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
    setInternalNetworks: 'The organization’s own networks were changed',
    setDomain: 'The organization’s domain was changed',
    removeDomain: 'The organization’s domain was removed',
    lapseDomain: 'The organization’s domain does not count any more: its record is not found',
    setSingleSignOn:
      'The organization’s single sign-on was changed: people sign in by the provider that it names',
    removeSingleSignOn: 'The organization’s single sign-on was removed: people sign in with passwords again',
    joinBySingleSignOn: 'Somebody joined by single sign-on',
    forgetIdentity: 'A user may sign in with another account at the provider of single sign-on',
  },
  actors: {
    user: (name) => `by the user ${name}`,
    key: (name) => `by the API key ${name}`,
    operator: 'by the operator',
    anonymous: 'by somebody who did not sign in',
    service: 'by the service itself',
  },
  securityEntry: ({ what, by, resource, ip, at }) =>
    `${what}${resource === null ? '' : ` (${resource})`}: ${by}${ip === null ? '' : ` from ${ip}`}, at ${at}.`,
  alerts: {
    wording: (organization, every) => ({
      paragraphs: [`This is new at “${organization}” and waiting for somebody to deal with it:`],
      button: 'Open the overview',
      closing: [
        every === 'hourly'
          ? 'You get at most one such mail an hour. Choose how often, or turn these mails off, in your account’s settings:'
          : 'You get at most one such mail a day. Choose how often, or turn these mails off, in your account’s settings:',
      ],
    }),
    cases: 'Units that look suspicious',
    diversions: 'Units outside their markets',
    reports: 'Reports of suspected fakes',
    receipts: 'Receipts with discrepancies',
    noProduct: 'An unknown code',
    all: 'See all',
  },
  summary: {
    subject: (organization, days) => `${organization}: the week of ${days}`,
    wording: (organization, days) => ({
      paragraphs: [`This is what the week of ${days} came to at “${organization}”:`],
      button: 'Open the overview',
      closing: ['You get this mail once a week. Turn it off in your account’s settings:'],
    }),
    scans: 'Scans',
    suspicious: 'Suspicious',
    diverted: 'Outside their markets',
    firstScanned: 'Units scanned for the first time',
    cases: 'New cases',
    reports: 'New reports of suspected fakes',
    open: 'Open now',
    unknownPlace: 'Place not known',
    doubtful: 'suspicious or outside its markets',
    countries: 'Countries with most scans',
    products: 'Products',
    change: (share) => `${share} on the week before`,
  },
  webhookFailing: (url, since, disablesAt) => ({
    subject: 'A webhook endpoint keeps failing',
    paragraphs: [
      `Every delivery to ${url} has failed since ${since}.`,
      `Events are kept and retried. If nothing changes, the endpoint is disabled on ${disablesAt}.`,
      'The log of its deliveries says what it answered.',
    ],
  }),
  webhookDisabled: (url, why) => ({
    subject: 'A webhook endpoint was disabled',
    paragraphs: [
      WHY_DISABLED[why](url),
      'Events are kept. Enable the endpoint again to have them delivered, or recover a period of time.',
    ],
  }),
  domainMissing: (domain, name, record, lapsesAt) => ({
    subject: `The record of ${domain} is gone`,
    paragraphs: [
      `Touchstone no longer finds the TXT record by which your organization shows that it holds ${domain}.`,
      `Where it has to be: ${name}`,
      `What it has to say: ${record}`,
      `Until ${lapsesAt} the pages that consumers see go on naming the domain. If the record is not back by then, they stop.`,
    ],
    closing: ['If you no longer want the domain to be named, remove it in the settings.'],
  }),
  domainLapsed: (domain) => ({
    subject: `${domain} is not named any more`,
    paragraphs: [
      `The TXT record by which your organization shows that it holds ${domain} could not be found for too long. The pages that consumers see do not name the domain any more.`,
      'Set the record again: the settings say what it has to be, and it is looked for again.',
    ],
  }),
};
