/** Ends a server without losing a request. */
import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Call before the first request.
 *
 * Closing an idle connection at once would race with the request that its client is just sending, which then fails
 * with a reset. So for `noticeMs` every answer says `Connection: close`, on old connections and on new ones: a busy
 * client goes away by itself, with all its answers. Only then the server stops listening, and closes what is idle.
 * @returns what ends the server; resolves when the last request is answered.
 */
export function drainable(server: Server, noticeMs: number): () => Promise<void> {
  const unanswered = new Set<ServerResponse>();
  let isDraining = false;
  server.prependListener('request', (_req, res: ServerResponse) => {
    if (isDraining) res.setHeader('Connection', 'close');
    unanswered.add(res);
    res.once('close', () => unanswered.delete(res));
  });
  return async () => {
    isDraining = true;
    for (const res of unanswered) if (!res.headersSent) res.setHeader('Connection', 'close');
    await sleep(noticeMs);
    const closed = once(server, 'close');
    server.close();
    // A connection that was busy at the close and is idle now would otherwise keep the server for a minute.
    const idle = setInterval(() => server.closeIdleConnections(), 100);
    await closed;
    clearInterval(idle);
  };
}
