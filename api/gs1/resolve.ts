/**
 * What a resolver does at each level, unit or product: the link types, the linkset, and the way to it. The numbers are those of
 * the GS1-Conformant Resolver Standard 1.2.
 */
import { parse } from 'node:querystring';
import type { Request, Response } from 'express';
import { z } from 'zod';
import type { Site } from '../../shared/code-hosts/sites.ts';
import { AppError } from '../../shared/errors.ts';
import { digitalLinkPath, type DigitalLink } from '../../shared/gs1/digital-link.ts';
import {
  JSON_LD_TYPE,
  LINKSET_CONTEXT,
  LINKSET_MEDIA_TYPE,
  linksetFor,
  parseLinkType,
  type LinkType,
  type TargetLink,
} from '../../shared/gs1/linkset.ts';
import type { ProductLink } from '../../shared/products/links.ts';
import { shownAs } from '../fields.ts';
import { ok, type Reply } from '../operation.ts';
import { JSON_HEADERS as NEGOTIATED, JSON_TYPE } from '../verify/answer.ts';
import { PAGE_TYPE } from '../verify/page/layout.ts';
import { LOCALES, readerOf } from '../verify/page/locales.ts';
import { linkFor } from '../verify/page/own-links.ts';
import { verificationQuery } from '../verify/schema.ts';

export const linkQuery = verificationQuery.extend({
  linkType: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .meta({
      description: '`linkset`, or one link type such as `gs1:verificationService` or `gs1:instructions`',
      ...shownAs({ type: 'string' }),
    }),
});

export const elsewhereResponse = {
  description: 'A page of the link type that was asked for: a product’s own link, or a coarser level’s page',
  headers: {
    Location: { description: 'Where it is' },
    Link: { description: 'Where the linkset is' },
  },
};

/** Something that a link names, and the one page that there is about it. */
export interface Level {
  readonly link: DigitalLink;
  /** The product's name. */
  readonly name: string;
  /** Of the page, beside the default link. */
  readonly linkType: 'pip' | 'verificationService';
  /** Of the page, for whoever chooses among links. */
  readonly title: string;
}

export interface Levels {
  readonly levels: readonly Level[];
  /** Of the organization, about the product. */
  readonly links: readonly ProductLink[];
}

export const NO_LEVELS: Levels = { levels: [], links: [] };

export interface LinkedItem {
  readonly linkType: Level['linkType'];
  /** The item itself, then what is coarser and known: its links hold for the item too. Empty where there is no such item. */
  levels(): Promise<Levels>;
  answer(): Promise<Reply | null>;
}

