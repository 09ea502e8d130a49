/** A way to Postgres or Redis that a test can cut. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { ServerCertificate } from '../../launcher/tls.ts';

export interface Tunnel {
  port: number;
  /** Of the same service, by this way. */
  url: string;
  /** Ends all connections, and refuses new ones. */
  cut: () => void;
  mend: () => void;
  /** Nothing comes through the connections that there are, and nobody is told; new ones work. */
  silence: () => void;
  close: () => Promise<void>;
}

/** @param certificate with which it speaks TLS to whoever comes */
export async function startTunnel(address: string, certificate?: ServerCertificate): Promise<Tunnel> {
  const url = new URL(address);
  const { hostname, port } = url;
  const sockets = new Set<Socket>();
  const silent = new Set<Socket>();
  let isCut = false;
  const lead = (inbound: Socket) => {
    if (isCut) {
      inbound.destroy();
      return;
    }
    const outbound = connect(Number(port), hostname);
    for (const [one, other] of [
      [inbound, outbound],
      [outbound, inbound],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  };
  const server =
    certificate === undefined
      ? createServer(lead)
      : createTlsServer({ cert: certificate.certPem, key: certificate.keyPem }, lead);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: own } = server.address() as AddressInfo;
  url.host = `127.0.0.1:${own}`;
  return {
    port: own,
    url: url.href,
    cut() {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    mend() {
      isCut = false;
      for (const socket of silent) socket.destroy();
      silent.clear();
    },
    silence() {
      for (const socket of sockets) silent.add(socket.unpipe().pause());
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
