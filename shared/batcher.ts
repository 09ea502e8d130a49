/**
 * Gathers concurrent calls into one: while a run is under way, the calls that arrive wait together for the next one.
 * Under no load a call runs at once; under load the batches grow by themselves, and with a gap they grow sooner.
 */
export interface Batcher<In, Out> {
  (item: In): Promise<Out>;
}

interface Waiting<In, Out> {
  item: In;
  resolve(out: Out): void;
  reject(error: unknown): void;
}

export interface BatcherOptions<In, Out> {
  /** Takes at least one item; must return one result for each, in order. A rejection is everybody's of that batch. */
  run(items: In[]): Promise<Out[]>;
  maxItems: number;
  /** Runs under way at a time. */
  concurrency: number;
  /** Least time between the beginnings of two runs, where calls come one by one and each run costs more than a call. */
  gap?: Gap;
}

export interface Gap {
  ms: number;
  /** Where runs take longer than `ms`, the gap is what they took of late, up to so much: on a busy machine fewer and larger ones. */
  maxMs?: number;
  wait(ms: number): Promise<void>;
  /** Milliseconds, never set back; the process's own clock where it is left out. */
  nowMs?(): number;
}

/** How much of "of late" is the last run. */
const NEWEST_SHARE = 1 / 8;

export function createBatcher<In, Out>({
  run,
  maxItems,
  concurrency,
  gap,
}: BatcherOptions<In, Out>): Batcher<In, Out> {
  let queue: Waiting<In, Out>[] = [];
  let running = 0;
  let scheduled = false;
  let isInGap = false;
  let usualMs = 0;
  const nowMs = gap?.nowMs ?? (() => performance.now());

  const keepGap = async ({ ms, maxMs = ms, wait }: Gap): Promise<void> => {
    isInGap = true;
    await wait(Math.round(Math.min(maxMs, Math.max(ms, usualMs))));
    isInGap = false;
    flush();
  };

  const mayRun = () => queue.length > 0 && running < concurrency && !isInGap;

  const flush = (): void => {
    while (mayRun()) {
      const batch = queue.slice(0, maxItems);
      queue = queue.slice(maxItems);
      running += 1;
      void settle(batch);
      if (gap !== undefined) void keepGap(gap);
    }
  };

  const settle = async (batch: Waiting<In, Out>[]): Promise<void> => {
    const started = nowMs();
    try {
      const results = await run(batch.map(({ item }) => item));
      if (results.length !== batch.length)
        throw new Error('a batch returned another number of results than items');
      batch.forEach(({ resolve }, index) => resolve(results[index]!));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      running -= 1;
      usualMs += (nowMs() - started - usualMs) * NEWEST_SHARE;
      flush();
    }
  };

  return (item) =>
    new Promise<Out>((resolve, reject) => {
      queue.push({ item, resolve, reject });
      if (scheduled) return;
      // Everything that arrives in the same turn of the event loop (one read from many sockets) goes together.
      scheduled = true;
      setImmediate(() => {
        scheduled = false;
        flush();
      });
    });
}
