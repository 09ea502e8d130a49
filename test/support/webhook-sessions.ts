/** Sessions of endpoints with receivers in the test's hand. */
import { setMaxListeners } from 'node:events';
import { loadConfig } from '../../shared/config.ts';
import { systemClock } from '../../shared/clock.ts';
import type { Pool } from '../../shared/db.ts';
import type { AttemptOutcome, AttemptRequest } from '../../shared/webhooks/attempt.ts';
import type { WorkerDeps } from '../../workers/deps.ts';
import { TEST_ENVIRONMENT } from './api.ts';
import { answered, failed } from './outcomes.ts';
import { testSecretBox, type WebhookBench } from './webhook-turns.ts';

interface Sent {
  request: AttemptRequest;
  answer(outcome: AttemptOutcome): void;
}

/** Receivers in the test's hand: what is sent waits for its answer, unless `respond` has one at once. */
export class Receivers {
  readonly sent: Sent[] = [];
  respond: (request: AttemptRequest) => AttemptOutcome | null = () => answered(204);
  private onSent: () => void = () => undefined;

  send = (request: AttemptRequest): Promise<AttemptOutcome> =>
    new Promise((resolve) => {
      // As many as are out at once, which is no leak.
      if (request.signal !== undefined) {
        setMaxListeners(0, request.signal);
        request.signal.addEventListener('abort', () => resolve(failed('aborted')), { once: true });
      }
      this.sent.push({ request, answer: resolve });
      const outcome = this.respond(request);
      if (outcome !== null) resolve(outcome);
      this.onSent();
    });

  async untilSent(count: number): Promise<void> {
    while (this.sent.length < count) await new Promise<void>((resolve) => (this.onSent = resolve));
  }

  idsTo(url: string): string[] {
    return this.sent
      .filter(({ request }) => request.url === url)
      .map(({ request }) => request.headers['X-Service-Event-Id']!);
  }
}

/** The queue as a session sees it. */
export interface Places {
  /** Endpoints that wait for a place. */
  waiting: number;
  /** When the next wake-up for later is due. */
  later: Date | null;
}

interface SessionParts {
  db: Pool;
  bench: WebhookBench;
  receivers: Receivers;
  stopping: AbortSignal;
  places?: Places;
}

/** What a session goes by, three attempts at a time. */
export const sessionDeps = (
  { db, bench, receivers, stopping, places = { waiting: 0, later: null } }: SessionParts,
  overrides: Record<string, string> = {},
): WorkerDeps =>
  ({
    config: loadConfig({ ...TEST_ENVIRONMENT, WEBHOOK_ENDPOINT_CONCURRENCY: '3', ...overrides }),
    clock: systemClock,
    db,
    secretBox: testSecretBox,
    waker: bench.waker,
    sender: { userAgent: 'Touchstone/test', send: receivers.send, close: async () => undefined },
    randomUniform: () => 0.5,
    stopping,
    queues: {
      'deliver-webhooks': {
        getWaitingCount: async () => places.waiting,
        getDelayed: async () =>
          places.later === null ? [] : [{ timestamp: places.later.getTime() - 7, delay: 7 }],
      },
    },
  }) as unknown as WorkerDeps;
