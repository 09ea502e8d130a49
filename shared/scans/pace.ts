/**
 * Refuses a forged code in the time that a look-up takes: a forged one is never looked up, and a stranger with a watch
 * must not learn from that which tags are genuine.
 */
export interface Pace {
  /** Notes how long a look-up took. */
  note(ms: number): void;
  /** Waits as long as some look-up of the last ones took. */
  keep(): Promise<void>;
}

const REMEMBERED = 64;
/** Before the first look-up: a round trip to a near database. */
const FIRST_GUESS_MS = 2;

/** @param random uniform in [0, 1) */
export function createPace(wait: (ms: number) => Promise<void>, random: () => number): Pace {
  const durations: number[] = [];
  let next = 0;
  return {
    note(ms) {
      durations[next] = ms;
      next = (next + 1) % REMEMBERED;
    },
    keep: () => wait(durations[Math.floor(random() * durations.length)] ?? FIRST_GUESS_MS),
  };
}
