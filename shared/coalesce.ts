/** One call for many: whoever asks while one is under way shares the next one, a moment later. */
export interface CoalesceOptions {
  run(): Promise<void>;
  /** Between the end of one run and the next, where somebody asked meanwhile. */
  gapMs: number;
  wait(ms: number): Promise<void>;
}

/** @returns what asks for a run: at once when none is under way. Every ask is followed by a run that begins after it. */
export function coalesce({ run, gapMs, wait }: CoalesceOptions): () => void {
  let isRunning = false;
  let isWanted = false;
  const loop = async () => {
    isRunning = true;
    do {
      isWanted = false;
      await run();
      if (isWanted) await wait(gapMs);
    } while (isWanted);
    isRunning = false;
  };
  return () => {
    isWanted = true;
    if (!isRunning) void loop();
  };
}
