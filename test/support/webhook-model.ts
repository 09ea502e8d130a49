/** Stories of sessions, answers and people, and the world that acts them out and says what must be true (`model.test.ts`). */
import { expect } from 'chai';
import fc from 'fast-check';
import type { TestClock } from './clock.ts';
import { answered, failed } from './outcomes.ts';
import { type WebhookBench } from './webhook-turns.ts';
import { discardForDeletedEndpoints } from '../../shared/webhooks/deleted-endpoints.ts';
import type { Claim, ClaimedDelivery } from '../../shared/webhooks/claim.ts';
import type { AttemptOutcome } from '../../shared/webhooks/attempt.ts';
import { disableEndpoint, enableEndpoint, replayEvent } from '../../shared/webhooks/operate.ts';
import { startRecovery, stepRecovery } from '../../shared/webhooks/recoveries.ts';
import { deleteEndpoint } from '../../shared/webhooks/service.ts';
import { withTransaction, type UnitOfWork } from '../../shared/db.ts';

const SESSIONS = ['red', 'green', 'blue'] as const;
const LEASE_MS = 60_000;
// The whole schedule with its jitter, Retry-After and the circuit's ceiling of an hour for each step.
const LONG_ENOUGH_MS = 10 * 24 * 3600_000;

type Action =
  | { type: 'record'; count: number }
  /** A wake-up, wanted or not. */
  | { type: 'claim'; session: number; room: number }
  /** A claim that commits, and whose answer is lost with the connection. */
  | { type: 'claim-unheard'; session: number; room: number }
  /** @param twice written once more, for the first commit's answer was lost */
  | { type: 'answer'; session: number; which: number; how: number; twice: boolean }
  | { type: 'give-back'; session: number }
  | { type: 'die'; session: number }
  | { type: 'wait'; ms: number }
  | { type: 'enable' }
  | { type: 'disable' }
  /** Sends one event again, delivered or not. */
  | { type: 'replay'; which: number }
  /** Sends everything again that was not delivered, as a recovery does step by step. */
  | { type: 'recover' }
  | { type: 'delete' };

const session = fc.nat({ max: SESSIONS.length - 1 });
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant('record' as const), count: fc.integer({ min: 1, max: 6 }) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('claim' as const),
      session,
      room: fc.integer({ min: 1, max: 8 }),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant('answer' as const),
      session,
      which: fc.nat({ max: 7 }),
      how: fc.nat({ max: 9 }),
      twice: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('claim-unheard' as const),
      session,
      room: fc.integer({ min: 1, max: 8 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('give-back' as const), session }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('die' as const), session }) },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('wait' as const),
      ms: fc.constantFrom(1, 1_000, 6_000, 31_000, 61_000, 3_600_000),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ type: 'enable' as const }) },
  { weight: 1, arbitrary: fc.constant({ type: 'disable' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('replay' as const), which: fc.nat({ max: 100 }) }),
  },
  { weight: 1, arbitrary: fc.constant({ type: 'recover' as const }) },
);

/** Now and then the endpoint is deleted, with whatever is out at that moment; most runs see it to the end. */
export const story: fc.Arbitrary<Action[]> = fc
  .tuple(
    fc.array(action, { minLength: 10, maxLength: 60 }),
    fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.nat({ max: 60 }) }),
  )
  .map(([actions, at]) => (at === null ? actions : actions.toSpliced(at, 0, { type: 'delete' })));

/** One that leaves a part of a claim for later. */
export const rate = fc.oneof(
  { weight: 2, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constant(30) },
);

/** Mostly refusals, so that circuits open; now and then what only we know of. */
const OUTCOMES: (() => AttemptOutcome)[] = [
  () => answered(200),
  () => answered(200),
  () => answered(500),
  () => answered(500),
  () => answered(503, '', '90'),
  () => failed('timeout'),
  () => failed('connect'),
  () => failed('tls'),
  () => failed('aborted'),
  () => answered(410),
];

interface Out {
  claim: Claim;
  delivery: ClaimedDelivery;
  at: number;
  /** Somebody asked for the event again meanwhile: it may be out twice. */
  isSuperseded?: boolean;
}

/** What must be true of one endpoint, and the hands that act on it. */
export class World {
  private readonly out = new Map<number, Out[]>();
  private readonly succeeded = new Set<string>();
  /** Sessions that do not know what their last claim took. */
  private readonly unheard = new Set<number>();
  private readonly counted = new Map<string, number>();
  private readonly recorded: string[] = [];
  private readonly replayed = new Set<string>();
  private isDeleted = false;
  private readonly bench: WebhookBench;
  private readonly clock: TestClock;
  private readonly orgId: string;
  private readonly endpointId: string;
  private readonly fifo: boolean;

