import type { Clock } from '../../shared/clock.ts';

/** A clock that stands still until the test moves it. */
export class TestClock implements Clock {
  private current: Date;

  // Before today, so that look-ups that start at a scan's time find ids, which carry the real time.
  constructor(start = '2026-06-01T12:00:00.000Z') {
    this.current = new Date(start);
  }

  now(): Date {
    return new Date(this.current);
  }

  set(at: string | Date): void {
    this.current = new Date(at);
  }

  /** @param ms forward; negative goes back. */
  advance(ms: number): void {
    this.current = new Date(this.current.getTime() + ms);
  }
}
