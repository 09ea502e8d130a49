/** `/c/{token}`: a distributor looks at one consignment and confirms it, without an account. The link is the credential. */
import type { Request } from 'express';
import { z } from 'zod';
import { receiveConsignment } from '../../../shared/consignments/receive.ts';
import {
  findByLink,
  lockByLink,
  statusOf,
  type ConsignmentRow,
} from '../../../shared/consignments/service.ts';
import { withTransaction } from '../../../shared/db.ts';
import { AppError } from '../../../shared/errors.ts';
import type { FieldError } from '../../../shared/field-errors.ts';
import type { ApiDeps } from '../../deps.ts';
import { isForm, readFormOrJson } from '../../middleware/form-body.ts';
import { isPublic, ok, operation, type Reply } from '../../operation.ts';
import { parseInput } from '../../parse-input.ts';
import { isNavigation } from '../../verify/answer.ts';
import { pageHeaders } from '../../verify/page/layout.ts';
import { negotiateLocale, type Locale } from '../../verify/page/locales.ts';
import { consignmentDeps } from '../deps.ts';
import { addressOf, renderConsignment, renderLinkGone, type Entered } from './render.ts';
import { fromForm, publicConsignmentSchema, publicReceiveBody, receiveForm } from './schema.ts';

const tag = 'Distributors';

const tokenOf = (req: Request): string => String(req.params.token);
const wantsPage = (req: Request): boolean => req.accepts(['json', 'html']) === 'html';
const NO_STORE = { 'Cache-Control': 'no-store', Vary: 'Accept, Accept-Language' };

const page = (status: number, locale: Locale, body: string): Reply => ({
  status,
  body,
  headers: pageHeaders(locale),
});

const present = (row: ConsignmentRow): z.input<typeof publicConsignmentSchema> => ({
  status: statusOf(row),
  from: row.org_name,
  reference: row.reference,
  sscc: row.sscc,
  unitCount: row.unit_count,
  contents: row.contents,
  receipt:
    row.received_at === null
      ? null
      : {
          receivedCount: row.received_count!,
          missingCount: row.missing_count!,
          damagedCount: row.damaged_count!,
          counted: row.counted,
          receivedAt: row.received_at.toISOString(),
        },
});

const linkGone = () =>
  new AppError('NOT_FOUND', { detail: 'this link is unknown, has expired or was revoked' });

async function receive(deps: ApiDeps, token: string, body: unknown): Promise<ConsignmentRow> {
  const { receivedCount, ...receipt } = parseInput(publicReceiveBody, body);
  const consignments = consignmentDeps(deps);
  return withTransaction(deps.db, async (uow) => {
    const found = await lockByLink(consignments, uow.db, token);
    if (found === null) throw linkGone();
    return receiveConsignment(
      consignments,
      uow,
      found.org_id,
      found.id,
      { ...receipt, counted: receivedCount },
      'link',
    );
  });
}

/** A person with a form gets the page again, with what is wrong and all that was typed. */
async function receiveByForm(deps: ApiDeps, req: Request, form: Entered & { lang: string }): Promise<Reply> {
  const token = tokenOf(req);
  const locale = negotiateLocale(req.get('accept-language'), form.lang);
  let status = 200;
  let errors: readonly FieldError[] = [];
  try {
    await receive(deps, token, fromForm(form));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    ({ status } = error);
    if (error.code === 'VALIDATION_FAILED') errors = error.options.errors ?? [];
    else if (error.code !== 'NOT_FOUND' && error.code !== 'INVALID_TRANSITION') throw error;
  }
  // The receipt is what the link shows from now on: loaded again or come back to, it sends nothing a second time.
  if (status === 200 && isNavigation(req)) {
    const headers = { Location: `${addressOf(token)}?lang=${locale}`, 'Cache-Control': 'no-store' };
    return { status: 303, headers };
  }
  const row = await findByLink(consignmentDeps(deps), deps.db, token);
  if (row === null) return page(404, locale, renderLinkGone(locale));
  return page(status, locale, renderConsignment(row, { locale, token, entered: form, errors }));
}

export const distributorOperations = [
  operation({
    method: 'get',
    path: '/c/{token}',
    operationId: 'viewConsignment',
    tag,
    summary: 'Look at a consignment by its link',
    description: 'A browser gets a page in its language, everything else JSON.',
    access: isPublic,
    // Mail programs and those who count visits add parameters of their own.
    query: z.object({
      lang: z.string().max(35).optional().meta({ description: 'Language of the page' }),
    }),
    responses: {
      200: { description: 'The consignment', schema: publicConsignmentSchema, also: ['text/html'] },
      404: { description: 'For a browser: a page that says so', schema: z.string(), mediaType: 'text/html' },
    },
    errors: ['NOT_FOUND', 'RATE_LIMITED', 'VALIDATION_FAILED'],
    handle: async ({ deps, db, req, query }) => {
      const token = tokenOf(req);
      const row = await findByLink(consignmentDeps(deps), db, token);
      if (!wantsPage(req)) {
        if (row === null) throw linkGone();
        return ok(present(row), NO_STORE);
      }
      const locale = negotiateLocale(req.get('accept-language'), query.lang);
      if (row === null) return page(404, locale, renderLinkGone(locale));
      return page(200, locale, renderConsignment(row, { locale, token }));
    },
  }),
  operation({
    method: 'post',
    path: '/c/{token}/receive',
    operationId: 'receiveByLink',
    tag,
    summary: 'Confirm receipt by the link',
    description: 'Once. JSON, or the form of the page; a browser’s form gets the page, a program’s the JSON.',
    access: isPublic,
    // Each kind is judged by itself, in the handler: of a union of both, a program could be told what is wrong with a form.
    body: z.looseObject({}),
    readBody: readFormOrJson,
    // The form is the page's own: a program that finds two bodies in the reference has to choose.
    accepts: { 'application/json': publicReceiveBody },
    // The page that answers a mistake is no error to roll back for.
    ownTransaction: true,
    responses: {
      200: { description: 'Confirmed', schema: publicConsignmentSchema, also: ['text/html'] },
      303: {
        description: 'Confirmed by a browser’s form: the page of the link, which shows the receipt',
        headers: { Location: { description: 'Where the receipt is' } },
      },
      404: {
        description: 'For a browser’s form: a page that says so',
        schema: z.string(),
        mediaType: 'text/html',
      },
      409: {
        description: 'For a browser’s form: the page as it is',
        schema: z.string(),
        mediaType: 'text/html',
      },
      422: {
        description: 'For a browser’s form: the page with what is wrong',
        schema: z.string(),
        mediaType: 'text/html',
      },
    },
    errors: ['NOT_FOUND', 'INVALID_TRANSITION', 'RATE_LIMITED'],
    handle: async ({ deps, req }) => {
      const form = isForm(req) ? parseInput(receiveForm, req.body) : null;
      if (form !== null && wantsPage(req)) return receiveByForm(deps, req, form);
      const body = form === null ? req.body : fromForm(form);
      return ok(present(await receive(deps, tokenOf(req), body)), NO_STORE);
    },
  }),
];
