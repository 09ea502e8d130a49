import type { Knex } from 'knex';

const CHECKS = `
    alter table risk_simulations drop constraint risk_simulations_status_check, drop constraint risk_simulations_finished_check`;

export async function up(knex: Knex): Promise<void> {
  // The second check has a name that Postgres chose.
  await knex.raw(`
    alter table risk_simulations rename constraint risk_simulations_check1 to risk_simulations_finished_check;
    ${CHECKS},
      add constraint risk_simulations_status_check check (status in ('queued', 'running', 'completed', 'failed', 'cancelled')),
      add constraint risk_simulations_finished_check check ((finished_at is not null) = (status in ('completed', 'failed', 'cancelled')));
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    update risk_simulations set status = 'failed', error = 'The simulation was cancelled.' where status = 'cancelled';
    ${CHECKS},
      add constraint risk_simulations_status_check check (status in ('queued', 'running', 'completed', 'failed')),
      add constraint risk_simulations_check1 check ((finished_at is not null) = (status in ('completed', 'failed')));
  `);
}
