import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Whether the packages of its units have a second code below a layer to scratch or peel off.
    alter table batches add column hidden_codes boolean not null default false;
    -- Who typed such a code, by the scan with which they did: what tells one visitor from another stays there, and goes with it.
    create table hidden_code_entries (
      scan_id uuid primary key,
      org_id uuid not null references organizations,
      unit_id uuid not null,
      -- Of the right one, or of the last wrong one until then.
      at timestamptz not null,
      is_right boolean not null,
      -- Which of the unit's visitors entered the right one, from 1: told apart at the time, by what retention takes from the scan.
      visitor integer check (visitor >= 1),
      wrong_attempts integer not null check (wrong_attempts >= 0),
      check (is_right = (visitor is not null))
    );
    create index hidden_code_entries_newest on hidden_code_entries (unit_id, at desc, scan_id desc);
    create index hidden_code_entries_right on hidden_code_entries (unit_id, at, scan_id) where is_right;
    create index hidden_code_entries_visitors on hidden_code_entries (unit_id, visitor, at) where is_right;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table hidden_code_entries; alter table batches drop column hidden_codes');
}
