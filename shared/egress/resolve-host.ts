import { lookup, Resolver } from 'node:dns/promises';
import { isLocalhost, type Resolve } from './address-guard.ts';

/** c-ares answers that mean "ask the system": hosts files, mDNS and containers' names are not in its reach. */
const ASK_THE_SYSTEM = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED', 'ESERVFAIL', 'EREFUSED']);

export interface ResolverOptions {
  /** For each of two tries. Default 2,000. */
  timeoutMs?: number;
  /** Name servers, as `address:port`; by default those of the system. */
  servers?: string[];
  /** The fallback, replaceable in tests. */
  systemLookup?: Resolve;
}

/**
 * Resolves names to their IPv4 and IPv6 addresses. DNS is asked through c-ares and not through `dns.lookup`, which
 * occupies one of libuv's four threads until it answers: four customers with dead name servers would stop every other
 * look-up, and all file and zlib work with them. The system's own look-up is the fallback for a name that DNS does
 * not know, and is not used where DNS did not answer in time.
 * Look-ups of one name that run at the same time share one query.
 */
export function createResolver(options: ResolverOptions = {}): Resolve {
  const resolver = new Resolver({ timeout: options.timeoutMs ?? 2_000, tries: 2 });
  if (options.servers) resolver.setServers(options.servers);
  const systemLookup = options.systemLookup ?? lookUpInSystem;
  const running = new Map<string, Promise<string[]>>();
  return (hostname) => {
    if (isLocalhost(hostname)) return Promise.resolve(['127.0.0.1', '::1']);
    const known = running.get(hostname);
    if (known) return known;
    const query = resolveBoth(resolver, systemLookup, hostname).finally(() => running.delete(hostname));
    running.set(hostname, query);
    return query;
  };
}

async function lookUpInSystem(hostname: string): Promise<string[]> {
  const found = await lookup(hostname, { all: true });
  return found.map((entry) => entry.address);
}

async function resolveBoth(resolver: Resolver, systemLookup: Resolve, hostname: string): Promise<string[]> {
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length > 0) return addresses;
  const failures = answers.flatMap((answer) =>
    answer.status === 'rejected' ? [answer.reason as NodeJS.ErrnoException] : [],
  );
  const unanswered = failures.find((failure) => !ASK_THE_SYSTEM.has(failure.code ?? ''));
  if (unanswered) throw unanswered;
  return systemLookup(hostname);
}
