import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Requests of a credential that were refused or failed, for whoever builds against the API. No bodies, no queries.
    create table request_errors (
      id uuid primary key,
      org_id uuid not null,
      at timestamptz not null,
      method text not null,
      -- The route's pattern: no id and no printed code is in it.
      route text not null,
      status smallint not null check (status between 400 and 599),
      code text,
      request_id text not null,
      actor_kind text not null check (actor_kind in ('key', 'user')),
      actor_id uuid not null,
      actor_name text,
      -- Cut to its network.
      ip inet
    );
    create index request_errors_newest on request_errors (org_id, id desc);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table request_errors');
}
