/** Writes one export of scans, from its beginning to its end. */
import { encodeId } from '../../shared/ids.ts';
import type { WakeUps } from '../../shared/queues.ts';
import {
  claim,
  ExportInterrupted,
  giveBack,
  settleFailure,
  writeExport,
  type WriteDeps,
} from '../../shared/scan-exports/write.ts';
import type { WorkerDeps } from '../deps.ts';

export type ExportResult = { did: 'nothing' | 'finished' | 'interrupted' | 'failed'; export: string };

export const exportScans = (deps: WorkerDeps) => {
  const writeDeps: WriteDeps = { ...deps, leaseSeconds: deps.config.LEASE_SECONDS };
  return async ({ exportId }: WakeUps['export-scans']): Promise<ExportResult> => {
    const id = encodeId('exp', exportId);
    const row = deps.stopping.aborted ? null : await claim(writeDeps, exportId);
    if (row === null) return { did: 'nothing', export: id };
    const started = performance.now();
    try {
      const isOurs = await writeExport(writeDeps, row, deps.stopping);
      deps.log.info({ exportId: id, ms: Math.round(performance.now() - started) }, 'export at its end');
      return { did: isOurs ? 'finished' : 'interrupted', export: id };
    } catch (error) {
      if (error instanceof ExportInterrupted) {
        await giveBack(writeDeps, row);
        if (deps.stopping.aborted) await deps.waker.exportScans([exportId]);
        return { did: 'interrupted', export: id };
      }
      deps.log.error(
        { err: error, exportId: id, attempts: row.attempts, storageFailures: row.storage_failures },
        'export failed',
      );
      const dueAt = await settleFailure(writeDeps, row, error);
      if (dueAt !== null)
        await deps.waker.exportScans([exportId], Math.max(0, dueAt.getTime() - deps.clock.now().getTime()));
      return { did: 'failed', export: id };
    }
  };
};
