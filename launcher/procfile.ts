/** Reads a Procfile: lines of `name: command`, blank lines and `#` comments aside. */

export interface ProcfileEntry {
  name: string;
  command: string;
}

/** @throws on a line that is neither, and on a name given twice. */
export function parseProcfile(text: string): ProcfileEntry[] {
  const entries: ProcfileEntry[] = [];
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const [, name, command] = /^([A-Za-z0-9_-]+):\s*(\S.*)$/.exec(line) ?? [];
    if (name === undefined || command === undefined) {
      throw new Error(`Procfile, line ${index + 1}: expected "name: command", found "${line}"`);
    }
    if (entries.some((entry) => entry.name === name)) {
      throw new Error(`Procfile, line ${index + 1}: "${name}" is there twice`);
    }
    entries.push({ name, command });
  }
  return entries;
}
