import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** @returns a new temporary folder that every user can pass through, and what removes it. */
export function makeScratch(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-test-'));
  chmodSync(folder, 0o711);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Waits for something that announces itself in no other way (a process's end, a file). @throws after `timeoutMs`. */
export async function until(what: string, holds: () => boolean, timeoutMs = 10_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs} ms in vain for: ${what}`);
    await sleep(10);
  }
}
