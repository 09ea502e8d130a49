/**
 * One endpoint's session: claims ahead of sending, sends with the endpoint's own concurrency, and settles behind it, so
 * that neither waits for the other. At most one session of an endpoint is at work over all processes.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { newUuid } from '../../shared/ids.ts';
import { MOST_ROUNDS_AHEAD, type Claim, type ClaimedDelivery } from '../../shared/webhooks/claim.ts';
import type { DeliveryResult, Settlement, Standing } from '../../shared/webhooks/settle.ts';
import { nextTokenAt, refill, type Bucket } from '../../shared/webhooks/token-bucket.ts';
import type { TurnItem, TurnResult } from '../../shared/webhooks/turn.ts';
import type { WorkerDeps } from '../deps.ts';
import { sendDelivery } from './send-delivery.ts';

export interface SessionDeps extends WorkerDeps {
  /** Joins the next turn. */
  turn(item: TurnItem): Promise<TurnResult>;
  /** How the time between two turns goes by. */
  wait(ms: number): Promise<void>;
  /** Whether endpoints wait for a place. Never rejects. */
  othersWait(): Promise<boolean>;
}

export interface SessionResult {
  delivered: number;
  failed: number;
  /** When to serve the endpoint again, or null: not before the next event. */
  wakeAt: Date | null;
}

// Claimed ahead, as rounds of the endpoint's concurrency: enough to send while a turn is under way. A receiver that is
// quicker than our turns gets more, up to the most: a large turn costs a delivery half of what a small one does.
const ROUNDS_AHEAD = 4;
// An answer that takes this long ends that: what is claimed and not sent soon only gets in the way.
const SLOW_MS = 250;
// Outcomes that wait to be settled, as rounds; beyond, sending waits, so that memory stays flat.
const ROUNDS_BEHIND = 2 * MOST_ROUNDS_AHEAD;
// While slow attempts are out and lanes are free, new events of the endpoint are looked for this often.
const LOOK_AGAIN_MS = 100;
const BUSY_MS = 5;
/**
 * From one turn of the endpoint to the next: what comes and what ends meanwhile shares that. Events that trickle in by twos and threes
 * would cost a transaction each.
 */
const GATHER_MS = 25;
/**
 * What is held may be sent for this long after a turn has seen the endpoint as it was claimed; then a settlement comes first, which
 * tells of a change. A receiver that answers sooner never waits for that, and one that does not waits a hundredth of its own time.
 */
const SEEN_MS = 1_000;
/**
 * So long a session goes on while others wait for a place. One with a backlog would keep its own until that is through, and as many of
 * them as a process has places would shut out everybody else for hours.
 */
export const STAY_MS = 10_000;
// While Postgres is away; a session gives up when its leases must have run out.
const RETRY_MS = 250;

/** @throws what kept Postgres from settling or claiming; leases run out then, and the sweeper wakes the endpoint. */
export function serveEndpoint(deps: SessionDeps, endpointId: string): Promise<SessionResult> {
  return new Session(deps, endpointId).run();
}

/** A class for its state: what is held, what is out, what comes back. */
class Session {
  private readonly id = newUuid();
  private readonly held: { claim: Claim; delivery: ClaimedDelivery }[] = [];
  private readonly unsettled: Settlement[] = [];
  private sending = 0;
  private settling = 0;
  private claiming = false;
  private concurrency: number;
  private roundsAhead = ROUNDS_AHEAD;
  /** Until when a failing claim is tried again; null while claims succeed. */
  private claimingUntil: number | null = null;
  /** No claim before this time (nothing was due, or the row was busy); null: claim when there is room. */
  private idleSince: number | null = null;
  private isGathering = false;
  /**
   * The endpoint's rate once more, by when its deliveries are sent: a receiver that stalls and is well again would get at once what was
   * claimed meanwhile.
   */
  private bucket: Bucket = { tokens: 0, at: null };
  private isPacing = false;
  private mayGoOn = true;
  /** When a turn has last told how the endpoint is. */
  private seenAt = 0;
  /** Since when nobody has been asked whether others wait. */
  private stayedSince: number;
  private isAsking = false;
  /** It makes room for another endpoint, and its own goes on behind those that wait. */
  private isYielding = false;
  private isOver = false;
  private wakeAt: Date | null = null;
  private delivered = 0;
  private failed = 0;
  private error: unknown = null;
  private onChange: () => void = () => undefined;
  private readonly deps: SessionDeps;
  private readonly endpointId: string;

  constructor(deps: SessionDeps, endpointId: string) {
    this.deps = deps;
    this.endpointId = endpointId;
    this.concurrency = deps.config.WEBHOOK_ENDPOINT_CONCURRENCY;
    this.stayedSince = deps.clock.now().getTime();
  }

