import type { Actor } from '../../shared/actor.ts';
import { authorize } from '../middleware/authenticate.ts';
import { needs } from '../operation.ts';

/** What a filter of units tells beyond them (which are under suspicion, which went to whom) is for whoever may read that. */
const NEEDED = [
  ['risk', needs('scans.read')],
  ['consignmentId', needs('consignments.read', 'consignments.write')],
] as const;

type Filter = Readonly<{ risk?: unknown; consignmentId?: unknown }>;

/** @throws AppError INSUFFICIENT_SCOPE */
export function authorizeUnitFilter(actor: Actor, filter: Filter): void {
  for (const [name, access] of NEEDED) if (filter[name] !== undefined) authorize(actor, access);
}

/** The same of a filter that somebody else has set. */
export const mayFilterUnits = ({ scopes }: Actor, filter: Filter): boolean =>
  NEEDED.every(([name, { anyOf }]) => filter[name] === undefined || anyOf.some((scope) => scopes.has(scope)));
