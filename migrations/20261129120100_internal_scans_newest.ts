import type { Knex } from 'knex';

/** The list's filter for scans from an organization's own networks: where they are few, all others would be read for them. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('create index scans_internal on scans (org_id, at desc, id desc) where is_internal');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index scans_internal');
}
