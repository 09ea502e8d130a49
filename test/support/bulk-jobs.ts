/** Works off bulk jobs with the worker's own code. */
import { decodeId } from '../../shared/ids.ts';
import { runBulkJobs } from '../../workers/run-bulk-jobs/processor.ts';
import type { TestApi, TestOrganization } from './api.ts';

/** Runs everything that is due. */
export async function runAllBulkJobs(api: TestApi): Promise<void> {
  const run = runBulkJobs(api.workerDeps);
  for (;;) {
    const { rows } = await api.database.pool.query<{ id: string }>(
      `select id from bulk_jobs where status in ('queued', 'running') order by id`,
    );
    if (rows.length === 0) return;
    for (const { id } of rows) await run({ jobId: id });
  }
}

/** A public id's job, run to its end; what `GET` says of it then. */
export async function runBulkJob(
  api: TestApi,
  org: TestOrganization,
  id: string,
): Promise<Record<string, any>> {
  const run = runBulkJobs(api.workerDeps);
  for (let did = 'turn'; did === 'turn';) ({ did } = await run({ jobId: decodeId('bulk', id)! }));
  return (await org.get(`/bulk-jobs/${id}`).expect(200)).body;
}
