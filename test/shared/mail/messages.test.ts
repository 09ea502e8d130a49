import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { ROLES } from '../../../shared/access/roles.ts';
import { SECURITY_ACTIONS } from '../../../shared/audit/security-actions.ts';
import type { SecurityNoticeRow } from '../../../shared/audit/service.ts';
import { countryName } from '../../../shared/countries.ts';
import { LANGUAGES, type Language } from '../../../shared/languages.ts';
import { alertsMail } from '../../../shared/mail/alerts.ts';
import { daysIn, numberIn } from '../../../shared/mail/in-language.ts';
import { renderMessage, type Message } from '../../../shared/mail/message.ts';
import { summaryMail } from '../../../shared/mail/summary.ts';
import * as mails from '../../../shared/mail/messages.ts';
import { MAIL_WORDS } from '../../../shared/mail/messages.ts';
import type { WeekSummary } from '../../../shared/summaries/service.ts';

const PUBLIC_URL = 'https://verify.example.com';
const TOKEN = 'a-token-of-the-tests';
const HOOK = 'https://hooks.example.com/in?a=1&b=2';
const CHALLENGE = '_touchstone-challenge.oliveira.example';
const RECORD = 'touchstone=0123456789abcdef0123456789abcdef01234567';
const SINCE = new Date('2026-11-01T09:05:07Z');
const UNTIL = new Date('2026-12-24T18:30:00Z');

const entry = (fields: Partial<SecurityNoticeRow> = {}): SecurityNoticeRow => ({
  address: 'security@example.com',
  language: null,
  organization_name: 'Oliveira',
  at: SINCE,
  action: 'createApiKey',
  actor_kind: 'user',
  actor_name: 'ana@oliveira.example',
  resource: 'key_01',
  ip: '203.0.113.5',
  ...fields,
});

const ACTORS = [
  { actor_kind: 'user', actor_name: 'ana@oliveira.example' },
  { actor_kind: 'key', actor_name: 'ERP' },
  { actor_kind: 'operator', actor_name: null },
  { actor_kind: 'operator', actor_name: 'circuit breaker' },
  { actor_kind: 'operator', actor_name: 'domain check' },
  { actor_kind: 'anonymous', actor_name: null },
] as const;

const ID = '0199a4ec-7a50-7bfe-9f7b-180000000001';
const one = <Row>(row: Row) => ({ count: 1, hasMore: false, rows: [row] });
const ALERTS = {
  cases: { count: 1_000, hasMore: true, rows: [{ id: ID, product_name: 'Olive oil', serial: 'A-1' }] },
  diversions: one({
    unit_id: 'unit_01k6ejryjgfgz9yyr00000000e',
    product_name: 'Olive oil',
    serial: 'B-2',
    country: 'JP',
  }),
  reports: one({ id: ID, product_name: null, country: null }),
  receipts: one({ id: ID, reference: 'PO-4711', destination: 'Feinkost Schmidt' }),
};

const SUMMARY: WeekSummary = {
  week: {
    from: new Date('2026-10-25T23:00:00Z'),
    to: new Date('2026-11-01T23:00:00Z'),
    before: { from: new Date('2026-10-18T22:00:00Z'), to: new Date('2026-10-25T23:00:00Z') },
    dueUntil: new Date('2026-10-29T11:00:00Z'),
  },
  timeZone: 'Europe/Berlin',
  scans: 12_345,
  scansBefore: 10_000,
  suspicious: 17,
  diverted: 8,
  firstScanned: 9_876,
  countries: [
    { country: 'JP', scans: 7_001 },
    { country: '', scans: 31 },
  ],
  products: [
    { id: ID, name: 'Olive oil', scans: 6_001, doubtful: 25 },
    { id: ID, name: 'Soap', scans: 6_002, doubtful: 0 },
  ],
  cases: { opened: 4, open: 43 },
  reports: { received: 2, open: 5 },
};

const invitation = { organizationName: 'Oliveira', invitedBy: 'ana@oliveira.example', token: TOKEN };

