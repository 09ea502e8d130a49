/** Machines as the search for programs meets them. */
import type { Machine } from '../../launcher/system-package.ts';

interface Given {
  programs: string[];
  debian?: boolean;
  root?: boolean;
  /** Commands that fail, by what they include; how often. */
  failing?: Record<string, number>;
}

/** A machine on which `apt-get install` brings a program of the package's name, and that remembers what was run. */
export function machine({
  programs,
  debian = true,
  root = true,
  failing = {},
}: Given): Machine & { ran: string[] } {
  const present = new Set(programs);
  const ran: string[] = [];
  return {
    ran,
    find: (program) => (present.has(program) ? `/usr/bin/${program}` : undefined),
    isDebian: () => debian,
    isRoot: () => root,
    run: (words) => {
      const command = words.join(' ');
      ran.push(command);
      for (const [part, times] of Object.entries(failing)) {
        if (command.includes(part) && times > 0) {
          failing[part] = times - 1;
          return { ok: false, output: 'E: no' };
        }
      }
      if (command.includes('install')) present.add(words.at(-1)!);
      return { ok: true, output: '' };
    },
  };
}
