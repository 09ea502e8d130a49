/**
 * An endpoint's circuit, as a pure state machine: `closed → open → half-open → closed | open`, and `disabled`.
 * Nothing here reads a clock or keeps memory: the state is a flat JSON object of numbers and strings (times are
 * milliseconds since 1970), kept in the endpoint's row and changed under that row's lock, so that every process
 * sees the same circuit and half-open lets one probe through over all of them.
 */

export interface CircuitPolicy {
  /** Failures are counted over this sliding window. */
  windowMs: number;
  /** Below this many attempts in the window a failure rate means nothing. */
  minimumAttempts: number;
  /** Open at this share of failures, 0..1. */
  failureRate: number;
  /** How long the first opening lasts. */
  openMs: number;
  /** Each re-opening doubles the open time, up to this. */
  openCeilingMs: number;
  /** A circuit that opens again this soon after it closed goes on doubling instead of starting over. */
  relapseMs: number;
  /** A probe that has not come back by then is taken for lost (its process died), and another may go. */
  probeLeaseMs: number;
  /** Nothing but failure for this long disables the endpoint … */
  disableAfterMs: number;
  /** … if there were at least this many failures in it: one event a week is not proof enough. */
  disableMinimumFailures: number;
  /** Warnings on the way there, as time since the first failure; ascending. */
  warnAfterMs: readonly number[];
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Half of ten or more in five minutes opens for 30 s, doubling to an hour; five days of failure disable. */
export const DEFAULT_CIRCUIT_POLICY: CircuitPolicy = {
  windowMs: 5 * MINUTE,
  minimumAttempts: 10,
  failureRate: 0.5,
  openMs: 30_000,
  openCeilingMs: HOUR,
  relapseMs: 10 * MINUTE,
  probeLeaseMs: 30_000,
  disableAfterMs: 5 * DAY,
  disableMinimumFailures: 10,
  warnAfterMs: [DAY, 3 * DAY, 4 * DAY],
};

/**
 * `gone`: the receiver said 410. `failing`: nothing but failure for days. `manual`: a person did it. `unreadable`: a
 * signing secret or the endpoint's own headers cannot be decrypted, so that nothing could be signed or sent.
 */
export type DisableReason = 'gone' | 'failing' | 'manual' | 'unreadable';

export interface CircuitState {
  phase: 'closed' | 'open' | 'half-open' | 'disabled';
  /** When the phase began. */
  changedAt: number;
  /** Start of the current window bucket; the bucket before it ended here. */
  windowStartedAt: number;
  windowAttempts: number;
  windowFailures: number;
  previousAttempts: number;
  previousFailures: number;
  /** While open: no attempt before this time. */
  openUntil: number | null;
  /** Openings in a row, which set the doubling: 1 while first open. */
  openings: number;
  /** Rises with every probe, so that a lost probe's late answer is told from the present one's. */
  probeEpoch: number;
  /** While half-open: until then the probe `probeEpoch` is out, and no other may go. */
  probeUntil: number | null;
  /** First failure since the last success, or null. */
  failingSince: number | null;
  consecutiveFailures: number;
  /** How many of `warnAfterMs` have been sent for this run of failures. */
  warningsSent: number;
  disabledReason: DisableReason | null;
  /** Since when the endpoint's secrets have not opened; null or absent while they do. */
  unreadableSince?: number | null;
}

/** One finished attempt. */
export interface CircuitOutcome {
  ok: boolean;
  status: number | null;
  /** The epoch that {@link claimProbe} gave, if this attempt was a probe; null for an ordinary one. */
  probeEpoch: number | null;
}

/** What the caller has to do, in the transaction that stores the state. */
export type CircuitEffect =
  /** Park the endpoint's pending dispatches until then (wake the endpoint at that time, for a probe). */
  | { type: 'opened'; until: number }
  /** Release what was parked, and wake the endpoint. */
  | { type: 'closed' }
  /** Tell the administrators that it will be disabled at `disablesAt` if it goes on like this. */
  | { type: 'warned'; failingSince: number; disablesAt: number }
  /** Park everything, tell the administrators, write the audit entry. */
  | { type: 'disabled'; reason: DisableReason; failingSince: number | null };

export interface CircuitStep {
  state: CircuitState;
  effects: CircuitEffect[];
}

/** Whether an attempt may go now. `wait.until` is null where only a person can change it (disabled). */
export type CircuitPermit = { type: 'send' } | { type: 'probe' } | { type: 'wait'; until: number | null };

/** The circuit of a new endpoint. */
export function newCircuit(now: number): CircuitState {
  return {
    phase: 'closed',
    changedAt: now,
    ...emptyWindow(now),
    openUntil: null,
    openings: 0,
    probeEpoch: 0,
    probeUntil: null,
    failingSince: null,
    consecutiveFailures: 0,
    warningsSent: 0,
    disabledReason: null,
  };
}

/** What the circuit allows at `now`, changing nothing; on `probe` the caller must {@link claimProbe}. */
export function permit(state: CircuitState, now: number): CircuitPermit {
  if (state.phase === 'closed') return { type: 'send' };
  if (state.phase === 'disabled') return { type: 'wait', until: null };
  const until = (state.phase === 'open' ? state.openUntil : state.probeUntil) ?? now;
  return now >= until ? { type: 'probe' } : { type: 'wait', until };
}

/**
 * Takes the one probe that a due open circuit allows, or null if none is allowed now. Store the state before the
 * attempt goes out, and hand its `probeEpoch` back with the outcome.
 */
export function claimProbe(
  state: CircuitState,
  now: number,
  policy: CircuitPolicy = DEFAULT_CIRCUIT_POLICY,
): CircuitState | null {
  if (permit(state, now).type !== 'probe') return null;
  return {
    ...state,
    phase: 'half-open',
    changedAt: state.phase === 'half-open' ? state.changedAt : now,
    openUntil: null,
    probeEpoch: state.probeEpoch + 1,
    probeUntil: now + policy.probeLeaseMs,
  };
}

/**
 * Folds one finished attempt into the circuit. Fold several by calling it for each, in the order they ended.
 * An ordinary attempt that was still in flight when the circuit opened moves no phase (but a 410 does, whenever it
 * comes); nor does the late answer of a probe that was given up for lost.
 */
export function recordOutcome(
  state: CircuitState,
  outcome: CircuitOutcome,
  now: number,
  policy: CircuitPolicy = DEFAULT_CIRCUIT_POLICY,
): CircuitStep {
  if (state.phase === 'disabled') return { state, effects: [] };
  if (outcome.status === 410) return disableCircuit(count(state, outcome, now, policy), 'gone', now);

  const counted = count(state, outcome, now, policy);
  if (isHopeless(counted, now, policy)) return disableCircuit(counted, 'failing', now);

  const warned = warn(counted, now, policy);
  const isProbe = counted.phase === 'half-open' && outcome.probeEpoch === counted.probeEpoch;
  if (isProbe) {
    const moved = outcome.ok ? close(warned.state, now) : open(warned.state, now, policy);
    return { state: moved.state, effects: [...warned.effects, ...moved.effects] };
  }
  if (counted.phase === 'closed' && !outcome.ok && isFailing(counted, now, policy)) {
    const opened = open(warned.state, now, policy);
    return { state: opened.state, effects: [...warned.effects, ...opened.effects] };
  }
  return warned;
}

/** Gives a claimed probe back unused (nothing was due, or the process is shutting down): another may go at once. */
export function releaseProbe(state: CircuitState, probeEpoch: number, now: number): CircuitState {
  if (state.phase !== 'half-open' || state.probeEpoch !== probeEpoch) return state;
  return { ...state, probeUntil: now };
}

/** Disables the endpoint, from whatever phase; repeating it has no effect. */
export function disableCircuit(state: CircuitState, reason: DisableReason, now: number): CircuitStep {
  if (state.phase === 'disabled') return { state, effects: [] };
  return {
    state: {
      ...state,
      phase: 'disabled',
      changedAt: now,
      openUntil: null,
      probeUntil: null,
      disabledReason: reason,
    },
    effects: [{ type: 'disabled', reason, failingSince: state.failingSince }],
  };
}

/**
 * A person enables the endpoint again, or closes an open circuit by hand: a clean slate, and what was parked is
 * released. The probe epoch goes on, so that no old probe's answer is mistaken for a new one's.
 */
export function enableCircuit(state: CircuitState, now: number): CircuitStep {
  if (state.phase === 'closed') return { state, effects: [] };
  return { state: { ...newCircuit(now), probeEpoch: state.probeEpoch }, effects: [{ type: 'closed' }] };
}

/**
 * The endpoint has moved to another address: what the old one did says nothing about the new one. An open circuit asks at once, also
 * where a probe is out at the old address, and its open time starts over; a disabled one stays so until a person enables it.
 */
export function moveCircuit(state: CircuitState, now: number): CircuitState {
  if (state.phase === 'disabled') return state;
  const isClosed = state.phase === 'closed';
  return {
    ...state,
    ...emptyWindow(now),
    phase: isClosed ? 'closed' : 'open',
    openUntil: isClosed ? null : now,
    probeUntil: null,
    openings: 0,
    failingSince: null,
    consecutiveFailures: 0,
    warningsSent: 0,
  };
}

/** @returns the earliest time for an attempt that is due at `dueAt`; null where a person has to enable the endpoint. */
export function earliestAttempt(state: CircuitState, heldUntil: Date | null, dueAt: Date): Date | null {
  if (state.phase === 'disabled') return null;
  const { openUntil, probeUntil } = state;
  return new Date(Math.max(dueAt.getTime(), heldUntil?.getTime() ?? 0, openUntil ?? 0, probeUntil ?? 0));
}

function open(state: CircuitState, now: number, policy: CircuitPolicy): CircuitStep {
  const relapsed = state.phase === 'half-open' || now - state.changedAt <= policy.relapseMs;
  const openings = relapsed ? state.openings + 1 : 1;
  // The exponent is bounded so that 2 ** n stays finite whatever the count.
  const until = now + Math.min(policy.openMs * 2 ** Math.min(openings - 1, 40), policy.openCeilingMs);
  return {
    state: { ...state, phase: 'open', changedAt: now, openUntil: until, openings, probeUntil: null },
    effects: [{ type: 'opened', until }],
  };
}

function close(state: CircuitState, now: number): CircuitStep {
  return {
    state: {
      ...state,
      phase: 'closed',
      changedAt: now,
      openUntil: null,
      probeUntil: null,
      // The failures that opened it must not open it again at the next hiccup.
      ...emptyWindow(now),
    },
    effects: [{ type: 'closed' }],
  };
}

function emptyWindow(now: number) {
  return {
    windowStartedAt: now,
    windowAttempts: 0,
    windowFailures: 0,
    previousAttempts: 0,
    previousFailures: 0,
  };
}

/** Two buckets make a sliding window in constant space: the older one counts for the share still inside. */
function count(
  state: CircuitState,
  outcome: CircuitOutcome,
  now: number,
  policy: CircuitPolicy,
): CircuitState {
  const next = { ...state };
  const buckets = Math.floor((now - state.windowStartedAt) / policy.windowMs);
  if (buckets >= 1) {
    next.previousAttempts = buckets === 1 ? state.windowAttempts : 0;
    next.previousFailures = buckets === 1 ? state.windowFailures : 0;
    next.windowAttempts = 0;
    next.windowFailures = 0;
    next.windowStartedAt = state.windowStartedAt + buckets * policy.windowMs;
  }
  next.windowAttempts += 1;
  if (outcome.ok) {
    next.failingSince = null;
    next.consecutiveFailures = 0;
    next.warningsSent = 0;
  } else {
    next.windowFailures += 1;
    next.failingSince ??= now;
    next.consecutiveFailures += 1;
  }
  return next;
}

function isFailing(state: CircuitState, now: number, policy: CircuitPolicy): boolean {
  const elapsed = Math.min(Math.max((now - state.windowStartedAt) / policy.windowMs, 0), 1);
  const attempts = state.windowAttempts + state.previousAttempts * (1 - elapsed);
  const failures = state.windowFailures + state.previousFailures * (1 - elapsed);
  return attempts >= policy.minimumAttempts && failures >= attempts * policy.failureRate;
}

function isHopeless(state: CircuitState, now: number, policy: CircuitPolicy): boolean {
  return (
    state.failingSince !== null &&
    now - state.failingSince >= policy.disableAfterMs &&
    state.consecutiveFailures >= policy.disableMinimumFailures
  );
}

/** One warning at a time: where several are due at once (a quiet endpoint), only the latest is worth a mail. */
function warn(state: CircuitState, now: number, policy: CircuitPolicy): CircuitStep {
  const { failingSince } = state;
  if (failingSince === null) return { state, effects: [] };
  const due = policy.warnAfterMs.filter((after) => now - failingSince >= after).length;
  if (due <= state.warningsSent) return { state, effects: [] };
  return {
    state: { ...state, warningsSent: due },
    effects: [{ type: 'warned', failingSince, disablesAt: failingSince + policy.disableAfterMs }],
  };
}