/** The query goes along with every link as it was written, but for what chose the link. */
function queryOf({ originalUrl }: Request): string {
  const [, query = ''] = /\?([^#]*)/.exec(originalUrl) ?? [];
  const passedOn = query.split('&').filter((parameter) => !Object.hasOwn(parse(parameter), 'linkType'));
  const kept = passedOn.join('&');
  return kept === '' ? '' : `?${kept}`;
}

/** As often as the query says it. */
export type AskedLinkType = z.output<typeof linkQuery>['linkType'];

/** @returns null where there is no such type, or where several are asked for */
function readLinkType(asked: AskedLinkType = ''): LinkType | null {
  const types = [asked].flat().map((text) => (text === '' ? 'defaultLink' : parseLinkType(text)));
  return types.every((type) => type === types[0]) ? types[0]! : null;
}

/**
 * Answers with the item, with its linkset where that is asked for, or with the way to a coarser level that has the link type.
 * @param site the links are those of its address
 * @param asked the link type of the query
 * @throws AppError NOT_FOUND for a link type that there is not
 */
export async function resolve(
  site: Site,
  req: Request,
  res: Response,
  link: DigitalLink,
  asked: AskedLinkType,
  item: LinkedItem,
): Promise<Reply | null> {
  const type = readLinkType(asked);
  if (type === null) throw noSuchLink();
  // Only where the media type is named: whoever takes anything gets the page or the verdict.
  if (type === 'linkset' || prefers(req, LINKSET_MEDIA_TYPE, [PAGE_TYPE, JSON_TYPE]))
    return answerLinkset(site.url, req, await item.levels());
  const linkset = `<${site.url}${digitalLinkPath(link)}?linkType=linkset>; rel="linkset"; type="${LINKSET_MEDIA_TYPE}"; title="Linkset"`;
  const isAnsweredHere = type === 'defaultLink' || type === item.linkType;
  // Of what is answered here, the product's page alone may be the organization's.
  const { levels, links } = isAnsweredHere && type !== 'pip' ? NO_LEVELS : await item.levels();
  const own = linkFor(links, PREFIX + type, readerOf(req.headers['accept-language'], req.query.lang));
  if (own === null && isAnsweredHere) {
    res.setHeader('Link', linkset);
    return item.answer();
  }
  const level = levels.find(({ linkType }) => linkType === type);
  const location = own === null ? level && pageOf(level, site.url, req) : withQuery(own.url, queryOf(req));
  if (location === undefined) throw noSuchLink();
  const headers = { ...NEGOTIATED, Vary: 'Accept, Accept-Language', Location: location, Link: linkset };
  return { status: 307, headers };
}

/** The linkset of an item and of what is coarser (RFC 9264). @throws AppError NOT_FOUND where there is no such item */
function answerLinkset(origin: string, req: Request, { levels, links }: Levels): Reply {
  if (levels.length === 0) throw new AppError('NOT_FOUND', { detail: 'no such item' });
  const linkset = levels.flatMap((level) => {
    const target = { href: pageOf(level, origin, req), title: level.title };
    // They hold for all that is finer as well.
    const own = level === levels.at(-1) ? links.map((link) => targetOf(link, req)) : [];
    const isOwn = links.some(({ linkType }) => linkType === PREFIX + level.linkType);
    const page = { ...target, linkType: level.linkType, type: 'text/html', hreflang: LOCALES };
    return linksetFor(origin, level.link, level.name, [
      // A default link tells nothing else, says the standard (2.5.8): the same target stands under its own type.
      { ...target, linkType: 'defaultLink' },
      ...(isOwn ? [] : [page]),
      ...own,
    ]).linkset;
  });
  if (prefers(req, JSON_LD_TYPE, [LINKSET_MEDIA_TYPE, JSON_TYPE]))
    return ok({ '@context': LINKSET_CONTEXT, linkset }, { ...NEGOTIATED, 'Content-Type': JSON_LD_TYPE });
  const context = `<${LINKSET_CONTEXT}>; rel="http://www.w3.org/ns/json-ld#context"; type="${JSON_LD_TYPE}"`;
  return ok({ linkset }, { ...NEGOTIATED, 'Content-Type': LINKSET_MEDIA_TYPE, Link: context });
}

const pageOf = ({ link }: Level, origin: string, req: Request): string =>
  origin + digitalLinkPath(link) + queryOf(req);

const PREFIX = 'gs1:';

/** The query of the request goes behind that of the address. */
function withQuery(address: string, query: string): string {
  const url = new URL(address);
  url.search = [url.search, query]
    .filter((part) => part !== '')
    .map((part) => part.slice(1))
    .join('&');
  return url.href;
}

const targetOf = ({ linkType, url, title, language }: ProductLink, req: Request): TargetLink => ({
  linkType: linkType.slice(PREFIX.length),
  href: withQuery(url, queryOf(req)),
  title,
  ...(language === null ? {} : { hreflang: [language] }),
});

/** Whether a media type is named, and wanted more than the others. */
function prefers(req: Request, type: string, others: readonly string[]): boolean {
  const { accept = '' } = req.headers;
  if (!accept.toLowerCase().includes(type)) return false;
  const headers = { ...req.headers, accept: accept.replaceAll(JSON_RANGE, withoutParameters) };
  return req.accepts.call({ headers } as Request, ...others, type) === type;
}

/** With its parameters: a `profile` that nobody knows is ignored (RFC 9264), and so is a `charset`, which JSON does not have. */
const JSON_RANGE = /(application\/(?:linkset|ld)\+json)((?:\s*;\s*[\w-]+=(?:"[^"]*"|[^\s;,"]*))*)/gi;

/** All but the weight. */
function withoutParameters(_range: string, type: string, parameters: string): string {
  const weight = /;\s*q=[\d.]+/i.exec(parameters.replaceAll(/"[^"]*"/g, '""'));
  return `${type}${weight?.[0] ?? ''}`;
}

const noSuchLink = () => new AppError('NOT_FOUND', { detail: 'there is no such link' });