/** Every mail to people, each with what must be in it whatever the language. */
function everyMail(language: Language): Record<string, [message: Message, parts: string[]]> {
  const link = (page: string) => `${PUBLIC_URL}/account/${page}#token=${TOKEN}`;
  return {
    confirmSignUp: [
      mails.confirmSignUp(language, PUBLIC_URL, 'Oliveira', TOKEN),
      ['Oliveira', '24', link('verify-email')],
    ],
    alreadySignedUp: [mails.alreadySignedUp(language, PUBLIC_URL), [`${PUBLIC_URL}/account/forgot-password`]],
    resetPassword: [mails.resetPassword(language, PUBLIC_URL, TOKEN), [link('reset-password')]],
    passwordChanged: [mails.passwordChanged(language), []],
    secondFactorOn: [mails.secondFactorChanged(language, true), []],
    secondFactorOff: [mails.secondFactorChanged(language, false), []],
    sessionEndedAsReplayed: [mails.sessionEndedAsReplayed(language), []],
    ...Object.fromEntries(
      ROLES.map((role) => [
        `invitation ${role}`,
        [
          mails.invitation(language, PUBLIC_URL, { ...invitation, role }),
          ['Oliveira', 'ana@oliveira.example', MAIL_WORDS[language].roles[role], link('accept-invitation')],
        ],
      ]),
    ),
    ...Object.fromEntries(
      SECURITY_ACTIONS.map((action) => [
        `securityNotice ${action}`,
        [
          mails.securityNotice(language, 'Oliveira', [entry({ action })]),
          ['Oliveira', 'key_01', 'ana@oliveira.example', '203.0.113.5', '2026', '09:05:07', '1'],
        ],
      ]),
    ),
    ...Object.fromEntries(
      ACTORS.map((actor) => [
        `securityNotice by ${actor.actor_kind} ${actor.actor_name}`,
        [
          mails.securityNotice(language, 'Oliveira', [entry(actor), entry({ ip: null, resource: null })]),
          ['2'],
        ],
      ]),
    ),
    ...Object.fromEntries(
      (['hourly', 'daily'] as const).map((every) => [
        `alerts ${every}`,
        [
          alertsMail(language, PUBLIC_URL, { organizationName: 'Oliveira', every, alerts: ALERTS }),
          [
            'Oliveira',
            '1000+',
            'Olive oil',
            'A-1',
            countryName('JP', language),
            `${PUBLIC_URL}/app/cases`,
            `${PUBLIC_URL}/app/units/unit_01k6ejryjgfgz9yyr00000000e`,
            `${PUBLIC_URL}/app/settings/account`,
          ],
        ],
      ]),
    ),
    summary: [
      summaryMail(language, PUBLIC_URL, { organizationName: 'Oliveira', role: 'viewer', summary: SUMMARY }),
      [
        'Oliveira',
        '2026',
        ...[12_345, 17, 8, 9_876, 7_001, 31, 6_001, 25, 6_002, 43].map((figure) =>
          numberIn(language, figure),
        ),
        countryName('JP', language),
        'Olive oil',
        `${PUBLIC_URL}/app/scans?country=JP&isInternal=false&since=2026-10-26&until=2026-11-01`,
        `${PUBLIC_URL}/app/cases?status=undecided`,
        `${PUBLIC_URL}/app/settings/account`,
      ],
    ],
    domainMissing: [
      mails.domainMissing(language, 'oliveira.example', CHALLENGE, RECORD, UNTIL),
      ['oliveira.example', CHALLENGE, RECORD, '2026', '18:30'],
    ],
    domainLapsed: [mails.domainLapsed(language, 'oliveira.example'), ['oliveira.example', 'TXT']],
    webhookFailing: [
      mails.webhookFailing(language, HOOK, SINCE, UNTIL),
      [HOOK, '2026', '09:05', '18:30', 'UTC'],
    ],
    ...Object.fromEntries(
      (['gone', 'failing', 'unreadable'] as const).map((why) => [
        `webhookDisabled ${why}`,
        [mails.webhookDisabled(language, HOOK, why), [HOOK, ...(why === 'gone' ? ['410'] : [])]],
      ]),
    ),
  };
}

/** What a mail's lists say themselves; the items are names. */
const wordsOfLists = ({ lists = [] }: Message): string[] =>
  lists.flatMap(({ heading, more }) => (more === undefined ? [heading] : [heading, more.label]));

const unescaped = (html: string): string =>
  html.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

