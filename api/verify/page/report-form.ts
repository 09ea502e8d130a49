/** The form for a report, which works without a script: form-encoded, with photos. */
import { html } from '../../html.ts';
import type { Html } from '../../html.ts';
import type { FieldError } from '../../../shared/field-errors.ts';
import { PHOTO_LABELS } from '../../counterfeit-reports/form-labels.ts';
import { wrongField } from './alert.ts';
import { CATALOGUES } from './locales.ts';
import type { Locale } from './locales.ts';

/** What the visitor had typed, so that a mistake costs no second typing. */
export interface TypedReport {
  readonly description: string;
  readonly purchasedFrom: string;
  readonly contactEmail: string;
}

const NOTHING: TypedReport = { description: '', purchasedFrom: '', contactEmail: '' };

/**
 * @param action the path that takes it
 * @param errors those of the alert above it
 */
export function reportForm(
  action: string,
  locale: Locale,
  typed: TypedReport = NOTHING,
  errors: readonly Pick<FieldError, 'path'>[] = [],
): Html {
  const { what, where, email, send } = CATALOGUES[locale].report;
  return html`<form method="post" action="${action}" enctype="multipart/form-data">
    <input type="hidden" name="lang" value="${locale}" />
    <label
      >${what}<textarea
        name="description"
        rows="3"
        maxlength="2000"
        required${wrongField(errors, 'description')}
      >
${typed.description}</textarea>
    </label>
    <label
      >${where}<input
        name="purchasedFrom"
        maxlength="500"
        value="${typed.purchasedFrom}"
        ${wrongField(errors, 'purchasedFrom')}
    /></label>
    <label
      >${email}<input
        name="contactEmail"
        type="email"
        maxlength="254"
        autocomplete="email"
        value="${typed.contactEmail}"
        ${wrongField(errors, 'contactEmail')}
    /></label>
    <label
      >${PHOTO_LABELS[locale]}<input
        name="photos"
        type="file"
        accept="image/jpeg,image/png,image/webp"
        multiple${wrongField(errors, 'photos')}
    /></label>
    <div hidden>
      <label>Website<input name="website" tabindex="-1" autocomplete="off" /></label>
    </div>
    <button>${send}</button>
  </form>`;
}
