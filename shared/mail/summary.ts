/** The mail about what a week came to. */
import { ROLE_TABLE, type Role } from '../access/roles.ts';
import { countryName } from '../countries.ts';
import { encodeId } from '../ids.ts';
import type { Language } from '../languages.ts';
import type { WeekSummary } from '../summaries/service.ts';
import { daysIn, dayOf, isolatedIn, numberIn, shareIn, shortened } from './in-language.ts';
import { countedHeading, type Message, type MessageList } from './message.ts';
import { MAIL_WORDS } from './messages.ts';

const LAST_MOMENT_MS = 1;

/** @param publicUrl of the service, whose dashboard the links lead to */
export function summaryMail(
  language: Language,
  publicUrl: string,
  { organizationName, role, summary }: { organizationName: string; role: Role; summary: WeekSummary },
): Message {
  const words = MAIL_WORDS[language].summary;
  const { scopes } = ROLE_TABLE[role];
  const { week, timeZone } = summary;
  const lastMoment = new Date(week.to.getTime() - LAST_MOMENT_MS);
  const span = `since=${dayOf(week.from, timeZone)}&until=${dayOf(lastMoment, timeZone)}`;
  // What the figures do not count is not among what they lead to.
  const scans = `isInternal=false&${span}`;
  const page = (path: string) => `${publicUrl}/app${path}`;
  const number = (value: number) => numberIn(language, value);
  const counted = (heading: string, count: number) =>
    countedHeading(language, { heading, count: number(count) });
  const item = (label: string, path: string) => ({ label, url: page(path) });
  const figures: MessageList = {
    heading: words.scans,
    count: number(summary.scans),
    items: [
      ...(summary.scansBefore === 0
        ? []
        : [
            item(
              words.change(shareIn(language, summary.scans / summary.scansBefore - 1)),
              `/overview?${span}`,
            ),
          ]),
      item(counted(words.suspicious, summary.suspicious), `/scans?result=suspicious&${scans}`),
      item(counted(words.diverted, summary.diverted), `/scans?result=diverted&${scans}`),
      item(counted(words.firstScanned, summary.firstScanned), `/overview?${span}`),
    ],
  };
  const lists: MessageList[] = [
    figures,
    ...(scopes.has('scans.read')
      ? [
          {
            heading: words.cases,
            count: number(summary.cases.opened),
            items: [item(counted(words.open, summary.cases.open), '/cases?status=undecided')],
          },
        ]
      : []),
    ...(scopes.has('reports.read')
      ? [
          {
            heading: words.reports,
            count: number(summary.reports.received),
            items: [item(counted(words.open, summary.reports.open), '/reports?status=open')],
          },
        ]
      : []),
    ...(summary.countries.length === 0
      ? []
      : [
          {
            heading: words.countries,
            items: summary.countries.map(({ country, scans: count }) =>
              country === ''
                ? item(counted(words.unknownPlace, count), `/overview?${span}`)
                : item(
                    counted(isolatedIn(language, countryName(country, language)), count),
                    `/scans?country=${country}&${scans}`,
                  ),
            ),
          },
        ]),
    ...(summary.products.length === 0
      ? []
      : [
          {
            heading: words.products,
            items: summary.products.map(({ id, name, scans: count, doubtful }) =>
              item(
                [
                  counted(isolatedIn(language, name), count),
                  ...(doubtful === 0 ? [] : [counted(words.doubtful, doubtful)]),
                ].join(' · '),
                `/scans?productId=${encodeId('prod', id)}&${scans}`,
              ),
            ),
          },
        ]),
  ];
  const days = isolatedIn(language, daysIn(language, week.from, lastMoment, timeZone));
  const { paragraphs, button, closing } = words.wording(isolatedIn(language, organizationName), days);
  const unsubscribeUrl = page('/settings/account');
  return {
    language,
    subject: words.subject(isolatedIn(language, shortened(organizationName)), days),
    paragraphs,
    lists,
    action: { label: button, url: page(`/overview?${span}`) },
    closing: [...closing, unsubscribeUrl],
    unsubscribeUrl,
  };
}
