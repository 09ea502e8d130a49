/**
 * Decodes a stream of UTF-8, without a byte order mark.
 * @throws what `refusal` makes, for what is no UTF-8: a table of a spreadsheet, a file in UTF-16 or Windows-1252
 */
export async function* utf8Text(
  source: AsyncIterable<Uint8Array>,
  refusal: () => Error,
): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw refusal();
    }
  };
  for await (const chunk of source) yield decode(chunk);
  yield decode();
}
