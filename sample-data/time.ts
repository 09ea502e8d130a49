/** A clock that is set: each action, and whatever it awaits, happens at the time that it is given. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from '../shared/clock.ts';
import { setIdTime } from '../shared/ids.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export interface TimeMachine {
  clock: Clock;
  /** Runs `work` at a time; many may run side by side, each at its own. */
  at<T>(time: number, work: () => Promise<T>): Promise<T>;
  /** Ids are of the present again. */
  stop(): void;
}

/** @param now for what runs at no time of its own; ids follow as well. */
export function createTimeMachine(now: () => number): TimeMachine {
  const times = new AsyncLocalStorage<number>();
  const current = () => times.getStore() ?? now();
  setIdTime(current);
  return {
    clock: { now: () => new Date(current()) },
    at: (time, work) => times.run(time, work),
    stop: () => setIdTime(Date.now),
  };
}
