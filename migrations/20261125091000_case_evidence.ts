import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- For each kind of signal the id of a scan after which the case gathered none of it: where its newest evidence is sought from.
    -- Kinds that are not in it are sought from last_scan_id. An earlier release beside this one does not move it: until this one gathers the
    -- kind again, an older scan is shown for it.
    alter table risk_cases add column evidence_until jsonb not null default '{}';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table risk_cases drop column evidence_until');
}
