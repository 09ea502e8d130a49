/**
 * Answers nobody's code in a time that tells nothing: a forged token is refused without a look-up, one that was never minted
 * after one, and a stranger with a watch must not learn from that which tags are genuine. Neither is answered before a moment
 * drawn by lot, later than nearly every look-up takes; and where look-ups take longer than that, a forged token waits as long
 * as one of the last ones did. Only answers of 404 wait.
 */
export interface Pace {
  /** Notes how long a look-up took, its wait for the ones before it included. */
  note(ms: number): void;
  /** Waits until a code that is nobody's may be answered. @param startedMs when its request began, by the same clock */
  hold(startedMs: number, how: 'looked-up' | 'refused'): Promise<void>;
}

export interface PaceDeps {
  /** Milliseconds, never set back. */
  nowMs(): number;
  wait(ms: number): Promise<void>;
  /** Uniform in [0, 1). */
  random(): number;
}

/** Look-ups take 1 to 10 ms under load. */
export const FLOOR_MS = 20;
/** Wide against a timer's resolution of a millisecond, within which the two ways would still differ. */
export const SPREAD_MS = 10;
const REMEMBERED = 256;

export function createPace({ nowMs, wait, random }: PaceDeps): Pace {
  const durations: number[] = [];
  let next = 0;
  return {
    note(ms) {
      durations[next] = ms;
      next = (next + 1) % REMEMBERED;
    },
    async hold(startedMs, how) {
      const least = FLOOR_MS + SPREAD_MS * random();
      const asOthers = how === 'refused' ? (durations[Math.floor(random() * durations.length)] ?? 0) : 0;
      const left = startedMs + Math.max(least, asOthers) - nowMs();
      if (left > 0) await wait(left);
    },
  };
}
