/** Signs of life of a worker whose work has none of its own for a while: a slow storage, a table that an operator holds. */

/**
 * Extends a lease three times in its length while the work goes on. One that fails to is made good by the next.
 * @param extend must change nothing once the lease was given back: it may come a moment late
 */
export async function keepLease<Result>(
  leaseSeconds: number,
  extend: () => Promise<unknown>,
  work: () => Promise<Result>,
): Promise<Result> {
  const timer = setInterval(() => void extend().catch(() => undefined), (leaseSeconds * 1000) / 3);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
