/** Long work on the one thread of a process: lets everything else have its turn, and hears when to stop. */
import { LostChunkError } from '../../shared/barcode-jobs/chunks.ts';

// Leases, cancellations and shutdowns are heard this often; a turn of the loop costs a few microseconds.
const TURN_MS = 25;
const CHECK_EVERY = 16;

export class Pace {
  /** Units that every output has, out of the chunk's: what people are told. */
  rendered = 0;
  #done = 0;
  #lastTurn = performance.now();
  #lost = false;
  readonly #passes: number;
  readonly #stopping: AbortSignal;

  /** @param passes how often the work goes over the units. */
  constructor(passes: number, stopping: AbortSignal) {
    this.#passes = passes;
    this.#stopping = stopping;
  }

  /** The chunk is no longer this worker's: the next step ends the work. */
  lose(): void {
    this.#lost = true;
  }

  /**
   * To be called after each unit. @returns a promise when it is time for others: await it.
   * @throws LostChunkError, or the reason of the shutdown
   */
  step(slow = false): Promise<void> | undefined {
    this.#done += 1;
    if (!slow && this.#done % CHECK_EVERY !== 0) return undefined;
    if (performance.now() - this.#lastTurn < TURN_MS) return undefined;
    return this.#turn();
  }

  async #turn(): Promise<void> {
    this.rendered = Math.floor(this.#done / this.#passes);
    await new Promise((resolve) => setImmediate(resolve));
    if (this.#lost) throw new LostChunkError();
    this.#stopping.throwIfAborted();
    this.#lastTurn = performance.now();
  }
}
