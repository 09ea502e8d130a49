/**
 * In SQL, whether a recall has begun and was not lifted, by the database's clock as `unit_supply` has it; one that is dated
 * back, or made by a clock that runs ahead, begins when it was made.
 * @param recall how the statement calls the row of `recalls`
 */
export const isInForce = (recall: string): string =>
  `${recall}.lifted_at is null and ${recall}.starts_at <= greatest(${recall}.created_at, now())`;

/** As {@link isInForce}, whether it is in force or was when it was lifted: not, where it was called off before. */
export const hasBegun = (recall: string): string =>
  `${recall}.starts_at <= greatest(${recall}.created_at, coalesce(${recall}.lifted_at, now()))`;

/** In SQL, when a recall begins, or began; of the index `recalls_begun`. */
export const begunAt = (recall: string): string => `greatest(${recall}.created_at, ${recall}.starts_at)`;