const rolesOfDashboard = (language: Language): Record<string, string> => {
  const file = new URL(`../../../dashboard/src/locales/${language}.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { roles: Record<string, string> }).roles;
};

describe('The mails', () => {
  const english = everyMail('en');
  for (const language of LANGUAGES) {
    const own = everyMail(language);

    it(`say in ${language} all that they say in English, with the same links and names`, () => {
      for (const [name, [message, parts]] of Object.entries(own)) {
        const where = `${name} in ${language}`;
        const [{ action, paragraphs, closing = [] }] = english[name]!;
        expect(message.action?.url, where).to.equal(action?.url);
        expect(message.paragraphs.length, where).to.equal(paragraphs.length);
        expect(message.closing?.length, where).to.equal(closing.length);
        const { subject, text, html } = renderMessage('ana@oliveira.example', message);
        expect(`${subject}${text}${html}`, where).not.to.match(/undefined|\[object|=>|\$\{|Invalid/);
        const withoutMarks = unescaped(html).replaceAll(/<\/?bdi[^>]*>/g, '');
        for (const part of parts) {
          expect(`${subject}\n${text}`, where).to.include(part);
          expect(withoutMarks, where).to.include(part);
        }
      }
    });

    if (language !== 'en')
      it(`leave no line in English in ${language}`, () => {
        for (const [name, [message]] of Object.entries(own)) {
          const [{ subject, paragraphs, closing = [], action }] = english[name]!;
          const known = new Set([
            subject,
            ...paragraphs,
            ...closing,
            ...wordsOfLists(english[name]![0]),
            action?.label,
          ]);
          // The same word in several languages.
          known.delete('Scans');
          const lines = [
            message.subject,
            ...message.paragraphs,
            ...message.closing!.filter((line) => !line.startsWith(PUBLIC_URL)),
            ...wordsOfLists(message),
          ];
          if (message.action !== undefined) lines.push(message.action.label);
          expect(
            lines.filter((line) => known.has(line) || line.trim() === ''),
            name,
          ).to.deep.equal([]);
        }
      });

    it(`name the roles in ${language} as the dashboard does`, () => {
      for (const [role, name] of Object.entries(rolesOfDashboard(language)))
        expect(MAIL_WORDS[language].roles[role as (typeof ROLES)[number]].toLowerCase()).to.equal(
          name.toLowerCase(),
        );
    });

    it(`are marked as ${language}, from the side where it begins`, () => {
      const { html } = renderMessage('ana@oliveira.example', mails.passwordChanged(language));
      const marks = `lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}"`;
      expect(html).to.include(`<html ${marks}>`).and.to.include(`<div ${marks} style=`);
    });
  }

  it('write times as each language does, with the zone', () => {
    const timesIn = (language: Language) => mails.webhookFailing(language, HOOK, SINCE, UNTIL).paragraphs;
    expect(timesIn('en')[0]).to.include('since 1 November 2026 at 09:05 UTC.');
    expect(timesIn('de')[0]).to.include('Seit dem 1. November 2026 um 09:05 UTC ist');
    expect(timesIn('fr')[0]).to.include('depuis le 1er novembre 2026 à 09:05 UTC.');
    expect(timesIn('es')[0]).to.include('desde el 1 de noviembre de 2026 a las 09:05 UTC.');
    expect(timesIn('ja')[0]).to.include('2026年11月1日 09:05 UTC から');
    expect(timesIn('ar')[0]).to.include('1 نوفمبر 2026 في 09:05 UTC');
  });

  it('tell of a week in the days and figures of each language, and not how it compares where nothing was before', () => {
    const mailIn = (language: Language, summary = SUMMARY) =>
      renderMessage(
        'a@b.example',
        summaryMail(language, PUBLIC_URL, { organizationName: 'Oliveira', role: 'viewer', summary }),
      );
    // What stands around the dash differs between versions of Node.
    const days: Record<Language, RegExp> = {
      en: /26 October\s?–\s?1 November 2026/,
      de: /26\. Oktober\s?–\s?1\. November 2026/,
      fr: /la semaine du 26 octobre au 1er novembre 2026$/,
      es: /la semana del 26 de octubre al 1 de noviembre de 2026$/,
      ja: /：2026年10月26日～2026年11月1日の週のまとめ$/,
      ar: /26 أكتوبر\s?–\s?1 نوفمبر 2026/,
    };
    for (const language of LANGUAGES) expect(mailIn(language).subject).to.match(days[language]);
    const march = ['2027-03-01T00:00:00Z', '2027-03-07T00:00:00Z'].map((at) => new Date(at)) as [Date, Date];
    expect(daysIn('fr', ...march, 'UTC')).to.equal('1er au 7 mars 2027');
    expect(daysIn('es', ...march, 'UTC')).to.equal('1 al 7 de marzo de 2027');
    expect(mailIn('en').text).to.include('Scans: 12,345\n- +23% on the week before\n');
    expect(mailIn('en', { ...SUMMARY, scans: 5_000 }).text).to.include('- -50% on the week before\n');
    expect(mailIn('en', { ...SUMMARY, scansBefore: 0 }).text).not.to.include('on the week before');
    expect(mailIn('en').text)
      .to.include('- Olive oil: 6,001 · suspicious or outside its markets: 25\n')
      .and.to.include('- Soap: 6,002\n')
      .and.match(/- Place not known: 31\n {2}\S+\/overview\?since=2026-10-26&until=2026-11-01\n/)
      .and.to.include('\nCountries with most scans\n');
  });

  it('name the link in plain text with the language’s own colon', () => {
    const textIn = (language: Language) =>
      renderMessage('a@b.example', mails.resetPassword(language, PUBLIC_URL, TOKEN)).text;
    expect(textIn('en')).to.include('Choose a new password:\n');
    expect(textIn('fr')).to.include('Choisir un nouveau mot de passe\u00a0:\n');
    expect(textIn('ja')).to.include('新しいパスワードを設定する：\n');
  });

  it('keep what is read from the other side to itself, in HTML as elements', () => {
    const arabic = renderMessage('a@b.example', mails.webhookFailing('ar', HOOK, SINCE, UNTIL));
    expect(arabic.html).to.include('<bdi>https://hooks.example.com/in?a=1&amp;b=2</bdi>');
    expect(arabic.text).to.include(`\u2068${HOOK}\u2069`);
    const named = { ...invitation, organizationName: 'شركة الزيتون', role: 'viewer' as const };
    const english = renderMessage('a@b.example', mails.invitation('en', PUBLIC_URL, named));
    expect(english.html).to.include('“<bdi>شركة الزيتون</bdi>” as viewer.');
    expect(english.html).to.include(
      `<bdi dir="ltr">${PUBLIC_URL}/account/accept-invitation#token=${TOKEN}</bdi>`,
    );
    // The address of the button stands alone, as mail programs make a link of it.
    expect(english.text.split('\n')).to.include(`${PUBLIC_URL}/account/accept-invitation#token=${TOKEN}`);
  });

  it('count every kind of alert in the subject, however long the organization’s name is', () => {
    const most = <Row>({ rows }: { rows: Row[] }) => ({ count: 1_000, hasMore: true, rows });
    const alerts = {
      cases: most(ALERTS.cases),
      diversions: most(ALERTS.diversions),
      reports: most(ALERTS.reports),
      receipts: most(ALERTS.receipts),
    };
    for (const language of LANGUAGES) {
      const organizationName = 'Oliveira '.repeat(22).trim();
      const message = alertsMail(language, PUBLIC_URL, { organizationName, every: 'daily', alerts });
      const { subject, text } = renderMessage('a@b.example', message);
      expect(subject.match(/1000\+/g), language).to.have.length(4);
      expect(renderMessage('a@b.example', message).unsubscribeUrl).to.equal(
        `${PUBLIC_URL}/app/settings/account`,
      );
      expect(text).to.include(organizationName);
    }
  });

  it('keep a name with a line break in it to its line of a list', () => {
    const cases = one({ id: ID, product_name: 'Olive\noil', serial: 'A-1' });
    const alerts = { ...ALERTS, cases };
    const message = alertsMail('en', PUBLIC_URL, { organizationName: 'Oliveira', every: 'daily', alerts });
    expect(renderMessage('a@b.example', message).text).to.include('- Olive oil · A-1\n');
  });

  it('let no name turn the sentence around it, nor become markup', () => {
    const organizationName = 'A\u202e\u2069<b>\u2066B';
    for (const language of LANGUAGES) {
      const message = mails.invitation(language, PUBLIC_URL, {
        ...invitation,
        organizationName,
        role: 'owner',
      });
      const { subject, text, html } = renderMessage('a@b.example', message);
      expect(subject + text + html).not.to.match(/[\u202a-\u202e\u2066\u2067]/);
      expect(html).to.include('A&lt;b&gt;B').and.not.to.include('<b>');
      expect(text.split('\u2068').length, language).to.equal(text.split('\u2069').length);
    }
  });

  it('keep a name with line breaks in it to its sentence', () => {
    const forged = 'ERP\n\nNothing was changed: by the service itself.\u2028Good bye';
    for (const language of LANGUAGES)
      for (const message of [
        mails.confirmSignUp(language, PUBLIC_URL, forged, TOKEN),
        mails.invitation(language, PUBLIC_URL, { ...invitation, organizationName: forged, role: 'owner' }),
        mails.securityNotice(language, forged, [entry({ actor_kind: 'key', actor_name: forged })]),
      ]) {
        const { text, html } = renderMessage('a@b.example', message);
        expect(text, language)
          .to.include('ERP Nothing')
          .and.not.to.match(/\nNothing|\u2028/);
        expect(html, language).not.to.include('<br>');
      }
    const toOperator = mails.contactMessage({
      name: 'Ana\nBruno',
      email: 'ana@example.com',
      message: 'A\nB',
    });
    expect(toOperator.paragraphs).to.deep.equal(['Ana Bruno <ana@example.com> wrote:', 'A\nB']);
  });

  it('cut no character of a subject in two', () => {
    const message = { ...mails.passwordChanged('en'), subject: `x${'👩🏽‍🔬'.repeat(60)}` };
    const { subject } = renderMessage('a@b.example', message);
    expect(subject).to.match(/^x(?:👩🏽‍🔬){28}…$/u);
  });
});
