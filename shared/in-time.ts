/**
 * An answer, where it comes in time. What is asked goes on all the same; nobody waits for it any longer.
 * @throws Error when it does not come within so many milliseconds, and what `answer` rejects with before that
 */
export async function inTime<T>(answer: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    // A turn later: in a process that was busy for so long the answer may be there, and unread.
    timer = setTimeout(() => setImmediate(reject, new Error(`no answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
