/** The page on which a distributor confirms one consignment: server-rendered, whole without a script. */
import { statusOf, type ConsignmentRow } from '../../../shared/consignments/service.ts';
import type { FieldError } from '../../../shared/field-errors.ts';
import { inLanguage } from '../../accept-language.ts';
import { fillHtml, html, type Html } from '../../html.ts';
import { countryName } from '../../../shared/countries.ts';
import { alertSection, wrongField } from '../../verify/page/alert.ts';
import type { Brand } from '../../verify/page/brand.ts';
import { digitsOf, formatMoment, formatNumber, languageTag } from '../../verify/page/format.ts';
import { renderDocument } from '../../verify/page/layout.ts';
import type { Locale } from '../../verify/page/locales.ts';
import { fact } from '../../verify/page/sections.ts';
import { documentName } from './documents.ts';
import { CONSIGNMENT_MESSAGES, type ConsignmentMessages } from './messages.ts';
import { REFUSALS } from './refusals.ts';
import { COUNT_PATTERN, MAX_LIST_TEXT } from './schema.ts';

const BLUE = '#1f3a5f';
const GREEN = '#0a6b3b';
const RED = '#b1161f';

const brandNamed = (name: string): Brand => ({
  name,
  logoUrl: null,
  color: null,
  support: null,
  message: null,
  messages: {},
  domain: null,
  isUnconfirmed: false,
});

/** What the visitor had entered, as text, so that a mistake costs no second typing. */
export interface Entered {
  receivedCount: string;
  missing: string;
  damaged: string;
  name: string;
  note: string;
}

const NOTHING: Entered = { receivedCount: '', missing: '', damaged: '', name: '', note: '' };

export interface PageOptions {
  locale: Locale;
  token: string;
  entered?: Entered;
  errors?: readonly FieldError[];
}

/** Of the page of a link, on this service. */
export const addressOf = (token: string): string => `/c/${encodeURIComponent(token)}`;

export function renderConsignment(row: ConsignmentRow, options: PageOptions): string {
  const { locale, token } = options;
  const address = addressOf(token);
  const messages = CONSIGNMENT_MESSAGES[locale];
  const brand = brandNamed(row.org_name);
  const say = (sentence: string): Html => fillHtml(sentence, { brand: html`<bdi>${row.org_name}</bdi>` });
  const status = statusOf(row);
  const [title, color, head] = headOf(status, messages, say);
  const main = html`${head}
    <div class="column">${factsSection(row, messages, locale)}</div>
    <div class="column">
      ${row.received_at !== null && receiptSection(row, messages, locale)}
      ${status === 'dispatched' && receiveForm(row, options, messages)}
    </div>`;
  // A title is what is read out first of a page that comes: here, that it is the form again.
  const shown = options.errors?.length ? `${messages.check} · ${title}` : title;
  const behind = options.entered === undefined ? {} : { behind: inLanguage(address, locale) };
  return renderDocument({ title: shown, brand, locale, themeColor: color, main, address, ...behind });
}

/** For a link that is unknown, expired or revoked: nothing tells which. */
export function renderLinkGone(locale: Locale): string {
  const { goneTitle, goneText } = CONSIGNMENT_MESSAGES[locale];
  const main = html`<section class="verdict unknown">
    <h1>${goneTitle}</h1>
    <p>${goneText}</p>
  </section>`;
  return renderDocument({
    title: goneTitle,
    brand: brandNamed('Touchstone'),
    locale,
    themeColor: '#45505f',
    main,
    languages: false,
  });
}

function headOf(
  status: string,
  messages: ConsignmentMessages,
  say: (sentence: string) => Html,
): [string, string, Html] {
  const head = (look: string, title: string, text: string | Html) =>
    html`<section class="verdict ${look}">
      <h1>${title}</h1>
      <p>${text}</p>
    </section>`;
  if (status === 'recalled')
    return [
      messages.recalledTitle,
      RED,
      head('recalled', messages.recalledTitle, say(messages.recalledText)),
    ];
  if (status === 'received' || status === 'partially_received')
    return [messages.doneTitle, GREEN, head('genuine', messages.doneTitle, messages.doneText)];
  return [messages.title, BLUE, head('inactive', messages.title, say(messages.lead))];
}

/** Between the parts of a list; most languages write the Latin one. */
const COMMAS: Readonly<Partial<Record<Locale, string>>> = { ar: '، ', ja: '、', zh: '，' };
/** Between a name and its number. */
const COLONS: Readonly<Partial<Record<Locale, string>>> = { fr: '\u00a0: ', ja: '：', zh: '：' };

