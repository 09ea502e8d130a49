/** The client's address, as `req.ip` of Express gives it, without handing the request to Express. */
import type { IncomingMessage } from 'node:http';
import type { Express } from 'express';
import { keepSome } from '../../shared/keep-some.ts';

/** What Express makes of the setting `trust proxy`. */
type Trusts = (address: string, hop: number) => boolean;

const MAX_REMEMBERED = 1_000;
/** One address alone, as the one proxy in front writes it. */
const ONE_HOP = /^[0-9A-Za-z.:]+$/;

/** @param app whose setting `trust proxy` counts */
export function clientAddress(app: Express): (req: IncomingMessage) => string {
  const trusts = app.get('trust proxy fn') as Trusts;
  // Peers are few, and judging one parses it.
  const peers = new Map<string, boolean>();
  const trustsPeer = (peer: string): boolean => {
    let trusted = peers.get(peer);
    if (trusted === undefined) {
      trusted = trusts(peer, 0);
      keepSome(peers, peer, trusted, MAX_REMEMBERED);
    }
    return trusted;
  };
  return ({ socket, headers }) => {
    const peer = socket.remoteAddress ?? '';
    const forwarded = headers['x-forwarded-for'];
    if (forwarded === undefined || !trustsPeer(peer)) return peer;
    if (typeof forwarded === 'string' && ONE_HOP.test(forwarded)) return forwarded;
    // A chain of proxies is walked by Express's own getter.
    return (Reflect.get(app.request, 'ip', { app, socket, headers }) as string | undefined) ?? peer;
  };
}
