/**
 * What a request was sent to: the service's own address, or one of an organization's. Kept in the process for seconds, as every
 * verification asks and a forged code must cost no query.
 */
import type { Db } from '../db.ts';
import type { Logger } from '../logger.ts';
import { organizationOf, type BrandedOrganization } from '../scans/organization.ts';
import { hostOf } from './address.ts';
import { findServedHosts } from './repository.ts';

export interface Site {
  /** `https://id.example.com`: what the page tells its reader to compare. Of the configuration, never the request's. */
  readonly url: string;
  /** UUID of whose codes alone are known here; null at the service's own address, which knows everybody's. */
  readonly orgId: string | null;
  /** How it shows itself; null at the service's own address, and of an organization that is blocked. */
  readonly organization: BrandedOrganization | null;
}

export interface Sites {
  /** @param host `Host` of a request; one that nobody has is the service's own */
  of(host: string | undefined): Promise<Site>;
  /** Whether a host, without a port, is the service's own or an organization's. */
  serves(hostname: string): Promise<boolean>;
  /** Where an organization's new symbols lead, as they hold it; null where to the service's own address. */
  codesUrlOf(orgId: string): Promise<string | null>;
}

export interface SitesDeps {
  db: Db;
  log: Logger;
  publicUrl: string;
  nowMs(): number;
}

/** For how long hosts are taken for what they were. */
const FRESH_MS = 5_000;
/** After Postgres did not answer. */
const RETRY_MS = 1_000;

interface Known {
  readonly byHost: ReadonlyMap<string, Site>;
  readonly hostnames: ReadonlySet<string>;
  readonly urls: ReadonlyMap<string, string>;
}

async function load(db: Db): Promise<Known> {
  const rows = await findServedHosts(db);
  const siteOf = (row: (typeof rows)[number]): Site => ({
    url: new URL(row.url).origin,
    orgId: row.org_id,
    organization: row.is_blocked ? null : organizationOf(row),
  });
  return {
    byHost: new Map(rows.map((row) => [row.host, siteOf(row)])),
    hostnames: new Set(rows.map((row) => new URL(row.url).hostname)),
    urls: new Map(rows.filter((row) => row.is_current).map((row) => [row.org_id, row.url])),
  };
}

export function createSites({ db, log, publicUrl, nowMs }: SitesDeps): Sites {
  const { origin, host: ownHost, hostname: ownHostname } = new URL(publicUrl);
  const service: Site = { url: origin, orgId: null, organization: null };
  let known: Known = { byHost: new Map(), hostnames: new Set(), urls: new Map() };
  let freshUntil = -Infinity;
  let loading: Promise<void> | null = null;

  const reload = async (): Promise<void> => {
    try {
      known = await load(db);
      freshUntil = nowMs() + FRESH_MS;
    } catch (error) {
      // What was known holds: printed codes go on being answered as they were.
      log.warn({ err: error }, 'the hosts of organizations’ codes could not be read');
      // Where nothing is known, the next request asks again: everybody's codes would be known at each host, with Postgres back.
      if (freshUntil !== -Infinity) freshUntil = nowMs() + RETRY_MS;
    } finally {
      loading = null;
    }
  };
  const upToDate = async (): Promise<Known> => {
    if (nowMs() >= freshUntil) await (loading ??= reload());
    return known;
  };

  return {
    async of(header) {
      const host = hostOf(header);
      if (host === ownHost) return service;
      return (await upToDate()).byHost.get(host) ?? service;
    },
    async serves(given) {
      const hostname = hostOf(given);
      return hostname === ownHostname || (await upToDate()).hostnames.has(hostname);
    },
    codesUrlOf: async (orgId) => (await upToDate()).urls.get(orgId) ?? null,
  };
}
