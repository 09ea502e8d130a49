/** Writes one export of units. */
import { unitsContent } from '../../shared/exports/units.ts';
import type { WorkerDeps } from '../deps.ts';
import { writeExports } from '../write-exports.ts';

export const exportUnits = (deps: WorkerDeps) => writeExports(deps, 'units', unitsContent(deps));
