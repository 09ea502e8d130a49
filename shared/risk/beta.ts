/** The beta function, for chances of which only counts are known. */

/** Stirling's series is right to 10⁻⁹ from here on. */
const BIG_ENOUGH = 8;

/** Natural logarithm of the beta function, for a, b > 0. */
export function lnBeta(a: number, b: number): number {
  return lnGamma(a) + lnGamma(b) - lnGamma(a + b);
}

function lnGamma(x: number): number {
  let product = 1;
  let y = x;
  for (; y < BIG_ENOUGH; y++) product *= y;
  const stirling =
    (y - 0.5) * Math.log(y) -
    y +
    0.5 * Math.log(2 * Math.PI) +
    1 / (12 * y) -
    1 / (360 * y ** 3) +
    1 / (1260 * y ** 5);
  return stirling - Math.log(product);
}
