/** Where the hidden code of a package is checked: from its page, or by a program. */
import type { Request, Response } from 'express';
import { z } from 'zod';
import { AppError } from '../../shared/errors.ts';
import {
  enterHiddenCode,
  HIDDEN_CODE_OUTCOMES,
  requireHiddenCode,
  type HiddenCodeAnswer,
} from '../../shared/hidden-codes/service.ts';
import { inLanguage } from '../accept-language.ts';
import type { ApiDeps } from '../deps.ts';
import { instant } from '../list.ts';
import { FORM_OR_JSON, isForm, readFormOrJson } from '../middleware/form-body.ts';
import { isPublic, operation, type Reply } from '../operation.ts';
import { withNfcTap } from '../nfc/looked.ts';
import { inUnitTurn } from '../unit-turn.ts';
import { answerUnknown, isNavigation, JSON_HEADERS, look, sendPage, type Looked } from '../verify/answer.ts';
import { verificationSchema } from '../verify/schema.ts';
import { newSession } from '../verify/session.ts';
import { BELOW, codeOfCheckedToken, type CheckedCode, type CheckedCodeOf } from './checked-code.ts';

const body = z.strictObject({
  hiddenCode: z.string().min(1).max(100).meta({
    description: 'As it was typed: either case, with or without spaces and hyphens, O for 0, I or L for 1',
    example: '7K3M-Q9TX',
  }),
  lang: z.string().max(35).optional().meta({ description: 'Language of the page, for the form' }),
});

const answerSchema = z
  .object({
    scanId: z.string().meta({ description: 'The scan with which it was entered' }),
    outcome: z.enum(HIDDEN_CODE_OUTCOMES),
    message: z.string(),
    firstEnteredAt: instant.nullable().meta({
      description:
        'When the right code was entered first, by whomever; null where it was wrong, or noted nowhere yet',
    }),
    visitors: z.number().int().meta({
      description:
        'Different visitors who have entered it, a whole network counting as one; 0 where it was wrong',
    }),
  })
  .meta({ id: 'HiddenCodeAnswer', description: 'A correct code is evidence, not proof' });

const MESSAGES: Readonly<Record<HiddenCodeAnswer['outcome'], string>> = {
  first: 'The hidden code is correct, and nobody else has entered it before.',
  repeated: 'The hidden code is correct, but it has been entered before: the product may be a copy.',
  wrong: 'This is not the hidden code of this product.',
};

async function answer(
  deps: ApiDeps,
  { scanned, page }: CheckedCode,
  { hiddenCode: typed, lang }: z.output<typeof body>,
  req: Request,
  res: Response,
): Promise<Reply | null> {
  const wantsPage = isForm(req) && req.accepts(['json', 'html']) === 'html';
  const fresh = wantsPage ? newSession(deps.config.PUBLIC_URL) : null;
  const looked = await look(deps, scanned, req, req.ip ?? '', fresh, requireHiddenCode);
  const { site, verified, session } = looked;
  if (verified.verification.result === 'unknown') return answerUnknown(deps, site, req, res, lang);
  const { scan } = verified;
  if (scan === null) throw new AppError('FORBIDDEN', { detail: 'nobody looks at what this request fetches' });
  const entering = { ...deps, tokenKeys: deps.config.TOKEN_KEYS };
  const told = await inUnitTurn(deps, scan.unitId, (uow) => enterHiddenCode(entering, uow, scan.id, typed));
  if (!wantsPage) return { status: 200, body: present(told, looked), headers: JSON_HEADERS };
  // Whoever takes no cookie would not be known again there, nor what was not noted.
  const isKnownAgain = told.isNoted && session?.isNew === false;
  if (told.outcome !== 'wrong' && isKnownAgain && isNavigation(req)) {
    const headers = { Location: inLanguage(page + BELOW, lang), 'Cache-Control': 'no-store' };
    return { status: 303, headers };
  }
  const address = isKnownAgain ? page + BELOW : page;
  const shown = { path: page, lang, hiddenCode: { ...told, typed }, address, isToldAgain: isKnownAgain };
  sendPage(deps, await withNfcTap(deps, looked, req, true), shown, req, res);
  return null;
}

const present = (
  { outcome, firstEnteredAt, visitors }: HiddenCodeAnswer,
  { verified }: Looked,
): z.input<typeof answerSchema> => ({
  scanId: verified.verification.scanId!,
  outcome,
  message: MESSAGES[outcome],
  firstEnteredAt: firstEnteredAt?.toISOString() ?? null,
  visitors,
});

interface HiddenCodeOperation {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly checkedCode: CheckedCodeOf;
}

export const hiddenCodeOperation = ({ checkedCode, ...declaration }: HiddenCodeOperation) =>
  operation({
    ...declaration,
    method: 'post',
    tag: 'Verification',
    access: isPublic,
    body,
    readBody: readFormOrJson,
    accepts: FORM_OR_JSON,
    // The scan commits by itself, as any other does.
    ownTransaction: true,
    responses: {
      200: {
        description: 'What it says; the page’s form gets a page',
        schema: answerSchema,
        also: ['text/html'],
      },
      303: {
        description: 'The form in a browser’s window entered the right one: the page that says so',
        headers: { Location: { description: 'Where it is' } },
      },
      404: {
        description: 'An unknown or malformed code, as `GET /v/{token}` answers it',
        schema: verificationSchema,
        also: ['text/html'],
      },
    },
    errors: ['CONFLICT', 'FORBIDDEN', 'RATE_LIMITED', 'BAD_REQUEST'],
    handle: ({ deps, req, res, body: sent }) => answer(deps, checkedCode(req), sent, req, res),
  });

export const hiddenCodeOperations = [
  hiddenCodeOperation({
    path: `/v/{token}${BELOW}`,
    operationId: 'checkHiddenCode',
    summary: 'Check the hidden code of a package',
    description:
      'The code below a layer to scratch or peel off, of a batch with `hiddenCodes`. It is a look at the unit, and so a scan, or within the visit the scan that was made. Who enters it first probably holds the original; that somebody else was first, or that it is wrong, speaks for a copy. Once more visitors have entered it than one package explains (`clone.hiddenCodeVisitors` of the policy), scans of the unit are suspicious.',
    checkedCode: codeOfCheckedToken,
  }),
];
