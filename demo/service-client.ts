/** The demo's way to the service: HTTP and nothing else. */

export interface ServiceClient {
  /** @throws Error with the problem's words where the answer is not 2xx. */
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: unknown): Promise<T>;
}

/** @param signal ends whatever is under way. */
export function createServiceClient(url: string, key: string, signal: AbortSignal): ServiceClient {
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(url + path, {
      method,
      signal,
      headers: { 'X-Api-Key': key, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return JSON.parse(text);
  };
  return {
    get: async <T>(path: string) => (await call('GET', path)) as T,
    post: async <T>(path: string, body: unknown) => (await call('POST', path, body)) as T,
  };
}

/** What the demo reads of a verification (see the contract). */
export interface Verification {
  scanId: string | null;
  result: string;
  unit: { serial: string | null };
  scan: { count: number; country: string | null };
  risk: { level: string; signals: { type: string; distanceKm?: number; speedKmh?: number }[] };
  assessment: 'preliminary' | 'final';
}

/** A consumer's phone behind a proxy, somewhere in the world. */
export interface Consumer {
  place: string;
  country: string;
  ip: string;
}

/** Opens a printed address as that consumer would. */
export async function verifyAs(
  consumer: Consumer,
  address: string,
  signal: AbortSignal,
): Promise<Verification> {
  const response = await fetch(address, {
    signal,
    headers: { Accept: 'application/json', 'X-Forwarded-For': consumer.ip },
  });
  return (await response.json()) as Verification;
}
