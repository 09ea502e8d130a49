/**
 * What a resolver does at each level, unit or product: the link types, the linkset, and the way to it. The numbers are those of
 * the GS1-Conformant Resolver Standard 1.2.
 */
import { parse } from 'node:querystring';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { AppError } from '../../shared/errors.ts';
import { digitalLinkPath, type DigitalLink } from '../../shared/gs1/digital-link.ts';
import {
  JSON_LD_TYPE,
  LINKSET_CONTEXT,
  LINKSET_MEDIA_TYPE,
  linksetFor,
  parseLinkType,
  type LinkType,
} from '../../shared/gs1/linkset.ts';
import { shownAs } from '../fields.ts';
import type { ApiDeps } from '../deps.ts';
import { ok, type Reply } from '../operation.ts';
import { JSON_HEADERS as NEGOTIATED, JSON_TYPE } from '../verify/answer.ts';
import { PAGE_TYPE } from '../verify/page/layout.ts';
import { LOCALES } from '../verify/page/locales.ts';
import { verificationQuery } from '../verify/schema.ts';

export const linkQuery = verificationQuery.extend({
  linkType: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .meta({
      description: '`linkset`, or one link type such as `gs1:verificationService`',
      ...shownAs({ type: 'string' }),
    }),
});

/** Something that a link names, and the one page that there is about it. */
export interface Level {
  readonly link: DigitalLink;
  /** The product's name. */
  readonly name: string;
  /** Of the page, beside the default link. */
  readonly linkType: Exclude<LinkType, 'defaultLink'>;
  /** Of the page, for whoever chooses among links. */
  readonly title: string;
}

export interface LinkedItem {
  readonly linkType: Level['linkType'];
  /** The item itself, then what is coarser and known: its links hold for the item too. Empty where there is no such item. */
  levels(): Promise<readonly Level[]>;
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
function readLinkType(asked: AskedLinkType = ''): LinkType | 'linkset' | null {
  const types = [asked].flat().map((text) => (text === '' ? 'defaultLink' : parseLinkType(text)));
  return types.every((type) => type === types[0]) ? types[0]! : null;
}

/**
 * Answers with the item, with its linkset where that is asked for, or with the way to a coarser level that has the link type.
 * @param asked the link type of the query
 * @throws AppError NOT_FOUND for a link type that there is not
 */
export async function resolve(
  { config }: ApiDeps,
  req: Request,
  res: Response,
  link: DigitalLink,
  asked: AskedLinkType,
  item: LinkedItem,
): Promise<Reply | null> {
  const type = readLinkType(asked);
  if (type === null) throw noSuchLink();
  const addressOf = (of: DigitalLink) => `${config.PUBLIC_URL}${digitalLinkPath(of)}`;
  // Only where the media type is named: whoever takes anything gets the page or the verdict.
  if (type === 'linkset' || prefers(req, LINKSET_MEDIA_TYPE, [PAGE_TYPE, JSON_TYPE])) {
    const levels = await item.levels();
    if (levels.length === 0) throw new AppError('NOT_FOUND', { detail: 'no such item' });
    const linkset = levels.flatMap((level) => {
      const target = { href: addressOf(level.link) + queryOf(req), title: level.title };
      return linksetFor(config.PUBLIC_URL, level.link, level.name, [
        // A default link tells nothing else, says the standard (2.5.8): the same target stands under its own type.
        { ...target, linkType: 'defaultLink' },
        { ...target, linkType: level.linkType, type: 'text/html', hreflang: LOCALES },
      ]).linkset;
    });
    if (prefers(req, JSON_LD_TYPE, [LINKSET_MEDIA_TYPE, JSON_TYPE]))
      return ok({ '@context': LINKSET_CONTEXT, linkset }, { ...NEGOTIATED, 'Content-Type': JSON_LD_TYPE });
    const context = `<${LINKSET_CONTEXT}>; rel="http://www.w3.org/ns/json-ld#context"; type="${JSON_LD_TYPE}"`;
    return ok({ linkset }, { ...NEGOTIATED, 'Content-Type': LINKSET_MEDIA_TYPE, Link: context });
  }
  const linkset = `<${addressOf(link)}?linkType=linkset>; rel="linkset"; type="${LINKSET_MEDIA_TYPE}"; title="Linkset"`;
  if (type === 'defaultLink' || type === item.linkType) {
    res.setHeader('Link', linkset);
    return item.answer();
  }
  const level = (await item.levels()).find(({ linkType }) => linkType === type);
  if (level === undefined) throw noSuchLink();
  const location = addressOf(level.link) + queryOf(req);
  return { status: 307, headers: { ...NEGOTIATED, Location: location, Link: linkset } };
}

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
