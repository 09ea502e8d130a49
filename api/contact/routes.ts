import { z } from 'zod';
import { receiveContactMessage } from '../../shared/contact/service.ts';
import { emailField } from '../auth/schema.ts';
import { text } from '../fields.ts';
import { isPublic, operation } from '../operation.ts';

export const contactOperations = [
  operation({
    method: 'post',
    path: '/contact',
    operationId: 'contact',
    tag: 'Sign-up',
    summary: 'Write to whoever runs the service',
    access: isPublic,
    body: z.strictObject({ name: text(200), email: emailField, message: text(5000) }),
    responses: { 202: { description: 'It is stored, and mailed' } },
    errors: ['RATE_LIMITED'],
    handle: async ({ deps, db, afterCommit, body }) => {
      await receiveContactMessage(deps, { db, afterCommit }, deps.config.CONTACT_EMAIL, body);
      return { status: 202 };
    },
  }),
];
