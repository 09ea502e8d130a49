import type { Schemas } from '../../api/types.gen.ts';

const POLL_MS = 1_500;

/** How soon to ask again: a preliminary verdict becomes final within seconds, and a final one stays. */
export const untilFinal = (scans: readonly Pick<Schemas['Scan'], 'assessment'>[]): number | false =>
  scans.some(({ assessment }) => assessment === 'preliminary') && POLL_MS;
