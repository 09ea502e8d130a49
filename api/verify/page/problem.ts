/** The page where there is no answer: it is busy, away, or the address is wrong. */
import { html } from '../../html.ts';
import type { Brand } from './brand.ts';
import { PLAIN_COLOR, renderDocument } from './layout.ts';
import { CATALOGUES } from './locales.ts';
import type { Locale } from './locales.ts';
import type { Messages } from './messages.ts';
import { plainHead } from './sections.ts';

export interface ProblemPage {
  readonly kind: Exclude<keyof Messages['problems'], 'neutral' | 'again'>;
  readonly brand: Brand;
  readonly locale: Locale;
  /** Whether a code was to be checked. */
  readonly isCheck: boolean;
  /** Whether the address answers a GET, so that a link leads back to it. */
  readonly isGet: boolean;
}

/** Send it with `pageHeaders` and the error's own status. */
export function renderProblem({ kind, brand, locale, isCheck, isGet }: ProblemPage): string {
  const { problems } = CATALOGUES[locale];
  const { title, text } = problems[kind];
  const mayPass = kind === 'wait' || kind === 'away';
  const main = html`${plainHead(title, text)}
  ${
    mayPass &&
    (isCheck || isGet) &&
    html`<section>
      ${isCheck && html`<p>${problems.neutral}</p>`}
      ${isGet && html`<p><a class="button" href="">${problems.again}</a></p>`}
    </section>`
  }`;
  return renderDocument({
    title,
    brand,
    locale,
    themeColor: PLAIN_COLOR,
    main,
    languages: mayPass && isGet,
  });
}
