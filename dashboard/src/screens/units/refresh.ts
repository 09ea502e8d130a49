/** A scan that arrives is on the screen this soon. */
export const LIFE_REFRESH_MS = 3_000;
