/** Requests that failed in the fast lane, on their way to the stack's error handler. */
import type { IncomingMessage } from 'node:http';

export interface HandedOver {
  error: unknown;
  requestId: string;
}

const requests = new WeakMap<IncomingMessage, HandedOver>();

export const handOver = (req: IncomingMessage, failure: HandedOver): void => {
  requests.set(req, failure);
};

export const handedOver = (req: IncomingMessage): HandedOver | undefined => requests.get(req);
