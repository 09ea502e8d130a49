const stepOf = (value: number, figures: number): number =>
  10 ** Math.max(0, Math.floor(Math.log10(value)) - figures + 1);

/** Rounds to two or more figures: what is estimated is not told to the kilometre. */
export const rough = (value: number, figures = 2): number => {
  if (value <= 0) return 0;
  const step = stepOf(value, figures);
  return Math.round(value / step) * step;
};

/** The same upwards, for a speed beside the limit that it passed: 1,040 km/h are not to be told as 1,000. */
export const roughUp = (value: number, figures = 2): number => {
  if (value <= 0) return 0;
  const step = stepOf(value, figures);
  return Math.ceil(value / step) * step;
};
