import { createServer as createHttpsServer, type Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { ServerCertificate } from '../../launcher/tls.ts';

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: Buffer;
  /** The name that the client asked for in its TLS hello; false for none. */
  servername: string | false | null;
}

export type Responder = (response: ServerResponse, request: ReceivedRequest) => void;

export interface HttpsReceiver {
  port: number;
  /** `https://localhost:<port>`; the path is yours. */
  origin: string;
  requests: ReceivedRequest[];
  /** How many TCP connections were accepted so far. */
  connections(): number;
  /** How the next requests are answered; 204 at first. */
  respond: Responder;
  close(): Promise<void>;
}

/** A real HTTPS receiver on 127.0.0.1, which keeps what it received and answers as told. */
export async function startHttpsReceiver({ certPem, keyPem }: ServerCertificate): Promise<HttpsReceiver> {
  const sockets = new Set<Socket>();
  let accepted = 0;
  const server: Server = createHttpsServer(
    { cert: certPem, key: keyPem, keepAliveTimeout: 30_000 },
    (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const received: ReceivedRequest = {
          method: request.method ?? '',
          path: request.url ?? '',
          headers: request.headers,
          body: Buffer.concat(chunks),
          servername: (request.socket as unknown as { servername?: string | false }).servername ?? null,
        };
        receiver.requests.push(received);
        receiver.respond(response, received);
      });
    },
  );
  server.on('connection', (socket: Socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
  });
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: HttpsReceiver = {
    port,
    origin: `https://localhost:${port}`,
    requests: [],
    connections: () => accepted,
    respond: (response) => response.writeHead(204).end(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
  return receiver;
}
