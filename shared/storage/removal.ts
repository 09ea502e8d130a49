/** Removal of files that have served their time. */

const AT_A_TIME = 100;
/** Then it is the storage that is away, not a folder that is broken: a storage that hangs takes its time for each. */
const FAILURES_IN_A_ROW = 20;

/**
 * Removes what belongs to many owners, one after another. What fails stands in nobody's way: the younger go on, and the next
 * run tries it again.
 * @param next up to `limit` owners, oldest first, without those of `except`, which failed in this run; none whose `remove` came to its end
 * @param remove may run twice: its last act is that `next` does not name the owner again
 * @returns how many owners' files went. @throws Error after the last, where any failed; its cause is the first failure
 */
export async function removeEach(
  next: (limit: number, except: readonly string[]) => Promise<string[]>,
  remove: (owner: string) => Promise<void>,
): Promise<number> {
  const failed = new Map<string, unknown>();
  let removed = 0;
  let inARow = 0;
  for (let hasMore = true; hasMore && inARow < FAILURES_IN_A_ROW;) {
    const owners = await next(AT_A_TIME, [...failed.keys()]);
    hasMore = owners.length === AT_A_TIME;
    for (const owner of owners) {
      try {
        await remove(owner);
        removed += 1;
        inARow = 0;
      } catch (error) {
        failed.set(owner, error);
        inARow += 1;
        if (inARow === FAILURES_IN_A_ROW) break;
      }
    }
  }
  const first = failed.entries().next().value;
  if (first === undefined) return removed;
  throw new Error(`files of ${failed.size} were not removed, first of ${first[0]}`, { cause: first[1] });
}
