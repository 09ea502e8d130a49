/** Opens an address as a phone does. */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

/** Not by `fetch`, which says by itself how it fetches. */
export async function openAddress(
  url: string,
  ip: string,
  headers: Record<string, string> = {},
): Promise<{ status: number | undefined; text: string }> {
  const sent = get(url, { headers: { 'x-forwarded-for': ip, ...headers } });
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, text: await text(response) };
}
