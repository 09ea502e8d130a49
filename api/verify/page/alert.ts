/** What is wrong with what a visitor sent, above the form that is shown again. */
import type { FieldError, FieldErrorCode } from '../../../shared/field-errors.ts';
import { fillHtml, html } from '../../html.ts';
import type { Html } from '../../html.ts';
import { formatNumber } from './format.ts';
import type { Locale } from './locales.ts';

const MAX_SHOWN = 20;
/** Of what is said above all errors. */
const HEADING = 'wrong';

/**
 * It takes the focus, which brings it into view and is read out: what was there when the page came is not told as an alert.
 * @param heading all there is to say where there are no `errors`
 * @param errors each as it came, or as a sentence already
 * @param sentences of the page's language, by code; another code's error is shown as it came
 * @param locale for the numbers in them
 */
export function alertSection(
  heading: string,
  errors: readonly (FieldError | Html)[],
  sentences: Readonly<Partial<Record<FieldErrorCode, string>>>,
  locale: Locale,
): Html {
  const items = errors
    .slice(0, MAX_SHOWN)
    .map(
      (error, i) =>
        html`<li id="${idOf(i)}">${'code' in error ? sentenceOf(error, sentences, locale) : error}</li>`,
    );
  return html`<div role="alert" tabindex="-1" autofocus>
    <b id="${HEADING}">${heading}</b>
    ${
      items.length > 0 &&
      html`<ul>
        ${items}
      </ul>`
    }
  </div>`;
}

const idOf = (index: number): string => `wrong-${index}`;

/**
 * Marks a field as one that has to be changed, and tells there, too, what the alert says of it.
 * @param errors those of the alert, in its order
 * @param name of the field; of a list, its entries' errors are its own
 * @returns attributes for its tag; none where nothing is wrong with it
 */
export function wrongField(errors: readonly Pick<FieldError, 'path'>[], name: string): Html | null {
  const found = errors.flatMap(({ path }, i) => (path === name || path.startsWith(`${name}.`) ? [i] : []));
  if (found.length === 0) return null;
  const told = found.filter((index) => index < MAX_SHOWN).map(idOf);
  return html` aria-invalid="true"${told.length > 0 && html` aria-describedby="${told.join(' ')}"`}`;
}

/** As `wrongField`, for a form with one field, of which the heading tells all. */
export const wrongOnly = html` aria-invalid="true" aria-describedby="${HEADING}"`;

function sentenceOf(
  { code, message, params = {} }: FieldError,
  sentences: Readonly<Partial<Record<FieldErrorCode, string>>>,
  locale: Locale,
): Html {
  const sentence = sentences[code];
  if (sentence === undefined) return html`${message}`;
  const entries = Object.entries(params).map(([name, value]) => {
    const shown = typeof value === 'number' ? formatNumber(value, locale) : value;
    return [name, html`<bdi>${shown}</bdi>`];
  });
  return fillHtml(sentence, Object.fromEntries(entries) as Record<string, Html>);
}
