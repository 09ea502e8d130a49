/** Evidence as points, and back: 60 at the full evidence, 84 at twice that, 94 at thrice. */
import { FULL_EVIDENCE } from './story.ts';

const PER_NAT = Math.log(2.5) / FULL_EVIDENCE;

/** @returns whole points, 0 to 100 */
export const toScore = (nats: number): number => Math.round(100 * (1 - Math.exp(-PER_NAT * nats)));

/** The evidence behind a score. What rounds to 100 is taken for half a point less, or it would have no end. */
export const toNats = (points: number): number => -Math.log(1 - Math.min(points, 99.5) / 100) / PER_NAT;
