/** Whether a host leads to this very service: labels cannot be printed anew. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { reasonOf } from '../start-error.ts';

const ANSWER_MS = 5_000;
const PAUSE_MS = 500;

const description = z.object({ resolverRoot: z.string() });

/** @returns what stands in the way, or null */
async function obstacleAt(origin: string): Promise<string | null> {
  const address = `${origin}/.well-known/gs1resolver`;
  try {
    const response = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) });
    // A page is an answer as well: of the brand's shop, say, to which the host still leads.
    const body = description.safeParse(response.ok ? await response.json().catch(() => null) : null);
    if (!body.success) return `${address} answers ${response.status}, and not as this service does`;
    const { resolverRoot } = body.data;
    return resolverRoot === origin
      ? null
      : `${address} is answered for ${resolverRoot}: by another installation, or by this one behind a proxy that does not pass the Host header on`;
  } catch (error) {
    const { cause = error } = error as Error;
    return `${address} does not answer: ${reasonOf(cause)}`;
  }
}

/**
 * Asks a host that was added until the service answers as at an address of the organization's, which no other database's would.
 * @param origin `https://id.example.com`
 * @param patienceMs the processes take some seconds to hear of a host
 * @returns what stood in the way to the last, or null
 */
export async function obstacleOnTheWay(origin: string, patienceMs: number): Promise<string | null> {
  const end = performance.now() + patienceMs;
  for (;;) {
    const obstacle = await obstacleAt(origin);
    if (obstacle === null || performance.now() >= end) return obstacle;
    await sleep(PAUSE_MS);
  }
}
