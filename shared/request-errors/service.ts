/**
 * The log of requests in error. It is a convenience: written behind the answers in batches, and whoever floods it loses lines
 * rather than costs anybody anything.
 */
import type { Actor } from '../actor.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../db.ts';
import { newUuid, uuidFloor } from '../ids.ts';
import type { Logger } from '../logger.ts';
import { truncateIp } from '../places/addresses.ts';
import { deleteRequestErrors, insertRequestErrors, type RequestErrorRow } from './repository.ts';

export { listRequestErrors, type RequestErrorFilter, type RequestErrorRow } from './repository.ts';

/** Lines of one organization that one process keeps in a minute; the rest is in the access log alone. */
export const LINES_PER_MINUTE = 60;
export const KEPT_DAYS = 14;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const FLUSH_MS = 1_000;
/** Beyond them Postgres is away or slow, and what comes is dropped. */
const MOST_WAITING = 2_000;
const MOST_PATHS = 20;
const LONGEST = 300;

export interface RequestInError {
  actor: Actor;
  method: string;
  /** The pattern, not the path. */
  route: string;
  status: number;
  code: string | null;
  /** What the answer said. */
  detail: string | null;
  /** The fields that it named. */
  paths: readonly string[];
  requestId: string;
  ip: string | null;
}

export interface RequestErrorLog {
  /** Never throws, never waits. */
  note(request: RequestInError): void;
  /** Writes what waits in this process. */
  flush(): Promise<void>;
}

export function createRequestErrorLog({
  db,
  clock,
  log,
}: {
  db: Db;
  clock: Clock;
  log: Logger;
}): RequestErrorLog {
  let waiting: RequestErrorRow[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let minute = 0;
  let counts = new Map<string, number>();

  const isOverCap = (orgId: string, now: number): boolean => {
    const current = Math.floor(now / MINUTE_MS);
    if (current !== minute) {
      minute = current;
      counts = new Map();
    }
    const count = (counts.get(orgId) ?? 0) + 1;
    counts.set(orgId, count);
    return count > LINES_PER_MINUTE;
  };

  const write = async (): Promise<void> => {
    const rows = waiting;
    waiting = [];
    if (rows.length === 0) return;
    await insertRequestErrors(db, rows).catch((error: unknown) =>
      log.warn({ err: error, lines: rows.length }, 'requests in error not logged'),
    );
  };

  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(write);
    return writing;
  };

  return {
    note({ actor, method, route, status, code, detail, paths, requestId, ip }) {
      const at = clock.now();
      if (waiting.length >= MOST_WAITING || isOverCap(actor.orgId, at.getTime())) return;
      waiting.push({
        id: newUuid(),
        org_id: actor.orgId,
        at,
        method,
        route,
        status,
        code,
        request_id: requestId,
        actor_kind: actor.kind,
        actor_id: actor.kind === 'key' ? actor.keyId : actor.userId,
        actor_name: actor.name,
        ip: ip === null ? null : truncateIp(ip),
        // What is said about fields may quote what was sent in them: their names are enough.
        detail: paths.length > 0 ? null : (detail?.slice(0, LONGEST) ?? null),
        paths: paths.slice(0, MOST_PATHS).map((path) => path.slice(0, LONGEST)),
      });
      timer ??= setTimeout(() => void flush(), FLUSH_MS).unref();
    },
    flush,
  };
}

/** For the hourly chores. @returns how many lines. */
export const forgetOldRequestErrors = ({ db, clock }: { db: Db; clock: Clock }): Promise<number> =>
  deleteRequestErrors(db, uuidFloor(new Date(clock.now().getTime() - KEPT_DAYS * DAY_MS)));
