/** The consumer's page: the verdict first, then what to do, then what it is about. */
import { html, fillHtml } from '../../html.ts';
import type { Html } from '../../html.ts';
import { countryName } from '../../../shared/countries.ts';
import type { ProductLink } from '../../../shared/products/links.ts';
import type { PublicSignal } from '../../../shared/scans/public-signals.ts';
import { isInDoubt, type VerificationResult } from '../../../shared/scans/verdict.ts';
import type { Verification } from '../../../shared/scans/verification.ts';
import { issuerSection, messageParagraphs, type Brand } from './brand.ts';
import { formatCount, formatNumber, formatDate, languageTag } from './format.ts';
import { hiddenCodeAnswer, hiddenCodeSection, speaksAgainst, type ToldOfHiddenCode } from './hidden-code.ts';
import { VERDICT_ICONS } from './icons.ts';
import { renderDocument } from './layout.ts';
import { CATALOGUES } from './locales.ts';
import type { Locale, Reader } from './locales.ts';
import type { Messages } from './messages.ts';
import { nfcTapAnswer, nfcTapSection, tapSpeaksAgainst } from './nfc-tap.ts';
import { linkList } from './own-links.ts';
import { recallSection } from './recall.ts';
import { reportForm } from './report-form.ts';
import { addressSection, stepsSection, fact, moment, productHead } from './sections.ts';

export interface PageContext extends Reader {
  /** The unit's organization; for an unknown code, the service. */
  readonly brand: Brand;
  /** The organization's own, about the product. */
  readonly links?: readonly ProductLink[];
  /** The page's own path, below which its form and its script post; empty where what was asked for is no code of a unit. */
  readonly path: string;
  /** The configured public address, `https://verify.example.com`; never the request's Host header, which an imitator controls. */
  readonly publicUrl: string;
  /** Lets the script add a position to this scan, once; null offers nothing. */
  readonly positionNonce: string | null;
  /** What is said of a hidden code that the visitor entered; without it, the page asks for it where the package has one. */
  readonly hiddenCode?: ToldOfHiddenCode | undefined;
  /** Where a GET gives the page in another language, where it answers a form. */
  readonly address?: string | undefined;
  /** Whether that GET tells the same again. */
  readonly isToldAgain?: boolean | undefined;
  /** What that GET has to say besides the language, encoded. */
  readonly query?: string | undefined;
  /** Shown to the organization itself, in a frame that runs no script. */
  readonly isPreview?: boolean;
}

/** The same colours as in the style sheet. */
export const THEME_COLORS: Readonly<Record<VerificationResult, string>> = {
  genuine: '#0a6b3b',
  suspicious: '#a34700',
  diverted: '#5b3aa6',
  suspended: '#765600',
  recalled: '#b1161f',
  expired: '#7d4414',
  inactive: '#45505f',
  unknown: '#45505f',
};

/** Verdicts for which the report's form stands open, as for a code that seems copied: the visitor is asked to use it. */
const REPORT_OPEN: readonly VerificationResult[] = ['inactive', 'unknown'];

/** An expiry comes first, as the product is not to be used in any case; that the code seems copied is said below it. */
const isCopiedAndExpired = ({ result, risk }: Verification): boolean =>
  result === 'expired' && risk.level === 'high';
const seemsCopied = (verification: Verification): boolean =>
  verification.result === 'suspicious' || isCopiedAndExpired(verification);

/** Whether a person's finding is all that speaks against the code: its scans may be of any kind, or the first is this one. */
const isByDecision = ({ risk: { signals } }: Verification): boolean =>
  // A diversion that does not count may stand beside it.
  signals.some((signal) => signal.type === 'clone' && signal.reason === 'confirmed');

