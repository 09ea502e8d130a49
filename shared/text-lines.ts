import { utf8Text } from './utf8-text.ts';

/** What bounds the memory: longer is not text in lines. */
export const MAX_LINE = 10_000;

export interface Lines {
  lines: string[];
  /** The number of the first of them, from 1, as an editor counts. */
  first: number;
}

/**
 * Lines of UTF-8 text as they arrive, LF or CRLF, without a byte order mark and line ends. What becomes of a text does not depend on
 * where the network or the storage cuts it into pieces.
 * @throws what `notText` makes, for what is no UTF-8, and `tooLong`, for a line of more than {@link MAX_LINE} characters, behind those before it
 */
export async function* textLines(
  source: AsyncIterable<Uint8Array>,
  { notText, tooLong }: { notText: () => Error; tooLong: (line: number) => Error },
): AsyncGenerator<Lines> {
  let rest = '';
  let first = 1;
  for await (const text of utf8Text(source, notText)) {
    const parts = (rest + text).split('\n');
    const long = parts.findIndex((part) => withoutReturn(part).length > MAX_LINE);
    rest = long === -1 ? parts.pop()! : '';
    yield { lines: (long === -1 ? parts : parts.slice(0, long)).map(withoutReturn), first };
    if (long !== -1) throw tooLong(first + long);
    first += parts.length;
  }
  if (rest !== '') yield { lines: [withoutReturn(rest)], first };
}

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);
