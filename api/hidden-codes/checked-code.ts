/** Whose hidden code is checked, read from the address that it is sent to: that of the unit's page, with `/hidden-code` behind it. */
import type { Request } from 'express';
import { digitalLinkPath } from '../../shared/gs1/digital-link.ts';
import type { ScannedCode } from '../../shared/scans/verifier.ts';
import { readLink, serialOf } from '../gs1/links.ts';
import { pathOfToken } from '../verify/answer.ts';

export interface CheckedCode {
  scanned: ScannedCode;
  /** Path of the unit's page. */
  page: string;
}

/** @throws AppError BAD_REQUEST for what is no link */
export type CheckedCodeOf = (req: Request) => CheckedCode;

export const BELOW = '/hidden-code';

export const codeOfCheckedToken: CheckedCodeOf = (req) => {
  const token = String(req.params.token);
  return { scanned: { token }, page: pathOfToken(token) };
};

export const codeOfCheckedLink: CheckedCodeOf = (req) => {
  const link = readLink(req, BELOW);
  return { scanned: serialOf(link), page: digitalLinkPath(link) };
};
