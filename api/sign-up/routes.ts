import { z } from 'zod';
import { AppError } from '../../shared/errors.ts';
import { encodeId } from '../../shared/ids.ts';
import { signUp, verifySignUp } from '../../shared/sign-ups/service.ts';
import { preferredLanguage } from '../accept-language.ts';
import { accountDeps } from '../account-deps.ts';
import type { ApiDeps } from '../deps.ts';
import { emailField, newPasswordField, tokenField } from '../auth/schema.ts';
import { languageField, text, timeZoneField } from '../fields.ts';
import { isPublic, operation } from '../operation.ts';

const tag = 'Sign-up';

/** @throws AppError FORBIDDEN where the operator alone makes organizations */
function requireOpen({ config }: ApiDeps): void {
  if (config.SIGN_UP === 'closed')
    throw new AppError('FORBIDDEN', {
      detail: 'nobody can sign up here by themselves; whoever runs the service makes organizations',
    });
}

const signUpBody = z.strictObject({
  organizationName: text(200),
  name: text(200).nullable().default(null),
  email: emailField,
  password: newPasswordField,
  language: languageField.optional().meta({
    description:
      'Language of the person’s mails, from this one on; without it the best of `Accept-Language`, else English',
  }),
});

export const signUpOperations = [
  operation({
    method: 'post',
    path: '/sign-up',
    operationId: 'signUp',
    tag,
    summary: 'Sign up an organization with its first owner',
    description:
      'A mail with a link goes to the address. The answer is the same whether the address has an account or not. FORBIDDEN where the installation has `SIGN_UP=closed`.',
    access: isPublic,
    ownTransaction: true,
    body: signUpBody,
    responses: { 202: { description: 'Look into your mail' } },
    errors: ['RATE_LIMITED', 'FORBIDDEN'],
    handle: async ({ deps, body, req }) => {
      requireOpen(deps);
      const language = body.language ?? preferredLanguage(req.headers['accept-language']);
      await signUp(accountDeps(deps), { ...body, language });
      return { status: 202 };
    },
  }),
  operation({
    method: 'post',
    path: '/sign-up/verify',
    operationId: 'verifySignUp',
    tag,
    summary: 'Confirm the address by the link in the mail',
    description: 'The organization and its owner come into being. The link works once, for 24 hours.',
    access: isPublic,
    ownTransaction: true,
    body: z.strictObject({
      token: tokenField,
      timeZone: timeZoneField
        .default('UTC')
        .meta({ description: 'Of the organization; its settings change it', examples: ['Europe/Lisbon'] }),
    }),
    responses: {
      201: {
        description: 'You can sign in now',
        schema: z.object({ userId: z.string(), organizationId: z.string() }),
      },
    },
    errors: ['RATE_LIMITED', 'FORBIDDEN'],
    handle: async ({ deps, body, origin }) => {
      requireOpen(deps);
      const { orgId, userId } = await verifySignUp(accountDeps(deps), { ...body, origin });
      return {
        status: 201,
        body: { userId: encodeId('user', userId), organizationId: encodeId('org', orgId) },
      };
    },
  }),
];