  constructor(bench: WebhookBench, clock: TestClock, orgId: string, endpointId: string, fifo: boolean) {
    this.fifo = fifo;
    this.bench = bench;
    this.clock = clock;
    this.orgId = orgId;
    this.endpointId = endpointId;
  }

  private held(session: number): Out[] {
    const known = this.out.get(session);
    if (known !== undefined) return known;
    this.out.set(session, []);
    return this.out.get(session)!;
  }

  async act(what: Action): Promise<void> {
    switch (what.type) {
      case 'record':
        return this.record(what.count);
      case 'claim':
        return this.claim(what.session, what.room);
      case 'answer': {
        const held = this.held(what.session);
        const [one] = held.splice(what.which % Math.max(1, held.length), 1);
        if (one !== undefined) await this.answer(what.session, one, OUTCOMES[what.how]!(), what.twice);
        return;
      }
      case 'claim-unheard': {
        const hasWork = this.held(what.session).length > 0;
        if (hasWork && this.unheard.has(what.session)) return;
        await this.bench.ask(this.endpointId, SESSIONS[what.session]!, what.room, hasWork);
        this.unheard.add(what.session);
        return;
      }
      case 'give-back':
        for (const one of this.held(what.session).splice(0)) await this.answer(what.session, one, null);
        return;
      case 'die':
        // Nobody hears of it: only the leases run out.
        this.held(what.session).length = 0;
        return;
      case 'wait':
        this.clock.advance(what.ms);
        return;
      case 'enable':
        return this.operate((uow) => enableEndpoint(this.deps, uow, this.orgId, this.endpointId));
      case 'disable':
        return this.operate(({ db }) => disableEndpoint(this.deps, db, this.orgId, this.endpointId));
      case 'replay':
        return this.replay(this.recorded[what.which % Math.max(1, this.recorded.length)]);
      case 'recover':
        return this.recover();
      case 'delete':
        await this.operate(({ db }) => deleteEndpoint(this.deps, db, this.orgId, this.endpointId));
        this.isDeleted = true;
        return;
    }
  }

  private get deps() {
    return { ...this.bench.deps, clock: this.clock, waker: this.bench.waker };
  }

  /** What a person does, who finds nothing any more once the endpoint is deleted. */
  private async operate(work: (uow: UnitOfWork) => Promise<unknown>): Promise<void> {
    if (!this.isDeleted) await withTransaction(this.bench.deps.db, work);
  }

  private async record(count: number): Promise<void> {
    const ids = await this.bench.recordScans(this.orgId, count);
    if (!this.isDeleted) this.recorded.push(...ids);
  }

  private async replay(eventId: string | undefined): Promise<void> {
    if (eventId === undefined || this.isDeleted) return;
    await this.operate((uow) => replayEvent(this.deps, uow, this.orgId, eventId, this.endpointId));
    this.succeeded.delete(eventId);
    this.replayed.add(eventId);
    for (const one of [...this.out.values()].flat())
      if (one.delivery.eventId === eventId) one.isSuperseded = true;
  }

  private async recover(): Promise<void> {
    if (this.isDeleted) return;
    const order = { since: new Date(Date.now() - 3600_000), ratePerSecond: 4 };
    const { id } = await withTransaction(this.bench.deps.db, (uow) =>
      startRecovery(this.deps, uow, this.orgId, this.endpointId, order),
    );
    let step = await stepRecovery(this.deps, id);
    while (step.type === 'again') {
      this.clock.set(step.at);
      step = await stepRecovery(this.deps, id);
    }
  }

  private async circuitState(): Promise<string> {
    const { rows } = await this.bench.deps.db.query<{ circuit_state: string }>(
      'select circuit_state from webhook_endpoints where id = $1',
      [this.endpointId],
    );
    return rows[0]!.circuit_state;
  }

  private async claim(session: number, room: number): Promise<void> {
    const held = this.held(session);
    // As a session does: what it did not hear of comes first, once it holds nothing else.
    if (held.length > 0 && this.unheard.has(session)) return;
    this.unheard.delete(session);
    const mayNotGo = this.isDeleted || (await this.circuitState()) === 'disabled';
    const result = await this.bench.ask(this.endpointId, SESSIONS[session]!, room, held.length > 0);
    if (result.type !== 'claimed') return;
    expect(mayNotGo, 'claimed although it is disabled or deleted').to.equal(false);
    const now = this.clock.now().getTime();
    for (const delivery of result.claim.deliveries) {
      expect(this.succeeded.has(delivery.eventId), 'claimed after its success was settled').to.equal(false);
      held.push({ claim: result.claim, delivery, at: now });
    }
    if (this.fifo) await this.expectFront(result.claim);
    const live = [...this.out.values()]
      .flat()
      .filter((one) => now - one.at < LEASE_MS && one.isSuperseded !== true);
    const ids = live.map((one) => one.delivery.eventId);
    expect(new Set(ids).size, 'an event that two workers hold').to.equal(ids.length);
    const probes = live.filter((one) => one.claim.probeEpoch !== null && now - one.at < 30_000);
    expect(probes.length, 'probes out at a time').to.be.at.most(1);
    if (result.claim.probeEpoch !== null) expect(result.claim.deliveries).to.have.length(1);
  }

