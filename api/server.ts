/** The HTTP server, with its limits against slow and hoarding clients; behind a proxy these are the proxy's. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Logger } from '../shared/logger.ts';
import { paceBodies } from './pace.ts';
import { refuseUnreadable, withHost } from './unreadable-requests.ts';

export interface ServerLimits {
  /** From a connection's first byte, or the end of the request before, to the end of the headers. */
  headersTimeoutMs: number;
  /** To the end of the body. */
  requestTimeoutMs: number;
  /** Between two requests of a connection. */
  keepAliveTimeoutMs: number;
  /** How often the two deadlines are looked at. */
  checkEveryMs: number;
  maxConnections: number;
  /** A body that brings fewer than `minBodyBytes` between two looks is cut. */
  paceMs: number;
  minBodyBytes: number;
}

export const SERVER_LIMITS: ServerLimits = {
  headersTimeoutMs: 10_000,
  // Long enough for a list of a million units over a poor line; what comes too slowly is cut long before (pace.ts), and
  // JSON bodies have half a minute (middleware/json-body.ts).
  requestTimeoutMs: 3_600_000,
  // Longer than a proxy keeps its idle connections (60 s is usual), so that it never sends into a closing one.
  keepAliveTimeoutMs: 65_000,
  // Node's own 30 s would make 40 s of the deadline for headers.
  checkEveryMs: 2_000,
  maxConnections: 10_000,
  // 2 KB/s at least, or whole at the second look.
  paceMs: 15_000,
  minBodyBytes: 30_000,
};

export function createHttpServer(listener: RequestListener, log: Logger, limits = SERVER_LIMITS): Server {
  const server = createServer(
    {
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      connectionsCheckingInterval: limits.checkEveryMs,
      requireHostHeader: false,
    },
    withHost(listener, log),
  );
  // An expectation that is not known may be passed over (RFC 9110, 10.1.1), and some clients' libraries send their own.
  server.on('checkExpectation', (req, res) => void server.emit('request', req, res));
  server.maxConnections = limits.maxConnections;
  refuseUnreadable(server, log);
  const pace = paceBodies(server, limits.minBodyBytes);
  const looks = setInterval(() => pace.check(), limits.paceMs);
  server.once('close', () => clearInterval(looks));
  return server;
}
