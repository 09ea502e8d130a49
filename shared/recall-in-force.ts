/**
 * In SQL, whether a recall has begun and was not lifted, by the database's clock as `unit_supply` has it; one that is dated
 * back, or made by a clock that runs ahead, begins when it was made.
 * @param recall how the statement calls the row of `recalls`
 */
export const isInForce = (recall: string): string =>
  `${recall}.lifted_at is null and ${recall}.starts_at <= greatest(${recall}.created_at, now())`;
