import { readFileSync } from 'node:fs';

/** @returns the last lines of a log, for an error message; nothing when there is no log. */
export function tail(file: string, lines = 15): string {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
  } catch {
    return '';
  }
}
