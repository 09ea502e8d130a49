/** `GET /v/{token}`: the public verification of one printed code; and the position that its visitor may add. */
import { codeToLookUp } from '../../shared/units/token.ts';
import { isPublic, operation } from '../operation.ts';
import { answerVerification, pathOfToken } from './answer.ts';
import { addPositionOf } from './position.ts';
import { positionBody, verificationQuery, verificationSchema } from './schema.ts';

const tag = 'Verification';

export const verifyOperations = [
  operation({
    method: 'get',
    path: '/v/{token}',
    operationId: 'verify',
    tag,
    summary: 'Verify a printed code',
    description:
      'Records a scan and answers with the verdict as it stands; the worker confirms it within moments (`assessment`). A browser (`Accept: text/html`) gets a page, everything else JSON. HEAD, prefetches and the previews of chat and mail programs are answered but are no scans. With the cookie of an earlier page, a further look within some minutes is the same scan. With what the package’s NFC tag adds to its address at each tap, `nfcTap` says whether that is the original’s; once more visitors have come with used taps than one package explains (`clone.nfcReplayVisitors` of the policy), scans of the unit are suspicious.',
    access: isPublic,
    query: verificationQuery,
    responses: {
      200: {
        description: 'The verdict',
        schema: verificationSchema,
        also: ['text/html'],
        headers: { 'Set-Cookie': { description: 'With a page: makes further looks the same scan' } },
      },
      404: {
        description: 'An unknown or malformed code, in the same shape',
        schema: verificationSchema,
        also: ['text/html'],
      },
    },
    errors: ['RATE_LIMITED'],
    handle: ({ deps, req, res }) => {
      const token = String(req.params.token);
      return answerVerification(deps, { token }, pathOfToken(token), req, res);
    },
  }),
  operation({
    method: 'post',
    path: '/v/{token}/position',
    operationId: 'addPosition',
    tag,
    summary: 'Add the visitor’s position to the scan just made',
    description:
      'For the page’s own script, with the visitor’s consent. The nonce stands in the page, belongs to one scan and works once, for ten minutes. The scan is then scored again.',
    access: isPublic,
    body: positionBody,
    responses: { 204: { description: 'Added' } },
    errors: ['FORBIDDEN', 'CONFLICT', 'RATE_LIMITED'],
    handle: async ({ deps, db, afterCommit, req, body }) => {
      const code = codeToLookUp(deps.config.TOKEN_KEYS, String(req.params.token));
      return addPositionOf(deps, { db, afterCommit }, code, body);
    },
  }),
];
