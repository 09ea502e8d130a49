/**
 * What mails say, as each language of `messages/` has to say it. Whatever is put into a sentence comes as text that is ready to
 * stand there: names kept to themselves, times written out.
 */
import type { Role } from '../access/roles.ts';
import type { SecurityAction } from '../audit/service.ts';

export interface Wording {
  subject: string;
  paragraphs: readonly string[];
  /** On the button, of a mail with a link. */
  button?: string;
  /** Below it. */
  closing?: readonly string[];
}

/** Why an endpoint was disabled: its receiver answered 410, it failed for days, or its secret cannot be decrypted. */
export type WhyDisabled = 'gone' | 'failing' | 'unreadable';

export interface SecurityEntryWords {
  /** One of `securityActions`. */
  what: string;
  /** By whom, as one of `actors` says it. */
  by: string;
  /** Public id of what it was done to. */
  resource: string | null;
  ip: string | null;
  at: string;
}

export interface AlertWords {
  /** The address of the account's settings stands behind what closes it. @param every how often such a mail comes at most */
  wording(
    organization: string,
    every: 'hourly' | 'daily',
  ): Required<Pick<Wording, 'paragraphs' | 'button' | 'closing'>>;
  /** Headings, with a number behind them. */
  cases: string;
  diversions: string;
  reports: string;
  receipts: string;
  /** Of a report in place of the product's name. */
  noProduct: string;
  /** To what is not listed. */
  all: string;
}

export interface SummaryWords {
  /** @param days of the week, from the first to the last */
  subject(organization: string, days: string): string;
  /** The address of the account's settings stands behind what closes it. */
  wording(organization: string, days: string): Required<Pick<Wording, 'paragraphs' | 'button' | 'closing'>>;
  /** Headings and lines, with a number behind them. */
  scans: string;
  suspicious: string;
  diverted: string;
  firstScanned: string;
  cases: string;
  reports: string;
  /** Cases that nobody has closed, or reports that nobody has looked at. */
  open: string;
  unknownPlace: string;
  /** Of a product's scans: suspicious, or outside its markets. */
  doubtful: string;
  /** Headings of lists. */
  countries: string;
  products: string;
  /** @param share more or less than in the week before, as +12% */
  change(share: string): string;
}

export interface MailWords {
  /** As the dashboard names them. */
  roles: Readonly<Record<Role, string>>;
  confirmSignUp(organization: string): Wording;
  alreadySignedUp: Wording;
  resetPassword: Wording;
  passwordChanged: Wording;
  secondFactorOn: Wording;
  secondFactorOff: Wording;
  sessionEndedAsReplayed: Wording;
  /** @param role one of `roles` */
  invitation(organization: string, invitedBy: string, role: string): Wording;
  /** The entries stand between the paragraphs and what closes the mail. */
  securityNotice(organization: string, entries: number): Wording;
  securityActions: Readonly<Record<SecurityAction, string>>;
  /** Who did it, as `securityEntry` goes on with it. */
  actors: {
    user(name: string): string;
    key(name: string): string;
    operator: string;
    anonymous: string;
    /** Of its own accord. */
    service: string;
  };
  securityEntry(entry: SecurityEntryWords): string;
  /** What is new and waits for somebody, as lists that stand below the paragraphs. */
  alerts: AlertWords;
  /** What a week came to. */
  summary: SummaryWords;
  webhookFailing(url: string, since: string, disablesAt: string): Wording;
  webhookDisabled(url: string, why: WhyDisabled): Wording;
  /** @param name where the record has to be. @param record what it has to say */
  domainMissing(domain: string, name: string, record: string, lapsesAt: string): Wording;
  domainLapsed(domain: string): Wording;
}
