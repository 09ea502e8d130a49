/** Turns of the deliverer without a worker: a test claims, says what came of each attempt, and settles. */
import { createHash } from 'node:crypto';
import type { Clock } from '../../shared/clock.ts';
import type { Pool } from '../../shared/db.ts';
import { withTransaction } from '../../shared/db.ts';
import { scanRecorded } from '../../shared/events/event-examples.ts';
import { recordEvents } from '../../shared/events/service.ts';
import { newUuid } from '../../shared/ids.ts';
import { parseKeyring } from '../../shared/keyring.ts';
import { createLogger } from '../../shared/logger.ts';
import type { Waker } from '../../shared/queues.ts';
import { createSecretBox, type SecretBox } from '../../shared/secret-box.ts';
import type { AttemptOutcome } from '../../shared/webhooks/attempt.ts';
import { DEFAULT_CIRCUIT_POLICY } from '../../shared/webhooks/circuit-breaker.ts';
import type { Claim, ClaimResult } from '../../shared/webhooks/claim.ts';
import {
  createEndpoint,
  updateEndpoint,
  vetNewUrl,
  type EndpointChanges,
  type NewEndpointInput,
} from '../../shared/webhooks/service.ts';
import { createUrlVetting } from '../../shared/webhooks/url-vetting.ts';
import { takeTurn, type TurnDeps } from '../../shared/webhooks/turn.ts';
import { answered } from './outcomes.ts';

const vetWebhookUrl = createUrlVetting({ allowedCidrs: [], resolve: async () => ['93.184.215.14'] });

export const testSecretBox = createSecretBox(parseKeyring(`k1:${Buffer.alloc(32, 7).toString('base64')}`));

export interface WebhookBench {
  deps: TurnDeps;
  /** What would have been woken, by wake-up. */
  wakeUps: string[];
  waker: Waker;
  createOrganization(): Promise<string>;
  /** @returns the endpoint's UUID. */
  createEndpoint(
    orgId: string,
    fields?: Partial<Omit<NewEndpointInput, 'url'> & { url: string }>,
  ): Promise<string>;
  updateEndpoint(orgId: string, endpointId: string, changes: EndpointChanges): Promise<void>;
  /** Records that many scans, each in a transaction of its own. @returns the events' UUIDs, oldest first. */
  recordScans(orgId: string, count: number, productId?: string | null): Promise<string[]>;
  /** @param session any name. */
  ask(endpointId: string, session: string, room?: number, hasWork?: boolean): Promise<ClaimResult>;
  /** @throws Error where nothing was claimed */
  claim(endpointId: string, session: string, room?: number): Promise<Claim>;
  /** @param outcomes one for each delivery of the claim, in order; null: it was not sent. */
  settle(claim: Claim, session: string, outcomes: (AttemptOutcome | null)[]): Promise<{ mayGoOn: boolean }>;
  /** A turn whose every delivery is answered with this status. @returns what was claimed */
  deliverAll(endpointId: string, status: number): Promise<Claim>;
}

/** The same UUID for the same name. */
function sessionId(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}

/** What waits for an endpoint and what became of it, in the order of the events. */
export const dispatchesOf = async (db: Pool, endpointId: string) =>
  (
    await db.query<{ state: string; attempts: number; due_at: Date; lease_until: Date | null }>(
      'select state, attempts, due_at, lease_until from webhook_dispatches where endpoint_id = $1 order by event_id',
      [endpointId],
    )
  ).rows;

export const circuitOf = async (db: Pool, endpointId: string) =>
  (
    await db.query<{ circuit_state: string; disabled_reason: string | null }>(
      'select circuit_state, disabled_reason from webhook_endpoints where id = $1',
      [endpointId],
    )
  ).rows[0]!;

/** A turn's item that asks for up to five deliveries. */
export const claimItem = (endpointId: string) => ({
  type: 'claim' as const,
  endpointId,
  request: { endpointId, session: sessionId('a'), room: 5, hasWork: false },
});

