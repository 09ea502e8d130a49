/**
 * `GET /v/{token}` ahead of the general stack: the same headers, limit, log and errors, in one handler (ADR 0041). Plain
 * requests for JSON do not even come here (`fast-lane.ts`), unless they failed there.
 */
import type { Request, RequestHandler, Response } from 'express';
import type { Metrics } from '../../shared/metrics.ts';
import type { ApiDeps } from '../deps.ts';
import { linesOfRequests, noteRequest } from '../middleware/access-log.ts';
import { requestIdOf } from '../middleware/request-id.ts';
import { answerVerification, JSON_TYPE, pathOfToken } from './answer.ts';
import { handedOver } from './handed-over.ts';
import { limitHeaders, requireAllowance, type ScanLimiter } from './limiter.ts';
import { offerProblemPage } from './problem-page.ts';

export const HOT_PATH = '/v/:token';

/** @returns the headers that a middleware sets on every response, whatever the request. */
export function headersOf(middleware: RequestHandler): Record<string, string> {
  const headers: Record<string, string> = {};
  const response = {
    setHeader: (name: string, value: string) => {
      headers[name] = value;
    },
    removeHeader: () => undefined,
  };
  void middleware({} as Request, response as unknown as Response, () => undefined);
  return headers;
}

export function hotRoute(
  deps: ApiDeps,
  metrics: Metrics,
  limiter: ScanLimiter,
  securityHeaders: Readonly<Record<string, string>>,
): RequestHandler {
  // A flat list is written as it is; an object of twenty names costs as much as the verdict.
  const fixed = Object.entries({
    ...securityHeaders,
    'Content-Type': JSON_TYPE,
  }).flat();
  const lines = linesOfRequests(deps.log);
  return async (req, res) => {
    const started = performance.now();
    const failure = handedOver(req);
    const requestId = failure?.requestId ?? requestIdOf(req);
    res.locals.requestId = requestId;
    res.on('close', () => noteRequest(lines, metrics, req, res, started));
    const setAll = (headers: Readonly<Record<string, string>>) => {
      for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
    };
    try {
      if (failure !== undefined) throw failure.error;
      // Working it out parses the whole chain of proxies: once.
      const ip = req.ip ?? '';
      const allowance = await limiter.count(ip);
      requireAllowance(allowance);
      const token = String(req.params.token);
      const ownHeaders = { 'X-Request-Id': requestId, ...limitHeaders(allowance) };
      const beforePage = () => setAll({ ...securityHeaders, ...ownHeaders });
      const path = pathOfToken(token);
      const reply = await answerVerification(deps, { token }, path, req, res, { ip, beforePage });
      if (reply === null) return;
      const body = JSON.stringify(reply.body);
      const length = String(Buffer.byteLength(body));
      const own = Object.entries({ ...ownHeaders, ...reply.headers, 'Content-Length': length }).flat();
      res.writeHead(reply.status, [...fixed, ...own]);
      res.end(req.method === 'HEAD' ? undefined : body);
    } catch (error) {
      setAll({ ...securityHeaders, 'X-Request-Id': requestId });
      await offerProblemPage(deps, req, res);
      throw error;
    }
  };
}
