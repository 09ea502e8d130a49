/**
 * Addresses of organizations' own. Codes lead to `PUBLIC_URL`, or to a host of the organization's that the operator has pointed here. At
 * such a host its codes alone are known: else whoever signs up could print codes of theirs under a brand's address (ADR 141).
 */
import { isDeepStrictEqual } from 'node:util';
import { OPERATOR, recordAudit } from '../audit/service.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../db.ts';
import { AppError } from '../errors.ts';
import { encodeId } from '../ids.ts';
import { lockOrganization, requireOrganization } from '../organizations/service.ts';
import { hostOf, parseCodeAddress, type CodeAddress } from './address.ts';
import {
  deleteCodeHost,
  insertCodeHost,
  listCodeHosts,
  setCurrentCodeHost,
  type CodeHostRow,
} from './repository.ts';

export { parseCodeAddress, type CodeAddress } from './address.ts';
export { obstacleOnTheWay } from './reach.ts';

interface HostDeps {
  clock: Clock;
}

const urlOf = (hosts: readonly CodeHostRow[]): string | null =>
  hosts.find((host) => host.is_current)?.url ?? null;

/** Where symbols lead that are made now, as they hold it; null where it is the service's own address. */
export const currentCodeAddress = async (db: Db, orgId: string): Promise<string | null> =>
  urlOf(await listCodeHosts(db, orgId));

/** The same as browsers show it. */
export async function currentCodeOrigin(db: Db, orgId: string): Promise<string | null> {
  const url = await currentCodeAddress(db, orgId);
  return url === null ? null : new URL(url).origin;
}

/** Where an organization's codes lead. */
export interface CodeHosts {
  /** Those that are made now, as they hold it; null where to the service's own address. */
  codesUrl: string | null;
  /** All that answer for the organization, in the order in which they came. */
  hosts: string[];
}

const hostsOf = (rows: readonly CodeHostRow[]): CodeHosts => ({
  codesUrl: urlOf(rows),
  hosts: rows.map(({ host }) => host),
});

/** @throws AppError NOT_FOUND for the organization */
export async function getCodeHosts(db: Db, orgId: string): Promise<CodeHosts> {
  await requireOrganization(db, orgId);
  return hostsOf(await listCodeHosts(db, orgId));
}

/**
 * Has a host answer for an organization. Nothing is printed with it yet; of one that is current, what is printed stays as it is.
 * @returns whether nobody had it before
 * @throws AppError NOT_FOUND for the organization; CONFLICT where the host is another one's
 */
export async function addCodeHost(
  deps: HostDeps,
  db: Db,
  orgId: string,
  { host, url }: CodeAddress,
): Promise<boolean> {
  let isAdded = false;
  await recorded(deps, db, orgId, async () => {
    const { owner, isNew } = await insertCodeHost(db, { host, org_id: orgId, url }, deps.clock.now());
    if (owner !== orgId) throw new AppError('CONFLICT', { detail: `${host} is another organization’s` });
    isAdded = isNew;
  });
  return isAdded;
}

/**
 * Decides where symbols lead that are made from now on.
 * @param address whose host was added, or null for the service's own: the organization's hosts go on answering
 * @throws AppError NOT_FOUND
 */
export async function useCodeHost(
  deps: HostDeps,
  db: Db,
  orgId: string,
  address: CodeAddress | null,
): Promise<CodeHosts> {
  return recorded(deps, db, orgId, async (hosts) => {
    if (address !== null && !hosts.some(({ host }) => host === address.host)) throw unknownHost(address.host);
    await setCurrentCodeHost(db, orgId, address);
  });
}

/** Has a host answer for the organization no more. @param given a host, or its address @throws AppError NOT_FOUND */
export async function forgetCodeHost(
  deps: HostDeps,
  db: Db,
  orgId: string,
  given: string,
): Promise<CodeHosts> {
  // As an address of it has it: `müller.example` was added as `xn--…`.
  const { host } = parseCodeAddress(given.includes('//') ? given : `https://${hostOf(given)}`);
  return recorded(deps, db, orgId, async () => {
    if (!(await deleteCodeHost(db, orgId, host))) throw unknownHost(host);
  });
}

const unknownHost = (host: string) =>
  new AppError('NOT_FOUND', { detail: `${host} is no host of this organization’s codes` });

async function recorded(
  { clock }: HostDeps,
  db: Db,
  orgId: string,
  change: (hosts: readonly CodeHostRow[]) => Promise<void>,
): Promise<CodeHosts> {
  await requireOrganization(db, orgId);
  await lockOrganization(db, orgId);
  const before = await listCodeHosts(db, orgId);
  await change(before);
  const after = await listCodeHosts(db, orgId);
  const [old, now] = [hostsOf(before), hostsOf(after)];
  if (isDeepStrictEqual(old, now)) return now;
  await recordAudit({ clock }, db, {
    orgId,
    actor: OPERATOR,
    action: 'changeCodeAddress',
    resource: encodeId('org', orgId),
    origin: null,
    before: { ...old },
    after: { ...now },
  });
  return now;
}
