/** Rounds to so many parts of one. Of degrees a ten-thousandth is 11 m. */
export const round = (value: number, parts = 10_000): number => Math.round(value * parts) / parts;
