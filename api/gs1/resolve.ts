/** What a resolver does at each level, unit or product: the link types, the linkset, and the way to it. */
import type { Request, Response } from 'express';
import { z } from 'zod';
import { AppError } from '../../shared/errors.ts';
import { digitalLinkPath, type DigitalLink } from '../../shared/gs1/digital-link.ts';
import {
  LINKSET_CONTEXT,
  LINKSET_MEDIA_TYPE,
  linksetFor,
  parseLinkType,
  type LinkType,
} from '../../shared/gs1/linkset.ts';
import type { ApiDeps } from '../deps.ts';
import { ok, type Reply } from '../operation.ts';
import { LOCALES } from '../verify/page/locales.ts';
import { verificationQuery } from '../verify/schema.ts';

export const linkQuery = verificationQuery.extend({
  linkType: z
    .string()
    .max(200)
    .optional()
    .meta({ description: '`linkset`, or a link type such as `gs1:verificationService`' }),
});

/** What stands behind a link: one address, which answers for all of its link types. */
export interface LinkedItem {
  /** Beside the default link. */
  readonly linkType: Exclude<LinkType, 'defaultLink'>;
  /** Of the page, for whoever chooses among links. */
  readonly title: string;
  /** The product's name; null where nothing is known under the link. */
  nameIt(): Promise<string | null>;
  answer(): Promise<Reply | null>;
}

/** The query goes along with every link, but for what chose the link. */
function queryOf(req: Request): string {
  const { searchParams } = new URL(req.originalUrl, 'http://localhost');
  searchParams.delete('linkType');
  return searchParams.size === 0 ? '' : `?${searchParams.toString()}`;
}

/**
 * Answers with the item, or with its linkset where that is asked for.
 * @param asked the link type of the query
 * @throws AppError NOT_FOUND for a link type that the item has not
 */
export async function resolve(
  { config }: ApiDeps,
  req: Request,
  res: Response,
  link: DigitalLink,
  asked: string | undefined,
  item: LinkedItem,
): Promise<Reply | null> {
  const own = `${config.PUBLIC_URL}${digitalLinkPath(link)}`;
  const type = asked === undefined || asked === '' ? 'defaultLink' : parseLinkType(asked);
  if (type !== 'linkset' && type !== 'defaultLink' && type !== item.linkType)
    throw new AppError('NOT_FOUND', { detail: 'there is no such link' });
  if (type !== 'linkset' && req.headers.accept?.includes(LINKSET_MEDIA_TYPE) !== true) {
    res.setHeader('Link', `<${own}?linkType=linkset>; rel="linkset"; type="${LINKSET_MEDIA_TYPE}"`);
    return item.answer();
  }
  const name = await item.nameIt();
  if (name === null) throw new AppError('NOT_FOUND', { detail: 'no such item' });
  const target = { href: own + queryOf(req), title: item.title, type: 'text/html', hreflang: LOCALES };
  const body = linksetFor(config.PUBLIC_URL, link, name, [
    { ...target, linkType: 'defaultLink' },
    { ...target, linkType: item.linkType },
  ]);
  const context = `<${LINKSET_CONTEXT}>; rel="http://www.w3.org/ns/json-ld#context"; type="application/ld+json"`;
  return ok(body, { 'Content-Type': LINKSET_MEDIA_TYPE, Link: context });
}
