import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Where the units of a batch were first seen: each counts once, when its first scan with a country is scored. What a lone
    -- scan outside the markets is worth depends on it. Only batches with markets have a row.
    create table batch_sightings (
      batch_id uuid primary key references batches on delete cascade,
      units integer not null check (units >= 0),
      -- Country outside the markets → units first seen there.
      outside jsonb not null default '{}' check (jsonb_typeof(outside) = 'object')
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table batch_sightings');
}