function party(value: ConsignmentRow['origin'], locale: Locale): Html | null {
  if (value === null) return null;
  const country = value.country === null ? null : countryName(value.country, languageTag(locale));
  const parts = [value.name, value.address, country].filter((part) => part !== null);
  const comma = COMMAS[locale] ?? ', ';
  return html`${parts.map((part, i) => html`${i > 0 && comma}<bdi>${part}</bdi>`)}`;
}

function factsSection(row: ConsignmentRow, messages: ConsignmentMessages, locale: Locale): Html {
  const colon = COLONS[locale] ?? ': ';
  return html`<section>
    <dl>
      ${[
        fact(messages.reference, row.reference && html`<bdi>${row.reference}</bdi>`),
        fact('SSCC', row.sscc && html`<bdi dir="ltr">${row.sscc}</bdi>`),
        ...row.document_references.map(({ type, value }) =>
          fact(html`<bdi>${documentName(type, locale)}</bdi>`, html`<bdi>${value}</bdi>`),
        ),
        fact(messages.from, party(row.origin, locale)),
        fact(messages.to, party(row.destination, locale)),
        fact(messages.units, formatNumber(row.unit_count, locale)),
      ]}
    </dl>
    <h2>${messages.contents}</h2>
    <ul>
      ${row.contents.map(
        ({ name, units }) => html`<li><bdi>${name}</bdi>${colon}${formatNumber(units, locale)}</li>`,
      )}
    </ul>
  </section>`;
}

function receiptSection(row: ConsignmentRow, messages: ConsignmentMessages, locale: Locale): Html {
  const at = row.received_at!.toISOString();
  const count = (units: number | null) => (units === null ? null : formatNumber(units, locale));
  return html`<section>
    <h2>${messages.doneTitle}</h2>
    <p><time datetime="${at}" data-moment="${digitsOf(locale)}">${formatMoment(at, locale)}</time></p>
    <dl>
      ${[
        fact(messages.wasCounted, count(row.counted)),
        fact(messages.received, count(row.received_count)),
        fact(messages.notReceived, count(row.missing_count)),
        fact(messages.broken, count(row.damaged_count)),
        fact(messages.name, row.received_by && html`<bdi>${row.received_by}</bdi>`),
        fact(messages.wasNoted, row.receipt_note && html`<bdi>${row.receipt_note}</bdi>`),
      ]}
    </dl>
  </section>`;
}

/**
 * No keyboard changes a serial. Nor does one write capitals by itself: the receipt finds those however they are typed, but not
 * small letters that were made large.
 */
const AS_TYPED = html`autocomplete="off" autocorrect="off" autocapitalize="none" spellcheck="false"`;

function receiveForm(
  row: ConsignmentRow,
  { token, locale, entered = NOTHING, errors = [] }: PageOptions,
  messages: ConsignmentMessages,
): Html {
  return html`<section>
    <h2>${messages.form}</h2>
    ${errors.length > 0 && alertSection(messages.check, errors, REFUSALS[locale], locale)}
    <form method="post" action="${addressOf(token)}/receive">
      <input type="hidden" name="lang" value="${locale}" />
      <label
        >${messages.counted}<input
          name="receivedCount"
          inputmode="numeric"
          pattern="${COUNT_PATTERN}"
          title="${REFUSALS[locale].NOT_A_NUMBER}"
          maxlength="9"
          placeholder="${row.unit_count}"
          value="${entered.receivedCount}"
          ${wrongField(errors, 'receivedCount')}
      /></label>
      <label
        >${messages.missing}<textarea
          name="missing"
          rows="3"
          maxlength="${MAX_LIST_TEXT}"
          dir="ltr"
          ${AS_TYPED}${wrongField(errors, 'missing')}
        >
${entered.missing}</textarea>
      </label>
      <label
        >${messages.damaged}<textarea
          name="damaged"
          rows="3"
          maxlength="${MAX_LIST_TEXT}"
          dir="ltr"
          ${AS_TYPED}${wrongField(errors, 'damaged')}
        >
${entered.damaged}</textarea>
      </label>
      <label
        >${messages.name}<input
          name="name"
          maxlength="200"
          required
          autocomplete="name"
          value="${entered.name}"
          ${wrongField(errors, 'name')}
      /></label>
      <label
        >${messages.note}<textarea name="note" rows="2" maxlength="2000" ${wrongField(errors, 'note')}>
${entered.note}</textarea>
      </label>
      <p class="soft">${messages.once}</p>
      <button>${messages.send}</button>
    </form>
  </section>`;
}
