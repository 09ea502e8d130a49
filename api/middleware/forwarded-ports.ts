/** Some proxies (Azure's Application Gateway, IIS) write a port behind each address of `X-Forwarded-For`; Express takes it for a part of it. */
import type { IncomingMessage } from 'node:http';

const PORTED = /\]|\d\.\d+:\d/;
const IPV4 = /^(\d+\.\d+\.\d+\.\d+):\d+$/;
const IPV6 = /^\[([^\]]*)\](?::\d+)?$/;

/** Leaves the addresses alone, or every request of a visitor would come from an address of its own. */
export function dropForwardedPorts({ headers }: IncomingMessage): void {
  const forwarded = headers['x-forwarded-for'];
  if (typeof forwarded !== 'string' || !PORTED.test(forwarded)) return;
  headers['x-forwarded-for'] = forwarded.split(',').map(withoutPort).join(',');
}

function withoutPort(entry: string): string {
  const address = entry.trim();
  return (IPV4.exec(address) ?? IPV6.exec(address))?.[1] ?? address;
}
