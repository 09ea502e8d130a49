import type { IncomingMessage } from 'node:http';
import { AppError } from '../shared/errors.ts';

/** How long the rest of a body that nobody wants is taken all the same. */
const LINGER_MS = 10_000;

/**
 * A request's body as it comes. Whoever stops reading in the middle may answer: the rest is read and thrown away for a while, since
 * closing on a client that is still sending resets the connection, and the answer is lost with it (as nginx's `lingering_close`).
 * @param detail for whoever sent too much
 * @throws AppError PAYLOAD_TOO_LARGE in the middle of it
 */
export async function* boundedBody(
  req: IncomingMessage,
  maxBytes: number,
  detail: string,
  lingerMs = LINGER_MS,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    // Node would destroy the request when its reader stops, and take the socket off it, for which much else asks.
    for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new AppError('PAYLOAD_TOO_LARGE', { detail });
      yield chunk;
    }
  } finally {
    if (!req.readableEnded) linger(req, lingerMs);
  }
}

/** For what reads its body as it comes, and unpacks nothing. @throws AppError UNSUPPORTED_MEDIA_TYPE */
export function refuseEncoding(req: IncomingMessage): void {
  if (req.headers['content-encoding'] === undefined) return;
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', { detail: 'send the list without a content encoding' });
}

function linger(req: IncomingMessage, ms: number): void {
  const end = setTimeout(() => req.destroy(), ms).unref();
  req.once('close', () => clearTimeout(end));
  req.resume();
}
