/** A message in words, and its two renderings. */
import { directionOf, type Language } from '../languages.ts';
import { colonIn, isolatesAsHtml, oneLine, shortened } from './in-language.ts';

/** Things of one kind, each with the page where it is. */
export interface MessageList {
  heading: string;
  /** How many there are, which may be more than are listed; none where it is not about a number. */
  count?: string;
  items: readonly Link[];
  /** Where the rest is. */
  more?: Link;
}

interface Link {
  label: string;
  url: string;
}

export interface Message {
  language: Language;
  subject: string;
  paragraphs: readonly string[];
  /** Between the paragraphs and the action. */
  lists?: readonly MessageList[];
  /** The one thing to do, as a button and as an address. */
  action?: Link;
  /** Below the action. */
  closing?: readonly string[];
  /** The page on which its reader has it no more, for what comes again and again: mail programs show a button that leads there (RFC 2369). */
  unsubscribeUrl?: string;
}

/** What is sent: RFC 5322 takes it from here. */
export interface RenderedMail {
  to: string;
  subject: string;
  text: string;
  html: string;
  unsubscribeUrl?: string;
}

const MOST_IN_SUBJECT = 200;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character]!);

const htmlParagraph = (text: string): string =>
  `<p>${isolatesAsHtml(escape(text)).replaceAll('\n', '<br>')}</p>`;

/** What a list is headed by, with how many it is about. */
export function countedHeading(
  language: Language,
  { heading, count }: Pick<MessageList, 'heading' | 'count'>,
): string {
  if (count === undefined) return heading;
  return `${heading}${colonIn(language)}${language === 'ja' ? '' : ' '}${count}`;
}

const textLink = (language: Language, { label, url }: Link): string => `${label}${colonIn(language)}\n${url}`;

const textList = (language: Language, list: MessageList): string =>
  [
    countedHeading(language, list),
    ...list.items.map(({ label, url }) => `- ${oneLine(label)}\n  ${url}`),
    ...(list.more === undefined ? [] : [textLink(language, list.more)]),
  ].join('\n');

const htmlLink = ({ label, url }: Link): string =>
  `<a href="${escape(url)}" style="color:#1d4ed8">${isolatesAsHtml(escape(label))}</a>`;

const htmlList = (language: Language, list: MessageList): string =>
  [
    `<p style="margin-bottom:4px"><strong>${escape(countedHeading(language, list))}</strong></p>`,
    `<ul style="margin:0;padding-inline-start:20px">${list.items.map((item) => `<li>${htmlLink(item)}</li>`).join('')}</ul>`,
    ...(list.more === undefined ? [] : [`<p style="margin-top:4px">${htmlLink(list.more)}</p>`]),
  ].join('\n');

/** @param to an address. @returns text and HTML that say the same; whatever people wrote is escaped. */
export function renderMessage(
  to: string,
  { language, subject, paragraphs, lists = [], action, closing = [], unsubscribeUrl }: Message,
): RenderedMail {
  const text = [
    ...paragraphs,
    ...lists.map((list) => textList(language, list)),
    ...(action ? [textLink(language, action)] : []),
    ...closing,
  ].join('\n\n');
  const button = action
    ? `<p><a href="${escape(action.url)}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#1f2937;color:#ffffff;text-decoration:none">${escape(action.label)}</a></p><p style="color:#6b7280;font-size:13px"><bdi dir="ltr">${escape(action.url)}</bdi></p>`
    : '';
  const body = [
    ...paragraphs.map(htmlParagraph),
    ...lists.map((list) => htmlList(language, list)),
    button,
    ...closing.map(htmlParagraph),
  ].join('\n');
  const html = `lang="${language}" dir="${directionOf(language)}"`;
  return {
    ...(unsubscribeUrl === undefined ? {} : { unsubscribeUrl }),
    to,
    subject: shortened(oneLine(subject), MOST_IN_SUBJECT),
    text: `${text}\n`,
    // Said twice: mail programs put what is in the body into a page of their own.
    html: `<!doctype html><html ${html}><head><meta charset="utf-8"><title>${escape(oneLine(subject))}</title></head><body><div ${html} style="font-family:system-ui,sans-serif;color:#111827;max-width:560px;margin:24px auto;padding:0 16px;line-height:1.5">\n${body}\n</div></body></html>\n`,
  };
}
