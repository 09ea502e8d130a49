/** The mail about what is new and waits for somebody. */
import type { Alerts, AlertMails, AlertSection } from '../alerts/service.ts';
import { countryName } from '../countries.ts';
import { encodeId } from '../ids.ts';
import type { Language } from '../languages.ts';
import { isolatedIn, shortened } from './in-language.ts';
import { countedHeading, type Message, type MessageList } from './message.ts';
import { MAIL_WORDS } from './messages.ts';

export interface AlertsMail {
  organizationName: string;
  every: Exclude<AlertMails, 'never'>;
  alerts: Alerts;
}

/**
 * Nothing that strangers wrote stands in it: whoever files a report must not be able to put a link before the brand's people.
 * @param publicUrl of the service, whose dashboard the links lead to
 */
export function alertsMail(
  language: Language,
  publicUrl: string,
  { organizationName, every, alerts }: AlertsMail,
): Message {
  const words = MAIL_WORDS[language].alerts;
  const page = (path: string) => `${publicUrl}/app${path}`;
  const named = (...parts: (string | null)[]) =>
    parts.flatMap((part) => (part === null ? [] : isolatedIn(language, part))).join(' · ');
  const inCountry = (code: string | null) => (code === null ? null : countryName(code, language));
  const list = <Row>(
    heading: string,
    { count, hasMore, rows }: AlertSection<Row>,
    all: string,
    itemOf: (row: Row) => { label: string; path: string },
  ): MessageList[] => {
    if (count === 0) return [];
    const items = rows.map(itemOf).map(({ label, path }) => ({ label, url: page(path) }));
    const more = count > rows.length ? { more: { label: words.all, url: page(all) } } : {};
    return [{ heading, count: `${count}${hasMore ? '+' : ''}`, items, ...more }];
  };
  const lists = [
    ...list(words.cases, alerts.cases, '/cases?status=open', (row) => ({
      label: named(row.product_name, row.serial),
      path: `/cases/${encodeId('case', row.id)}`,
    })),
    ...list(words.diversions, alerts.diversions, '/scans?result=diverted', (row) => ({
      label: named(row.product_name, row.serial, inCountry(row.country)),
      path: `/units/${row.unit_id}`,
    })),
    ...list(words.reports, alerts.reports, '/reports?status=open', (row) => ({
      label: named(row.product_name ?? words.noProduct, inCountry(row.country)),
      path: `/reports/${encodeId('rep', row.id)}`,
    })),
    ...list(words.receipts, alerts.receipts, '/consignments?status=discrepant-lately', (row) => ({
      label: named(row.reference, row.destination),
      path: `/consignments/${encodeId('cons', row.id)}`,
    })),
  ];
  const { paragraphs, button, closing } = words.wording(isolatedIn(language, organizationName), every);
  const unsubscribeUrl = page('/settings/account');
  const counts = lists.map((each) => countedHeading(language, each));
  return {
    language,
    subject: `${isolatedIn(language, shortened(organizationName))} – ${counts.join(' · ')}`,
    paragraphs,
    lists,
    action: { label: button, url: page('/overview') },
    closing: [...closing, unsubscribeUrl],
    unsubscribeUrl,
  };
}
