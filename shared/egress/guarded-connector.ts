import type { LookupFunction, Socket } from 'node:net';
import { isIP } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { SecureContext } from 'node:tls';
import { buildConnector } from 'undici';
import { allowedAddresses, isAddressAllowed, type AllowedCidr, type Resolve } from './address-guard.ts';

/** How long each step of a new connection took, in milliseconds; null for a step that was not reached. */
export interface ConnectionTimings {
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
}

/** The step at which a connection failed. */
export type ConnectionStep = 'blocked' | 'dns' | 'connect' | 'tls' | 'timeout';

/** What every failed connection is reported as, so that nobody has to guess the step from an error code. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly step: ConnectionStep;
  readonly timings: ConnectionTimings;
  constructor(step: ConnectionStep, message: string, timings: ConnectionTimings, cause: unknown) {
    super(message, { cause });
    this.step = step;
    this.timings = timings;
  }
}

class BlockedAddressError extends Error {}

export interface GuardedConnectorOptions {
  allowed: readonly AllowedCidr[];
  resolve: Resolve;
  /** Shared by all connections: building one means parsing some 150 root certificates. */
  secureContext: SecureContext;
  connectTimeoutMs: number;
  /** Told of each connection that succeeded. */
  onConnected: (socket: Socket, timings: ConnectionTimings) => void;
}

/**
 * undici's connector, with the address vetted three times: an IP literal before connecting (Node skips `lookup` for
 * those), a name inside `lookup` (so that the address vetted is the address connected to: no second look-up for
 * rebinding to win), and the peer's address once connected. A pooled socket keeps the address that it was vetted with.
 * TLS is always verified, against the host name of the URL.
 */
export function createGuardedConnector(options: GuardedConnectorOptions): buildConnector.connector {
  const { allowed } = options;
  const connect = buildConnector({
    secureContext: options.secureContext,
    timeout: options.connectTimeoutMs,
    rejectUnauthorized: true,
    lookup: vettingLookup(options.resolve, allowed),
  });
  return (target, callback) => {
    const startedAt = performance.now();
    const timings: ConnectionTimings = { dnsMs: null, connectMs: null, tlsMs: null };
    let lookedUpAt: number | null = null;
    let connectedAt: number | null = null;
    const fail = (step: ConnectionStep, cause: Error) =>
      callback(new ConnectionError(step, describe(step, cause), timings, cause), null);

    const isLiteral = isIP(target.hostname) !== 0;
    if (isLiteral) {
      lookedUpAt = startedAt;
      if (!isAddressAllowed(target.hostname, allowed)) {
        return fail('blocked', new BlockedAddressError('the address is private or reserved'));
      }
    }
    // undici returns the socket at once; its type definitions leave that out.
    const socket = connect(target, (error, connected) => {
      if (error !== null) return fail(stepOf(error, lookedUpAt, connectedAt), error);
      if (!isAddressAllowed(connected.remoteAddress ?? '', allowed)) {
        connected.destroy();
        return fail('blocked', new BlockedAddressError('the address is private or reserved'));
      }
      timings.tlsMs = performance.now() - (connectedAt ?? startedAt);
      options.onConnected(connected, timings);
      callback(null, connected);
    }) as unknown as Socket;
    socket.once('lookup', (error: Error | null) => {
      if (error !== null) return;
      lookedUpAt = performance.now();
      timings.dnsMs = lookedUpAt - startedAt;
    });
    socket.once('connect', () => {
      connectedAt = performance.now();
      timings.connectMs = connectedAt - (lookedUpAt ?? startedAt);
    });
  };
}

function stepOf(error: Error, lookedUpAt: number | null, connectedAt: number | null): ConnectionStep {
  if (error instanceof BlockedAddressError) return 'blocked';
  if ('code' in error && error.code === 'UND_ERR_CONNECT_TIMEOUT') return 'timeout';
  if (connectedAt !== null) return 'tls';
  return lookedUpAt === null ? 'dns' : 'connect';
}

/** In our words: an error's own could hold what the other side sent (a certificate's names, a banner). */
function describe(step: ConnectionStep, error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  switch (step) {
    case 'blocked':
      return error.message;
    case 'dns':
      return `the host name could not be resolved (${code})`;
    case 'connect':
      return `no connection to the host (${code})`;
    case 'timeout':
      return 'no connection in time';
    case 'tls':
      return code === 'ERR_TLS_CERT_ALTNAME_INVALID'
        ? 'the certificate is not for this host name'
        : `the TLS handshake failed (${code})`;
    default:
      return code;
  }
}

function vettingLookup(resolve: Resolve, allowed: readonly AllowedCidr[]): LookupFunction {
  const vet = async (hostname: string) => {
    const permitted = allowedAddresses(hostname, await resolve(hostname), allowed);
    if (permitted.length === 0) throw new BlockedAddressError('the host has a private or reserved address');
    return permitted.map((address) => ({ address, family: isIP(address) }));
  };
  return (hostname, options, callback) => {
    // Out of the promise before the callback: what it throws is not a failed look-up.
    vet(hostname).then(
      (found) =>
        options.all
          ? process.nextTick(callback, null, found)
          : process.nextTick(callback, null, found[0]?.address, found[0]?.family),
      (error: Error) => process.nextTick(callback, error, '', 0),
    );
  };
}
