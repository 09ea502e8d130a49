/**
 * Keeps what is made again where it is gone: begun anew when there is as much as may be, which costs nothing to decide.
 * @param most entries at a time
 */
export function keepSome<Key, Value>(kept: Map<Key, Value>, key: Key, value: Value, most: number): void {
  if (kept.size >= most) kept.clear();
  kept.set(key, value);
}
