/** What the tests of webhook attempts send with and to: real TLS on loopback, all of it closed after each test. */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import {
  createSender,
  type AttemptOutcome,
  type AttemptRequest,
  type Sender,
  type SenderOptions,
} from '../../shared/webhooks/attempt.ts';
import { startHttpsReceiver, type HttpsReceiver } from './https-receiver.ts';
import { createTestCa } from './tls.ts';

export const ca = createTestCa();
const closers: (() => Promise<unknown>)[] = [];

/** For an `afterEach`: closes what the test opened, in reverse order. */
export async function closeAll(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}

export const closeLater = (close: () => Promise<unknown>): void => void closers.push(close);

export async function receiverFor(...hosts: string[]): Promise<HttpsReceiver> {
  const receiver = await startHttpsReceiver(
    ca.certFor(hosts.length > 0 ? hosts : ['localhost', '127.0.0.1']),
  );
  closeLater(() => receiver.close());
  return receiver;
}

/** A server below TLS, for what no decent receiver does. */
export async function tcpServer(
  onConnection: (socket: Socket) => void,
): Promise<{ origin: string; accepted: () => number }> {
  const sockets: Socket[] = [];
  const server: Server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    onConnection(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closeLater(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return {
    origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accepted: () => sockets.length,
  };
}

export function senderWith(options: Partial<SenderOptions> = {}): Sender {
  const sender = createSender({
    version: '9.8.7',
    allowedCidrs: ['127.0.0.1/32'],
    caFile: ca.caFile,
    ...options,
  });
  closeLater(() => sender.close());
  return sender;
}

export const post = (
  sender: Sender,
  url: string,
  request: Partial<AttemptRequest> = {},
): Promise<AttemptOutcome> =>
  sender.send({
    url,
    headers: { 'Content-Type': 'application/json' },
    body: Buffer.from('{"a":1}'),
    ...request,
  });