/** Renders the page of one verification, about 6 kB. Send it with `pageHeaders`. */
export function renderVerificationPage(result: Verification, context: PageContext): string {
  const { brand, locale } = context;
  const messages = CATALOGUES[locale];
  const brandName = html`<bdi>${brand.name}</bdi>`;
  const say = (sentence: string): Html => fillHtml(sentence, { brand: brandName });
  const verdict = messages.verdicts[result.result].title;
  const entered = context.hiddenCode && messages.hiddenCode[context.hiddenCode.outcome].title;
  const told = entered ?? (result.nfcTap === null ? undefined : messages.nfc[result.nfcTap.outcome].title);
  const main = html` ${verdictSection(result, context, say)}
    <div class="column">
      ${hiddenCodeAnswer(context)} ${nfcTapAnswer(result, locale)} ${recallSection(result, context)}
      ${stepsSection(stepsOf(result, messages), brand, messages, say)} ${nfcTapSection(result, locale)}
      ${hiddenCodeSection(result, context)} ${reasonsSection(result, messages, say)}
      ${productSection(result, messages, context)} ${scansSection(result, messages, locale)}
    </div>
    <div class="column">
      ${issuerSection(brand, messages)} ${addressSection(context.publicUrl, messages)}
      ${reportSection(result, context)} ${brandMessage(context, messages, say)}
      ${positionSection(context, messages)}
    </div>`;
  const notes = result.scanId && html`<p>${messages.privacy}</p>`;
  const themeColor = THEME_COLORS[result.result];
  return renderDocument({
    // What was asked comes first: it is read out before the page is.
    title: told === undefined ? verdict : `${told} · ${verdict}`,
    brand,
    locale,
    themeColor,
    main,
    script: context.isPreview !== true,
    isToldAgain: context.isToldAgain === true,
    query: context.query,
    ...(context.address === undefined ? {} : { address: context.address }),
    ...(notes ? { notes } : {}),
  });
}

/** By what somebody found out about the package itself. */
const isSpokenAgainst = (verification: Verification, context: PageContext): boolean =>
  speaksAgainst(context) || tapSpeaksAgainst(verification);

function verdictSection(verification: Verification, context: PageContext, say: (s: string) => Html): Html {
  const { result, product } = verification;
  const messages = CATALOGUES[context.locale];
  const { title } = messages.verdicts[result];
  return html`<section class="verdict ${result}">
    ${VERDICT_ICONS[result]}
    <h1>${title}</h1>
    ${product.name && html`<p class="name"><bdi>${product.name}</bdi></p>`}
    <p>${say(leadOf(verification, context))}</p>
    ${result === 'genuine' && html`<p class="evidence">${messages.evidence}</p>`}
  </section>`;
}

function leadOf(verification: Verification, context: PageContext): string {
  const messages = CATALOGUES[context.locale];
  const { genuine } = messages.verdicts;
  if (verification.result === 'suspicious') return suspicionOf(verification, messages);
  const { result } = verification;
  return isInDoubt(verification) || (result === 'genuine' && isSpokenAgainst(verification, context))
    ? genuine.leadMedium
    : messages.verdicts[verification.result].lead;
}

const suspicionOf = (verification: Verification, { verdicts: { suspicious } }: Messages): string =>
  isByDecision(verification) ? suspicious.leadConfirmed : suspicious.lead;

/** Of an expired product with a code that seems copied also the last step of `suspicious`: to report it. */
function stepsOf(verification: Verification, { verdicts }: Messages): readonly string[] {
  const { steps } = verdicts[verification.result];
  return isCopiedAndExpired(verification) ? [...steps, ...verdicts.suspicious.steps.slice(-1)] : steps;
}

/** Why a code is called possibly copied, or what is known of one in doubt; the other verdicts say it in their own sentence. */
function reasonsSection(
  verification: Verification,
  messages: Messages,
  say: (s: string) => Html,
): Html | null {
  const isCopied = seemsCopied(verification);
  if (!isCopied && !isInDoubt(verification)) return null;
  const { title } = messages.verdicts.suspicious;
  const copied = isCopiedAndExpired(verification)
    ? html`<h2>${title}</h2>
        <p>${say(suspicionOf(verification, messages))}</p>`
    : null;
  // Which says it already.
  const signals = isByDecision(verification) ? [] : verification.risk.signals;
  // Of no weight, it may have been noticed, and is not why a code is called copied.
  const told = isCopied ? signals.filter(({ weight }) => weight > 0) : signals;
  const sentences = told.map((signal) => reasonOf(signal, messages));
  const reasons = [...new Set(sentences)].filter((sentence) => sentence !== null);
  if (copied === null && reasons.length === 0) return null;
  return html`<section>
    ${copied}
    ${
      reasons.length > 0 &&
      html`<h2>${isCopied ? messages.why : messages.noticed}</h2>
        <ul>
          ${reasons.map((reason) => html`<li>${reason}</li>`)}
        </ul>`
    }
  </section>`;
}

