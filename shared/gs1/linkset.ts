/**
 * What a GS1-Conformant Resolver (standard 1.2) answers beside redirections: the linkset of an item (RFC 9264, JSON form)
 * and the description of itself at `/.well-known/gs1resolver`.
 */
import { digitalLinkPath } from './digital-link.ts';
import type { DigitalLink } from './digital-link.ts';

export const LINKSET_MEDIA_TYPE = 'application/linkset+json';
/** Of a linkset with its context in it. */
export const JSON_LD_TYPE = 'application/ld+json';
/** Sent in a `Link` header with a linkset, so that it can be read as JSON-LD. */
export const LINKSET_CONTEXT = 'https://ref.gs1.org/standards/resolver/linkset-context';

/** Of the GS1 Web Vocabulary's terms in a linkset. */
const VOCABULARY = 'https://gs1.org/voc/';
/** Where the vocabulary is published now. */
const PUBLISHED_VOCABULARY = 'https://ref.gs1.org/voc/';
const NAMESPACES = ['gs1:', VOCABULARY, PUBLISHED_VOCABULARY, 'https://www.gs1.org/voc/'];

/** A link type of the GS1 Web Vocabulary, without its prefix: `pip`. */
export type LinkType = string;

export interface TargetLink {
  readonly linkType: LinkType;
  readonly href: string;
  readonly title: string;
  /** Media type of the target. */
  readonly type?: string;
  /** BCP 47 tags of the languages that the target speaks. */
  readonly hreflang?: readonly string[];
}

export type LinksetTarget = Omit<TargetLink, 'linkType'>;

export interface Linkset {
  readonly linkset: readonly Readonly<Record<string, string | readonly LinksetTarget[]>>[];
}

/**
 * Builds the linkset of one item.
 * @param origin of this resolver, `https://id.example.com`, without a trailing slash.
 * @param links must hold one `defaultLink`: the standard wants exactly one for each item.
 * @throws RangeError otherwise.
 */
export function linksetFor(
  origin: string,
  item: DigitalLink,
  description: string,
  links: readonly TargetLink[],
): Linkset {
  const defaults = links.filter(({ linkType }) => linkType === 'defaultLink').length;
  if (defaults !== 1) throw new RangeError(`a linkset has one default link, got ${defaults}`);
  const byType: Record<string, LinksetTarget[]> = {};
  for (const { linkType, ...target } of links) (byType[VOCABULARY + linkType] ??= []).push(target);
  // `itemDescription` is what 1.1 had in place of `description`.
  const descriptions = { description, itemDescription: description };
  return { linkset: [{ anchor: origin + digitalLinkPath(item), ...descriptions, ...byType }] };
}

/**
 * Reads `?linkType=`: `gs1:pip` as a compact or full address; `linkset`, or the older `all`, is `linkset`.
 * @returns null for what is no name of a link type
 */
export function parseLinkType(text: string): LinkType | null {
  if (text === 'linkset' || text === 'all') return 'linkset';
  const namespace = NAMESPACES.find((one) => text.startsWith(one)) ?? '';
  const name = text.slice(namespace.length);
  // `linkset` is a word of the standard, and no name in the vocabulary.
  return /^(?!linkset$)[a-z][A-Za-z0-9]*$/.test(name) ? name : null;
}

export interface ResolverDescription {
  readonly name: string;
  readonly resolverRoot: string;
  readonly supportedPrimaryKeys: readonly string[];
  readonly supportedLinkType: readonly { readonly namespace: string; readonly prefix: string }[];
  readonly linkTypeDefaultCanBeLinkset: boolean;
  readonly jsonLdContextLocation: string;
  readonly termsOfUse?: string;
}

/** The document at `/.well-known/gs1resolver`. */
export function resolverDescription(origin: string, name: string, termsOfUse?: string): ResolverDescription {
  return {
    name,
    resolverRoot: origin,
    supportedPrimaryKeys: ['01'],
    supportedLinkType: [VOCABULARY, PUBLISHED_VOCABULARY].map((namespace) => ({ namespace, prefix: 'gs1:' })),
    linkTypeDefaultCanBeLinkset: false,
    jsonLdContextLocation: LINKSET_CONTEXT,
    ...(termsOfUse === undefined ? {} : { termsOfUse }),
  };
}
