/** Looks for TXT records. */
import { Resolver } from 'node:dns/promises';
import type { DomainProblem } from './schedule.ts';

export type TxtLookUp =
  | { records: readonly string[] }
  | { problem: Extract<DomainProblem, 'NO_RECORD' | 'DNS_FAILED'> };

/** @returns the TXT records at a name; never throws. */
export type LookUpTxt = (name: string) => Promise<TxtLookUp>;

/** Each of two tries of a server; an answer that takes longer will not be there for a visitor's browser either. */
const TIMEOUT_MS = 3_000;
/** The name is not there, or has no such record. Everything else says nothing about the record. */
const ABSENT = new Set(['ENOTFOUND', 'ENODATA']);

/** @param servers addresses, `9.9.9.9` or `127.0.0.1:5353`; the machine's own where there are none */
export function createLookUpTxt(servers: readonly string[]): LookUpTxt {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 2 });
  if (servers.length > 0) resolver.setServers(servers);
  return async (name) => {
    try {
      // A record comes in pieces of 255 bytes.
      return { records: (await resolver.resolveTxt(name)).map((pieces) => pieces.join('')) };
    } catch (error) {
      return {
        problem: ABSENT.has((error as NodeJS.ErrnoException).code ?? '') ? 'NO_RECORD' : 'DNS_FAILED',
      };
    }
  };
}
