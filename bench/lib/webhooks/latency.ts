/** From commit to receipt, with a steady stream of events and a share of the endpoints hung. */
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeId } from '../../../shared/ids.ts';
import type { Rig } from './rig.ts';
import { createSubject, record, scanEvent } from './subjects.ts';

export interface Latency {
  rps: number;
  p50_ms: number;
  p99_ms: number;
}

const ENDPOINTS = 50;
const WARM_UP_SECONDS = 2;
const SETTLING_SECONDS = 2;
const TICK_MS = 10;

/** @throws Error where a healthy endpoint's event did not arrive */
export async function measureLatency(
  rig: Rig,
  options: { perSecond: number; seconds: number; hungShare: number },
): Promise<Latency> {
  const { core } = rig;
  const hung = Math.round(ENDPOINTS * options.hungShare);
  const orgIds: string[] = [];
  for (let n = 0; n < ENDPOINTS; n += 1) {
    orgIds.push(await createSubject(core, `${rig.origin}${n < hung ? '/hung' : '/noted'}`));
  }
  const committedAt = new Map<number, number>();
  const transactions: Promise<void>[] = [];
  const startedAt = Date.now();
  const total = options.perSecond * (options.seconds + WARM_UP_SECONDS);
  for (let sent = 0; sent < total;) {
    const due = Math.min(total, Math.floor(((Date.now() - startedAt) * options.perSecond) / 1000));
    for (; sent < due; sent += 1) {
      const transaction = commit(sent);
      // Looked at when all are awaited: until then a failure must not end the process, which has others to end.
      transaction.catch(() => undefined);
      transactions.push(transaction);
    }
    await sleep(TICK_MS);
  }
  const endedAt = Date.now();
  // All of them, also where one failed: what is still under way would run into a rig that is taken down.
  const commits = await Promise.allSettled(transactions);
  const failure = commits.find(({ status }) => status === 'rejected');
  if (failure?.status === 'rejected') throw failure.reason;
  await sleep(SETTLING_SECONDS * 1000);

  // An event of its own transaction each, so the scan's serial number names it.
  async function commit(n: number): Promise<void> {
    const event = scanEvent(orgIds[n % ENDPOINTS]!);
    await record(core, [{ ...event, data: { ...(event.data as object), serial: String(n) } }], true);
    committedAt.set(n, Date.now());
  }

  const receipts = await rig.receipts();
  const { rows } = await core.db.query<{ id: string; n: number }>(
    `select id, (data->>'serial')::integer as n from events where org_id = any($1)`,
    [orgIds.slice(hung)],
  );
  const latencies: number[] = [];
  for (const { id, n } of rows) {
    if (n < options.perSecond * WARM_UP_SECONDS) continue;
    const receivedAt = receipts.get(encodeId('evt', id));
    if (receivedAt === undefined) throw new Error(`event ${n} did not arrive at a healthy endpoint`);
    // Sent right after the commit, it may be received before the committer's own next turn notes the time.
    latencies.push(Math.max(0, receivedAt - committedAt.get(n)!));
  }
  latencies.sort((a, b) => a - b);
  const at = (share: number) =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))]!;
  return {
    rps: Math.round((total * 1000) / (endedAt - startedAt)),
    p50_ms: at(0.5),
    p99_ms: at(0.99),
  };
}
