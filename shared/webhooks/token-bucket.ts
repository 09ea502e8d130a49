/**
 * An endpoint's rate limit as a token bucket. It is kept in the endpoint's row and moved under that row's lock, so that
 * the rate holds over all processes.
 */
export interface Bucket {
  /** Tokens left at `at`; a new bucket is full. */
  tokens: number;
  /** Milliseconds since 1970, or null for a bucket that was never used. */
  at: number | null;
}

/** A bucket holds a tenth of a second's rate: so no second sees more than 1.1 times the rate, whenever it begins. */
const BURST_SECONDS = 0.1;

const capacityOf = (ratePerSecond: number): number => Math.max(1, ratePerSecond * BURST_SECONDS);

/** The bucket at `now`, with what has flowed in since. A clock that went back adds nothing, and a debt of earlier versions is forgiven. */
export function refill(bucket: Bucket, ratePerSecond: number, now: number): Bucket {
  const capacity = capacityOf(ratePerSecond);
  if (bucket.at === null) return { tokens: capacity, at: now };
  const seconds = Math.max(0, now - bucket.at) / 1000;
  return { tokens: Math.min(capacity, Math.max(0, bucket.tokens) + seconds * ratePerSecond), at: now };
}

/** When the bucket holds a whole token again, in milliseconds since 1970. */
export function nextTokenAt({ tokens, at }: Bucket, ratePerSecond: number): number {
  return (at ?? 0) + Math.ceil((Math.max(0, 1 - tokens) * 1000) / ratePerSecond);
}