  async run(): Promise<SessionResult> {
    const onStop = () => this.onChange();
    this.deps.stopping.addEventListener('abort', onStop);
    try {
      while (!this.isOver) {
        const changed = new Promise<void>((resolve) => (this.onChange = resolve));
        this.step();
        if (this.isOver) break;
        const timer = this.wantsToLookAgain() ? setTimeout(() => this.lookAgain(), LOOK_AGAIN_MS) : undefined;
        await changed;
        clearTimeout(timer);
      }
    } finally {
      this.deps.stopping.removeEventListener('abort', onStop);
    }
    if (this.error !== null) throw this.error;
    if (this.deps.stopping.aborted || this.isYielding) await this.leave();
    return { delivered: this.delivered, failed: this.failed, wakeAt: this.wakeAt };
  }

  private async leave(): Promise<void> {
    const item = { type: 'leave', endpointId: this.endpointId, session: this.id } as const;
    while ((await this.deps.turn(item)).type === 'busy' && !this.deps.stopping.aborted) await sleep(BUSY_MS);
    if (this.isYielding) this.wakeAt = this.deps.clock.now();
  }

  private get hasWork(): boolean {
    return this.held.length + this.sending + this.settling + this.unsettled.length > 0;
  }

  private step(): void {
    const isEnding = this.deps.stopping.aborted || this.error !== null || this.isYielding;
    if (this.error !== null) this.held.length = 0;
    else if (isEnding || !this.mayGoOn) this.giveBack();
    while (this.held.length > 0 && this.sending < this.concurrency && this.maySend() && this.hasToken())
      this.sendNext();
    if (this.isGathering && !isEnding) return;
    this.settle();
    const hasRoom = this.held.length <= (this.roundsAhead * this.concurrency) / 2;
    // After a failure the settlements decide first; a circuit's probe goes out alone. After a claim whose answer was
    // lost nobody knows what it took: once nothing is out, whatever has a lease is that, and is taken first.
    const mayClaim = (this.mayGoOn && this.claimingUntil === null) || !this.hasWork;
    if (!isEnding && !this.claiming && hasRoom && mayClaim && (this.idleSince === null || !this.hasWork)) {
      void this.claim();
    }
    if (isEnding && !this.hasWork && !this.claiming) this.isOver = true;
    if (!isEnding) this.makeRoom();
  }

  private makeRoom(): void {
    const now = this.deps.clock.now().getTime();
    if (this.isAsking || now - this.stayedSince < STAY_MS) return;
    this.isAsking = true;
    void this.deps.othersWait().then((othersWait) => {
      this.isAsking = false;
      this.stayedSince = now;
      this.isYielding = othersWait;
      this.onChange();
    });
  }

  private gather(): void {
    if (this.isGathering) return;
    this.isGathering = true;
    this.after(GATHER_MS, () => (this.isGathering = false));
  }

  private maySend(): boolean {
    const behind = this.settling + this.unsettled.length;
    if (behind >= ROUNDS_BEHIND * Math.max(this.concurrency, 8)) return false;
    return behind === 0 || this.deps.clock.now().getTime() - this.seenAt <= SEEN_MS;
  }

  /** Whether the rate lets the next one go; comes back when it does. */
  private hasToken(): boolean {
    const { ratePerSecond } = this.held[0]!.claim;
    if (ratePerSecond === null) return true;
    const now = this.deps.clock.now().getTime();
    this.bucket = refill(this.bucket, ratePerSecond, now);
    if (this.bucket.tokens >= 1) return true;
    const at = nextTokenAt(this.bucket, ratePerSecond);
    // Nothing would tell of a change by then.
    if (at - this.seenAt > SEEN_MS && this.settling + this.unsettled.length === 0) this.giveBack();
    else this.pace(at - now);
    return false;
  }

  private pace(ms: number): void {
    if (this.isPacing) return;
    this.isPacing = true;
    this.after(ms, () => (this.isPacing = false));
  }

  private after(ms: number, change: () => void): void {
    void this.deps.wait(ms).then(() => {
      change();
      this.onChange();
    });
  }

  private seen(): void {
    this.seenAt = this.deps.clock.now().getTime();
  }

  private wantsToLookAgain(): boolean {
    return this.idleSince !== null && !this.claiming && this.mayGoOn && this.sending < this.concurrency;
  }

  private lookAgain(): void {
    this.idleSince = null;
    this.onChange();
  }

  /** What is held goes back as if it had never been claimed. In FIFO order nothing is claimed until it is back: that would be younger. */
  private giveBack(): void {
    for (const { claim, delivery } of this.held.splice(0)) {
      if (claim.fifo) this.mayGoOn = false;
      this.unsettled.push(
        this.settlement(claim, {
          delivery,
          outcome: null,
          requestHeaders: {},
          endedAt: this.deps.clock.now(),
        }),
      );
    }
  }

  private settlement(claim: Claim, result: DeliveryResult): Settlement {
    return { claim, session: this.id, result };
  }

