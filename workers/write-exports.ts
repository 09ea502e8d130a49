/** What the queues of exports do: write one, from its beginning to its end. */
import { EXPORT_ID_PREFIXES, type ExportKind } from '../shared/exports/kinds.ts';
import type { ExportContent } from '../shared/exports/content.ts';
import {
  claim,
  ExportInterrupted,
  giveBack,
  settleFailure,
  writeExport,
  type WriteDeps,
} from '../shared/exports/write.ts';
import { encodeId } from '../shared/ids.ts';
import type { WorkerDeps } from './deps.ts';

export type ExportResult = { did: 'nothing' | 'finished' | 'interrupted' | 'failed'; export: string };

export const writeExports = (deps: WorkerDeps, kind: ExportKind, content: ExportContent) => {
  const writeDeps: WriteDeps = { ...deps, leaseSeconds: deps.config.LEASE_SECONDS };
  return async ({ exportId }: { exportId: string }): Promise<ExportResult> => {
    const id = encodeId(EXPORT_ID_PREFIXES[kind], exportId);
    if (deps.stopping.aborted) {
      // For another process, at once and not at the next sweep.
      await deps.waker.writeExports(kind, [exportId]);
      return { did: 'nothing', export: id };
    }
    const row = await claim(writeDeps, kind, exportId);
    if (row === null) return { did: 'nothing', export: id };
    const started = performance.now();
    try {
      const isOurs = await writeExport(writeDeps, content, row, deps.stopping);
      deps.log.info({ exportId: id, ms: Math.round(performance.now() - started) }, 'export at its end');
      return { did: isOurs ? 'finished' : 'interrupted', export: id };
    } catch (error) {
      if (error instanceof ExportInterrupted) {
        await giveBack(writeDeps, row);
        if (deps.stopping.aborted) await deps.waker.writeExports(kind, [exportId]);
        return { did: 'interrupted', export: id };
      }
      deps.log.error(
        { err: error, exportId: id, attempts: row.attempts, storageFailures: row.storage_failures },
        'export failed',
      );
      const dueAt = await settleFailure(writeDeps, row, error);
      if (dueAt !== null)
        await deps.waker.writeExports(
          kind,
          [exportId],
          Math.max(0, dueAt.getTime() - deps.clock.now().getTime()),
        );
      return { did: 'failed', export: id };
    }
  };
};
