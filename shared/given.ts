/** What an object has a value of, without what is undefined in it: laid over another, it leaves the rest there as it is. */
export const given = <Fields extends object>(fields: Fields): Partial<Defined<Fields>> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<
    Defined<Fields>
  >;

type Defined<Fields> = { [Name in keyof Fields]: Exclude<Fields[Name], undefined> };
