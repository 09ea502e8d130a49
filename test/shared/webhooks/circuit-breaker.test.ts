import { expect } from 'chai';
import fc from 'fast-check';
import {
  claimProbe,
  DEFAULT_CIRCUIT_POLICY as policy,
  disableCircuit,
  enableCircuit,
  newCircuit,
  permit,
  recordOutcome,
  releaseProbe,
  type CircuitEffect,
  type CircuitState,
} from '../../../shared/webhooks/circuit-breaker.ts';

const SECOND = 1000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const failure = { ok: false, status: 500, probeEpoch: null };
const success = { ok: true, status: 200, probeEpoch: null };

function afterFailures(count: number, now: number, from = newCircuit(0)) {
  let state = from;
  const effects: CircuitEffect[] = [];
  for (let n = 0; n < count; n += 1) {
    const step = recordOutcome(state, failure, now);
    state = step.state;
    effects.push(...step.effects);
  }
  return { state, effects };
}

/** A due probe that fails; returns the next state. */
function failProbe(state: CircuitState, now: number): CircuitState {
  const claimed = claimProbe(state, now);
  if (claimed === null) throw new Error('no probe was allowed');
  return recordOutcome(claimed, { ...failure, probeEpoch: claimed.probeEpoch }, now).state;
}

describe('the circuit', () => {
  it('opens at the failure rate, and not before the minimum of attempts', () => {
    expect(afterFailures(9, 0).state.phase).to.equal('closed');
    const { state, effects } = afterFailures(10, 0);
    expect(state.phase).to.equal('open');
    expect(effects).to.deep.equal([{ type: 'opened', until: 30 * SECOND }]);
    expect(permit(state, 30 * SECOND - 1)).to.deep.equal({ type: 'wait', until: 30 * SECOND });
    expect(permit(state, 30 * SECOND)).to.deep.equal({ type: 'probe' });
  });

  it('stays closed while more attempts succeed than fail', () => {
    let state = newCircuit(0);
    for (let n = 0; n < 300; n += 1) {
      state = recordOutcome(state, n % 3 === 0 ? failure : success, n * SECOND).state;
      expect(state.phase).to.equal('closed');
    }
  });

  it('forgets failures that are older than the window', () => {
    const { state } = afterFailures(9, 0);
    const later = recordOutcome(state, failure, 2 * policy.windowMs).state;
    expect(later.phase).to.equal('closed');
    // In the next window the older bucket still counts for the share that is inside: 9 × 0.9 + 2 ≥ 10.
    const soon = afterFailures(2, policy.windowMs * 1.1, state).state;
    expect(soon.phase).to.equal('open');
  });

  it('judges after a quiet time by what came since alone', () => {
    const later = 2.5 * policy.windowMs;
    const add = (from: CircuitState, outcome: typeof failure, count: number) =>
      Array.from({ length: count }).reduce<CircuitState>(
        (state) => recordOutcome(state, outcome, later).state,
        from,
      );
    const failed = afterFailures(9, 0).state;
    expect(add(add(failed, success, 6), failure, 4).phase).to.equal('closed');
    let good = newCircuit(0);
    for (let n = 0; n < 100; n += 1) good = recordOutcome(good, success, 0).state;
    expect(add(good, failure, 10).phase).to.equal('open');
  });

  it('opens at a failure, and not at the success that makes up the minimum of attempts', () => {
    const { state } = recordOutcome(afterFailures(9, 0).state, success, 0);
    expect(state.phase).to.equal('closed');
    expect(recordOutcome(state, failure, 0).state.phase).to.equal('open');
  });

  it('lets one probe through, whoever asks, until its lease is over', () => {
    const { state } = afterFailures(10, 0);
    const now = 30 * SECOND;
    const claimed = claimProbe(state, now);
    expect(claimed?.phase).to.equal('half-open');
    expect(claimProbe(claimed!, now)).to.equal(null);
    expect(claimProbe(claimed!, now + policy.probeLeaseMs - 1)).to.equal(null);
    const second = claimProbe(claimed!, now + policy.probeLeaseMs);
    expect(second?.probeEpoch).to.equal(claimed!.probeEpoch + 1);
    expect(second?.changedAt).to.equal(now);
  });

  it('goes on doubling, however long its probes were lost', () => {
    let { state } = afterFailures(10, 0);
    let now = 0;
    while (now <= 2 * policy.relapseMs) {
      now = (state.openUntil ?? state.probeUntil)!;
      state = claimProbe(state, now)!;
    }
    const failed = recordOutcome(state, { ...failure, probeEpoch: state.probeEpoch }, now).state;
    expect(failed.openUntil).to.equal(now + 60 * SECOND);
  });

  it('does not listen to a lost probe once another one is out', () => {
    const { state } = afterFailures(10, 0);
    const lost = claimProbe(state, 30 * SECOND)!;
    const present = claimProbe(lost, 60 * SECOND)!;
    const late = recordOutcome(present, { ...success, probeEpoch: lost.probeEpoch }, 61 * SECOND);
    expect(late.state.phase).to.equal('half-open');
    expect(late.effects).to.deep.equal([]);
  });

  it('gives an unused probe back at once', () => {
    const claimed = claimProbe(afterFailures(10, 0).state, 30 * SECOND)!;
    const released = releaseProbe(claimed, claimed.probeEpoch, 31 * SECOND);
    expect(permit(released, 31 * SECOND)).to.deep.equal({ type: 'probe' });
    expect(releaseProbe(claimed, claimed.probeEpoch - 1, 31 * SECOND)).to.equal(claimed);
  });

  it('closes when the probe succeeds, and does not open again at the next failure', () => {
    const claimed = claimProbe(afterFailures(10, 0).state, 30 * SECOND)!;
    const closed = recordOutcome(claimed, { ...success, probeEpoch: claimed.probeEpoch }, 31 * SECOND);
    expect(closed.effects).to.deep.equal([{ type: 'closed' }]);
    expect(closed.state.phase).to.equal('closed');
    expect(recordOutcome(closed.state, failure, 32 * SECOND).state.phase).to.equal('closed');
  });

  it('doubles the open time with each failed probe, up to an hour', () => {
    let { state } = afterFailures(10, 0);
    let now = 0;
    const openTimes: number[] = [];
    for (let n = 0; n < 10; n += 1) {
      openTimes.push(state.openUntil! - now);
      now = state.openUntil!;
      state = failProbe(state, now);
    }
    expect(openTimes.map((ms) => ms / SECOND)).to.deep.equal([
      30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600,
    ]);
  });

  it('goes on doubling after a relapse, and starts over after a good time', () => {
    const claimed = claimProbe(afterFailures(10, 0).state, 30 * SECOND)!;
    const { state } = recordOutcome(claimed, { ...success, probeEpoch: claimed.probeEpoch }, 30 * SECOND);
    const relapsed = afterFailures(10, 40 * SECOND, state).state;
    expect(relapsed.openUntil).to.equal(40 * SECOND + 60 * SECOND);
    const later = afterFailures(10, HOUR, state).state;
    expect(later.openUntil).to.equal(HOUR + 30 * SECOND);
  });

  it('is not moved by attempts that were in flight when it opened', () => {
    const { state } = afterFailures(10, 0);
    const straggler = recordOutcome(state, success, SECOND);
    expect(straggler.state.phase).to.equal('open');
    expect(straggler.state.openUntil).to.equal(state.openUntil);
    expect(recordOutcome(state, failure, SECOND).state.openUntil).to.equal(state.openUntil);
  });

  it('is disabled at once by a 410, in every phase, and tells why', () => {
    const open = afterFailures(10, 0).state;
    const halfOpen = claimProbe(open, 30 * SECOND)!;
    for (const state of [newCircuit(0), open, halfOpen]) {
      const step = recordOutcome(state, { ok: false, status: 410, probeEpoch: null }, 31 * SECOND);
      expect(step.state.phase).to.equal('disabled');
      expect(step.state.disabledReason).to.equal('gone');
      expect(step.effects).to.have.length(1);
      expect(step.effects[0]).to.include({ type: 'disabled', reason: 'gone' });
    }
  });

  it('warns after one, three and four days of nothing but failure, and is disabled after five', () => {
    let { state } = afterFailures(10, 0);
    const told: [number, string][] = [];
    while (state.phase !== 'disabled') {
      const now = state.openUntil!;
      const claimed = claimProbe(state, now)!;
      const step = recordOutcome(claimed, { ...failure, probeEpoch: claimed.probeEpoch }, now);
      for (const effect of step.effects) {
        if (effect.type !== 'opened') told.push([Math.floor(now / DAY), effect.type]);
      }
      state = step.state;
    }
    expect(told).to.deep.equal([
      [1, 'warned'],
      [3, 'warned'],
      [4, 'warned'],
      [5, 'disabled'],
    ]);
    expect(state.disabledReason).to.equal('failing');
  });

  it('starts the five days over at any success', () => {
    let state = newCircuit(0);
    for (let now = 0; now < 30 * DAY; now += 6 * HOUR) {
      state = recordOutcome(state, now % (4 * DAY) === 0 ? success : failure, now).state;
      expect(state.phase).to.equal('closed');
    }
  });

  it('does not take a handful of failures for days of failure', () => {
    let state = newCircuit(0);
    for (const day of [0, 3, 6, 9]) state = recordOutcome(state, failure, day * DAY).state;
    expect(state.phase).to.equal('closed');
  });

  it('stays disabled whatever comes, until a person enables it with a clean slate', () => {
    const { state } = disableCircuit(newCircuit(0), 'manual', SECOND);
    expect(recordOutcome(state, success, DAY)).to.deep.equal({ state, effects: [] });
    expect(disableCircuit(state, 'gone', DAY)).to.deep.equal({ state, effects: [] });
    expect(claimProbe(state, DAY)).to.equal(null);
    expect(permit(state, DAY)).to.deep.equal({ type: 'wait', until: null });
    const enabled = enableCircuit(state, DAY);
    expect(enabled.effects).to.deep.equal([{ type: 'closed' }]);
    expect(enabled.state).to.deep.equal(newCircuit(DAY));
    expect(enableCircuit(enabled.state, 2 * DAY)).to.deep.equal({ state: enabled.state, effects: [] });
  });

  it('is not moved by a probe that was out when a person enabled it', () => {
    const claimed = claimProbe(afterFailures(10, 0).state, 30 * SECOND)!;
    const { state } = enableCircuit(claimed, 31 * SECOND);
    expect(state.probeEpoch).to.equal(claimed.probeEpoch);
    const late = { ...failure, probeEpoch: claimed.probeEpoch };
    expect(recordOutcome(state, late, 32 * SECOND).state.phase).to.equal('closed');
    expect(releaseProbe(state, claimed.probeEpoch, 32 * SECOND)).to.equal(state);
  });

  it('is the same after a trip through JSON', () => {
    const { state } = afterFailures(10, 1_795_167_000_123);
    expect(JSON.parse(JSON.stringify(state))).to.deep.equal(state);
  });
});

