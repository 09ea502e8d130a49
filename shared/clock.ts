/** Time comes in as a dependency, so that a test can run days in a millisecond. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
