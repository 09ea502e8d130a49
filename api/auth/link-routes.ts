/** Links in mails, before anything is typed behind them. */
import { z } from 'zod';
import { isResetOpen } from '../../shared/accounts/passwords.ts';
import { isInvitationOpen } from '../../shared/invitations/service.ts';
import { isSignUpOpen } from '../../shared/sign-ups/service.ts';
import { accountDeps } from '../account-deps.ts';
import { isPublic, ok, operation } from '../operation.ts';
import { tokenField } from './schema.ts';

const CHECKS = {
  'sign-up': isSignUpOpen,
  'reset-password': isResetOpen,
  'accept-invitation': isInvitationOpen,
} as const;

export const linkOperations = [
  operation({
    method: 'post',
    path: '/api/v1/auth/check-link',
    operationId: 'checkLink',
    tag: 'Sign-in',
    summary: 'Ask whether the link in a mail still works',
    description:
      'For a page that asks for a password behind the link. It uses nothing up, and says nothing of who the link is for.',
    access: isPublic,
    ownTransaction: true,
    body: z.strictObject({
      purpose: z
        .enum(Object.keys(CHECKS) as [keyof typeof CHECKS, ...(keyof typeof CHECKS)[]])
        .meta({ description: 'What the link is for' }),
      token: tokenField,
    }),
    responses: {
      200: {
        description: 'Whether it works',
        schema: z.object({
          works: z
            .boolean()
            .meta({ description: 'False where it was used, is too old, was taken back or made up' }),
        }),
      },
    },
    errors: ['RATE_LIMITED'],
    handle: async ({ deps, body: { purpose, token } }) =>
      ok({ works: await CHECKS[purpose](accountDeps(deps), token) }, { 'Cache-Control': 'no-store' }),
  }),
];
