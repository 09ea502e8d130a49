import type { Knex } from 'knex';

/**
 * Hosts at which the codes of one organization lead here, and nobody else's. What is printed stays printed: a host that is no longer
 * the current one goes on answering. `url` is as symbols hold it, its host in capitals where the operator wrote it so.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table code_hosts (
      host       text primary key check (host = lower(host) and length(host) <= 260),
      org_id     uuid not null references organizations (id) on delete cascade,
      url        text not null,
      is_current boolean not null default false,
      created_at timestamptz not null
    );
    create index code_hosts_org on code_hosts (org_id);
    create unique index code_hosts_one_current on code_hosts (org_id) where is_current;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table code_hosts');
}
