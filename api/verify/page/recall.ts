/** What the organization tells consumers about its recall, in the visitor's language where it can. */
import type { Verification } from '../../../shared/scans/verification.ts';
import { html, mailLink, webLink, type Html } from '../../html.ts';
import { DEFAULT_LOCALE, textDirection, type Reader } from './locales.ts';
import { firstText, textIn, type TextsByLanguage, type WrittenText } from './own-words.ts';

/** @returns the message in the best of the visitor's languages, else in the page's, in English, in the first that there is. */
const recallMessage = (messages: TextsByLanguage, { locale, languages = [] }: Reader): WrittenText | null =>
  textIn(messages, [...languages, locale, DEFAULT_LOCALE]) ?? firstText(messages);

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