type Step =
  | { do: 'wait'; ms: number }
  | { do: 'ask' }
  | { do: 'finish'; pick: number; ok: boolean; status: number }
  | { do: 'lose'; pick: number }
  | { do: 'enable' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 90 * SECOND }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: DAY }) }),
  },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('ask' as const) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('finish' as const),
      pick: fc.nat(),
      ok: fc.boolean(),
      status: fc.constantFrom(500, 500, 500, 503, 410),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('lose' as const), pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('enable' as const) }) },
);

describe('the circuit, whatever happens in whatever order', () => {
  it('has one live probe, keeps its open times, closes by a probe alone, and is disabled for cause', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 300 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (steps, bias) => {
          let now = 0;
          let state = newCircuit(now);
          let inFlight: { probeEpoch: number | null; claimedAt: number }[] = [];
          // The model: what must be true, kept without looking into the state.
          let firstFailureSinceSuccess: number | null = null;
          let failuresSinceSuccess = 0;
          let mayNotSendBefore: number | null = null;

          for (const action of steps) {
            if (action.do === 'wait') now += action.ms;
            if (action.do === 'lose' && inFlight.length > 0)
              inFlight.splice(action.pick % inFlight.length, 1);
            if (action.do === 'enable') {
              state = enableCircuit(state, now).state;
              if (state.changedAt === now) {
                mayNotSendBefore = null;
                firstFailureSinceSuccess = state.failingSince;
                failuresSinceSuccess = state.consecutiveFailures;
              }
            }
            if (action.do === 'ask') {
              const allowed = permit(state, now);
              if (allowed.type === 'send') inFlight.push({ probeEpoch: null, claimedAt: now });
              if (allowed.type === 'probe') {
                const liveProbes = inFlight.filter(
                  (one) =>
                    one.probeEpoch !== null &&
                    now - one.claimedAt < policy.probeLeaseMs &&
                    one.probeEpoch === state.probeEpoch,
                );
                expect(state.phase === 'half-open' ? liveProbes : [], 'one probe at a time').to.have.length(
                  0,
                );
                state = claimProbe(state, now)!;
                inFlight.push({ probeEpoch: state.probeEpoch, claimedAt: now });
              }
              if (allowed.type !== 'wait' && mayNotSendBefore !== null)
                expect(now).to.be.at.least(mayNotSendBefore);
              if (allowed.type === 'wait' && allowed.until !== null)
                expect(allowed.until).to.be.greaterThan(now);
            }
            if (action.do === 'finish' && inFlight.length > 0) {
              const [attempt] = inFlight.splice(action.pick % inFlight.length, 1);
              const ok = action.ok && bias > 0.3;
              const before = state;
              const moved = recordOutcome(
                state,
                { ok, status: ok ? 200 : action.status, probeEpoch: attempt!.probeEpoch },
                now,
              );
              state = moved.state;
              if (before.phase !== 'disabled') {
                firstFailureSinceSuccess = ok ? null : (firstFailureSinceSuccess ?? now);
                failuresSinceSuccess = ok ? 0 : failuresSinceSuccess + 1;
              }
              const types = moved.effects.map((effect) => effect.type);
              expect(types.includes('opened')).to.equal(
                state.phase === 'open' && before !== state && before.phase !== 'open',
              );
              if (types.includes('closed')) {
                expect(
                  ok && attempt!.probeEpoch === before.probeEpoch && before.phase === 'half-open',
                ).to.equal(true);
                mayNotSendBefore = null;
              }
              for (const effect of moved.effects) {
                if (effect.type === 'opened') {
                  expect(effect.until - now).to.be.within(policy.openMs, policy.openCeilingMs);
                  mayNotSendBefore = effect.until;
                }
                if (effect.type === 'disabled') {
                  const days = now - (firstFailureSinceSuccess ?? now);
                  const hopeless =
                    days >= policy.disableAfterMs && failuresSinceSuccess >= policy.disableMinimumFailures;
                  expect((!ok && action.status === 410) || hopeless).to.equal(true);
                }
              }
            }
            if (state.phase === 'open') expect(state.openUntil).to.be.a('number');
            if (state.phase === 'half-open') expect(state.probeUntil).to.be.a('number');
            expect(JSON.parse(JSON.stringify(state))).to.deep.equal(state);
            inFlight = inFlight.slice(-50);
          }
        },
      ),
      { numRuns: 400 },
    );
  });
});
