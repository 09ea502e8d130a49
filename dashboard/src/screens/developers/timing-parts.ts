/**
 * As the service measured them, in milliseconds: `dnsMs`, `connectMs` and `tlsMs` are how long a step took (none on a
 * connection that was open already), `firstByteMs` and `totalMs` count from the beginning.
 */
export type Timings = Record<string, number | null>;

export interface TimingPart {
  /** `waitMs` until the first byte of the answer; `restMs` what came after it, or after the last step that was reached. */
  part: 'dnsMs' | 'connectMs' | 'tlsMs' | 'waitMs' | 'restMs';
  ms: number;
}

/** To a tenth, as they are measured: differences have more digits than they know of. */
const tenth = (ms: number) => Math.round(ms * 10) / 10;

/** @returns what an attempt's time was spent on, in order; together it is `totalMs`. */
export function partsOf({ dnsMs, connectMs, tlsMs, firstByteMs, totalMs }: Timings): TimingPart[] {
  const steps = (dnsMs ?? 0) + (connectMs ?? 0) + (tlsMs ?? 0);
  const begun = firstByteMs ?? steps;
  const parts: TimingPart[] = [
    { part: 'dnsMs', ms: dnsMs ?? 0 },
    { part: 'connectMs', ms: connectMs ?? 0 },
    { part: 'tlsMs', ms: tlsMs ?? 0 },
    { part: 'waitMs', ms: tenth(begun - steps) },
    { part: 'restMs', ms: tenth((totalMs ?? begun) - begun) },
  ];
  return parts.filter(({ ms }) => ms > 0);
}