/** @returns null for a diversion, which is a verdict of its own. */
function reasonOf(signal: PublicSignal, { reasons }: Messages): string | null {
  if (signal.type === 'diversion') return null;
  return signal.type === 'clone' ? reasons.clone[signal.reason] : reasons[signal.type];
}

function productSection(
  { product, unit }: Verification,
  messages: Messages,
  { links = [], ...reader }: PageContext,
): Html | null {
  if (product.name === null) return null;
  const label = messages.product;
  return html`<section>
    <h2>${label.heading}</h2>
    ${productHead(product.name, product.imageUrl)}
    <dl>
      ${[
        fact(label.brand, product.brand && html`<bdi>${product.brand}</bdi>`),
        fact(label.lot, unit.lot && html`<bdi dir="ltr">${unit.lot}</bdi>`),
        fact(
          label.expires,
          unit.expiresOn &&
            html`<time datetime="${unit.expiresOn}">${formatDate(unit.expiresOn, reader.locale)}</time>`,
        ),
        fact(label.serial, unit.serial && html`<bdi dir="ltr">${unit.serial}</bdi>`),
        fact(label.gtin, product.gtin && html`<bdi dir="ltr">${product.gtin}</bdi>`),
      ]}
    </dl>
    ${linkList(links, reader)}
  </section>`;
}

function scansSection({ scan }: Verification, messages: Messages, locale: Locale): Html | null {
  if (scan.count === 0 && !scan.isInternal) return null;
  const label = messages.scans;
  const hasOthers = scan.count > (scan.isInternal ? 0 : 1);
  return html`<section>
    <h2>${label.heading}</h2>
    ${scan.count > 0 && html`<p>${formatCount(label.count, scan.count, locale)}</p>`}
    ${scan.isInternal && html`<p>${label.internal}</p>`}
    <dl>
      ${[
        fact(label.visitors, hasOthers && formatNumber(scan.visitors, locale)),
        fact(label.first, hasOthers && scan.firstScannedAt && moment(scan.firstScannedAt, locale)),
        fact(label.now, moment(scan.at, locale)),
        fact(label.country, scan.country && countryName(scan.country, languageTag(locale))),
      ]}
    </dl>
  </section>`;
}

function brandMessage(context: PageContext, messages: Messages, say: (s: string) => Html): Html | null {
  const paragraphs = messageParagraphs(context.brand, context);
  if (paragraphs.length === 0) return null;
  return html`<section>
    <h2>${say(messages.from)}</h2>
    ${paragraphs}
  </section>`;
}

/** Hidden until the script finds that the browser can tell a position. */
function positionSection({ positionNonce, path }: PageContext, messages: Messages): Html | null {
  if (positionNonce === null) return null;
  const { heading, text, button, done, failed } = messages.position;
  return html`<section
    class="position"
    hidden
    data-action="${path}/position"
    data-nonce="${positionNonce}"
    data-done="${done}"
    data-failed="${failed}"
  >
    <h2>${heading}</h2>
    <p>${text}</p>
    <button type="button">${button}</button>
    <p role="status" tabindex="-1"></p>
  </section>`;
}

function reportSection(verification: Verification, context: PageContext): Html {
  const { path, locale } = context;
  const { result } = verification;
  const { heading } = CATALOGUES[locale].report;
  const action = path === '' ? '/counterfeit-reports' : `${path}/reports`;
  const isAsked =
    REPORT_OPEN.includes(result) || seemsCopied(verification) || isSpokenAgainst(verification, context);
  const open = isAsked && html` open`;
  return html`<details${open}><summary>${heading}</summary>
${reportForm(action, locale)}</details>`;
}
