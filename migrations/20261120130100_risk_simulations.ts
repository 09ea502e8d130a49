import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- A policy tried on stored history. The walk over the units is the progress: it goes on at next_unit.
    create table risk_simulations (
      id uuid primary key,
      org_id uuid not null references organizations,
      product_id uuid,
      policy jsonb not null,
      from_at timestamptz not null,
      to_at timestamptz not null check (to_at > from_at),
      status text not null default 'queued' check (status in ('queued', 'running', 'completed', 'failed')),
      next_unit uuid not null default '00000000-0000-0000-0000-000000000000',
      done integer not null default 0 check (done >= 0),
      total integer not null check (total >= 0),
      tally jsonb not null default '{}',
      error text,
      due_at timestamptz not null,
      lease_until timestamptz,
      lease_epoch integer not null default 0,
      attempts integer not null default 0,
      created_at timestamptz not null,
      finished_at timestamptz,
      foreign key (org_id, product_id) references products (org_id, id),
      check ((finished_at is not null) = (status in ('completed', 'failed'))),
      unique (org_id, id)
    );
    create index risk_simulations_newest on risk_simulations (org_id, id desc);
    create index risk_simulations_due on risk_simulations (due_at) where status in ('queued', 'running');

    -- Up to which scan id a retention rule has been applied: the next run starts there and touches nothing older.
    create table retention_marks (
      rule text primary key,
      up_to uuid not null
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table retention_marks;
    drop table risk_simulations;
  `);
}
