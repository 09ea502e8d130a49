/** Tells a slow but honest upload from a slow loris: by how fast a request's body comes, not by how long it takes. */
import type { IncomingMessage, Server } from 'node:http';

export interface Pace {
  /** Looks at every body that is under way, and cuts those that came too slowly since the last look. */
  check(): void;
  /** Bodies that are under way. */
  readonly size: number;
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Call before the first request. A body is given the time between two looks to begin with; what we have not read yet is our
 * own slowness and not the sender's.
 * @param minBytes that must come between two looks
 */
export function paceBodies(server: Server, minBytes: number): Pace {
  const underWay = new Map<IncomingMessage, number | null>();
  server.prependListener('request', (req: IncomingMessage) => {
    if (!hasBody(req)) return;
    underWay.set(req, null);
    req.once('close', () => underWay.delete(req));
  });
  return {
    check() {
      for (const [req, before] of underWay) {
        const { bytesRead } = req.socket;
        if (req.complete) underWay.delete(req);
        else if (before !== null && bytesRead - before < minBytes && req.readableLength === 0)
          req.socket.destroy();
        else underWay.set(req, bytesRead);
      }
    },
    get size() {
      return underWay.size;
    },
  };
}
