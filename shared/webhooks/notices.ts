/**
 * What people have to be told about an endpoint: written in the transaction that moves its circuit, so that none is
 * lost and none is told twice. Whoever sends mail takes them from here with `takeNotices`. That an endpoint was disabled is in
 * the audit log as well.
 */
import { CIRCUIT_BREAKER, OPERATOR, recordAudit } from '../audit/service.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../db.ts';
import { encodeId, newUuid } from '../ids.ts';
import type { CircuitEffect } from './circuit-breaker.ts';
import { insertNotices, takeWaitingNotices, type NewNotice, type NoticeRow } from './notice-repository.ts';

export type { NoticeRow } from './notice-repository.ts';

export interface EndpointEffect {
  orgId: string;
  endpointId: string;
  url: string;
  effect: CircuitEffect;
}

export const effectOn = (
  endpoint: { id: string; org_id: string; url: string },
  effect: CircuitEffect,
): EndpointEffect => ({ orgId: endpoint.org_id, endpointId: endpoint.id, url: endpoint.url, effect });

const isoOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/** A person's own act needs no notice to that person; opening and closing are the circuit's daily business. */
function noticeOf({ orgId, endpointId, url, effect }: EndpointEffect, now: Date): NewNotice | null {
  const notice = { id: newUuid(), orgId, endpointId, createdAt: now };
  if (effect.type === 'warned') {
    const data = {
      url,
      failingSince: isoOf(effect.failingSince),
      disablesAt: isoOf(effect.disablesAt),
    };
    return { ...notice, kind: 'webhook_endpoint.warned', data };
  }
  if (effect.type === 'disabled' && effect.reason !== 'manual') {
    const data = { url, reason: effect.reason, failingSince: isoOf(effect.failingSince) };
    return { ...notice, kind: 'webhook_endpoint.disabled', data };
  }
  return null;
}

/** Writes what the effects give people to know, in the caller's transaction. */
export async function recordNotices(
  deps: { clock: Clock },
  db: Db,
  effects: readonly EndpointEffect[],
): Promise<void> {
  const now = deps.clock.now();
  const notices = effects.map((effect) => noticeOf(effect, now)).filter((notice) => notice !== null);
  if (notices.length === 0) return;
  await insertNotices(db, notices);
  for (const notice of notices.filter(({ kind }) => kind === 'webhook_endpoint.disabled')) {
    await recordAudit(deps, db, {
      orgId: notice.orgId,
      actor: { ...OPERATOR, name: CIRCUIT_BREAKER },
      action: 'disableWebhookEndpoint',
      resource: encodeId('whep', notice.endpointId),
      origin: null,
      before: null,
      after: { state: 'disabled', ...notice.data },
    });
  }
}

/**
 * Takes up to `limit` notices that nobody has taken, oldest first, in the caller's transaction: what is made of them
 * (mail, an audit entry) commits with the taking, or neither does.
 */
export async function takeNotices(db: Db, limit: number, now: Date): Promise<NoticeRow[]> {
  return takeWaitingNotices(db, limit, now);
}
