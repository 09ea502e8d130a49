/** The operator's own credentials, apart from every organization's. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import { AppError } from '../../shared/errors.ts';

/** Of one address, to everything under `/ops`. */
export const ATTEMPTS_PER_MINUTE = 300;

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

interface OperatorConfig {
  OPERATOR_USER: string;
  OPERATOR_PASSWORD: string;
}

/** HTTP Basic, compared in constant time. */
export function isOperator({ OPERATOR_USER, OPERATOR_PASSWORD }: OperatorConfig, req: Request): boolean {
  const encoded = /^basic +(\S+)$/i.exec(req.get('authorization') ?? '')?.[1] ?? '';
  const given = Buffer.from(encoded, 'base64').toString('utf8');
  return timingSafeEqual(sha256(given), sha256(`${OPERATOR_USER}:${OPERATOR_PASSWORD}`));
}

/** @throws AppError UNAUTHENTICATED */
export function requireOperator(config: OperatorConfig, req: Request): void {
  if (isOperator(config, req)) return;
  throw new AppError('UNAUTHENTICATED', {
    detail: 'operator credentials are needed, as HTTP Basic',
    // Of no scheme that browsers know, or they would ask for a password over the screen that has a form for it.
    headers: { 'WWW-Authenticate': 'Operator realm="Touchstone operations"' },
  });
}
