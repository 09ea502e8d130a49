/** What the organization tells consumers about its recall, in the visitor's language where it can. */
import type { Verification } from '../../../shared/scans/verification.ts';
import { canonicalLanguage } from '../../accept-language.ts';
import { html, mailLink, webLink, type Html } from '../../html.ts';
import { DEFAULT_LOCALE, textDirection, type Reader } from './locales.ts';

/** @returns the message in the best of the visitor's languages, else in the page's, in English, in the first that there is. */
function recallMessage(
  messages: Readonly<Record<string, string>>,
  { locale, languages = [] }: Reader,
): [string, string] | null {
  const written = new Map(
    Object.entries(messages).map((message) => [canonicalLanguage(message[0]), message]),
  );
  for (const language of [...languages, locale, DEFAULT_LOCALE, ...written.keys()]) {
    const message = written.get(language);
    if (message !== undefined) return message;
  }
  return null;
}

export function recallSection({ recall }: Pick<Verification, 'recall'>, reader: Reader): Html | null {
  if (recall === null) return null;
  const found = recallMessage(recall.messages, reader);
  if (found === null && recall.contact === null) return null;
  const link = mailLink(recall.contact) ?? webLink(recall.contact);
  const contact =
    recall.contact === null
      ? null
      : link === null
        ? html`<p><bdi>${recall.contact}</bdi></p>`
        : html`<p>
            <a href="${link}" rel="noreferrer"><bdi>${recall.contact}</bdi></a>
          </p>`;
  return html`<section class="recall">
    ${found && html`<p lang="${found[0]}" dir="${textDirection(found[0])}">${found[1]}</p>`}${contact}
  </section>`;
}
