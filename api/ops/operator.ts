/** The operator's own credentials, apart from every organization's. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';

/** Of one address, to everything under `/ops`. */
export const ATTEMPTS_PER_MINUTE = 300;

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** HTTP Basic, compared in constant time. */
export function isOperator(
  { OPERATOR_USER, OPERATOR_PASSWORD }: { OPERATOR_USER: string; OPERATOR_PASSWORD: string },
  req: Request,
): boolean {
  const encoded = /^basic +(\S+)$/i.exec(req.get('authorization') ?? '')?.[1] ?? '';
  const given = Buffer.from(encoded, 'base64').toString('utf8');
  return timingSafeEqual(sha256(given), sha256(`${OPERATOR_USER}:${OPERATOR_PASSWORD}`));
}
