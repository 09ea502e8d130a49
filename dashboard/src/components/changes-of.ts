/**
 * The members of a body that differ from what a form was begun with. Only they are sent: somebody else may have changed the
 * others since they were read.
 */
export const changesOf = <Body extends object>(begun: Body, body: Body): Partial<Body> =>
  Object.fromEntries(
    Object.entries(body).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(begun[name as keyof Body]),
    ),
  ) as Partial<Body>;

/** Whether there is nothing to send. */
export const isUnchanged = (changes: object): boolean => Object.keys(changes).length === 0;

/** The changes, on condition that nobody has changed the same members since. @param read as the form was begun with it */
export const onCondition = <Change extends object>(
  changes: Change,
  read: object | null,
): Change & { expected?: Partial<Change> } => {
  const expected = Object.entries(read ?? {}).filter(([name]) => name in changes);
  return expected.length === 0
    ? changes
    : { ...changes, expected: Object.fromEntries(expected) as Partial<Change> };
};
