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
