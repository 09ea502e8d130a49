import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for a state that announces itself in no other way, such as a row of another process. @throws after `timeoutMs`. */
export async function eventually(
  what: string,
  holds: () => boolean | Promise<boolean>,
  timeoutMs = 30_000,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs} ms in vain for: ${what}`);
    await sleep(15);
  }
}
