import { createServer, type AddressInfo, type Server } from 'node:net';

import { createSecureContext, createServer as createTlsServer } from 'node:tls';
import { expect } from 'chai';
import type { buildConnector } from 'undici';
import { parseAllowedCidrs, type AllowedCidr } from '../../../shared/egress/address-guard.ts';
import { ConnectionError, createGuardedConnector } from '../../../shared/egress/guarded-connector.ts';
import { createTestCa } from '../../support/tls.ts';

const ca = createTestCa();
let server: Server;
let accepted = 0;

async function listen(newServer: Server): Promise<number> {
  server = newServer;
  accepted = 0;
  server.on('connection', (socket) => {
    accepted += 1;
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

function connect(allowed: AllowedCidr[], hostname: string, port: number): Promise<Error | 'connected'> {
  const connector: buildConnector.connector = createGuardedConnector({
    allowed,
    resolve: () => Promise.resolve(['127.0.0.1']),
    secureContext: createSecureContext({ ca: ca.caPem }),
    connectTimeoutMs: 5000,
    onConnected: (socket) => socket.destroy(),
  });
  return new Promise((resolve) => {
    connector(
      { hostname, host: `${hostname}:${port}`, protocol: 'https:', port: String(port) },
      (...[error]) => resolve(error ?? 'connected'),
    );
  });
}

describe('the guarded connector', () => {
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  it('refuses an IP literal by itself, which Node never shows to a look-up', async () => {
    const port = await listen(createServer((socket) => socket.destroy()));
    const error = await connect([], '127.0.0.1', port);
    expect(error).to.be.instanceOf(ConnectionError).and.to.have.property('step', 'blocked');
    expect(accepted).to.equal(0);
  });

  it('looks at the peer’s address once more when it is connected', async () => {
    const { certPem, keyPem } = ca.certFor('hooks.example');
    const allowed = parseAllowedCidrs(['127.0.0.1/32']);
    const port = await listen(createTlsServer({ cert: certPem, key: keyPem }));
    expect(await connect(allowed, 'hooks.example', port)).to.equal('connected');
    // As if the look-up had been got round: by the time the peer has accepted, its address is not allowed.
    server.once('connection', () => allowed.splice(0));
    expect(await connect(allowed, 'hooks.example', port)).to.have.property('step', 'blocked');
    expect(accepted).to.equal(2);
  });
});
