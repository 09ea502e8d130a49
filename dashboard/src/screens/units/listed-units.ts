/** What a pasted list, or a file, names: ids of units, wherever in a line they are. */

/** As the service makes them: https://github.com/jetify-com/typeid/tree/main/spec */
const UNIT_ID = /\bunit_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g;

export interface Listed {
  /** Without repetitions. */
  ids: string[];
  /** Lines that name no unit. */
  strays: string[];
}

/** Lines of ids, or rows of `codes.csv` or `codes.ndjson`; its heading is no stray line. */
export function listedIn(...texts: readonly string[]): Listed {
  const ids = new Set<string>();
  const strays: string[] = [];
  for (const text of texts)
    for (const [index, raw] of text.split('\n').entries()) {
      const line = raw.trim();
      const found = line.match(UNIT_ID) ?? [];
      for (const id of found) ids.add(id);
      const isHeading = index === 0 && /\bunitId\b/.test(line);
      if (found.length === 0 && line !== '' && !isHeading) strays.push(line);
    }
  return { ids: [...ids], strays };
}
