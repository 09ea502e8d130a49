/**
 * What consumers would see with a brand that is not saved yet. The draft waits in Redis under an address that cannot be
 * guessed, so that the page comes with its own policy, with the logo's host in it, and can be looked at in a frame.
 */
import { z } from 'zod';
import { AppError } from '../../shared/errors.ts';
import { currentCodeOrigin } from '../../shared/code-hosts/service.ts';
import { confirmedDomain } from '../../shared/domains/service.ts';
import { getOrganization } from '../../shared/organizations/service.ts';
import type { VerificationResult } from '../../shared/scans/verdict.ts';
import type { ApiDeps } from '../deps.ts';
import { brandFields } from '../organization/routes.ts';
import { created, isPublic, operation, session } from '../operation.ts';
import { standingOf } from '../verify/brand-of.ts';
import type { Brand } from '../verify/page/brand.ts';
import { pageHeaders } from '../verify/page/layout.ts';
import { readerOf } from '../verify/page/locales.ts';
import { renderVerificationPage } from '../verify/page/render.ts';
import { exampleVerification, RESULTS } from './example.ts';

const tag = 'Organization';
const KEPT_SECONDS = 15 * 60;

const previewBody = z.strictObject(brandFields).partial();
const previewSchema = z
  .object({ url: z.string().meta({ description: 'Add `?result=` and `lang=`; it works for 15 minutes' }) })
  .meta({ id: 'BrandPreview' });

/** What drafts lack that an older process keeps. */
const OF_OLDER = { messages: {}, domain: null, isUnconfirmed: false };

type Stored = Brand & { publicUrl: string };
type OlderStored = Omit<Brand, keyof typeof OF_OLDER> & { publicUrl?: string };

const keyOf = ({ config }: Pick<ApiDeps, 'config'>, token: string): string =>
  `${config.QUEUE_PREFIX}:brand-preview:${token}`;

const away = (): never => {
  throw new AppError('UNAVAILABLE', { detail: 'previews are away for a moment' });
};

const isResult = (value: unknown): value is VerificationResult =>
  (RESULTS as readonly unknown[]).includes(value);

export const brandPreviewOperations = [
  operation({
    method: 'post',
    path: '/api/v1/organization/brand-preview',
    operationId: 'previewBrand',
    tag,
    summary: 'See the consumers’ page with a brand before it is saved',
    description: 'Fields that are left out are as they are now. Nothing is changed.',
    access: session('organization.manage'),
    // Nothing changes, so there is neither a transaction nor an entry in the audit log.
    ownTransaction: true,
    body: previewBody,
    responses: { 201: { description: 'Where the preview is', schema: previewSchema } },
    errors: ['UNAVAILABLE'],
    handle: async ({ deps, db, actor, body }) => {
      const now = await getOrganization(db, actor.orgId);
      const draft: Brand = {
        name: now.name,
        logoUrl: body.logoUrl === undefined ? now.logo_url : body.logoUrl,
        color: body.color === undefined ? now.brand_color : body.color,
        support: body.support === undefined ? now.support : body.support,
        message: body.message === undefined ? now.consumer_message : body.message,
        messages: body.messages ?? now.consumer_messages ?? {},
        ...standingOf({ domain: await confirmedDomain(db, actor.orgId) }, deps.config),
      };
      const token = deps.random(18).toString('base64url');
      const publicUrl = (await currentCodeOrigin(db, actor.orgId)) ?? deps.config.PUBLIC_URL;
      const stored: Stored = { ...draft, publicUrl };
      await deps.redis.set(keyOf(deps, token), JSON.stringify(stored), 'EX', KEPT_SECONDS).catch(away);
      const url = `/brand-previews/${token}`;
      return created({ url }, url);
    },
  }),
  operation({
    method: 'get',
    path: '/brand-previews/{token}',
    operationId: 'showBrandPreview',
    tag,
    summary: 'A preview of the consumers’ page, as HTML',
    access: isPublic,
    query: z.object({ result: z.string().optional(), lang: z.string().optional() }),
    responses: { 200: { description: 'The page', schema: z.string(), mediaType: 'text/html' } },
    errors: ['NOT_FOUND', 'UNAVAILABLE'],
    handle: async ({ deps, req, query }) => {
      const stored = await deps.redis.get(keyOf(deps, String(req.params.token))).catch(away);
      if (stored === null) throw new AppError('NOT_FOUND', { detail: 'this preview has ended' });
      const { publicUrl = deps.config.PUBLIC_URL, ...draft } = JSON.parse(stored) as OlderStored;
      const brand: Brand = { ...OF_OLDER, ...draft };
      const reader = readerOf(
        query.lang === undefined ? req.headers['accept-language'] : undefined,
        query.lang,
      );
      const result = isResult(query.result) ? query.result : 'genuine';
      const body = renderVerificationPage(exampleVerification(result, brand.name, deps.clock.now()), {
        ...reader,
        brand,
        path: '',
        publicUrl,
        positionNonce: null,
        isPreview: true,
      });
      const headers = pageHeaders(reader.locale, brand.logoUrl);
      const policy = headers['Content-Security-Policy']!.replace(
        "frame-ancestors 'none'",
        "frame-ancestors 'self'",
      );
      return { status: 200, body, headers: { ...headers, 'Content-Security-Policy': policy } };
    },
  }),
];
