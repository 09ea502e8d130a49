/** What is under way in this process, counted by whose it is: for limits that one organization must not fill for the others. */
export interface UnderWay {
  of(owner: string): number;
  all(): number;
  /** Counts one more. @returns what ends it; to be called once. */
  begin(owner: string): () => void;
}

export function createUnderWay(): UnderWay {
  const counts = new Map<string, number>();
  let all = 0;
  const add = (owner: string, more: 1 | -1) => {
    all += more;
    const own = (counts.get(owner) ?? 0) + more;
    // Whoever has nothing under way leaves nothing behind.
    if (own === 0) counts.delete(owner);
    else counts.set(owner, own);
  };
  return {
    of: (owner) => counts.get(owner) ?? 0,
    all: () => all,
    begin(owner) {
      add(owner, 1);
      return () => add(owner, -1);
    },
  };
}