  /**
   * In FIFO order nothing overtakes: whatever is older than what was claimed is settled, or held by somebody alive. What
   * somebody sends again stands behind what waits.
   */
  private async expectFront({ deliveries }: Claim): Promise<void> {
    const ids = deliveries.map((delivery) => delivery.eventId).filter((id) => !this.replayed.has(id));
    if (ids.length === 0) return;
    expect(ids).to.deep.equal(ids.toSorted());
    const held = [...this.out.values()].flat().map((one) => one.delivery.eventId);
    const { rows } = await this.bench.deps.db.query<{ event_id: string }>(
      `select event_id from webhook_dispatches
        where endpoint_id = $1 and state = 'pending' and event_id < $2 and event_id <> all($3::uuid[])`,
      [this.endpointId, ids[0], [...held, ...this.replayed]],
    );
    expect(rows, 'an older event was overtaken').to.deep.equal([]);
  }

  private async answer(
    session: number,
    one: Out,
    outcome: AttemptOutcome | null,
    twice = false,
  ): Promise<void> {
    const claim = { ...one.claim, deliveries: [one.delivery] };
    await this.bench.settle(claim, SESSIONS[session]!, [outcome]);
    if (twice) await this.bench.settle(claim, SESSIONS[session]!, [outcome]);
    if (outcome?.ok) this.succeeded.add(one.delivery.eventId);
    const isCounted = outcome !== null && !outcome.ok && outcome.errorClass !== 'aborted';
    if (isCounted && one.claim.probeEpoch === null)
      this.counted.set(one.delivery.eventId, (this.counted.get(one.delivery.eventId) ?? 0) + 1);
  }

  /** All workers die; then the receiver is well again, and the sweeper wakes who is due and keeps house. */
  async end(): Promise<void> {
    this.out.clear();
    await discardForDeletedEndpoints(this.bench.deps);
    await this.act({ type: 'enable' });
    const end = this.clock.now().getTime() + LONG_ENOUGH_MS;
    while (this.clock.now().getTime() < end) {
      const result = await this.bench.ask(this.endpointId, 'sweeper', 50);
      if (result.type === 'claimed') {
        for (const delivery of result.claim.deliveries) {
          expect(this.succeeded.has(delivery.eventId), 'claimed after its success was settled').to.equal(
            false,
          );
          this.succeeded.add(delivery.eventId);
        }
        await this.bench.settle(
          result.claim,
          'sweeper',
          result.claim.deliveries.map(() => answered(200)),
        );
      } else {
        if (!(await this.hasPending())) break;
        this.clock.advance(LEASE_MS);
        if (result.type === 'idle' && result.until !== null && result.until > this.clock.now())
          this.clock.set(result.until);
      }
    }
    await this.check();
  }

  private async hasPending(): Promise<boolean> {
    const { rowCount } = await this.bench.deps.db.query(
      `select 1 from webhook_dispatches where endpoint_id = $1 and state = 'pending' limit 1`,
      [this.endpointId],
    );
    return rowCount === 1;
  }

  private async check(): Promise<void> {
    const { rows } = await this.bench.deps.db.query<{ event_id: string; state: string }>(
      'select event_id, state from webhook_dispatches where endpoint_id = $1',
      [this.endpointId],
    );
    expect(rows, 'a dispatch for each event').to.have.length(this.recorded.length);
    for (const { event_id, state } of rows) {
      if (state === 'exhausted') {
        expect(this.counted.get(event_id), 'exhausted before its schedule').to.be.greaterThan(0);
        expect(this.succeeded.has(event_id)).to.equal(false);
      } else if (state === 'discarded') {
        expect(this.isDeleted, 'discarded without a deletion').to.equal(true);
        expect(this.succeeded.has(event_id), 'delivered, and discarded').to.equal(false);
      } else {
        expect(state).to.equal('delivered');
        expect(this.succeeded.has(event_id), 'delivered without a success').to.equal(true);
      }
    }
  }
}
