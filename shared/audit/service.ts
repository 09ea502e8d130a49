/** The audit log: who did what to which resource, from where and when; written in the transaction of the change. */
import type { Actor, Origin } from '../actor.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../db.ts';
import { encodeId, newUuid } from '../ids.ts';
import { insertSecurityNotices, type ActorKind } from './notice-repository.ts';
import { insertAuditEntries, type AuditRow } from './repository.ts';
import { concernsSecurity } from './security-actions.ts';

export type { SecurityAction } from './security-actions.ts';
export { takeSecurityNotices, type SecurityNoticeRow } from './notice-repository.ts';
export { listAuditEntries, lockAudited, type AuditFilter, type AuditRow } from './repository.ts';

/** Who acted, by public id. */
export interface AuditActor {
  kind: ActorKind;
  id: string | null;
  /** E-mail address of a user, name of a key. */
  name: string | null;
}

export type Snapshot = Record<string, unknown>;

export interface AuditEntry {
  orgId: string;
  actor: AuditActor;
  /** The operation's id in the reference, e.g. `rotateApiKey`. */
  action: string;
  /** Public id of what it was done to, or null. */
  resource: string | null;
  /** null for a command of the operator. */
  origin: Origin | null;
  /** Snapshots; only what differs is kept, and nothing that is secret. */
  before: Snapshot | null;
  after: Snapshot | null;
}

export const OPERATOR: AuditActor = { kind: 'operator', id: null, name: null };

/** Name of the operator where the service itself disables a webhook endpoint. */
export const CIRCUIT_BREAKER = 'circuit breaker';

export const auditActor = (actor: Actor): AuditActor =>
  actor.kind === 'key'
    ? { kind: 'key', id: encodeId('key', actor.keyId), name: actor.name }
    : { kind: 'user', id: encodeId('user', actor.userId), name: actor.name };

const SECRET_NAME = /secret|password|token|^key$|^code$|recoverycodes|otpauth|signature/i;
const NOT_SECRET = new Set(['previousSecretExpiresAt', 'tokenKey']);
// Signed links are credentials for as long as they work.
const SECRET_PARAMETER = /([?&#](?:signature|token)=)[^&\s]+/g;
const MAX_CHARACTERS = 4_000;

/** Takes secrets out by name, at any depth, and cuts what is too long for a log. */
function withoutSecrets(value: unknown): unknown {
  if (typeof value === 'string') {
    const text = value.replace(SECRET_PARAMETER, '$1[secret]');
    if (text.length <= MAX_CHARACTERS) return text;
    // Half a character, as an emoji is two, is no text to Postgres.
    return `${text.slice(0, MAX_CHARACTERS).replace(/[\uD800-\uDBFF]$/, '')}…`;
  }
  if (Array.isArray(value)) return value.slice(0, 100).map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      SECRET_NAME.test(name) && !NOT_SECRET.has(name) ? '[secret]' : withoutSecrets(inner),
    ]),
  );
}

/** The fields that differ, on both sides. */
function changesOf(before: Snapshot | null, after: Snapshot | null): [Snapshot | null, Snapshot | null] {
  if (before === null || after === null) return [before, after];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => name !== 'updatedAt' && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  const pick = (from: Snapshot) =>
    Object.fromEntries(names.filter((name) => name in from).map((name) => [name, from[name]]));
  return [pick(before), pick(after)];
}

/**
 * Writes an entry in the caller's transaction: the change and its record commit together or not at all. So does what the
 * security contact is to be told of it.
 */
export const recordAudit = (
  deps: { clock: Clock },
  db: Db,
  { resource, before, after, ...act }: AuditEntry,
): Promise<void> => recordAudits(deps, db, act, [{ resource, before, after }]);

/** Of a statement. */
const SLICE = 500;

type Change = Pick<AuditEntry, 'resource' | 'before' | 'after'>;

/** As {@link recordAudit}, an entry for each of many things that one act changed. */
export async function recordAudits(
  { clock }: { clock: Clock },
  db: Db,
  act: Omit<AuditEntry, keyof Change>,
  changes: readonly Change[],
): Promise<void> {
  const at = clock.now();
  for (let from = 0; from < changes.length; from += SLICE) {
    const rows = changes.slice(from, from + SLICE).map((change) => rowOf(act, change, at));
    await insertAuditEntries(
      db,
      act.orgId,
      rows.map((row) => ({
        ...row,
        before: withoutSecrets(row.before) as Snapshot | null,
        after: withoutSecrets(row.after) as Snapshot | null,
      })),
    );
    for (const { id, action, before, after } of rows) {
      if (!concernsSecurity(action, before, after)) continue;
      const former = before?.securityContact;
      await insertSecurityNotices(db, act.orgId, id, typeof former === 'string' ? former : null);
    }
  }
}

function rowOf(act: Omit<AuditEntry, keyof Change>, change: Change, at: Date): AuditRow {
  const [before, after] = changesOf(change.before, change.after);
  return {
    id: newUuid(),
    at,
    actor_kind: act.actor.kind,
    actor_id: act.actor.id,
    actor_name: act.actor.name,
    action: act.action,
    resource: change.resource,
    ip: act.origin?.ip ?? null,
    user_agent: act.origin?.userAgent ?? null,
    request_id: act.origin?.requestId ?? null,
    before,
    after,
  };
}
