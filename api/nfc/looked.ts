/** What the tap of a package's NFC tag says with which somebody looked at a unit. */
import type { Request } from 'express';
import { findNfcTap, noteNfcTap, type NfcTapAnswer } from '../../shared/nfc/service.ts';
import { parseTap } from '../../shared/nfc/tap.ts';
import type { ApiDeps } from '../deps.ts';
import { inUnitTurn } from '../unit-turn.ts';
import type { Looked } from '../verify/answer.ts';

/** By the link of another page, and not by what the phone itself opened: a tap, or an address from a chat. */
const isLinked = (req: Request): boolean =>
  ['cross-site', 'same-site'].includes(req.get('sec-fetch-site') ?? '');

/**
 * Adds what the tap says that the address came with; on a page without one, what the last tap of the same visit said. Nothing of a look
 * that is no scan.
 */
export async function withNfcTap(
  deps: ApiDeps,
  looked: Looked,
  req: Request,
  isPage: boolean,
): Promise<Looked> {
  const { verified } = looked;
  const { verification, scan } = verified;
  if (!verification.hasNfcTag || scan === null) return looked;
  const tap = await tapOf(deps, scan, req, isPage);
  if (tap === null) return looked;
  const { outcome, counter, staleSince } = tap;
  const nfcTap = { outcome, counter, staleSince: staleSince?.toISOString() ?? null };
  return { ...looked, verified: { ...verified, verification: { ...verification, nfcTap } } };
}

async function tapOf(
  deps: ApiDeps,
  scan: { id: string; unitId: string },
  req: Request,
  isPage: boolean,
): Promise<NfcTapAnswer | null> {
  const sent = parseTap(req.query);
  if (sent === null) return isPage ? findNfcTap(deps.db, scan.id) : null;
  const noting = { ...deps, tokenKeys: deps.config.TOKEN_KEYS };
  return inUnitTurn(deps, scan.unitId, (uow) => noteNfcTap(noting, uow, scan.id, sent, isLinked(req)));
}
