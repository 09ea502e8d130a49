/**
 * What `URL.parse` is in later versions of Node. Not `URL.canParse`: in Node 20 and 22 it takes an address with `ü` in it for none once it has
 * been called some thousand times, when it is compiled.
 * @returns null for what is no absolute address
 */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
