/** GS1 Digital Links: the same result as `/v/{token}` under the address that the standard gives to a unit. */
import type { Request, Response } from 'express';
import { z } from 'zod';
import { coarserLinks, digitalLinkPath } from '../../shared/gs1/digital-link.ts';
import { JSON_LD_TYPE, LINKSET_MEDIA_TYPE, resolverDescription } from '../../shared/gs1/linkset.ts';
import { describeProduct } from '../../shared/scans/product-information.ts';
import { findCodeBySerial } from '../../shared/scans/service.ts';
import type { ApiDeps } from '../deps.ts';
import { isPublic, ok, operation } from '../operation.ts';
import { codeOfLink } from '../counterfeit-reports/code-of.ts';
import { reportOperation } from '../counterfeit-reports/public-routes.ts';
import { codeOfCheckedLink } from '../hidden-codes/checked-code.ts';
import { hiddenCodeOperation } from '../hidden-codes/routes.ts';
import { answerVerification } from '../verify/answer.ts';
import { addPositionOf } from '../verify/position.ts';
import { positionBody, verificationQuery, verificationSchema } from '../verify/schema.ts';
import { readLink, serialOf } from './links.ts';
import { productLevels, productOperations } from './product-routes.ts';
import { elsewhereResponse, linkQuery, NO_LEVELS, resolve, type AskedLinkType } from './resolve.ts';

const tag = 'GS1 Digital Link';

async function answer(deps: ApiDeps, req: Request, res: Response, linkType: AskedLinkType) {
  const link = readLink(req);
  const site = await deps.sites.of(req.headers.host);
  const { orgId } = site;
  return resolve(site, req, res, link, linkType, {
    linkType: 'verificationService',
    async levels() {
      const { verification, organization, links } = await deps.verifier.preview({
        ...serialOf(link),
        orgId,
      });
      const { name } = verification.product;
      if (name === null) return NO_LEVELS;
      // Of a lot only its recall is told, which no linkset has.
      const product = await describeProduct(deps.db, { gtin: link.gtin, lot: null, orgId });
      // Under a GTIN that two organizations use, the page of the one is not about the other's unit.
      const isOwn = product !== null && product.organization.id === organization?.id;
      const unit = { link, name, linkType: 'verificationService', title: 'Verification' } as const;
      return { levels: isOwn ? [unit, ...productLevels(coarserLinks(link), product)] : [unit], links };
    },
    answer() {
      const { variant: _, ...unit } = link;
      return answerVerification(deps, serialOf(link), digitalLinkPath(unit), req, res);
    },
  });
}

/** The paths that the standard's order (22, 10, 21) allows to a unit. */
const UNIT_PATHS = [
  { path: '/01/{gtin}/21/{serial}', name: 'Serial' },
  { path: '/01/{gtin}/10/{lot}/21/{serial}', name: 'LotAndSerial' },
  { path: '/01/{gtin}/22/{variant}/21/{serial}', name: 'VariantAndSerial' },
  { path: '/01/{gtin}/22/{variant}/10/{lot}/21/{serial}', name: 'VariantLotAndSerial' },
];

/** The pages' own requests go below these: a variant tells nothing about a unit that its serial does not. */
const PAGE_PATHS = [
  { path: '/01/{gtin}/21/{serial}', name: 'Serial' },
  { path: '/01/{gtin}/10/{lot}/21/{serial}', name: 'LotAndSerial' },
];

export const gs1Operations = [
  ...PAGE_PATHS.flatMap(({ path, name }) => [
    operation({
      method: 'post',
      path: `${path}/position`,
      operationId: `addPositionBy${name}`,
      tag,
      summary: 'Add the visitor’s position to the scan just made',
      description: 'As `POST /v/{token}/position`, from the page of a GS1 Digital Link.',
      access: isPublic,
      body: positionBody,
      responses: { 204: { description: 'Added' } },
      errors: ['FORBIDDEN', 'CONFLICT', 'RATE_LIMITED', 'BAD_REQUEST'],
      handle: async ({ deps, db, afterCommit, req, body }) => {
        const { orgId } = await deps.sites.of(req.headers.host);
        const code = await findCodeBySerial(db, { ...serialOf(readLink(req, '/position')), orgId });
        return addPositionOf(deps, { db, afterCommit }, code, body);
      },
    }),
    hiddenCodeOperation({
      path: `${path}/hidden-code`,
      operationId: `checkHiddenCodeBy${name}`,
      summary: 'Check a package’s hidden code, from the page of its GS1 Digital Link',
      checkedCode: codeOfCheckedLink,
    }),
    reportOperation({
      path: `${path}/reports`,
      operationId: `reportBy${name}`,
      summary: 'Report a suspected fake, from the page of its GS1 Digital Link',
      codeOf: codeOfLink,
    }),
  ]),
  ...UNIT_PATHS.map(({ path, name }) =>
    operation({
      method: 'get',
      path,
      operationId: `verifyBy${name}`,
      tag,
      summary: 'Verify a unit by its GS1 Digital Link',
      description:
        'The same result as `/v/{token}`. `linkType=linkset`, or `Accept: application/linkset+json`, gives the links of the unit and of each level above it (RFC 9264), which is no scan.',
      access: isPublic,
      query: linkQuery,
      responses: {
        307: elsewhereResponse,
        200: {
          description: 'The verdict, or the linkset',
          schema: verificationSchema,
          also: ['text/html', LINKSET_MEDIA_TYPE, JSON_LD_TYPE],
          headers: {
            Link: { description: 'Where the linkset is, or its JSON-LD context' },
            'Set-Cookie': { description: 'With a page: makes further looks the same scan' },
          },
        },
        404: {
          description: 'No such unit, in the same shape',
          schema: verificationSchema,
          also: ['text/html'],
          headers: { Link: { description: 'Where the linkset would be' } },
        },
      },
      errors: ['BAD_REQUEST', 'NOT_FOUND', 'RATE_LIMITED'],
      handle: ({ deps, req, res, query }) => answer(deps, req, res, query.linkType),
    }),
  ),
  ...productOperations,
  operation({
    method: 'get',
    path: '/.well-known/gs1resolver',
    operationId: 'gs1Resolver',
    tag,
    summary: 'What this resolver can do',
    access: isPublic,
    query: verificationQuery,
    responses: { 200: { description: 'Description of the resolver', schema: z.looseObject({}) } },
    errors: ['RATE_LIMITED'],
    handle: async ({ deps, req }) => {
      const { url, organization } = await deps.sites.of(req.headers.host);
      return ok(resolverDescription(url, organization?.name ?? 'Touchstone'));
    },
  }),
];
