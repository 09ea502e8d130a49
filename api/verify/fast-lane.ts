/**
 * `GET /v/{token}` for JSON, ahead of Express: most of the traffic, and Express cost it a fifth of its time before a line of
 * ours ran (ADR 0067). The same headers, limit, log and errors; pages, HEAD and whatever is unusual take the other way
 * (`hot-route.ts`), and so does every request that fails, to be answered by the stack's own error handler.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';
import type { Metrics } from '../../shared/metrics.ts';
import type { ApiDeps } from '../deps.ts';
import { linesOfRequests, observeRequest } from '../middleware/access-log.ts';
import { dropForwardedPorts } from '../middleware/forwarded-ports.ts';
import { requestIdOf } from '../middleware/request-id.ts';
import { normalizeTarget } from '../middleware/request-target.ts';
import { answerJson, JSON_TYPE } from './answer.ts';
import { clientAddress } from './client-address.ts';
import { handOver } from './handed-over.ts';
import { HOT_PATH } from './hot-route.ts';
import { limitOf, policyOf, requireAllowance, type ScanLimiter } from './limiter.ts';

/** Plain letters and digits, then nothing or a query, which only pages look at, and whoever checks a tap. A code printed in capitals says `/V/`. */
const TOKEN = /^\/[vV]\/([0-9A-Za-z]{1,64})(?:\?|$)/;

/** @returns the token, or null where this request is not for the fast lane. */
export function tokenForJson({ method, url, headers }: IncomingMessage): string | null {
  if (method !== 'GET') return null;
  const { accept } = headers;
  if (accept !== undefined && accept !== 'application/json' && accept !== '*/*') return null;
  // A tap of an NFC tag is for whoever reads queries.
  return url!.includes('cmac=') ? null : (TOKEN.exec(url!)?.[1] ?? null);
}

/**
 * @param app answers all that the lane does not.
 * @param securityHeaders of every answer.
 */
export function fastLane(
  deps: ApiDeps,
  metrics: Metrics,
  limiter: ScanLimiter,
  securityHeaders: Readonly<Record<string, string>>,
  app: Express,
): (req: IncomingMessage, res: ServerResponse) => void {
  // A flat list is written as it is; an object of twenty names costs as much as the verdict.
  const fixed = Object.entries({
    ...securityHeaders,
    'Content-Type': JSON_TYPE,
    // A cached verdict would be no scan, and might be another visitor's.
    'Cache-Control': 'no-store',
    Vary: 'Accept',
    'RateLimit-Policy': policyOf(deps.config.RATE_LIMIT_VERIFY_PER_MINUTE),
  }).flat();
  const addressOf = clientAddress(app);
  const lines = linesOfRequests(deps.log);

  const answer = async (req: IncomingMessage, res: ServerResponse, token: string): Promise<void> => {
    const started = performance.now();
    const requestId = requestIdOf(req);
    const note = () => observeRequest(lines, metrics, { req, res, route: HOT_PATH, requestId, started });
    res.on('close', note);
    try {
      const ip = addressOf(req);
      // The code is looked up meanwhile, but not for whoever is known to be refused; nothing is recorded before.
      const counted = limiter.count(ip);
      const admit = async () => {
        requireAllowance(await counted);
      };
      if (limiter.isRefused(ip)) await admit();
      const { status, body } = await answerJson(deps, { token }, req, ip, admit);
      const text = JSON.stringify(body);
      res.writeHead(status, [
        ...fixed,
        'RateLimit',
        limitOf(await counted),
        'X-Request-Id',
        requestId,
        'Content-Length',
        String(Buffer.byteLength(text)),
      ]);
      res.end(text);
    } catch (error) {
      res.off('close', note);
      handOver(req, { error, requestId });
      app(req, res);
    }
  };

  return (req, res) => {
    dropForwardedPorts(req);
    normalizeTarget(req);
    const token = tokenForJson(req);
    if (token === null) app(req, res);
    else void answer(req, res, token);
  };
}
