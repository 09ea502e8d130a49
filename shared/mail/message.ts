/** A message in words, and its two renderings. */
import { directionOf, type Language } from '../languages.ts';
import { colonIn, isolatesAsHtml } from './in-language.ts';

export interface Message {
  language: Language;
  subject: string;
  paragraphs: readonly string[];
  /** The one thing to do, as a button and as an address. */
  action?: { label: string; url: string };
  /** Below the action. */
  closing?: readonly string[];
}

/** What is sent: RFC 5322 takes it from here. */
export interface RenderedMail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character]!);

// A name with a line break in it must not become a header.
const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

const htmlParagraph = (text: string): string =>
  `<p>${isolatesAsHtml(escape(text)).replaceAll('\n', '<br>')}</p>`;

/** @param to an address. @returns text and HTML that say the same; whatever people wrote is escaped. */
export function renderMessage(
  to: string,
  { language, subject, paragraphs, action, closing = [] }: Message,
): RenderedMail {
  const text = [
    ...paragraphs,
    ...(action ? [`${action.label}${colonIn(language)}\n${action.url}`] : []),
    ...closing,
  ].join('\n\n');
  const button = action
    ? `<p><a href="${escape(action.url)}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#1f2937;color:#ffffff;text-decoration:none">${escape(action.label)}</a></p><p style="color:#6b7280;font-size:13px"><bdi dir="ltr">${escape(action.url)}</bdi></p>`
    : '';
  const body = [...paragraphs.map(htmlParagraph), button, ...closing.map(htmlParagraph)].join('\n');
  const html = `lang="${language}" dir="${directionOf(language)}"`;
  return {
    to,
    subject: oneLine(subject).slice(0, 200),
    text: `${text}\n`,
    // Said twice: mail programs put what is in the body into a page of their own.
    html: `<!doctype html><html ${html}><head><meta charset="utf-8"><title>${escape(oneLine(subject))}</title></head><body><div ${html} style="font-family:system-ui,sans-serif;color:#111827;max-width:560px;margin:24px auto;padding:0 16px;line-height:1.5">\n${body}\n</div></body></html>\n`,
  };
}