  private sendNext(): void {
    const next = this.held.shift()!;
    const left = next.claim.leaseUntil.getTime() - this.deps.clock.now().getTime();
    // Its outcome may wait for the next turn.
    if (left < this.deps.config.WEBHOOK_TIMEOUT_MS + GATHER_MS) {
      this.held.unshift(next);
      return this.giveBack();
    }
    if (next.claim.ratePerSecond !== null) this.bucket.tokens -= 1;
    this.sending += 1;
    void sendDelivery(this.deps, next.claim, next.delivery).then((result) => {
      this.sending -= 1;
      const isOk = result.outcome?.ok === true;
      if (!isOk || result.outcome!.timings.totalMs > SLOW_MS) this.roundsAhead = ROUNDS_AHEAD;
      if (isOk) this.delivered += 1;
      else this.failed += 1;
      // In FIFO order nothing overtakes a failure; a probe's outcome decides what may follow.
      if (!isOk && (next.claim.fifo || next.claim.probeEpoch !== null)) this.mayGoOn = false;
      this.unsettled.push(this.settlement(next.claim, result));
      this.onChange();
    });
  }

  /** One settlement at a time; what ends meanwhile goes together with the next. */
  private settle(): void {
    if (this.settling > 0 || this.unsettled.length === 0) return;
    const settlements = this.unsettled.splice(0);
    this.settling = settlements.length;
    this.gather();
    void this.settleThrough(settlements).then(
      ({ mayGoOn, configuration }) => {
        this.settling = 0;
        this.mayGoOn = mayGoOn && (this.mayGoOn || !this.hasWork);
        this.idleSince = null;
        this.seen();
        // Whoever changed the endpoint expects that what goes from now on goes by that.
        if (this.held.some(({ claim }) => claim.configuration !== configuration)) this.giveBack();
        this.onChange();
      },
      (error: unknown) => {
        this.settling = 0;
        this.error ??= error;
        this.onChange();
      },
    );
  }

  private leaseEnd(): number {
    return Date.now() + this.deps.config.LEASE_SECONDS * 1000;
  }

  /** Tries until the leases end: an outcome that is not written would be sent again. */
  private async settleThrough(settlements: readonly Settlement[]): Promise<Standing> {
    const until = this.leaseEnd();
    for (;;) {
      try {
        const result = await this.deps.turn({ type: 'settle', endpointId: this.endpointId, settlements });
        if (result.type === 'settled') return result.standing;
        if (result.type === 'failed') throw result.error;
        if (Date.now() >= until) throw new Error('the endpoint stayed locked past the leases');
        await sleep(BUSY_MS);
      } catch (error) {
        if (Date.now() >= until || this.deps.stopping.aborted) throw error;
        await sleep(RETRY_MS);
      }
    }
  }

  private async claim(): Promise<void> {
    this.claiming = true;
    this.gather();
    const { endpointId, id: session, hasWork } = this;
    const room = Math.max(1, this.roundsAhead * this.concurrency - this.held.length);
    try {
      const request = { endpointId, session, room, hasWork };
      await this.take(await this.deps.turn({ type: 'claim', endpointId, request }), { room, hasWork });
      this.claimingUntil = null;
    } catch (error) {
      this.claimingUntil ??= this.leaseEnd();
      if (Date.now() < this.claimingUntil && !this.deps.stopping.aborted) await sleep(RETRY_MS);
      else this.error ??= error;
    }
    this.claiming = false;
    this.onChange();
  }

  private async take(
    result: TurnResult,
    { room, hasWork: hadWork }: { room: number; hasWork: boolean },
  ): Promise<void> {
    switch (result.type) {
      case 'claimed': {
        const { claim } = result;
        this.concurrency = claim.concurrency;
        this.idleSince = null;
        // It ran dry while it waited for all that it had asked for.
        if (hadWork && this.held.length === 0 && claim.deliveries.length === room)
          this.roundsAhead = Math.min(2 * this.roundsAhead, MOST_ROUNDS_AHEAD);
        // The claim is newer than what stopped the session, and was allowed.
        if (!hadWork) this.mayGoOn = true;
        // Changed since what is held was claimed: all of it goes back, in the order in which it was taken.
        if (this.held.some((one) => one.claim.configuration !== claim.configuration)) this.mayGoOn = false;
        this.seen();
        for (const delivery of claim.deliveries) this.held.push({ claim, delivery });
        return;
      }
      case 'idle':
        this.idleSince = Date.now();
        if (hadWork) return;
        // Nothing was out when it was asked: the endpoint is given free by now.
        this.wakeAt = result.until;
        this.isOver = true;
        return;
      case 'elsewhere':
        // With work of its own it has lost the endpoint: what it holds goes back, what is out is settled.
        this.mayGoOn = false;
        if (!hadWork) this.isOver = true;
        return;
      case 'busy':
        await sleep(BUSY_MS);
        return;
      case 'failed':
        throw result.error;
      case 'settled':
      case 'left':
        throw new Error(`a claim was answered with "${result.type}"`);
    }
  }
}
