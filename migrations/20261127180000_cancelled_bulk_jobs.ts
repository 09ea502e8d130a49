import type { Knex } from 'knex';

const CHECKS = `
    alter table bulk_jobs drop constraint bulk_jobs_status_check, drop constraint bulk_jobs_finished_check`;

export async function up(knex: Knex): Promise<void> {
  // The second check has a name that Postgres chose.
  await knex.raw(`
    alter table bulk_jobs rename constraint bulk_jobs_check to bulk_jobs_finished_check;
    ${CHECKS},
      add column cancel_requested_at timestamptz,
      add constraint bulk_jobs_status_check check (status in ('queued', 'running', 'completed', 'failed', 'cancelled')),
      add constraint bulk_jobs_finished_check check ((finished_at is not null) = (status in ('completed', 'failed', 'cancelled'))),
      -- One that takes units back is cancelled once it has.
      add constraint bulk_jobs_cancelled_check check (case status when 'cancelled' then cancel_requested_at is not null
                                                                  when 'completed' then cancel_requested_at is null
                                                                  when 'failed' then cancel_requested_at is null
                                                                  else cancel_requested_at is null or phase = 'undo' end);
  `);
}

export async function down(knex: Knex): Promise<void> {
  const error = `{"code": "BULK_JOB_FAILED", "message": "The job was cancelled."}`;
  await knex.raw(`
    alter table bulk_jobs drop constraint bulk_jobs_cancelled_check;
    update bulk_jobs set status = 'failed', error = '${error}' where status = 'cancelled';
    update bulk_jobs set result = '{"error": ${error}}' where cancel_requested_at is not null and status in ('queued', 'running');
    ${CHECKS},
      drop column cancel_requested_at,
      add constraint bulk_jobs_status_check check (status in ('queued', 'running', 'completed', 'failed')),
      add constraint bulk_jobs_check check ((finished_at is not null) = (status in ('completed', 'failed')));
  `);
}
