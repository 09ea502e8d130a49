/** Writes one export of scans. */
import { scansContent } from '../../shared/exports/scans.ts';
import type { WorkerDeps } from '../deps.ts';
import { writeExports } from '../write-exports.ts';

export const exportScans = (deps: WorkerDeps) => writeExports(deps, 'scans', scansContent(deps));