export function createWebhookBench(given: {
  db: Pool;
  clock: Clock;
  secretBox?: SecretBox;
  leaseSeconds?: number;
}): WebhookBench {
  const deps: TurnDeps = {
    secretBox: testSecretBox,
    log: createLogger('test', 'silent'),
    leaseSeconds: 60,
    ...given,
    randomUniform: () => 0.5,
    endpointConcurrency: 8,
    publicUrl: 'https://verify.example.com',
    circuitPolicy: DEFAULT_CIRCUIT_POLICY,
  };
  const wakeUps: string[] = [];
  const note =
    (name: string) =>
    async (...args: unknown[]): Promise<void> =>
      void wakeUps.push(`${name} ${JSON.stringify(args)}`);
  const waker = new Proxy({} as Waker, { get: (_target, name) => note(String(name)) });
  const bench: WebhookBench = {
    deps,
    wakeUps,
    waker,
    async createOrganization() {
      const id = newUuid();
      await deps.db.query('insert into organizations (id, name) values ($1, $2)', [id, 'Oil Ltd']);
      return id;
    },
    async createEndpoint(orgId, fields = {}) {
      const endpointDeps = {
        ...deps,
        random: (bytes: number) => Buffer.alloc(bytes, 5),
      };
      const { url = 'https://hooks.example.com/in', ...others } = fields;
      const input = {
        url: await vetNewUrl({ vetWebhookUrl }, deps.db, orgId, url),
        events: ['*'],
        description: null,
        ...others,
      };
      const { endpoint } = await withTransaction(deps.db, ({ db }) =>
        createEndpoint(endpointDeps, db, orgId, input),
      );
      return endpoint.id;
    },
    async updateEndpoint(orgId, endpointId, changes) {
      await withTransaction(deps.db, (uow) =>
        updateEndpoint({ ...deps, waker, random: Buffer.alloc }, uow, orgId, endpointId, changes),
      );
    },
    async recordScans(orgId, count, productId = null) {
      for (let n = 0; n < count; n += 1) {
        await withTransaction(deps.db, (uow) =>
          recordEvents({ clock: deps.clock, waker }, uow, [
            { type: 'scan.recorded', orgId, productId, data: scanRecorded },
          ]),
        );
      }
      const { rows } = await deps.db.query<{ id: string }>(
        'select id from events where org_id = $1 order by id desc limit $2',
        [orgId, count],
      );
      return rows.map((row) => row.id).reverse();
    },
    async ask(endpointId, session, room = 100, hasWork = false) {
      const request = { endpointId, session: sessionId(session), room, hasWork };
      const [result] = await takeTurn(deps, [{ type: 'claim', endpointId, request }]);
      return result as ClaimResult;
    },
    async claim(endpointId, session, room) {
      const result = await bench.ask(endpointId, session, room);
      if (result.type !== 'claimed') throw new Error(`nothing was claimed: ${JSON.stringify(result)}`);
      return result.claim;
    },
    async settle(claim, session, outcomes) {
      const settlements = outcomes.map((outcome, index) => ({
        claim,
        session: sessionId(session),
        result: {
          delivery: claim.deliveries[index]!,
          outcome,
          requestHeaders: { 'X-Service-Signature': 't=1795167001,v1=00' },
          endedAt: deps.clock.now(),
        },
      }));
      const [result] = await takeTurn(deps, [{ type: 'settle', endpointId: claim.endpointId, settlements }]);
      if (result?.type !== 'settled') throw new Error(`not settled: ${JSON.stringify(result)}`);
      return result.standing;
    },
    async deliverAll(endpointId, status) {
      const claim = await bench.claim(endpointId, 'a');
      await bench.settle(
        claim,
        'a',
        claim.deliveries.map(() => answered(status)),
      );
      await bench.ask(endpointId, 'a');
      return claim;
    },
  };
  return bench;
}
