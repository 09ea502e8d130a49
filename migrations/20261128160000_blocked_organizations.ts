import type { Knex } from 'knex';

/** What whoever runs the service does about an organization that abuses it, an imitator of a brand say. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`alter table organizations
    add column blocked_at timestamptz,
    add column block_reason text check ((block_reason is null) = (blocked_at is null))`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table organizations drop column block_reason, drop column blocked_at');
}
