/** Every mail that the service sends. Tokens are in the fragment of a link: it reaches no log and no referrer. */
import type { Role } from '../access/roles.ts';
import { CIRCUIT_BREAKER, type SecurityNoticeRow } from '../audit/service.ts';
import { DOMAIN_CHECK } from '../domains/service.ts';
import type { Language } from '../languages.ts';
import { instantIn, isolatedIn, oneLine, shortened, unlinked } from './in-language.ts';
import type { Message } from './message.ts';
import { ar } from './messages/ar.ts';
import { de } from './messages/de.ts';
import { en } from './messages/en.ts';
import { es } from './messages/es.ts';
import { fr } from './messages/fr.ts';
import { ja } from './messages/ja.ts';
import type { MailWords, WhyDisabled, Wording } from './words.ts';

export const MAIL_WORDS: Readonly<Record<Language, MailWords>> = { en, de, fr, es, ja, ar };

function messageOf(language: Language, wording: Wording, url?: string): Message {
  const { subject, paragraphs, button, closing = [] } = wording;
  const action = button === undefined || url === undefined ? {} : { action: { label: button, url } };
  return { language, subject, paragraphs, closing, ...action };
}

const link = (publicUrl: string, page: string, token: string): string =>
  `${publicUrl}/account/${page}#token=${token}`;

/**
 * Of a name in a mail to an address that somebody typed in, who may be anybody, and may write to a stranger by it: there is room
 * for a name, and for no message.
 */
const MOST_TO_STRANGERS = 64;

/** A name as a stranger may read it. `Oliveira.example` is one, too: it looks the same, but nothing opens by a press on it. */
const nameToStranger = (language: Language, name: string): string =>
  isolatedIn(language, unlinked(shortened(name, MOST_TO_STRANGERS)));

const ADDRESS = /^[^\s@:/]+@[^\s@:/]+$/u;

/** Who acts is named by an address that they have shown to be theirs: it may be answered. An organization's name has shown nothing. */
const inviterToStranger = (language: Language, name: string): string =>
  ADDRESS.test(name) ? isolatedIn(language, name) : nameToStranger(language, name);

export function confirmSignUp(
  language: Language,
  publicUrl: string,
  organizationName: string,
  token: string,
): Message {
  const wording = MAIL_WORDS[language].confirmSignUp(nameToStranger(language, organizationName));
  return messageOf(language, wording, link(publicUrl, 'verify-email', token));
}

export const alreadySignedUp = (language: Language, publicUrl: string): Message =>
  messageOf(language, MAIL_WORDS[language].alreadySignedUp, `${publicUrl}/account/forgot-password`);

export const resetPassword = (language: Language, publicUrl: string, token: string): Message =>
  messageOf(language, MAIL_WORDS[language].resetPassword, link(publicUrl, 'reset-password', token));

export const passwordChanged = (language: Language): Message =>
  messageOf(language, MAIL_WORDS[language].passwordChanged);

export const secondFactorChanged = (language: Language, isOn: boolean): Message =>
  messageOf(language, MAIL_WORDS[language][isOn ? 'secondFactorOn' : 'secondFactorOff']);

export const sessionEndedAsReplayed = (language: Language): Message =>
  messageOf(language, MAIL_WORDS[language].sessionEndedAsReplayed);

export function invitation(
  language: Language,
  publicUrl: string,
  {
    organizationName,
    invitedBy,
    role,
    token,
  }: { organizationName: string; invitedBy: string; role: Role; token: string },
): Message {
  const words = MAIL_WORDS[language];
  const wording = words.invitation(
    nameToStranger(language, organizationName),
    inviterToStranger(language, invitedBy),
    words.roles[role],
  );
  return messageOf(language, wording, link(publicUrl, 'accept-invitation', token));
}

/** For whoever runs the service, in English. */
export const contactMessage = (from: { name: string; email: string; message: string }): Message => ({
  language: 'en',
  subject: `Contact form: ${from.name}`,
  paragraphs: [`${oneLine(from.name)} <${from.email}> wrote:`, from.message],
});

/** For whoever runs the service, in English. The reporter's contact details are the organization's alone. */
export const reportOfUnconfirmed = (report: {
  organizationId: string;
  organizationName: string;
  reportId: string;
  /** That the reporter named, if any. */
  brand: string | null;
  description: string;
}): Message => ({
  language: 'en',
  subject: `A consumer reports codes of “${report.organizationName}”`,
  paragraphs: [
    `Nobody has confirmed that “${oneLine(report.organizationName)}” (${report.organizationId}) is who it says it is, and a consumer has reported one of its codes (${report.reportId}):`,
    ...(report.brand === null ? [] : [`Brand: ${oneLine(report.brand)}`]),
    report.description,
  ],
  closing: ['The organization has the report, too. An imitator can be blocked: admin block-org.'],
});

/** @param entries of the audit log, oldest first: a sentence each. */
export function securityNotice(
  language: Language,
  organizationName: string,
  entries: readonly SecurityNoticeRow[],
): Message {
  const words = MAIL_WORDS[language];
  const wording = words.securityNotice(isolatedIn(language, organizationName), entries.length);
  const lines = entries.map((entry) => securityLine(language, entry));
  return messageOf(language, { ...wording, paragraphs: [...wording.paragraphs, ...lines] });
}

function securityLine(language: Language, row: SecurityNoticeRow): string {
  const words = MAIL_WORDS[language];
  const isolated = (text: string | null) => (text === null ? null : isolatedIn(language, text));
  return words.securityEntry({
    what: words.securityActions[row.action],
    by: actorOf(language, row),
    resource: isolated(row.resource),
    ip: isolated(row.ip),
    // In English as the API and the export of the log have it.
    at: language === 'en' ? row.at.toISOString() : isolatedIn(language, instantIn(language, row.at, true)),
  });
}

function actorOf(language: Language, { actor_kind: kind, actor_name: name }: SecurityNoticeRow): string {
  const { actors } = MAIL_WORDS[language];
  if (kind === 'user' || kind === 'key') return actors[kind](isolatedIn(language, name ?? ''));
  return kind === 'operator' && (name === CIRCUIT_BREAKER || name === DOMAIN_CHECK)
    ? actors.service
    : actors[kind];
}

export function webhookFailing(
  language: Language,
  url: string,
  failingSince: Date,
  disablesAt: Date,
): Message {
  const [since, until] = [failingSince, disablesAt].map((at) =>
    isolatedIn(language, instantIn(language, at, false)),
  );
  return messageOf(language, MAIL_WORDS[language].webhookFailing(isolatedIn(language, url), since!, until!));
}

export function domainMissing(
  language: Language,
  domain: string,
  name: string,
  record: string,
  lapsesAt: Date,
): Message {
  const [shown, at, says] = [domain, name, record].map((text) => isolatedIn(language, text));
  const until = isolatedIn(language, instantIn(language, lapsesAt, false));
  return messageOf(language, MAIL_WORDS[language].domainMissing(shown!, at!, says!, until));
}

export const domainLapsed = (language: Language, domain: string): Message =>
  messageOf(language, MAIL_WORDS[language].domainLapsed(isolatedIn(language, domain)));

export const webhookDisabled = (language: Language, url: string, why: WhyDisabled): Message =>
  messageOf(language, MAIL_WORDS[language].webhookDisabled(isolatedIn(language, url), why));
