/** `GET /v/{token}`: the public verification of one printed code. */
import type { Request } from 'express';
import type { Visitor } from '../../shared/scans/verifier.ts';
import { isPublic, operation, type Reply } from '../operation.ts';
import { verificationSchema } from './schema.ts';

const visitorOf = (req: Request): Visitor => ({
  ip: req.ip ?? '',
  userAgent: req.get('user-agent') ?? null,
  sessionId: null,
});

export const verifyOperations = [
  operation({
    method: 'get',
    path: '/v/{token}',
    operationId: 'verify',
    tag: 'Verification',
    summary: 'Verify a printed code',
    description:
      'Records a scan and answers with the verdict as it stands; the worker confirms it within moments (`assessment`). A HEAD request is answered but is no scan.',
    access: isPublic,
    responses: {
      200: { description: 'The verdict', schema: verificationSchema },
      404: { description: 'An unknown or malformed code, in the same shape', schema: verificationSchema },
    },
    errors: ['RATE_LIMITED'],
    handle: async ({ deps, req }): Promise<Reply> => {
      const token = String(req.params.token);
      const visitor = visitorOf(req);
      const verification =
        req.method === 'HEAD'
          ? await deps.verifier.preview(token, visitor)
          : await deps.verifier.verify(token, visitor);
      return {
        status: verification.result === 'unknown' ? 404 : 200,
        body: verification,
        // A cached verdict would be no scan, and might be another visitor's.
        headers: { 'Cache-Control': 'no-store' },
      };
    },
  }),
];
