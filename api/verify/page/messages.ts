/**
 * The words of the consumer's page, one catalogue for each language in `messages/`; the compiler insists that each is
 * complete, a test that each uses the same placeholders and has the plural forms that its language needs.
 *
 * The wording is honest: it is the code that is judged, a valid code is evidence and no proof, and a code that seems to be
 * on several products is "possibly copied". No catalogue calls a product a fake.
 */
import type { CloneSignal } from '../../../shared/risk/types.ts';
import type { VerificationResult } from '../../../shared/scans/verdict.ts';

export interface VerdictMessages {
  /** The verdict in a few words: the page's heading, 40 characters at the most. */
  readonly title: string;
  /** What it means, in a sentence or two; may use {brand}. */
  readonly lead: string;
  /** What to do next, in order; may use {brand}. */
  readonly steps: readonly [string, ...string[]];
}

export interface ToldMessages {
  /** The outcome in a few words. */
  readonly title: string;
  readonly text: string;
}

export interface ProblemMessages {
  readonly title: string;
  /** What to do. */
  readonly text: string;
}

/** Forms by the categories of `Intl.PluralRules`. */
export type Plural = { readonly other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

export interface Messages {
  readonly verdicts: Readonly<Record<VerificationResult, VerdictMessages>> & {
    /** `leadMedium`: where the risk is medium, so that not even "nothing speaks against it" may be said. */
    readonly genuine: { readonly leadMedium: string };
    /** `leadConfirmed`: where the brand has found it, whatever its scans look like. */
    readonly suspicious: { readonly leadConfirmed: string };
  };
  /** For a code that names a product or a lot and no single piece: it is told what that is, and no verdict. */
  readonly productCode: VerdictMessages;
  /** Shown below a genuine code. */
  readonly evidence: string;
  readonly next: string;
  readonly why: string;
  /** Above what is known of a genuine unit in doubt. */
  readonly noticed: string;
  readonly reasons: {
    /** `confirmed` may also be a stolen code or another abuse, `not-shipped` also a unit that was reported missing. */
    readonly clone: Readonly<Record<CloneSignal['reason'], string>>;
    readonly impossible_travel: string;
    readonly excessive_scanning: string;
  };
  readonly product: {
    readonly heading: string;
    readonly brand: string;
    readonly gtin: string;
    readonly serial: string;
    readonly lot: string;
    readonly expires: string;
  };
  readonly scans: {
    readonly heading: string;
    /** {count}, this check included. */
    readonly count: Plural;
    /** How many people these were, as far as one can tell. */
    readonly visitors: string;
    readonly first: string;
    readonly now: string;
    readonly country: string;
    /** Of a check that is not in the count. */
    readonly internal: string;
  };
  readonly address: { readonly heading: string; readonly text: string; readonly note: string };
  /** Whether an organization is who it says; may use {brand}. `confirmed`, `holds`: with {domain}, which it has shown to hold. */
  readonly issuer: {
    /** Below the name, at the top: a few words. */
    readonly confirmed: string;
    readonly unconfirmed: string;
    readonly heading: string;
    readonly holds: string;
    readonly unchecked: string;
  };
  readonly position: {
    readonly heading: string;
    readonly text: string;
    readonly button: string;
    readonly done: string;
    readonly failed: string;
  };
  /** The code below a layer of the package, and what is said of one that was entered. */
  readonly hiddenCode: {
    readonly heading: string;
    readonly text: string;
    readonly label: string;
    readonly check: string;
    readonly first: ToldMessages;
    /** {date}: when it was entered first. */
    readonly repeated: ToldMessages;
    readonly wrong: ToldMessages;
  };
  /** The NFC tag in the package, and what is said of a tap of it. People say chip. */
  readonly nfc: {
    readonly heading: string;
    readonly text: string;
    /** Below an answer that is new, {count}: which of the tag's readings it was. */
    readonly counter: string;
    readonly fresh: ToldMessages;
    /** {date}: when it was used up. */
    readonly replayed: ToldMessages;
    readonly invalid: ToldMessages;
  };
  readonly report: {
    readonly heading: string;
    readonly what: string;
    readonly where: string;
    readonly email: string;
    readonly send: string;
    readonly thanksTitle: string;
    readonly thanksText: string;
  };
  /** The page at the service's own address, which somebody opened without a code. */
  readonly front: {
    readonly title: string;
    readonly text: string;
    /** Of the field for what is typed. */
    readonly typed: string;
    readonly check: string;
    /** Of what was typed and is neither a token nor GS1's name of a product. */
    readonly incomplete: string;
    /** Link to the dashboard. */
    readonly brands: string;
  };
  /** Pages in place of an answer. */
  readonly problems: {
    /** Too many requests. */
    readonly wait: ProblemMessages;
    /** The service cannot answer. */
    readonly away: ProblemMessages;
    /** There is nothing at this address. */
    readonly address: ProblemMessages;
    /** What was sent makes no sense. */
    readonly unread: ProblemMessages;
    /** Added to the first two where a code was checked: no answer is no verdict. */
    readonly neutral: string;
    /** Link to the same address. */
    readonly again: string;
  };
  /** Heading of the organization's own message, {brand}. */
  readonly from: string;
  /** Link to the organization's support, {brand}. */
  readonly contact: string;
  readonly privacy: string;
  readonly language: string;
}
