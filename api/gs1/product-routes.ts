/**
 * GS1 Digital Links of a product or a lot, as retail's codes carry them: what the code names, in words that nobody takes for a
 * verdict. No scan, for no piece is named. An unknown lot is answered as its product is (ADR 0114).
 */
import type { Request, Response } from 'express';
import { z } from 'zod';
import type { Site } from '../../shared/code-hosts/sites.ts';
import { coarserLinks, type DigitalLink } from '../../shared/gs1/digital-link.ts';
import { JSON_LD_TYPE, LINKSET_MEDIA_TYPE } from '../../shared/gs1/linkset.ts';
import {
  describeProduct,
  type NamedProduct,
  type ProductInformation,
} from '../../shared/scans/product-information.ts';
import type { ApiDeps } from '../deps.ts';
import { isPublic, operation } from '../operation.ts';
import { answerUnknown, endPage, JSON_HEADERS, wantsPage } from '../verify/answer.ts';
import { brandOf } from '../verify/brand-of.ts';
import { pageHeaders } from '../verify/page/layout.ts';
import { readerOf } from '../verify/page/locales.ts';
import { renderProductPage } from '../verify/page/product.ts';
import { domainOfIssuer, verificationSchema } from '../verify/schema.ts';
import { readLink } from './links.ts';
import {
  elsewhereResponse,
  linkQuery,
  NO_LEVELS,
  resolve,
  type AskedLinkType,
  type Level,
} from './resolve.ts';

const productInformationSchema: z.ZodType<ProductInformation> = z
  .object({
    message: z.string(),
    organization: z
      .object({ name: z.string(), domain: domainOfIssuer })
      .meta({ description: 'Whose product it is' }),
    product: z.object({
      name: z.string(),
      brand: z.string().nullable(),
      imageUrl: z.string().nullable(),
      gtin: z.string(),
    }),
    lot: z
      .string()
      .nullable()
      .meta({ description: 'The lot that was asked for, where it is recalled; else null, known or not' }),
    recall: z
      .object({ messages: z.record(z.string(), z.string()), contact: z.string().nullable() })
      .nullable()
      .meta({
        description: 'What consumers are told of a recall of the product or of this lot, by language',
      }),
  })
  .meta({ id: 'ProductInformation' });

/** @param links each of which names the product, or a lot of it, and no unit */
export const productLevels = (
  links: readonly DigitalLink[],
  { information }: NamedProduct,
): readonly Level[] =>
  links.map((link) => ({
    link,
    name: information.product.name,
    linkType: 'pip',
    title: 'Product information',
  }));

async function answer(deps: ApiDeps, req: Request, res: Response, linkType: AskedLinkType) {
  const link = readLink(req);
  const site = await deps.sites.of(req.headers.host);
  const { orgId } = site;
  const find = () => describeProduct(deps.db, { gtin: link.gtin, lot: link.lot ?? null, orgId });
  return resolve(site, req, res, link, linkType, {
    linkType: 'pip',
    async levels() {
      const found = await find();
      if (found === null) return NO_LEVELS;
      return { levels: productLevels([link, ...coarserLinks(link)], found), links: found.links };
    },
    async answer() {
      const found = await find();
      if (found === null) return answerUnknown(deps, site, req, res);
      if (!wantsPage(req)) return { status: 200, body: found.information, headers: JSON_HEADERS };
      sendPage(deps, site, found, req, res);
      return null;
    },
  });
}

function sendPage(
  { config }: ApiDeps,
  site: Site,
  { information, organization, links }: NamedProduct,
  req: Request,
  res: Response,
): void {
  const reader = readerOf(req.headers['accept-language'], req.query.lang);
  const brand = brandOf(organization, config);
  const page = renderProductPage(information, { ...reader, brand, links, publicUrl: site.url });
  endPage(req, res, 200, pageHeaders(reader.locale, brand.logoUrl, information.product.imageUrl), page);
}

/** What the standard's order (22, 10) allows above a unit; and 235, which names no unit of this service's. */
const PRODUCT_PATHS = [
  { path: '/01/{gtin}', name: 'Gtin' },
  { path: '/01/{gtin}/10/{lot}', name: 'Lot' },
  { path: '/01/{gtin}/22/{variant}', name: 'Variant' },
  { path: '/01/{gtin}/22/{variant}/10/{lot}', name: 'VariantAndLot' },
  { path: '/01/{gtin}/235/{thirdPartySerial}', name: 'ThirdPartySerial' },
];

export const productOperations = PRODUCT_PATHS.map(({ path, name }) =>
  operation({
    method: 'get',
    path,
    operationId: `resolve${name}`,
    tag: 'GS1 Digital Link',
    summary: 'Tell what a code names that stands for no single piece',
    description:
      'Name and brand of the product, and its recall; no verdict, no scan, and nothing about units; the serial of a third party (235) is answered as the product is, and so is a lot that is not recalled, or not known. `linkType=linkset`, or `Accept: application/linkset+json`, gives the links of this level and of those above (RFC 9264).',
    access: isPublic,
    query: linkQuery,
    responses: {
      307: elsewhereResponse,
      200: {
        description: 'The product, or the linkset',
        schema: productInformationSchema,
        also: ['text/html', LINKSET_MEDIA_TYPE, JSON_LD_TYPE],
        headers: { Link: { description: 'Where the linkset is, or its JSON-LD context' } },
      },
      404: {
        description: 'No product has this GTIN; as for an unknown code',
        schema: verificationSchema,
        also: ['text/html'],
        headers: { Link: { description: 'Where the linkset would be' } },
      },
    },
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'RATE_LIMITED'],
    handle: ({ deps, req, res, query }) => answer(deps, req, res, query.linkType),
  }),
);
