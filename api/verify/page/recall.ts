/** What the organization tells consumers about its recall, in the visitor's language where it can. */
import type { Verification } from '../../../shared/scans/verification.ts';
import { html, mailLink, webLink, type Html } from '../../html.ts';
import { textDirection, type Reader } from './locales.ts';
import { bestFor, writtenTexts } from './own-words.ts';

export function recallSection({ recall }: Pick<Verification, 'recall'>, reader: Reader): Html | null {
  if (recall === null) return null;
  const found = bestFor(writtenTexts(recall.messages), reader);
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
    ${found && html`<p lang="${found.language}" dir="${textDirection(found.language!)}">${found.text}</p>`}${contact}
  </section>`;
}
